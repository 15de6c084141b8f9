"""The keys of a plan that is handed over as a Deep Work Plan (delegation.md §4)."""

from decode_ui.actions import Action

WORK_PLAN: tuple[Action, ...] = (
    Action("work_plan.write", "w", "w", "write the draft", "write", "make the plan's folder with a draft contract"),
    Action("work_plan.approve", "a", "a", "approve…", "approve", "approve the contract; asks first"),
    Action("work_plan.edit", "e", "e", "edit", "edit", "edit the draft in $EDITOR; it is checked again"),
    Action("work_plan.copy", "c", "c", "copy the command", "copy", "copy the command that goes on from here"),
    Action("work_plan.close", "escape,q,ctrl+c", "esc", "close", "close", "close; a draft that was written stays"),
)
"""What can be done with a draft."""

WORK_PLAN_MOVES: tuple[Action, ...] = (
    Action("work_plan.up", "up", "↑", "up", "scroll_body('up')", "a line up"),
    Action("work_plan.down", "down", "↓", "down", "scroll_body('down')", "a line down"),
    Action("work_plan.pageup", "pageup", "PgUp", "page up", "scroll_body('pageup')", "a page up"),
    Action("work_plan.pagedown", "pagedown,space", "PgDn", "page down", "scroll_body('pagedown')", "a page down"),
    Action("work_plan.home", "home", "Home", "start", "scroll_body('home')", "the first line"),
    Action("work_plan.end", "end", "End", "end", "scroll_body('end')", "the last line"),
    Action("work_plan.next", "tab", "⇥", "next answer", "move('on')", "the next answer"),
    Action("work_plan.back", "shift+tab", "⇧⇥", "answer before", "move('back')", "the answer before"),
)
"""How a reader of a draft moves."""
