"""Shift+Tab without a screen: what holds at once, what settles, what asks first (keys.md §2)."""

import pytest

from decode_core.permissions.modes import PermissionMode
from decode_ui.mode_steps import ModeSteps, Step

DEFAULT, EDIT, PLAN, BYPASS = (
    PermissionMode.DEFAULT,
    PermissionMode.EDIT,
    PermissionMode.PLAN,
    PermissionMode.BYPASS,
)


@pytest.mark.parametrize("mode", list(PermissionMode))
def test_idle_every_step_but_bypass_holds_at_once(mode: PermissionMode) -> None:
    wanted = mode.next_in_cycle()
    expected = Step.CONFIRM_BYPASS if wanted is BYPASS else Step.HOLD_NOW
    assert ModeSteps().judge(mode, wanted, running=False) is expected


@pytest.mark.parametrize(
    ("in_force", "wanted", "step"),
    [
        (DEFAULT, EDIT, Step.SETTLE),
        (DEFAULT, PLAN, Step.HOLD_NOW),
        (EDIT, PLAN, Step.HOLD_NOW),
        (PLAN, BYPASS, Step.SETTLE),
        (PLAN, DEFAULT, Step.HOLD_NOW),
        (BYPASS, DEFAULT, Step.HOLD_NOW),
    ],
)
def test_while_a_turn_runs_only_loosening_into_edit_or_bypass_settles(
    in_force: PermissionMode, wanted: PermissionMode, step: Step
) -> None:
    assert ModeSteps(bypass_confirmed=True).judge(in_force, wanted, running=True) is step


def test_the_next_step_counts_from_what_the_chip_shows() -> None:
    assert ModeSteps().settle(EDIT).next_mode(DEFAULT) is PLAN


def test_bypass_is_confirmed_once_a_session() -> None:
    steps = ModeSteps()
    assert steps.judge(PLAN, BYPASS, running=True) is Step.CONFIRM_BYPASS
    assert steps.confirmed().judge(PLAN, BYPASS, running=False) is Step.HOLD_NOW
