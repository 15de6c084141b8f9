"""Shift+Tab: steps through the modes, lets loosening ones settle, and asks before the first bypass (keys.md §2)."""

from collections.abc import Callable
from dataclasses import dataclass

from decode_core.events import ModeCause
from decode_core.permissions.modes import PermissionMode
from decode_core.session import Session
from decode_ui.clock import Alarm, Clock
from decode_ui.mode_steps import SETTLE_S, ModeSteps, Step

ANSWER_FIRST = "answer the waiting question first: ^O q"


@dataclass(frozen=True)
class ModeSurface:
    """What the switch needs of the screen it works on."""

    question_waits: Callable[[], bool]
    """Whether a question waits: no key may change what it is judged by."""
    confirm_bypass: Callable[[Callable[[bool], None]], None]
    """Ask before the first bypass and call back with the answer."""
    tell: Callable[[str], None]
    changed: Callable[[], None]
    """The chip has to be drawn anew."""


class ModeSwitch:
    """Takes the steps of one session."""

    def __init__(self, session: Session, clock: Clock, surface: ModeSurface) -> None:
        self._session = session
        self._clock = clock
        self._surface = surface
        self._steps = ModeSteps(bypass_confirmed=session.mode is PermissionMode.BYPASS)
        self._alarm: Alarm | None = None

    @property
    def settling(self) -> PermissionMode | None:
        """The mode that will hold when no further step follows."""
        return self._steps.settling

    def step(self) -> None:
        """One press of Shift+Tab."""
        if self._surface.question_waits():
            self._surface.tell(ANSWER_FIRST)
            return
        wanted = self._steps.next_mode(self._session.mode)
        self.abandon()
        match self._steps.judge(self._session.mode, wanted, running=self._session.running):
            case Step.HOLD_NOW:
                self._session.set_mode(wanted, ModeCause.KEY)
            case Step.SETTLE:
                self._steps = self._steps.settle(wanted)
                self._alarm = self._clock.after(SETTLE_S, self._settle)
            case Step.CONFIRM_BYPASS:
                self._surface.confirm_bypass(lambda yes: self._bypass(PermissionMode.DEFAULT, ModeCause.KEY, yes=yes))
        self._surface.changed()

    def choose(self, mode: PermissionMode) -> None:
        """The person named a mode: it holds at once, but for the first bypass."""
        if self._surface.question_waits():
            self._surface.tell(ANSWER_FIRST)
            return
        self.abandon()
        if mode is PermissionMode.BYPASS and not self._steps.bypass_confirmed:
            here = self._session.mode
            self._surface.confirm_bypass(lambda yes: self._bypass(here, ModeCause.COMMAND, yes=yes))
        else:
            self._session.set_mode(mode, ModeCause.COMMAND)

    def enter_bypass(self, act: Callable[[], None]) -> None:
        """Do something that sets bypass, such as choosing an agent of that mode, once the first bypass is confirmed."""
        if self._surface.question_waits():
            self._surface.tell(ANSWER_FIRST)
            return
        self.abandon()
        if self._steps.bypass_confirmed:
            act()
            return

        def answered(yes: bool) -> None:  # noqa: FBT001 - the surface's callback
            if yes and not self._surface.question_waits():
                self._steps = self._steps.confirmed()
                act()

        self._surface.confirm_bypass(answered)

    def abandon(self) -> None:
        """Forget a mode that settles: a question has come, and no step may decide it unseen."""
        if self._alarm is not None:
            self._alarm.stop()
            self._alarm = None
        if self._steps.settling is not None:
            self._steps = self._steps.settled()
            self._surface.changed()

    def _settle(self) -> None:
        self._alarm = None
        wanted = self._steps.settling
        self._steps = self._steps.settled()
        if wanted is not None and not self._surface.question_waits():
            self._session.set_mode(wanted, ModeCause.KEY)
        self._surface.changed()

    def _bypass(self, otherwise: PermissionMode, cause: ModeCause, *, yes: bool) -> None:
        if self._surface.question_waits():
            # it came while the person read the warning: what it asks about must be seen first
            self._surface.tell(ANSWER_FIRST)
            return
        if yes:
            self._steps = self._steps.confirmed()
        self._session.set_mode(PermissionMode.BYPASS if yes else otherwise, cause)
        self._surface.changed()
