"""Commands, options and the way from a fault to one sentence and an exit code (core.md §9).

Headless commands never import textual; `decode [DIR]` imports it when it starts the application.
"""

import asyncio
import logging
import os
import sys
import traceback
from collections.abc import Sequence
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, NoReturn

import click
from decode_core.catalog.loader import UnknownAgent

from decode_core.config import ConfigError, make_private, state_dir
from decode_core.engine.clearance import OnAsk
from decode_core.engine.errors import ModelError
from decode_core.neutral import neutralise
from decode_core.permissions.modes import PermissionMode
from decode_core.workspace import Workspace, WorkspaceError
from decode_ui import __version__

EXIT_ERROR = 1
EXIT_USAGE = 2
EXIT_LIMIT = 4
EXIT_INTERRUPTED = 130


class ModeType(click.ParamType):
    """A permission mode, by name or alias."""

    name = "mode"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> PermissionMode:
        """Read the mode or fail with the list of modes."""
        if isinstance(value, PermissionMode):
            return value
        try:
            return PermissionMode.parse(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


class OpensFolders(click.Group):
    """A group whose unknown first word is the folder to open: `decode` and `decode DIR` start the application."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command `open` before whatever is no command."""
        takes_value = {"--agent", "--mode", "--model"}
        index = 0
        while index < len(args) and args[index].startswith("-") and args[index] != "--":
            if args[index] in ("--help", "-h", "--version", "--debug"):
                index += 1
                continue
            index += 2 if args[index] in takes_value else 1
        word = args[index] if index < len(args) else None
        if word is None and any(arg in ("--help", "-h", "--version") for arg in args):
            return super().parse_args(ctx, args)
        if word is None or word not in self.commands:
            flags = [arg for arg in args if arg == "--debug"]
            args = [*flags, "open", *(arg for arg in args if arg != "--debug")]
        return super().parse_args(ctx, args)


@click.group(cls=OpensFolders, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="decode", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show the traceback of an unexpected error.")
def cli(*, debug: bool) -> None:
    """Work with a coding agent on a real repository, and keep the upper hand.

    `decode [DIR]` opens the application; the commands below work without it.
    """


@cli.command("open")
@click.argument("directory", required=False, type=click.Path(path_type=Path))
@click.option("--agent", help="The agent to start with (default: build).")
@click.option("--mode", type=ModeType(), help="default, edit, plan, bypass or dont_ask; wins over the agent's mode.")
@click.option("--model", help="PROVIDER:NAME, a model of the settings, offline, or script:FILE.yaml.")
def open_command(directory: Path | None, agent: str | None, mode: PermissionMode | None, model: str | None) -> None:
    """Open the application in DIRECTORY (default: the enclosing git repository, else the current folder)."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        hint = "start it in one, or use `decode run PROMPT`"
        raise click.ClickException(f"the application needs a terminal; {hint}")
    from decode_core.opening import SessionOptions
    from decode_ui.app import run_app

    sys.exit(run_app(Workspace.open(directory), SessionOptions(agent=agent, mode=mode, model=model)))


@cli.command("run")
@click.argument("prompt", required=False)
@click.option("-C", "--directory", type=click.Path(path_type=Path), help="Work in this folder.")
@click.option("--output", type=click.Choice(["text", "json", "stream-json"]), default="text", show_default=True)
@click.option("--mode", type=ModeType(), help="Default: plan if the agent's mode is plan, else dont_ask.")
@click.option("--on-ask", type=click.Choice([it.value for it in OnAsk]), default="deny", show_default=True)
@click.option("--max-turns", type=click.IntRange(min=1), help="Most model requests.")
@click.option("--max-cost", type=click.FloatRange(min=0, min_open=True), help="Most US dollars, where known.")
@click.option("--agent", help="The agent (default: build).")
@click.option("--model", help="PROVIDER:NAME, a model of the settings, offline, or script:FILE.yaml.")
def run_command(
    prompt: str | None,
    directory: Path | None,
    output: str,
    mode: PermissionMode | None,
    on_ask: str,
    max_turns: int | None,
    max_cost: float | None,
    agent: str | None,
    model: str | None,
) -> None:
    """Run one turn for PROMPT without the application; `-` or no PROMPT reads standard input."""
    from decode_core.opening import SessionOptions
    from decode_ui.headless.run import Output, run_headless

    if prompt in (None, "-"):
        if sys.stdin.isatty():
            raise click.UsageError("there is no prompt; write one, or pipe it in")
        prompt = sys.stdin.read()
    if not prompt or not prompt.strip():
        raise click.UsageError("the prompt is empty; say what is to be done")
    options = SessionOptions(
        agent=agent,
        mode=mode,
        model=model,
        interactive=False,
        headless_modes=True,
        on_ask=OnAsk(on_ask),
        max_turns=max_turns,
        max_cost=max_cost,
    )
    sys.exit(asyncio.run(run_headless(prompt, Workspace.open(directory), options, Output(output))))


@cli.group()
def permissions() -> None:
    """Explain verdicts of the permission gate."""


@permissions.command("check")
@click.argument("tool", required=False)
@click.argument("subject", required=False)
@click.option("--args", "args_json", help="The arguments as a JSON object, instead of SUBJECT.")
@click.option("--mode", type=ModeType(), help="Judge in this mode (default: the agent's).")
@click.option("--agent", help="Judge under this agent's rules (default: build).")
@click.option("--allow", multiple=True, metavar="RULE", help="A further allow rule.")
@click.option("--deny", multiple=True, metavar="RULE", help="A further deny rule.")
@click.option("--ask", multiple=True, metavar="RULE", help="A further ask rule.")
@click.option("--readonly", multiple=True, metavar="RULE", help="A further readonly rule.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--batch", type=click.File("r", encoding="utf-8"), help="Judge JSON lines from FILE or -.")
def check_command(
    *,
    tool: str | None,
    subject: str | None,
    args_json: str | None,
    mode: PermissionMode | None,
    agent: str | None,
    allow: tuple[str, ...],
    deny: tuple[str, ...],
    ask: tuple[str, ...],
    readonly: tuple[str, ...],
    as_json: bool,
    batch: Any,
) -> None:
    """Explain the verdict over a call of TOOL about SUBJECT, without running anything."""
    from decode_core.opening import survey
    from decode_ui.headless.permissions import CheckOptions, check_batch, check_one

    around = survey(Workspace.open(None))
    if batch is not None:
        if tool is not None:
            raise click.UsageError("--batch takes its calls from the file; leave TOOL out")
        sys.exit(check_batch(around, batch))
    if tool is None:
        raise click.UsageError("name a TOOL, or give calls with --batch")
    lists = {"deny": deny, "ask": ask, "allow": allow, "readonly": readonly}
    sys.exit(check_one(around, CheckOptions(tool, subject, args_json, mode, agent, lists, as_json=as_json)))


def run(argv: Sequence[str]) -> NoReturn:
    """Run a command line and exit. Every expected fault is one sentence on stderr; tracebacks need --debug."""
    debug = "--debug" in argv
    _log_to_file()
    try:
        cli.main(args=list(argv), prog_name="decode", standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(EXIT_INTERRUPTED)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as error:
        _fail(error.format_message(), error.exit_code)
    except (UnknownAgent, WorkspaceError) as error:
        _fail(str(error), EXIT_USAGE if isinstance(error, UnknownAgent) else EXIT_ERROR)
    except ModelError as error:
        _fail(str(error), EXIT_USAGE if error.is_usage else EXIT_ERROR)
    except ConfigError as error:
        _fail(str(error), EXIT_ERROR)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:
        # the reader went away: nothing is left to say, and Python must not try to flush at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_ERROR)
    except Exception as error:
        logging.getLogger(__name__).exception("unexpected error")
        if debug:
            traceback.print_exc()
        _fail(f"unexpected error: {type(error).__name__}: {error} (run again with --debug for details)", EXIT_ERROR)
    sys.exit(0)


def _fail(sentence: str, code: int) -> NoReturn:
    click.echo(f"decode: {neutralise(sentence)}", err=True)
    sys.exit(code)


def _log_to_file() -> None:
    """Warnings and faults go to a file in the state directory, never to the terminal."""
    root = logging.getLogger()
    try:
        folder = make_private(state_dir())
        handler: logging.Handler = RotatingFileHandler(
            folder / "decode.log", maxBytes=1_000_000, backupCount=2, encoding="utf-8", delay=True
        )
    except (ConfigError, OSError):
        handler = logging.NullHandler()  # a read-only home is no reason not to start
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    handler.setLevel(logging.WARNING)
    root.addHandler(handler)
