"""What the footer says beside the mode."""

import pytest

from decode_core.permissions.modes import PermissionMode
from decode_ui.widgets.mode_footer import FooterState, right_of


@pytest.mark.parametrize(("sandboxed", "says"), [(True, "build · offline · sandbox"), (False, "no sandbox")])
def test_it_says_whether_commands_run_in_a_sandbox(sandboxed: bool, says: str) -> None:
    state = FooterState(PermissionMode.DEFAULT, "build", "offline", sandboxed=sandboxed)
    assert says in right_of(state, 120).plain
    assert "sandbox" not in right_of(state, 80).plain


def test_it_says_nothing_of_a_sandbox_while_nobody_has_looked() -> None:
    state = FooterState(PermissionMode.DEFAULT, "build", "offline")
    assert right_of(state, 120).plain == "build · offline"
