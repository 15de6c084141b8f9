"""The keys of the agents' side panel and of the question about a change from outside (keys.md §7.3)."""

from decode_ui.actions import Action

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
