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

RULES: tuple[Action, ...] = (
    Action("rules.new", "n", "n", "new", "new_rule", "write a rule; shown before it is stored"),
    Action("rules.edit", "enter,e", "enter", "edit", "edit_rule", "change this rule"),
    Action("rules.delete", "x", "x", "delete…", "delete_rule", "take this rule away; asks first"),
    Action("rules.test", "t", "t", "test a call", "test_call", "what the rules in force say of a call"),
    Action("rules.log", "l", "l", "log", "log", "back to the log"),
)
"""Keys of the rules tab of the permission log."""

RULE: tuple[Action, ...] = (
    Action("rule.store", "enter", "enter", "store", "store", "store the rule as it is shown"),
    Action("rule.back", "escape,ctrl+c", "esc", "cancel", "back", "leave everything as it is"),
)
RULE_MOVES: tuple[Action, ...] = (
    Action("rule.move_on", "tab", "⇥", "next", "move('on')", "the rule, its list, its place, the answers"),
    Action("rule.move_back", "shift+tab", "⇧⇥", "previous", "move('back')", "the same, backwards"),
)
"""Keys of the dialog in which a rule is written."""

SEGMENTS: tuple[Action, ...] = (
    Action("segments.next", "right,space", "→", "next", "choose(1)", "the next choice"),
    Action("segments.previous", "left", "←", "choice before", "choose(-1)", "the choice before"),
)
"""Keys of a row of choices."""

TRIAL: tuple[Action, ...] = (
    Action("trial.run", "enter", "enter", "judge", "judge", "what the rules in force say of this call"),
    Action("trial.close", "escape,ctrl+c", "esc", "close", "close", "close"),
    Action("trial.down", "down", "↓", "down", "scroll_body('down')", "scroll down"),
    Action("trial.up", "up", "↑", "up", "scroll_body('up')", "scroll up"),
)
"""Keys of the dialog that tests a call."""
