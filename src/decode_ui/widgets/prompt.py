"""The prompt: a text field that sends, queues, remembers, folds pastes, and never takes a paste for a key."""

from collections.abc import Coroutine
from typing import Any

from textual import events
from textual.message import Message
from textual.widgets import TextArea

from decode_core.neutral import neutralise
from decode_ui.actions import PROMPT
from decode_ui.clock import Alarm, Clock
from decode_ui.keys.keymap import Keymap
from decode_ui.widgets.completer import Completer
from decode_ui.widgets.pastes import Pastes

BARE_PASTE_S = 0.010
"""Enter this soon after a printable key, with more to come, is a line end of a paste without brackets."""
HINT = "ask, or / for commands"
LEADS = ("/", "!")
"""Signs that make a command or a shell line of a text, if they were typed at its start."""


def keys_of(keymap: Keymap) -> dict[str, str]:
    """The prompt's own keys and what each does."""
    return {key: action.does for action in PROMPT for key in keymap.of(action).split(",") if key}


class Prompt(TextArea):
    """The multi-line prompt. Text is sent as typed; folded pastes are written out on the way."""

    class Sent(Message):
        """The person sent `text`. `is_typed`: its leading `/` or `!` was typed, so that it counts."""

        def __init__(self, text: str, *, is_typed: bool) -> None:
            super().__init__()
            self.text = text
            self.is_typed = is_typed

    class SentEmpty(Message):
        """Enter on an empty prompt: opens a waiting question."""

    class Queued(Message):
        """The person wants `text` sent when the running turn has ended; `is_typed` as for `Sent`."""

        def __init__(self, text: str, *, is_typed: bool) -> None:
            super().__init__()
            self.text = text
            self.is_typed = is_typed

    class LeadChanged(Message):
        """The text became a line for the shell, or is one no more."""

    class LeaveRequested(Message):
        """Ctrl+D in an empty prompt."""

    class SearchRequested(Message):
        """The person wants to search older prompts."""

    class ScrollChat(Message):
        """The person scrolls the chat from the prompt: up, down or end."""

        def __init__(self, way: str) -> None:
            super().__init__()
            self.way = way

    class HelpRequested(Message):
        """`?` in an empty prompt."""

    class Said(Message):
        """Something that the person should know in passing."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Remembered(Message):
        """A text went into the history."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Unqueue(Message):
        """↑ on an empty prompt: take the last queued message back, else go to older prompts."""

    def __init__(
        self,
        history: list[str],
        clock: Clock,
        keymap: Keymap | None = None,
        *,
        id: str | None = None,  # noqa: A002
    ) -> None:
        super().__init__(
            id=id,
            soft_wrap=True,
            tab_behavior="focus",
            show_line_numbers=False,
            placeholder=HINT,
            highlight_cursor_line=False,
        )
        # a blinking cursor would wake an idle application twice a second
        self.cursor_blink = False
        self._clock = clock
        self._keys = keys_of(keymap or Keymap())
        self._history = history
        self._place = len(history)
        self._draft = ("", False)
        """What stood in the prompt before one went to older ones, and whether its lead counts."""
        self._pastes = Pastes()
        self._lead_typed = False
        """The text starts with a `/` or `!` that a key put there."""
        self._was_shell_line = False
        self.completer: Completer | None = None
        """What completes words; the screen gives it."""
        self._last_printable = float("-inf")
        self._held_enter: Alarm | None = None

    @property
    def full_text(self) -> str:
        """The text with every folded paste written out."""
        return self._pastes.expand(self.text)

    def take(self) -> str:
        """Empty the prompt into the history and return what it held."""
        text = self.full_text
        if text.strip():
            # what was no command is none when it comes back: a space first makes it plain
            is_plain = text.startswith(LEADS) and not self._lead_typed
            self.remember(f" {text}" if is_plain else text)
        self.put("")
        return text

    def put(self, text: str, *, is_typed: bool = False) -> None:
        """Replace the text; the cursor goes to its end. `is_typed`: a leading `/` or `!` counts as if typed."""
        if self.completer is not None:
            self.completer.forget()
        self._pastes.clear()
        self._lead_typed = is_typed and text.startswith(LEADS)
        text = neutralise(text)
        self.load_text(self._pastes.fold(text) or text)
        self.move_cursor(self.document.end)

    def remember(self, text: str) -> None:
        """Put `text` at the end of the history."""
        if not self._history or self._history[-1] != text:
            self._history.append(text)
            self.post_message(self.Remembered(text))
        self._place = len(self._history)
        self._draft = ("", False)

    def recall(self, older: list[str], draft: str) -> None:
        """Put prompts of earlier sessions before the history, and a draft that was left into an empty prompt."""
        self._history[:0] = older
        self._place += len(older)
        if draft and not self.text and self._place == len(self._history):
            self.put(draft)

    @property
    def sent_before(self) -> tuple[str, ...]:
        """The prompts that were sent, the latest last."""
        return tuple(self._history)

    @property
    def lead_typed(self) -> bool:
        """Whether the text starts with a `/` or `!` that counts."""
        return self._lead_typed

    @property
    def is_shell_line(self) -> bool:
        """Whether the text is a line for the person's shell."""
        return self._lead_typed and self.text.startswith("!")

    def type_text(self, text: str) -> None:
        """Insert what was typed for the prompt while something else had the keys."""
        self._note_typed(text[:1])
        self.insert(text)

    # -- what the completer needs

    @property
    def row_before_cursor(self) -> tuple[int, str]:
        """Number and text of the row with the cursor, up to the cursor."""
        row, column = self.cursor_location
        return row, self.document[row][:column]

    def write_over(self, start: int, end: int, text: str) -> None:
        """Put `text` in place of these columns of the row with the cursor."""
        row = self.cursor_location[0]
        self._replace_via_keyboard(text, (row, start), (row, end))

    def start_search(self, search: Coroutine[Any, Any, None]) -> None:
        """Run a search in place of the one that runs."""
        self.run_worker(search, group="completion", exclusive=True)

    async def _on_key(self, event: events.Key) -> None:
        if self._held_enter is not None:
            # more came at once: the Enter before it was a line end of a paste
            self._held_enter.stop()
            self._held_enter = None
            self.insert("\n")
        if event.key == "question_mark" and not self.text:
            self._claim(event)
            self.post_message(self.HelpRequested())
        elif event.key.startswith("alt+") and event.key not in ("alt+b", "alt+f"):
            # ESC and a letter in one read: the Esc is lost, and the letter was not meant as text
            self._claim(event)
            self.post_message(self.Said("press Esc again, alone"))
        elif event.key in self._keys and self._wants(self._keys[event.key]):
            self._claim(event)
            await self.run_action(self._keys[event.key])
        elif event.is_printable:
            self._last_printable = self._clock()
            self._note_typed(event.character or "")

    async def _on_paste(self, event: events.Paste) -> None:
        self._claim(event)
        if self.completer is not None:
            self.completer.forget()
        if min(self.selection) == (0, 0):
            self._lead_typed = False
        # the field would write control characters to the terminal as they are
        text = neutralise(event.text.replace("\r\n", "\n").replace("\r", "\n"))
        self._replace_via_keyboard(self._pastes.fold(text) or text, *self.selection)

    def on_text_area_changed(self) -> None:
        """An emptied prompt has no past."""
        if not self.text.startswith(LEADS):
            self._lead_typed = False
        if self.is_shell_line != self._was_shell_line:
            self._was_shell_line = self.is_shell_line
            self.post_message(self.LeadChanged())
        if not self.text:
            self._pastes.clear()
        if self.completer is not None:
            self.completer.refresh()

    def on_text_area_selection_changed(self) -> None:
        """Another word may be under the cursor."""
        if self.completer is not None:
            self.completer.refresh()

    def action_delete_left(self) -> None:
        """Backspace; a folded paste goes as a whole."""
        row, column = self.cursor_location
        token = self._pastes.token_before(self.document[row][:column]) if not self.selected_text else None
        if token is None:
            super().action_delete_left()
        else:
            self.delete((row, column - len(token)), (row, column))

    async def action_send(self) -> None:
        """Send; after a trailing backslash a new line; in the middle of a bare paste its line end."""
        if self._clock() - self._last_printable < BARE_PASTE_S:
            self._held_enter = self._clock.after(BARE_PASTE_S, self._enter)
        else:
            self._enter()

    def action_queue(self) -> None:
        """Send when the running turn has ended."""
        if self.text.strip():
            is_typed = self._lead_typed
            self.post_message(self.Queued(self.take(), is_typed=is_typed))

    def action_complete(self) -> None:
        """Take the marked completion, or complete a path of a shell line."""
        if self.completer is not None:
            self.completer.complete()

    def action_leave(self) -> None:
        """Quit, when pressed twice."""
        self.post_message(self.LeaveRequested())

    def action_search(self) -> None:
        """Search older prompts."""
        self.post_message(self.SearchRequested())

    def action_newline(self) -> None:
        """A new line."""
        self._replace_via_keyboard("\n", *self.selection)

    def action_history(self, way: str) -> None:
        """Older and newer prompts, the draft is the newest; rows of a completion while it is open."""
        if self.completer is not None and self.completer.is_open:
            self.completer.move(-1 if way == "older" else 1)
        elif way == "older":
            if not self.text and self._place == len(self._history):
                self.post_message(self.Unqueue())
            else:
                self.show_older()
        elif self._place < len(self._history):
            self._go_to(self._place + 1)

    def show_older(self) -> None:
        """Show the prompt before, if there is one."""
        if self._place > 0:
            if self._place == len(self._history):
                self._draft = (self.full_text, self._lead_typed)
            self._go_to(self._place - 1)

    def action_scroll_chat(self, way: str) -> None:
        """Scroll the chat without leaving the prompt."""
        self.post_message(self.ScrollChat(way))

    def _note_typed(self, character: str) -> None:
        """A character is about to be typed."""
        start = min(self.selection)
        if start == (0, 0):
            self._lead_typed = character in LEADS
        if self.completer is not None:
            row, column = start
            self.completer.typed(character, row, column, self.document[row][:column][-1:])

    def _enter(self) -> None:
        self._held_enter = None
        if self.completer is None or not self.completer.take_if_new():
            self._send()

    def _send(self) -> None:
        row, column = self.cursor_location
        if self.document[row][:column].endswith("\\") and self.cursor_location == self.document.end:
            self._replace_via_keyboard("\n", (row, column - 1), (row, column))
        elif not self.text.strip():
            self.post_message(self.SentEmpty())
        else:
            is_typed = self._lead_typed
            self.post_message(self.Sent(self.take(), is_typed=is_typed))

    def _go_to(self, place: int) -> None:
        self._place = place
        text, is_typed = self._draft if place == len(self._history) else (self._history[place], True)
        self.put(text, is_typed=is_typed)

    def _wants(self, does: str) -> bool:
        """Arrows belong to the text except on its first and last line."""
        row = self.cursor_location[0]
        completer = self.completer
        if does == "complete":
            return completer is not None and completer.can_complete()
        if does == "leave":
            return not self.text
        if completer is not None and completer.is_open:
            return True
        match does:
            case "history('older')":
                return row == 0 and self.get_cursor_up_location() in (self.cursor_location, (0, 0))
            case "history('newer')":
                return row == self.document.line_count - 1 and self._place < len(self._history)
            case _:
                return True

    def _claim(self, event: events.Key | events.Paste) -> None:
        event.stop()
        event.prevent_default()
