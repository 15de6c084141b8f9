"""`decode [DIR]`: opens the application."""

import sys
from pathlib import Path

import click

from decode_core.collector import CollectorRest
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.sandbox.standing import SandboxMode
from decode_core.workspace import Workspace
from decode_ui.parameters import ModeType, sandbox_option


@click.command("open")
@click.argument("directory", required=False, type=click.Path(path_type=Path))
@click.option("--agent", help="The agent to start with (default: build).")
@click.option("--mode", type=ModeType(), help="default, edit, plan, bypass or dont_ask; wins over the agent's mode.")
@click.option("--model", help="PROVIDER:NAME, a model of the settings, offline, or script:FILE.yaml.")
@click.option("--continue", "latest", is_flag=True, help="Go on with the latest session of this workspace.")
@click.option(
    "--resume",
    metavar="[ID]",
    is_flag=False,
    flag_value="",
    help="Go on with this session (see decode sessions list); without ID choose one.",
)
@sandbox_option
@click.option("--trust-workspace", is_flag=True, help="Trust what the folder brings, as decode trust does.")
def open_command(
    directory: Path | None,
    agent: str | None,
    mode: PermissionMode | None,
    model: str | None,
    *,
    latest: bool,
    resume: str | None,
    sandbox: SandboxMode | None,
    trust_workspace: bool,
) -> None:
    """Open the application in DIRECTORY (default: the enclosing git repository, else the current folder)."""
    # no garbage is worth a look before the first frame stands
    with CollectorRest() as rest:
        if latest and resume:
            raise click.UsageError(
                "--continue goes on with the latest session, --resume ID with another one; choose one"
            )
        chooses = resume == "" and not latest
        has_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        if chooses and not has_terminal:
            raise click.ClickException(
                "choosing a session needs a terminal; `decode sessions list` shows them, and `decode run --resume ID "
                "PROMPT` goes on with one"
            )
        resumed = None
        if latest or resume:
            from decode_core.resuming import take_up

            resumed = take_up(resume or None, directory)
        workspace = Workspace.open(directory) if resumed is None else resumed.workspace
        if not has_terminal:
            if resumed is not None:
                resumed.give_back()
            raise click.ClickException("the application needs a terminal; start it in one, or use `decode run PROMPT`")
        if trust_workspace:
            from decode_ui.headless import trust

            trust.trust_workspace(workspace.root)
        from decode_core.opening import SessionOptions
        from decode_ui.frame_rate import raise_frame_rate

        raise_frame_rate()
        from decode_ui.app import run_app

        options = SessionOptions(agent=agent, mode=mode, model=model, resumed=resumed, sandbox=sandbox)
        sys.exit(run_app(workspace, options, on_first_frame=rest.end, chooses_session=chooses))
