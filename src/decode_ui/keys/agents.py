"""The keys of the agents' side panel and of the question about a change from outside (keys.md §7.3)."""

from decode_ui.actions import Action

AGENTS: tuple[Action, ...] = (
    Action("agents.edit", "enter", "enter", "edit", "want('edit')", "open this file in the editor beside the chat"),
    Action("agents.use", "u", "u", "use", "want('use')", "make this the active agent"),
    Action("agents.new", "n", "n", "new", "want('new')", "a new agent from the template"),
    Action("agents.duplicate", "d", "d", "duplicate to project", "want('duplicate')", "a copy of it in this project"),
    Action("agents.save", "s", "s", "save", "want('save')", "write the text in the editor to its file"),
    Action("agents.revert", "r", "r", "revert…", "want('revert')", "drop what is not saved; asks first"),
    Action("agents.diff", "v", "v", "diff with disk", "want('diff')", "the text in the editor against the file"),
    Action("agents.delete", "x", "x", "delete…", "want('delete')", "remove the file; asks first"),
    Action("agents.outside", "o", "o", "$EDITOR", "want('outside')", "the text in your own editor"),
    Action("agents.trust", "t", "t", "trust…", "want('trust')", "take what was changed outside; asks first"),
    Action("agents.mine", "m", "m", "keep mine", "want('mine')", "changed on disk: keep the text in the editor"),
    Action("agents.theirs", "h", "h", "take theirs", "want('theirs')", "changed on disk: take what stands there"),
)
"""Keys of the agents list; those for a file act on the one under the cursor."""

AGENT_EDITOR: tuple[Action, ...] = (
    Action("editor.list", "escape", "esc", "list", "leave", "back to the list; the text stays"),
    Action("editor.complete", "tab", "⇥", "complete", "complete", "take the completion, else indent"),
    Action("editor.save", "f2,ctrl+s", "F2", "save", "save", "write the text to its file; also esc then s"),
    Action("editor.problem", "f8", "F8", "next problem", "next_problem", "the next fault; also enter in the list"),
)
"""Keys of the editor of an agent; all editing keys of a text field stay."""

NAMING: tuple[Action, ...] = (
    Action("naming.take", "enter", "enter", "take", "take", "take name and place"),
    Action("naming.other", "tab,shift+tab", "⇥", "whose", "other", "this project's, or yours"),
    Action("naming.close", "escape,ctrl+c", "esc", "close", "close", "no new agent"),
)
"""Keys of the dialog that asks for the name of a new agent."""

OUTSIDE: tuple[Action, ...] = (
    Action("outside.take", "y", "y", "take it", "take", "let the changed version count"),
    Action(
        "outside.leave",
        "n,escape",
        "n",
        "leave it out",
        "leave",
        "the version in force stays",
    ),
    Action("outside.view", "v", "v", "show the difference", "view", "the whole difference, line by line"),
    Action("outside.aside", "ctrl+o", "^O", "look around", "aside", "set the question aside; it waits", priority=True),
    Action("outside.stop", "ctrl+c", "^C", "leave it out", "stop", "leave it out; copies selected text", priority=True),
)
"""Keys of the question whether a change that another program made, and that allows more, may count."""

OUTSIDE_MOVES: tuple[Action, ...] = (
    Action("outside.move_on", "tab", "⇥", "next", "move('on')", "body, then each answer"),
    Action("outside.move_back", "shift+tab", "⇧⇥", "previous", "move('back')", "the same, backwards"),
    Action("outside.up", "up", "↑", "up", "scroll_body('up')", "scroll up"),
    Action("outside.down", "down", "↓", "down", "scroll_body('down')", "scroll down"),
    Action("outside.left", "left", "←", "left", "scroll_body('left')", "long lines: back"),
    Action("outside.right", "right", "→", "right", "scroll_body('right')", "long lines: on"),
    Action("outside.pageup", "pageup", "PgUp", "page up", "scroll_body('pageup')", "a page up"),
    Action("outside.pagedown", "pagedown", "PgDn", "page down", "scroll_body('pagedown')", "a page down"),
    Action("outside.home", "home", "Home", "start", "scroll_body('home')", "the first line"),
    Action("outside.end", "end", "End", "end", "scroll_body('end')", "the last line"),
)
