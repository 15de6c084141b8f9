"""Carries the session's events to the work screen: text joined and yielding to the keyboard, the rest in order."""

from collections.abc import Callable

from decode_core.events import (
    AssistantMessage,
    DecisionAnswered,
    EventBase,
    PermissionDecided,
    ShellLineFinished,
    TextDelta,
    ThinkingDelta,
    ToolCallFinished,
    ToolCallProgress,
)
from decode_ui import chat_entries
from decode_ui.clock import Alarm, Clock
from decode_ui.transcript.entry import ToolEntry
from decode_ui.transcript.view import Transcript

FLUSH_S = 1 / 30
"""Text is drawn at most this often."""
KEY_PAUSE_S = 0.04
"""No text is drawn this soon after a key: the keyboard comes first."""
MAX_HELD_S = 0.25
"""Text never waits longer than this for the keyboard."""


class ChatFeed:
    """Feeds one transcript. `seconds_since_key` tells how long the keyboard has been quiet."""

    def __init__(
        self,
        transcript: Transcript,
        clock: Clock,
        seconds_since_key: Callable[[], float],
        *,
        by_line: bool = False,
    ) -> None:
        self._transcript = transcript
        self._clock = clock
        self._seconds_since_key = seconds_since_key
        self._by_line = by_line
        """Text appears by whole lines: with less motion on the screen."""
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._output: dict[str, list[str]] = {}
        self._timer: Alarm | None = None
        self._held_since = 0.0

    @staticmethod
    def is_stream(event: EventBase) -> bool:
        """Whether an event is a piece of a stream, which changes nothing but the chat."""
        return isinstance(event, TextDelta | ThinkingDelta | ToolCallProgress)

    def take(self, event: EventBase) -> None:
        """Show one event."""
        match event:
            case TextDelta(text=text):
                self._text.append(text)
                self._flush_soon()
            case ThinkingDelta(text=text):
                self._thinking.append(text)
                self._flush_soon()
            case ToolCallProgress(call_id=call_id, text=text):
                self._output.setdefault(call_id, []).append(text)
                self._flush_soon()
            case AssistantMessage():
                self.flush()
                self._transcript.end_answer(event.text, event.thinking, event.thinking_s)
            case PermissionDecided():
                self._change(event.call_id, lambda entry: chat_entries.decided(entry, event))
            case DecisionAnswered(call_id=str() as call_id):
                self._change(call_id, lambda entry: chat_entries.answered(entry, event))
            case ToolCallFinished():
                self._output.pop(event.call_id, None)
                self._change(event.call_id, lambda entry: chat_entries.finished(entry, event))
            case ShellLineFinished():
                self._output.pop(event.line_id, None)
                self._change(event.line_id, lambda entry: chat_entries.line_finished(entry, event))
            case _:
                entry = chat_entries.entry_of(event)
                if entry is not None:
                    self.flush()
                    self._transcript.append(entry)

    def flush(self) -> None:
        """Hand over what has come."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self._thinking:
            self._transcript.stream_thinking("".join(self._thinking))
            self._thinking.clear()
        if self._text:
            self._transcript.stream_text("".join(self._text))
            self._text.clear()
        self._transcript.flush_late()
        for call_id, pieces in self._output.items():
            text = "".join(pieces)
            self._change(call_id, lambda entry, text=text: chat_entries.with_output(entry, text))  # type: ignore[misc]
        self._output.clear()

    def _flush_soon(self) -> None:
        if self._timer is None:
            self._held_since = self._clock()
            self._timer = self._clock.after(FLUSH_S, self._flush_unless_typing)

    def _flush_unless_typing(self) -> None:
        self._timer = None
        rest = KEY_PAUSE_S - self._seconds_since_key()
        if rest > 0 and self._clock() - self._held_since < MAX_HELD_S:
            self._timer = self._clock.after(rest, self._flush_unless_typing)
        else:
            unfinished = self._take_unfinished_line() if self._by_line else ""
            self.flush()
            if unfinished:
                self._text.append(unfinished)

    def _take_unfinished_line(self) -> str:
        whole, end, unfinished = "".join(self._text).rpartition("\n")
        self._text[:] = [whole + end] if end else []
        return unfinished

    def _change(self, call_id: str, change: Callable[[ToolEntry], ToolEntry]) -> None:
        entry = self._transcript.call(call_id)
        if entry is not None:
            self._transcript.update(call_id, change(entry))
