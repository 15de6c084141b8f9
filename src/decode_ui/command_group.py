"""The root of the command line: commands are imported when they are called, and an unknown word is a folder to open."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

COMMANDS = {
    "open": "decode_ui.opening_command:open_command",
    "run": "decode_ui.headless.run:run_command",
    "sessions": "decode_ui.headless.sessions:sessions",
    "permissions": "decode_ui.headless.permissions:permissions",
    "agents": "decode_ui.headless.agents:agents",
    "trust": "decode_ui.headless.trust:trust_command",
    "settings": "decode_ui.headless.settings:settings",
    "plan": "decode_ui.headless.plan:plan",
    "models": "decode_ui.headless.models:models_command",
    "doctor": "decode_ui.headless.doctor:doctor_command",
    "completion": "decode_ui.headless.completion:completion_command",
}
"""Every command and where it lives."""

OPTIONS_WITH_VALUE = frozenset({"--agent", "--mode", "--model", "--resume"})
"""Options of `open` whose next word is a value, not a folder or command."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called; `places` says where each one lives."""

    def __init__(self, *args: Any, places: Mapping[str, str] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.places = places or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the table."""
        return list(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        place = self.places.get(cmd_name)
        if place is None:
            return None
        module, _, name = place.partition(":")
        command = getattr(import_module(module), name)
        if not isinstance(command, click.Command):
            raise TypeError(f"{place} is no command")
        return command


class RootGroup(LazyGroup):
    """`decode COMMAND …`, and `decode [DIR] …` as a short form of `decode open [DIR] …`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `open` before a line that begins with no command."""
        own = [arg for arg in args if arg == "--debug"]
        rest = [arg for arg in args if arg != "--debug"]
        # completion parses half a line: the word that is missing is still to be completed
        if not ctx.resilient_parsing and _first_word(rest) not in COMMANDS and not _asks_root(rest):
            rest = ["open", *rest]
        return super().parse_args(ctx, [*own, *rest])


def _first_word(args: list[str]) -> str | None:
    skip = False
    for arg in args:
        if skip:
            skip = False
        elif arg == "--":
            return None
        elif arg.startswith("-") and arg != "-":
            skip = arg in OPTIONS_WITH_VALUE
        else:
            return arg
    return None


def _asks_root(args: list[str]) -> bool:
    """Whether the line is a question to decode itself, such as `decode --help`."""
    return bool(args) and args[0] in ("--help", "-h", "--version")
