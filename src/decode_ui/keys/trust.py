"""The keys of the question whether what a folder brings may count (keys.md §12)."""

from decode_ui.actions import Action

TRUST: tuple[Action, ...] = (
    Action("trust.give", "y", "y", "trust", "give", "let everything in this list count, as it stands now"),
    Action("trust.leave", "n,escape", "n", "not now", "leave", "nothing of it counts; /trust asks again"),
    Action("trust.view", "v", "v", "show", "view", "the files themselves, line by line"),
    Action("trust.stop", "ctrl+c", "^C", "not now", "stop", "not now; copies selected text", priority=True),
)
"""Answers, the harmless one focused."""

TRUST_MOVES: tuple[Action, ...] = (
    Action("trust.move_on", "tab", "⇥", "next", "move('on')", "list, then each answer"),
    Action("trust.move_back", "shift+tab", "⇧⇥", "previous", "move('back')", "the same, backwards"),
    Action("trust.up", "up", "↑", "up", "scroll_body('up')", "scroll up"),
    Action("trust.down", "down", "↓", "down", "scroll_body('down')", "scroll down"),
    Action("trust.left", "left", "←", "left", "scroll_body('left')", "long lines: back"),
    Action("trust.right", "right", "→", "right", "scroll_body('right')", "long lines: on"),
    Action("trust.pageup", "pageup", "PgUp", "page up", "scroll_body('pageup')", "a page up"),
    Action("trust.pagedown", "pagedown", "PgDn", "page down", "scroll_body('pagedown')", "a page down"),
    Action("trust.home", "home", "Home", "start", "scroll_body('home')", "the first line"),
    Action("trust.end", "end", "End", "end", "scroll_body('end')", "the last line"),
)
