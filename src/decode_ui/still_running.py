"""Plan mode is on, but what was allowed before still runs: lists it and asks whether to stop it (permissions.md §8)."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from decode_core.permissions.modes import PermissionMode, ToolKind
from decode_core.session import Session
from decode_ui.clock import Alarm, Clock
from decode_ui.guard import KeyGuard
from decode_ui.mode_steps import SETTLE_S
from decode_ui.wording import one_line

if TYPE_CHECKING:
    from decode_core.engine.running_calls import RunningCall

HARMLESS = (ToolKind.READ_ONLY, ToolKind.CONTROL)
SHOWN = 6
"""Commands that the question lists."""

Ask = Callable[[str, str, Callable[[bool], None]], None]
"""Asks a question with its detail and calls back with the answer, whatever is no clear yes being a no."""


class StillRunning:
    """Asks once for each time that plan is entered, when the keyboard is quiet and nothing else is asked."""

    def __init__(
        self, session: Session, guard: KeyGuard, clock: Clock, *, is_home: Callable[[], bool], ask: Ask
    ) -> None:
        self._session = session
        self._guard = guard
        self._clock = clock
        self._is_home = is_home
        self._ask = ask
        self._alarm: Alarm | None = None

    @property
    def commands(self) -> "list[RunningCall]":
        """What runs although the mode would refuse it now; nothing outside plan."""
        if self._session.mode is not PermissionMode.PLAN:
            return []
        return [call for call in self._session.running_calls if call.kind not in HARMLESS]

    def plan_entered(self) -> None:
        """Look what runs, as soon as the mode has settled."""
        if self._alarm is None and self.commands:
            self._alarm = self._clock.after(SETTLE_S, self._look)

    def _look(self) -> None:
        self._alarm = None
        commands = self.commands
        if not commands:
            return
        quiet = self._guard.seconds_until_open()
        if quiet > 0 or not self._is_home():
            # never under the fingers: a letter that was meant for the prompt must not stop anything
            self._alarm = self._clock.after(max(quiet, SETTLE_S), self._look)
            return
        count = len(commands)
        question = "Plan mode is on. Stop the command that still runs?"
        if count > 1:
            question = f"Plan mode is on. Stop the {count} commands that still run?"
        names = [one_line(f"{call.tool}  {call.subject}") for call in commands]
        rest = [f"and {count - SHOWN} more"] if count > SHOWN else []
        self._ask(question, "\n".join([*names[:SHOWN], *rest]), lambda yes: self._answered(commands, yes=yes))

    def _answered(self, commands: "list[RunningCall]", *, yes: bool) -> None:
        for call in commands if yes else ():
            self._session.stop_call(call.call_id)
