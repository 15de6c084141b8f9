"""Runs a command line: every expected fault becomes one sentence and an exit code (core.md §9)."""

import logging
import os
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn

import click

from decode_core.catalog.errors import UnknownAgent
from decode_core.config import ConfigError, make_private, state_dir
from decode_core.engine.errors import ModelError
from decode_core.neutral import neutralise
from decode_core.store.faults import StoreError
from decode_core.workspace import WorkspaceError
from decode_ui import __version__
from decode_ui.command_group import COMMANDS, RootGroup

EXIT_ERROR = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

LOG_FILE = "decode.log"


@click.group(cls=RootGroup, places=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="decode", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show the traceback of an unexpected error.")
def cli(*, debug: bool) -> None:
    """Work with a coding agent on a real repository, and keep the upper hand.

    `decode [DIR]` opens the application; the commands below work without it.
    """


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
    except (ConfigError, StoreError) as error:
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
    logging.getLogger().addHandler(_LogFile(logging.WARNING))


class _LogFile(logging.Handler):
    """Opens the file with the first record: most runs write none, and the library of handlers costs them 10 ms."""

    _file: logging.Handler | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record; called under the handler's lock."""
        if self._file is None:
            self._file = _open_log()
        self._file.emit(record)

    def close(self) -> None:
        """Close the file, if there is one."""
        if self._file is not None:
            self._file.close()
        super().close()


def _open_log() -> logging.Handler:
    from logging.handlers import RotatingFileHandler

    try:
        folder = make_private(state_dir())
        handler = RotatingFileHandler(
            folder / LOG_FILE, maxBytes=1_000_000, backupCount=2, encoding="utf-8", delay=True
        )
    except (ConfigError, OSError):
        return logging.NullHandler()  # a read-only home is no reason not to start
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    return handler
