"""What the footer says beside the mode."""

from decode_core.permissions.modes import PermissionMode
from decode_ui.widgets.mode_footer import FooterState, right_of


def test_it_says_whether_commands_run_in_a_sandbox_where_there_is_room() -> None:
    outside = FooterState(PermissionMode.DEFAULT, "build", "offline")
    inside = FooterState(PermissionMode.DEFAULT, "build", "offline", sandboxed=True)
    assert right_of(outside, 120).plain == "build · offline"
    assert right_of(inside, 120).plain == "build · offline · sandbox"
    assert right_of(inside, 80).plain == "build"
