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

    @property
    def verb(self) -> str:
        """The part of the id behind the dot."""
        return self.id.partition(".")[2]


WORK: tuple[Action, ...] = (
    Action(
        "mode.cycle", "shift+tab", "⇧⇥", "mode", "cycle_mode", "next mode: default, edit, plan, bypass", priority=True
    ),
    Action("pane.jump", "ctrl+o", "^O", "jump", "jump", "go to a pane by its letter", priority=True),
    Action("app.palette", "ctrl+p", "^P", "commands", "palette", "every action and command, by name", priority=True),
    Action("pane.tasks", "ctrl+t", "^T", "tasks", "tasks", "to-do list; again: plan; again: back", priority=True),
    Action("focus.prompt", "escape", "esc", "back", "escape", "one step back; stops a running turn"),
    Action("help.show", "f1", "F1", "keys", "help", "the keys of what has focus", priority=True),
    Action("chat.find", "ctrl+f", "^F", "find", "find", "search the conversation", priority=True),
    Action("text.editor", "ctrl+g", "^G", "editor", "editor", "prompt or agent in $EDITOR", priority=True),
    Action("screen.redraw", "ctrl+l", "^L", "redraw", "redraw", "repaint everything", priority=True),
    Action("app.interrupt", "ctrl+c", "^C", "stop", "interrupt", "copy, clear, stop, and at last quit", priority=True),
    Action("focus.next", "tab", "⇥", "next pane", "focus_next_pane", "the next visible pane, then the prompt"),
)
"""Keys of the work screen, wherever the focus is."""

OUTSIDE_TEXT: tuple[Action, ...] = (
    Action("help.keys", "question_mark", "?", "keys", "help", "the keys of what has focus"),
    Action("palette.alt", "colon", ":", "commands", "palette", "every action and command, by name"),
    Action("focus.type", "i", "i", "prompt", "focus_prompt", "back to the prompt"),
    Action("pane.zoom", "z", "z", "zoom", "zoom", "the focused pane fills the screen; again: back"),
)
"""Keys of the work screen while no text field has focus."""

PROMPT: tuple[Action, ...] = (
    Action("prompt.send", "enter", "enter", "send", "send", "send; while a turn runs: read next"),
    Action("prompt.queue", "ctrl+n", "^N", "after it", "queue", "send when the running turn has ended"),
    Action("prompt.newline", "ctrl+j,shift+enter", "^J", "new line", "newline", "a new line; also \\ then enter"),
    Action("prompt.history_older", "up", "↑", "older", "history('older')", "on the first line: the prompt before"),
    Action("prompt.history_newer", "down", "↓", "newer", "history('newer')", "on the last line: the prompt after"),
    Action("prompt.search", "ctrl+r", "^R", "history", "search", "search older prompts"),
    Action("prompt.complete", "tab", "⇥", "complete", "complete", "take the marked completion; also enter"),
    Action("prompt.scroll_up", "pageup", "PgUp", "chat up", "scroll_chat('up')", "scroll the chat up"),
    Action("prompt.scroll_down", "pagedown", "PgDn", "chat down", "scroll_chat('down')", "scroll the chat down"),
    Action("prompt.leave", "ctrl+d", "^D", "quit", "leave", "in an empty prompt, twice: quit; also Ctrl+C, /quit"),
    Action("prompt.newest", "ctrl+end", "^End", "newest", "scroll_chat('end')", "the newest line of the chat"),
)
"""Keys of the prompt; all editing keys of a text field stay."""

HISTORY: tuple[Action, ...] = (
    Action("history.older", "ctrl+r,up", "^R", "older", "older", "the match before"),
    Action("history.newer", "down", "↓", "newer", "newer", "the match after"),
    Action("history.take", "enter", "enter", "take", "take", "put it into the prompt; does not send"),
)
"""Keys of the search for older prompts; Esc goes back to what stood in the prompt."""

LIST: tuple[Action, ...] = (
    Action("list.down", "j", "j", "down", "cursor_down", "the row below; also ↓"),
    Action("list.up", "k", "k", "up", "cursor_up", "the row above; also ↑"),
    Action("list.filter", "slash", "/", "filter", "filter", "show only rows with these words; esc shows all"),
    Action("list.copy", "c", "c", "copy", "copy_row", "copy this row"),
)
"""Keys that every list has, beside arrows, PageUp, PageDown, Home and End."""

PERMISSIONS: tuple[Action, ...] = (
    Action("log.open", "enter", "enter", "open", "open", "the whole record"),
    Action("log.why", "w", "w", "explain", "why", "this verdict, step by step"),
    Action("log.rule", "m", "m", "make rule…", "make_rule", "write a rule from this call; shown before it is stored"),
    Action("log.remove", "x", "x", "remove the rule…", "remove_rule", "take away the rule that decided; asks first"),
    Action("log.outcome", "o", "o", "outcome", "outcome", "show all, ask, deny or allow"),
    Action("log.rules", "r", "r", "rules", "rules", "the rules in force, by layer"),
)
"""Keys of the permission log."""

CHANGES: tuple[Action, ...] = (
    Action("changes.diff", "enter", "enter", "diff", "open", "the change of this file"),
    Action("changes.editor", "o", "o", "open", "edit", "this file in $EDITOR"),
)
"""Keys of the changed-files pane."""

PICKER: tuple[Action, ...] = (
    Action("picker.close", "escape,ctrl+c", "esc", "close", "close", "close without choosing"),
    Action("picker.take", "enter", "enter", "take", "take", "take the marked row"),
    Action("picker.down", "down", "↓", "down", "move(1)", "the row below"),
    Action("picker.up", "up", "↑", "up", "move(-1)", "the row above"),
    Action("picker.page_down", "pagedown", "PgDn", "page down", "move(10)", "ten rows down"),
    Action("picker.page_up", "pageup", "PgUp", "page up", "move(-10)", "ten rows up"),
)
"""Keys of pickers: palette, help, models, agents. Typing filters."""

READER: tuple[Action, ...] = (
    Action("reader.close", "escape,q,ctrl+c", "esc", "close", "close", "close"),
    Action("reader.down", "down,j", "↓", "down", "scroll('down')", "scroll down"),
    Action("reader.up", "up,k", "↑", "up", "scroll('up')", "scroll up"),
    Action("reader.page_down", "pagedown,space", "PgDn", "page down", "scroll('page_down')", "a page down"),
    Action("reader.page_up", "pageup", "PgUp", "page up", "scroll('page_up')", "a page up"),
    Action("reader.home", "home", "Home", "start", "scroll('home')", "the start"),
    Action("reader.end", "end", "End", "end", "scroll('end')", "the end"),
)
"""Keys of full-screen readers: a record, a plan, a diff."""

ASK: tuple[Action, ...] = (
    Action("ask.once", "y", "y", "once", "once", "allow this call"),
    Action("ask.session", "s", "s", "session", "session", "allow this and its like until the session ends"),
    Action("ask.always", "a", "a", "always, exactly this", "always", "allow, and store a rule for exactly this"),
    Action("ask.pattern", "p", "p", "pattern…", "pattern", "allow, and store a pattern that you can edit first"),
    Action("ask.mode", "m", "m", "allow + mode edit", "mode", "allow, and let file edits run from now on"),
    Action("ask.folder", "f", "f", "add folder, read-only", "folder", "allow reads in this folder for the session"),
    Action("ask.edit", "e", "e", "change…", "edit", "change the arguments; they are judged again"),
    Action("ask.deny", "n,escape", "n", "deny", "deny", "refuse this call; the turn goes on"),
    Action("ask.tell", "t", "t", "deny and tell…", "tell", "refuse this call with a note to the model"),
    Action("ask.never", "d", "d", "always deny", "never", "refuse, and store a deny rule for exactly this"),
    Action("ask.why", "w", "w", "why", "why", "why you are asked, step by step"),
    Action("ask.view", "v", "v", "full view", "view", "the whole call on the whole screen"),
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

PAGE: tuple[Action, ...] = (
    Action("page.back", "escape", "esc", "back to the question", "back", "back to the question"),
)
"""Keys of a page that stands in a dialog; the dialog's own keys scroll it."""

QUESTION: tuple[Action, ...] = (
    Action("question.send", "enter", "enter", "send", "send", "send the option under the cursor, or what is ticked"),
    Action("question.tick", "space", "␣", "tick", "tick", "tick or untick the option under the cursor"),
    Action("question.filter", "slash", "/", "filter", "filter", "show only options with these words"),
    Action("question.write", "tab", "⇥", "write an answer", "write", "to the field for your own words; again: on"),
    Action(
        "question.decline", "escape", "esc", "decline", "decline", "do not answer; the model is told, the turn goes on"
    ),
    Action("question.aside", "ctrl+o", "^O", "look around", "aside", "set the question aside; it waits", priority=True),
    Action("question.keys", "question_mark", "?", "keys", "keys", "show or hide the other keys"),
)
"""Keys of the dialog that puts a question of the agent."""

QUESTION_MOVES: tuple[Action, ...] = (
    Action("question.up", "up", "↑", "up", "move_cursor('up')", "the option above"),
    Action("question.down", "down", "↓", "down", "move_cursor('down')", "the option below"),
    Action("question.first", "home", "Home", "first", "move_cursor('home')", "the first option"),
    Action("question.last", "end", "End", "last", "move_cursor('end')", "the last option"),
    Action("question.read_back", "pageup", "PgUp", "read back", "read('pageup')", "a page of the question back"),
    Action("question.read_on", "pagedown", "PgDn", "read on", "read('pagedown')", "the next page of the question"),
    Action("question.back", "shift+tab", "⇧⇥", "previous", "move('back')", "the part of the dialog before"),
    Action(
        "question.stop",
        "ctrl+c",
        "^C",
        "decline and stop",
        "stop",
        "do not answer, and stop the turn; copies selected text",
        priority=True,
    ),
)

QUESTION_CHOICES: tuple[Action, ...] = tuple(
    Action(f"question.choose_{key}", key, key, f"choose {key}", f"choose({key})", f"option {key}: send it, or tick it")
    for key in "123456789"
)
"""The keys of the first nine options that are shown."""

CONFIRM: tuple[Action, ...] = (
    Action("confirm.yes", "y", "y", "yes", "yes", "do it"),
    Action("confirm.no", "n,escape", "n", "no", "no", "leave everything as it is"),
)

CONFIRM_MOVES: tuple[Action, ...] = (
    Action("confirm.move_on", "tab,right", "⇥", "next", "move('on')", "the other answer"),
    Action("confirm.move_back", "shift+tab,left", "⇧⇥", "previous", "move('back')", "the other answer"),
    Action("confirm.stop", "ctrl+c", "^C", "no", "no", "no", priority=True),
)


def bindings(actions: Iterable[Action]) -> list[Binding | tuple[str, str] | tuple[str, str, str]]:
    """Textual bindings for a screen or widget; the footer is ours, so none is shown by Textual."""
    return [
        Binding(a.keys, a.does, a.label, show=False, priority=a.priority, id=a.id, key_display=a.sign) for a in actions
    ]
