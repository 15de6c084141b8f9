"""Keys of what writes rules and changes calls: the pages of a permission question, and the rules tab.

A part of the one table of actions (`actions`); no key means two things in one scope.
"""

from decode_ui.actions import Action

PATTERN: tuple[Action, ...] = (
    Action("pattern.project", "enter", "enter", "keep in the project", "keep('project')", "allow, and store it"),
    Action("pattern.user", "u", "u", "in your settings", "keep('user')", "allow, and store it for all your folders"),
    Action("pattern.session", "s", "s", "this session only", "keep('session')", "allow, and keep it for this session"),
    Action("pattern.back", "escape", "esc", "back", "back", "back to the question"),
)
PATTERN_MOVES: tuple[Action, ...] = (
    Action("pattern.next", "down", "↓", "next suggestion", "suggest(1)", "the next suggestion"),
    Action("pattern.previous", "up", "↑", "suggestion before", "suggest(-1)", "the suggestion before"),
)
"""Keys of the page on which a pattern is edited; letters act outside its field."""

CHANGE: tuple[Action, ...] = (
    Action("change.send", "enter", "enter", "allow with these", "send", "judge the changed arguments, and allow"),
    Action("change.editor", "ctrl+g", "^G", "editor", "editor", "this argument in $EDITOR"),
    Action("change.back", "escape", "esc", "back to the question", "back", "back to the question"),
)
"""Keys of the page on which arguments are changed."""
