"""A tiny application that opens one dialog, for tests of dialogs without a session."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from decode_ui.theme import DARK

UNANSWERED = object()
"""What `Host.result` holds while the dialog is open."""


class Clock:
    """Seconds that pass only by hand."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


class Host(App[None]):
    """Opens `dialog` over an empty screen and keeps what it closes with."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, dialog: Screen[Any]) -> None:
        super().__init__()
        self.register_theme(DARK)
        self.theme = "decode"
        self.animation_level = "none"
        self.dialog = dialog
        self.result: object = UNANSWERED
        self.copied: list[str] = []
        self.last_shown = ""
        """What was on the screen at the end of `play`."""

    def compose(self) -> ComposeResult:
        yield Static("the work screen", id="below")

    def on_mount(self) -> None:
        self.push_screen(self.dialog, self._keep)

    def copy_to_clipboard(self, text: str) -> None:
        self.copied.append(text)

    def _keep(self, result: object) -> None:
        self.result = result

    @property
    def shown(self) -> str:
        """The text on the screen, line by line, right-hand blanks kept."""
        size = self.screen.size
        lines = self.screen._compositor.render_strips(size)
        return "\n".join(strip.text for strip in lines)


def play(
    dialog: Screen[Any],
    steps: Callable[[Host, Pilot[None]], Awaitable[None]],
    size: tuple[int, int] = (150, 40),
) -> Host:
    """Run `steps` against an application that has `dialog` open; returns the application for a last look."""

    async def run() -> Host:
        app = Host(dialog)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(app, pilot)
            await pilot.pause()
            app.last_shown = app.shown
        return app

    return asyncio.run(run())
