"""What a step of Shift+Tab does: at once, settling, or behind a question (keys.md §2). Pure."""

from dataclasses import dataclass, replace
from enum import Enum, auto

from decode_core.permissions.modes import PermissionMode

SETTLE_S = 0.5
"""While a turn runs, a looser mode holds only when this time passes without another step."""


_LOOSE = frozenset({PermissionMode.EDIT, PermissionMode.BYPASS})


class Step(Enum):
    """What is to be done about a step."""

    HOLD_NOW = auto()
    SETTLE = auto()
    CONFIRM_BYPASS = auto()


@dataclass(frozen=True)
class ModeSteps:
    """The mode that the chip shows while it settles, and whether bypass was confirmed in this session."""

    settling: PermissionMode | None = None
    bypass_confirmed: bool = False

    def next_mode(self, in_force: PermissionMode) -> PermissionMode:
        """The mode of the next step, counted from what the chip shows."""
        return (self.settling or in_force).next_in_cycle()

    def judge(self, in_force: PermissionMode, wanted: PermissionMode, *, running: bool) -> Step:
        """How a step to `wanted` is taken.

        So stepping over edit on the way to plan never lets an edit through: edit settles, plan holds at once.
        """
        if wanted is PermissionMode.BYPASS and not self.bypass_confirmed:
            return Step.CONFIRM_BYPASS
        if running and wanted in _LOOSE and wanted.loosens(in_force):
            return Step.SETTLE
        return Step.HOLD_NOW

    def settle(self, mode: PermissionMode) -> "ModeSteps":
        """The chip shows `mode…`."""
        return replace(self, settling=mode)

    def settled(self) -> "ModeSteps":
        """Nothing is under way any more."""
        return replace(self, settling=None)

    def confirmed(self) -> "ModeSteps":
        """The person has said yes to bypass in this session."""
        return replace(self, settling=None, bypass_confirmed=True)
