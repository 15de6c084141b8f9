"""The application: wiring only. Screens show, the session works, `work_acts` is what a person can do."""

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import App
from textual.driver import Driver
from textual.filter import LineFilter, Monochrome, NoColor

from decode_core.config import state_dir
from decode_core.events import DecisionAnswered, DecisionRequested, EventBase, ModelChanged, NoticeLevel, TurnFinished
from decode_core.neutral import neutralise_line
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.session import Session
from decode_core.workspace import Workspace
from decode_ui.clock import Clock, LiveClock
from decode_ui.guard import KeyGuard
from decode_ui.keys.aliases import latin
from decode_ui.notifier import Notifier
from decode_ui.pane_sizes import PaneMemory, memory_file
from decode_ui.plain_terminal import AsciiSigns, WithoutColour, wants_ascii
from decode_ui.preferences import Preferences, read_preferences
from decode_ui.screens.work import WorkScreen
from decode_ui.teaching import Teacher
from decode_ui.theme import THEMES, VARIABLES
from decode_ui.vanished_terminal import forgiving

if TYPE_CHECKING:
    from decode_core.resuming import Resumed

logger = logging.getLogger(__name__)

TAUGHT = "taught.json"
"""Which keys a person knows, in the folder of states."""


class DecodeApp(App[int], inherit_bindings=False):
    """decode in a terminal, on a session that was opened on the running loop. Whoever opened it closes it.

    Guards, ladders and everything that waits go by `clock`; `taught` is the file of the keys that the person knows;
    `memory` holds the sizes of the panes;
    `on_first_frame` is called once, when the first frame stands; with `chooses_session` the picker opens then.
    """

    TITLE = "decode"
    ENABLE_COMMAND_PALETTE = False
    CSS = "Toast { max-width: 70; } ModalScreen:ansi { background: transparent; }"

    def __init__(
        self,
        session: Session,
        *,
        clock: Clock | None = None,
        preferences: Preferences | None = None,
        taught: Path | None = None,
        memory: PaneMemory | None = None,
        on_first_frame: Callable[[], None] | None = None,
        chooses_session: bool = False,
    ) -> None:
        super().__init__()
        self.next_session: Resumed | None = None
        """The session that the person went on to, once this application has ended."""
        self._chooses_session = chooses_session
        self.session = session
        self.preferences = preferences or Preferences()
        self.clock = clock or LiveClock(self.set_timer)
        self.guard = KeyGuard(self.clock, self.preferences.guard_scale)
        self._teacher = Teacher(taught)
        self._memory = memory
        self._on_first_frame = on_first_frame
        self._plain: list[LineFilter] = []
        if self.no_color:
            self._plain.append(WithoutColour(lambda: self.theme_variables))
        if self.preferences.ascii_signs:
            self._plain.append(AsciiSigns())
        root = session.workspace.root
        self._notifier = Notifier(root.name, self._write_sequence, self.preferences.notifications)

    def get_driver_class(self) -> type[Driver]:
        """The platform's driver; a terminal that has gone does not keep it waiting."""
        return forgiving(super().get_driver_class())

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Variables that a theme without them takes from ours."""
        return VARIABLES

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What is done to every line before it is painted: without colours, and in ASCII, where that is wanted."""
        filters = [each for each in super().get_line_filters() if not isinstance(each, Monochrome | NoColor)]
        return [*filters, *self._plain]

    def on_mount(self) -> None:
        """Take the preferences and open the work screen; the model library is imported after the first frame."""
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = self.preferences.theme
        self.set_keymap(self.preferences.keymap.keys)
        if self.preferences.reduced_motion:
            self.animation_level = "none"
        for problem in self.preferences.problems:
            self.session.raise_notice(NoticeLevel.WARNING, problem, "decode settings edit mends it")
        self.session.subscribe(self._notify_absent)
        self.session.subscribe(self._go_on_with_another_model)
        self.push_screen(
            WorkScreen(self.session, self.guard, self.clock, self.preferences, self._teacher, self._memory)
        )
        self.call_after_refresh(self._warm_up)

    def _warm_up(self) -> None:
        """The first frame stands: what would have held it up begins now, the question of a resumed session as well."""
        if self._on_first_frame is not None:
            self._on_first_frame()
        self.session.warm_up(self._show_what_was_found)
        if self.session.suspended:
            self.session.resume_turn()
        if self._chooses_session and isinstance(self.screen, WorkScreen):
            self.screen.choose_session()

    @on(WorkScreen.Chosen)
    def _leave_for(self, message: WorkScreen.Chosen) -> None:
        self.next_session = message.resumed
        self.exit(0)

    def _show_what_was_found(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, WorkScreen):
                screen.show_state()

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
        if isinstance(event, events.Key):
            event = latin(event)
        match event:
            case events.Key() | events.Paste():
                self.guard.key_pressed()
            case events.AppFocus():
                self.guard.focus_regained()
                self._notifier.focus_changed(focused=True)
            case events.AppBlur():
                self._notifier.focus_changed(focused=False)
            case _:
                pass
        await super().on_event(event)

    def _go_on_with_another_model(self, event: EventBase) -> None:
        """A suspended turn that no model could be built for goes on once there is one."""
        if isinstance(event, ModelChanged) and self.session.suspended:
            self.session.resume_turn()

    def _notify_absent(self, event: EventBase) -> None:
        """Tell somebody who looks elsewhere."""
        quiet = self.guard.seconds_since_key()
        match event:
            case DecisionRequested(id=question_id):
                self._notifier.question_waits(question_id, quiet)
            case DecisionAnswered() if self.session.open_question is None:
                self._notifier.nothing_waits()
            case TurnFinished(elapsed_ms=elapsed):
                self._notifier.turn_ended(elapsed / 1000, quiet)
            case _:
                pass

    def _write_sequence(self, sequence: str) -> None:
        if self._driver is not None and not self.is_headless:
            self._driver.write(sequence)


def run_app(
    workspace: Workspace,
    options: SessionOptions,
    *,
    on_first_frame: Callable[[], None] | None = None,
    chooses_session: bool = False,
) -> int:
    """Run the application and return its exit code; `on_first_frame` is called once, when the first frame stands.

    With `chooses_session` the stored sessions are shown first. Raises UnknownAgent, ModelError or ConfigError before
    anything is drawn.
    """
    return asyncio.run(_run_all(workspace, options, on_first_frame, chooses_session=chooses_session))


async def _run_all(
    workspace: Workspace,
    options: SessionOptions,
    on_first_frame: Callable[[], None] | None,
    *,
    chooses_session: bool,
) -> int:
    """Run one session after the other, as the person goes from one to the next."""
    code, following = await _run(workspace, options, on_first_frame, chooses_session=chooses_session)
    while following is not None:
        code, following = await _run(following.workspace, SessionOptions(resumed=following), None)
    return code


async def _run(
    workspace: Workspace,
    options: SessionOptions,
    on_first_frame: Callable[[], None] | None,
    *,
    chooses_session: bool = False,
) -> "tuple[int, Resumed | None]":
    """Run one session; its exit code, and the session that the person went on to."""
    app: DecodeApp | None = None
    around = survey(workspace)
    session = new_session(around, options)
    try:
        motion = os.environ.get("DECODE_REDUCED_MOTION")
        app = DecodeApp(
            session,
            preferences=read_preferences(
                around.settings.values, motion, ascii_terminal=wants_ascii(getattr(sys.__stderr__, "encoding", None))
            ),
            taught=state_dir() / TAUGHT,
            memory=PaneMemory(memory_file(state_dir(), workspace.root)),
            on_first_frame=on_first_frame,
            chooses_session=chooses_session,
        )
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, lambda code=128 + number: app.exit(code))  # type: ignore[misc]
        await app.run_async()
        if app.fault is not None and app.return_value is None:
            raise app.fault
        if app.fault is not None:
            # a screen that was just opening when the application was left finds its parts missing
            logger.warning("a fault while the application was left", exc_info=app.fault)
        return app.return_value or app.return_code or 0, app.next_session
    finally:
        # the terminal is the person's again before anything is waited for
        await session.close()
        if session.suspended and (app is None or app.next_session is None):
            _say_what_waits(session)


def _say_what_waits(session: Session) -> None:
    """Leave the way back on the terminal; one that has gone (SIGHUP) hears nothing."""
    from decode_ui.headless.waiting import way_back

    with contextlib.suppress(OSError):
        sys.stderr.writelines(f"{neutralise_line(line)}\n" for line in way_back(session.id, session.events))
        sys.stderr.flush()
