"""The one table of actions: bindings, footer, subtitles, help and keymap are made from it (keys.md §1).

A key that is not in this table does not exist.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from textual.binding import Binding


@dataclass(frozen=True)
class Action:
    """One thing a person can do by key.

    `id` is `scope.verb` and names the action in keymaps; `keys` are Textual key names, comma-separated, the first one
    shown as `sign`; `does` is the Textual action of the scope's screen or widget; `help` is one line for F1.
    """

    id: str
    keys: str
    sign: str
    label: str
    does: str
    help: str
    priority: bool = False

    @property
    def scope(self) -> str:
        """The part of the id before the dot."""
        return self.id.partition(".")[0]


WORK: tuple[Action, ...] = (
    Action(
        "mode.cycle", "shift+tab", "⇧⇥", "mode", "cycle_mode", "next mode: default, edit, plan, bypass", priority=True
    ),
)

ASK: tuple[Action, ...] = (
    Action("ask.once", "y", "y", "once", "once", "allow this call"),
    Action("ask.always", "a", "a", "always, exactly this", "always", "allow, and store a rule for exactly this"),
    Action("ask.deny", "n,escape", "n", "deny", "deny", "refuse this call; the turn goes on"),
    Action("ask.tell", "t", "t", "deny and tell…", "tell", "refuse this call with a note to the model"),
    Action("ask.aside", "ctrl+o", "^O", "look around", "aside", "set the question aside; it waits", priority=True),
    Action(
        "ask.stop",
        "ctrl+c",
        "^C",
        "deny and stop",
        "stop",
        "refuse and stop the turn; copies selected text",
        priority=True,
    ),
)

ASK_MOVES: tuple[Action, ...] = (
    Action("ask.move_on", "tab", "⇥", "next", "move('on')", "body, then each answer"),
    Action("ask.move_back", "shift+tab", "⇧⇥", "previous", "move('back')", "the same, backwards"),
    Action("ask.scroll_up", "up", "↑", "up", "scroll_body('up')", "scroll up"),
    Action("ask.scroll_down", "down", "↓", "down", "scroll_body('down')", "scroll down"),
    Action("ask.scroll_left", "left", "←", "left", "scroll_body('left')", "long lines: back"),
    Action("ask.scroll_right", "right", "→", "right", "scroll_body('right')", "long lines: on"),
    Action("ask.scroll_pageup", "pageup", "PgUp", "page up", "scroll_body('pageup')", "a page up"),
    Action("ask.scroll_pagedown", "pagedown", "PgDn", "page down", "scroll_body('pagedown')", "a page down"),
    Action("ask.scroll_home", "home", "Home", "start", "scroll_body('home')", "the first line"),
    Action("ask.scroll_end", "end", "End", "end", "scroll_body('end')", "the last line"),
)

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
    Action("plan.back", "r", "r", "send back", "send_back", "ask for a new plan, with your note and comments"),
    Action("plan.reject", "x", "x", "reject…", "reject", "refuse the plan and end the turn; asks first"),
    Action("plan.aside", "ctrl+o", "^O", "look around", "aside", "set the review aside; it waits", priority=True),
    Action("plan.escape", "escape", "esc", "look around", "aside", "set the review aside; it waits"),
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

PLAN_MOVES: tuple[Action, ...] = (
    Action("plan.move_up", "up", "↑", "line up", "move_cursor('up')", "the line above"),
    Action("plan.move_down", "down", "↓", "line down", "move_cursor('down')", "the line below"),
    Action("plan.move_pageup", "pageup", "PgUp", "page up", "move_cursor('pageup')", "a page up"),
    Action("plan.move_pagedown", "pagedown", "PgDn", "page down", "move_cursor('pagedown')", "a page down"),
    Action("plan.move_home", "home", "Home", "start", "move_cursor('home')", "the first line"),
    Action("plan.move_end", "end", "End", "end", "move_cursor('end')", "the last line"),
    Action("plan.step_next", "j", "j", "next step", "move_cursor('next')", "the next step"),
    Action("plan.step_previous", "k", "k", "step before", "move_cursor('previous')", "the step before"),
    Action("plan.move_back", "shift+tab", "⇧⇥", "previous", "move('back')", "the part of the dialog before"),
)

UNSENT: tuple[Action, ...] = (
    Action("unsent.along", "s", "s", "send along", "along", "approve, and give the comments to the model"),
    Action("unsent.back", "r", "r", "send back", "back", "do not approve; ask for a new plan with the comments"),
    Action("unsent.cancel", "n,escape", "esc", "cancel", "cancel", "go on reviewing"),
)

CONFIRM: tuple[Action, ...] = (
    Action("confirm.yes", "y", "y", "yes", "yes", "do it"),
    Action("confirm.no", "n,escape", "n", "no", "no", "leave everything as it is"),
)

CONFIRM_MOVES: tuple[Action, ...] = (
    Action("confirm.move_on", "tab,right", "⇥", "next", "move('on')", "the other answer"),
    Action("confirm.move_back", "shift+tab,left", "⇧⇥", "previous", "move('back')", "the other answer"),
    Action("confirm.stop", "ctrl+c", "^C", "no", "no", "no", priority=True),
)


def bindings(actions: Iterable[Action]) -> list[Binding]:
    """Textual bindings for a screen or widget; the footer is ours, so none is shown by Textual."""
    return [
        Binding(a.keys, a.does, a.label, show=False, priority=a.priority, id=a.id, key_display=a.sign) for a in actions
    ]
