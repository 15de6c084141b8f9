"""The keys of plans: the review, what opens in it, and the pane (keys.md §5.4 and §7.3)."""

from decode_ui.actions import Action

PLAN_REVIEW: tuple[Action, ...] = (
    Action(
        "plan.approve", "a", "a", "approve → edit", "approve", "approve the ticked steps; mode edit carries them out"
    ),
    Action(
        "plan.approve_ask",
        "o",
        "o",
        "approve, one by one",
        "approve_ask",
        "approve the ticked steps; mode default asks for each call",
    ),
    Action("plan.tick", "space", "␣", "tick", "tick", "tick or untick the step under the cursor"),
    Action("plan.comment", "c,enter", "c", "comment", "comment", "comment on the line under the cursor"),
    Action("plan.note", "tab", "⇥", "note", "note", "a note on the whole plan; again: the answers"),
    Action("plan.edit", "e", "e", "edit", "edit", "edit the plan in place"),
    Action("plan.editor", "ctrl+g", "^G", "editor", "editor", "the plan, or the comment being written, in $EDITOR"),
    Action("plan.back", "r", "r", "send back", "send_back", "ask for a new plan, with your note, comments and edits"),
    Action("plan.reject", "x", "x", "reject…", "reject", "refuse the plan and end the turn; asks first"),
    Action("plan.versions", "v", "v", "versions", "versions", "what changed between two versions"),
    Action("plan.delegate", "w", "w", "work plan…", "delegate", "hand the plan over as a Deep Work Plan"),
    Action("plan.find", "slash", "/", "find", "find", "find words in the plan"),
    Action("plan.keys", "question_mark", "?", "more", "keys", "show or hide the other keys"),
    Action("plan.aside", "ctrl+o", "^O", "look around", "aside", "set the review aside; it waits", priority=True),
    Action("plan.escape", "escape", "esc", "back, look around", "escape", "one step back; at last look around"),
    Action(
        "plan.leave",
        "ctrl+c",
        "^C",
        "copy or look around",
        "leave",
        "copy selected text, else set the review aside",
        priority=True,
    ),
)
"""What a reviewer can do."""

PLAN_MOVES: tuple[Action, ...] = (
    Action("plan.move_up", "up", "↑", "line up", "move_cursor('up')", "the line above"),
    Action("plan.move_down", "down", "↓", "line down", "move_cursor('down')", "the line below"),
    Action("plan.move_pageup", "pageup", "PgUp", "page up", "move_cursor('pageup')", "a page up"),
    Action("plan.move_pagedown", "pagedown", "PgDn", "page down", "move_cursor('pagedown')", "a page down"),
    Action("plan.move_home", "home", "Home", "start", "move_cursor('home')", "the first line"),
    Action("plan.move_end", "end", "End", "end", "move_cursor('end')", "the last line"),
    Action("plan.step_next", "j", "j", "next step", "move_cursor('next')", "the next step"),
    Action("plan.step_previous", "k", "k", "step before", "move_cursor('previous')", "the step before"),
    Action("plan.find_next", "n", "n", "next found", "find_next('on')", "the next line with the words"),
    Action("plan.find_previous", "N", "N", "found before", "find_next('back')", "the line with the words before"),
    Action("plan.move_back", "shift+tab", "⇧⇥", "previous", "move('back')", "the part of the dialog before"),
)
"""How a reviewer moves."""

PLAN_FIND: tuple[Action, ...] = (
    Action("plan_find.keep", "enter", "enter", "to the plan", "keep", "back to the plan; n and N go on"),
    Action("plan_find.next", "down", "↓", "next", "step('on')", "the next line with the words"),
    Action("plan_find.previous", "up", "↑", "before", "step('back')", "the line before with the words"),
    Action("plan_find.close", "escape", "esc", "close", "close", "forget the words"),
)
"""Keys of the line in which the words to find are typed."""

PLAN_VERSIONS: tuple[Action, ...] = (
    Action("versions.close", "escape,q,ctrl+c", "esc", "back", "close", "back to where you were"),
    Action("versions.older", "left", "←", "from an older one", "start('older')", "compare with an older version"),
    Action("versions.newer", "right", "→", "from a newer one", "start('newer')", "compare with a newer version"),
    Action("versions.to", "v", "v", "to the next", "next_end", "show the next newer version; after the last the first"),
    Action("versions.next", "n", "n", "next change", "change('on')", "the next change"),
    Action("versions.previous", "N", "N", "change before", "change('back')", "the change before"),
    Action("versions.up", "up,k", "↑", "up", "scroll_body('up')", "scroll up"),
    Action("versions.down", "down,j", "↓", "down", "scroll_body('down')", "scroll down"),
    Action("versions.pageup", "pageup", "PgUp", "page up", "scroll_body('pageup')", "a page up"),
    Action("versions.pagedown", "pagedown,space", "PgDn", "page down", "scroll_body('pagedown')", "a page down"),
    Action("versions.home", "home", "Home", "start", "scroll_body('home')", "the first line"),
    Action("versions.end", "end", "End", "end", "scroll_body('end')", "the last line"),
)
"""Keys of the comparison of two versions."""

PLAN_READER: tuple[Action, ...] = (
    Action("plan_reader.close", "escape,q,ctrl+c", "esc", "close", "close", "close"),
    Action("plan_reader.versions", "v", "v", "versions", "versions", "what changed between two versions"),
    Action("plan_reader.find", "slash", "/", "find", "find", "find words in the plan"),
    Action("plan_reader.next", "n", "n", "next found", "find_next('on')", "the next line with the words"),
    Action("plan_reader.previous", "N", "N", "found before", "find_next('back')", "the line with the words before"),
    Action("plan_reader.copy", "c", "c", "copy", "copy_plan", "copy the plan's text"),
    Action("plan_reader.delegate", "w", "w", "work plan…", "delegate", "hand the plan over as a Deep Work Plan"),
    Action("plan_reader.up", "up", "↑", "line up", "move_cursor('up')", "the line above"),
    Action("plan_reader.down", "down", "↓", "line down", "move_cursor('down')", "the line below"),
    Action("plan_reader.pageup", "pageup", "PgUp", "page up", "move_cursor('pageup')", "a page up"),
    Action("plan_reader.pagedown", "pagedown,space", "PgDn", "page down", "move_cursor('pagedown')", "a page down"),
    Action("plan_reader.home", "home", "Home", "start", "move_cursor('home')", "the first line"),
    Action("plan_reader.end", "end", "End", "end", "move_cursor('end')", "the last line"),
    Action("plan_reader.step_next", "j", "j", "next step", "move_cursor('next')", "the next step"),
    Action("plan_reader.step_previous", "k", "k", "step before", "move_cursor('previous')", "the step before"),
)
"""Keys of a plan that is only read: one that was decided."""

UNSENT: tuple[Action, ...] = (
    Action("unsent.along", "s", "s", "send along", "along", "approve, and give the comments to the model"),
    Action("unsent.back", "r", "r", "send back", "back", "do not approve; ask for a new plan with the comments"),
    Action("unsent.cancel", "n,escape", "esc", "cancel", "cancel", "go on reviewing"),
)
"""What to do with comments when the plan is approved."""

TODO_PANE: tuple[Action, ...] = (
    Action("todo.open", "enter", "enter", "in the chat", "open", "where this item came to where it is, in the chat"),
)
"""Keys of the to-do pane."""

PLAN_PANE: tuple[Action, ...] = (
    Action("plan_pane.open", "enter", "enter", "open", "open", "read the whole plan; one that waits: review it"),
    Action("plan_pane.versions", "v", "v", "versions", "versions", "what changed between two versions"),
    Action("plan_pane.delegate", "w", "w", "work plan…", "delegate", "hand the plan over as a Deep Work Plan"),
)
"""Keys of the plan pane."""
