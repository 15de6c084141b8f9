"""The application: wiring only. Screens show, the session works, `work_acts` is what a person can do."""

import time
from collections.abc import Callable

from textual import events
from textual.app import App

from decode_core.opening import SessionOptions, new_session, survey
from decode_core.session import Session
from decode_core.workspace import Workspace
from decode_ui.guard import KeyGuard
from decode_ui.screens.work import WorkScreen
from decode_ui.theme import DARK, VARIABLES


class DecodeApp(App[int], inherit_bindings=False):
    """decode in a terminal.

    `make_session` is called on the application's loop, since events arrive there. `clock` gives seconds that never run
    backwards; guards and ladders count by it.
    """

    TITLE = "decode"
    ENABLE_COMMAND_PALETTE = False
    CSS = "Toast { max-width: 70; }"

    def __init__(self, make_session: Callable[[], Session], *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._make_session = make_session
        self.clock = clock
        self.guard = KeyGuard(clock)
        self.session: Session | None = None

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Variables that a theme without them takes from ours."""
        return VARIABLES

    def on_mount(self) -> None:
        """Open the session and the work screen; the model library is imported after the first frame."""
        self.register_theme(DARK)
        self.theme = DARK.name
        self.session = self._make_session()
        self.push_screen(WorkScreen(self.session, self.guard, self.clock))
        self.call_after_refresh(self.session.warm_up)

    async def on_unmount(self) -> None:
        """Stop what runs and deny what waits."""
        if self.session is not None:
            await self.session.close()

    async def on_event(self, event: events.Event) -> None:
        """Every key and paste counts for the guard of questions, wherever it goes."""
        if isinstance(event, events.Key | events.Paste):
            self.guard.key_pressed()
        elif isinstance(event, events.AppFocus):
            self.guard.focus_regained()
        await super().on_event(event)


def run_app(workspace: Workspace, options: SessionOptions) -> int:
    """Run the application and return its exit code.

    Raises UnknownAgent, ModelError or ConfigError before anything is drawn.
    """
    around = survey(workspace)
    around.catalog.get(options.agent or around.settings.values.agent)
    app = DecodeApp(lambda: new_session(around, options))
    return app.run() or 0
