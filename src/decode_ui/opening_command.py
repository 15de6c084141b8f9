"""`decode [DIR]`: opens the application."""

import sys
from pathlib import Path

import click

from decode_core.permissions.modes import PermissionMode
from decode_core.workspace import Workspace
from decode_ui.parameters import ModeType


@click.command("open")
@click.argument("directory", required=False, type=click.Path(path_type=Path))
@click.option("--agent", help="The agent to start with (default: build).")
@click.option("--mode", type=ModeType(), help="default, edit, plan, bypass or dont_ask; wins over the agent's mode.")
@click.option("--model", help="PROVIDER:NAME, a model of the settings, offline, or script:FILE.yaml.")
def open_command(directory: Path | None, agent: str | None, mode: PermissionMode | None, model: str | None) -> None:
    """Open the application in DIRECTORY (default: the enclosing git repository, else the current folder)."""
    workspace = Workspace.open(directory)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.ClickException("the application needs a terminal; start it in one, or use `decode run PROMPT`")
    from decode_core.opening import SessionOptions
    from decode_ui.frame_rate import raise_frame_rate

    raise_frame_rate()
    from decode_ui.app import run_app

    sys.exit(run_app(workspace, SessionOptions(agent=agent, mode=mode, model=model)))
