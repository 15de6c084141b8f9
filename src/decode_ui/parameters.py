"""Types of command-line parameters."""

from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

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


class MomentType(click.ParamType[datetime]):
    """A moment in the past: a date or time (UTC unless it says otherwise), or how long ago, like 30m, 2h or 3d."""

    name = "moment"
    UNITS: ClassVar[dict[str, str]] = {"m": "minutes", "h": "hours", "d": "days"}

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Read the moment or fail with the forms that are understood."""
        if isinstance(value, datetime):
            return value
        text = str(value).strip()
        try:
            if text[-1:] in self.UNITS and text[:-1].isdecimal():
                return datetime.now(UTC) - timedelta(**{self.UNITS[text[-1]]: int(text[:-1])})
            moment = datetime.fromisoformat(text)
        except (ValueError, OverflowError):
            self.fail(f"{text!r} is no time; write 2026-01-31, 2026-01-31T14:00, or 30m, 2h, 3d", param, ctx)
        return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


sandbox_option = click.option(
    "--sandbox",
    type=click.Choice([mode.value for mode in SandboxMode]),
    callback=lambda context, parameter, value: None if value is None else SandboxMode(value),
    help="Whether commands run in a sandbox: auto, require or off; wins over the settings.",
)
"""Of every command that opens a session."""
