"""Types of command-line parameters."""

from typing import Any

import click

from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.sandbox.standing import SandboxMode


class ModeType(click.ParamType[PermissionMode]):
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

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """Complete names of modes."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(mode.value) for mode in PermissionMode if mode.value.startswith(incomplete)]


sandbox_option = click.option(
    "--sandbox",
    type=click.Choice([mode.value for mode in SandboxMode]),
    callback=lambda context, parameter, value: None if value is None else SandboxMode(value),
    help="Whether commands run in a sandbox: auto, require or off; wins over the settings.",
)
"""Of every command that opens a session."""
