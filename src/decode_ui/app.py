"""The application: wiring only. Screens show, the session works, `work_acts` is what a person can do."""

import asyncio
import signal

from textual import events
from textual.app import App

from decode_core.opening import SessionOptions, new_session, survey
from decode_core.session import Session
from decode_core.workspace import Workspace
from decode_ui.clock import Clock, LiveClock
from decode_ui.guard import KeyGuard
from decode_ui.screens.work import WorkScreen
from decode_ui.theme import DARK, VARIABLES


class DecodeApp(App[int], inherit_bindings=False):
    """decode in a terminal, on a session that was opened on the running loop. Whoever opened it closes it.

    Guards, ladders and everything that waits go by `clock`.
    """

    TITLE = "decode"
    ENABLE_COMMAND_PALETTE = False
    CSS = "Toast { max-width: 70; }"

    def __init__(self, session: Session, *, clock: Clock | None = None) -> None:
        super().__init__()
        self.session = session
        self.clock = clock or LiveClock(self.set_timer)
        self.guard = KeyGuard(self.clock)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Variables that a theme without them takes from ours."""
        return VARIABLES

    def on_mount(self) -> None:
        """Take the colours and open the work screen; the model library is imported after the first frame."""
        self.register_theme(DARK)
        self.theme = DARK.name
        self.push_screen(WorkScreen(self.session, self.guard, self.clock))
        self.call_after_refresh(self.session.warm_up)

    @property
    def fault(self) -> Exception | None:
        """The unexpected error that ended the application, None where there was none."""
        return self._exception

    def _fatal_error(self) -> None:
        """Leave without a traceback over the screen; `run_app` raises the fault where it becomes one sentence."""
        self.bell()
        self._close_messages_no_wait()

    async def on_event(self, event: events.Event) -> None:
        """Every key and paste counts for the guard of questions, wherever it goes."""
        match event:
            case events.Key() | events.Paste():
                self.guard.key_pressed()
            case events.AppFocus():
                self.guard.focus_regained()
            case _:
                pass
        await super().on_event(event)


def run_app(workspace: Workspace, options: SessionOptions) -> int:
    """Run the application and return its exit code.

    Raises UnknownAgent, ModelError or ConfigError before anything is drawn.
    """
    return asyncio.run(_run(workspace, options))


async def _run(workspace: Workspace, options: SessionOptions) -> int:
    session = new_session(survey(workspace), options)
    try:
        app = DecodeApp(session)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, lambda code=128 + number: app.exit(code))  # type: ignore[misc]
        await app.run_async()
        if app.fault is not None:
            raise app.fault
        return app.return_value or app.return_code or 0
    finally:
        # the terminal is the person's again before anything is waited for
        await session.close()
