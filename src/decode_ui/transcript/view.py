"""The chat: entries, the answer that streams, a block cursor, folding, search and copying."""

from collections.abc import Iterable
from enum import StrEnum
from time import monotonic

from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.timer import Timer

from decode_core.neutral import neutralise
from decode_ui.transcript import foreign, search, selection as selected
from decode_ui.transcript.cursor import EntryCursor
from decode_ui.transcript.entry import (
    AnswerEntry,
    Entry,
    Fold,
    ThinkingEntry,
    ToolEntry,
    code_blocks,
    fold_of,
    folded,
    plain_text,
)
from decode_ui.transcript.palette import UNICODE, Signs
from decode_ui.transcript.streaming import LiveAnswer

FLUSH_S = 1 / 30
"""Least time between two drawings of the live answer."""


class Want(StrEnum):
    """What a key asks for that the transcript itself cannot do."""

    OPEN_FILE = "open_file"
    DIFF = "diff"
    WHY = "why"


class Transcript(EntryCursor):
    """The conversation. `found` is `(place, places)` of the search, places counted from 1."""

    found: reactive[tuple[int, int]] = reactive((0, 0), repaint=False)

    class CopyRequested(Message):
        """The person wants `text` in the clipboard; it is free of escapes."""

        def __init__(self, transcript: "Transcript", text: str) -> None:
            super().__init__()
            self.transcript = transcript
            self.text = text

        @property
        def control(self) -> "Transcript":
            """The transcript that asked."""
            return self.transcript

    class CodeChoiceRequested(CopyRequested):
        """A message has several code blocks: one of `blocks` is to be picked; `text` holds all of them."""

        def __init__(self, transcript: "Transcript", blocks: tuple[str, ...]) -> None:
            super().__init__(transcript, "\n\n".join(blocks))
            self.blocks = blocks

    class SearchRequested(Message):
        """The person pressed the key for searching."""

    class Requested(Message):
        """The person wants something done with `entry`."""

        def __init__(self, want: Want, index: int, entry: Entry) -> None:
            super().__init__()
            self.want = want
            self.index = index
            self.entry = entry

    def __init__(
        self,
        *,
        signs: Signs = UNICODE,
        name: str | None = None,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(signs=signs, name=name, id=id, classes=classes)
        self._calls: dict[str, int] = {}
        self._answer: LiveAnswer | None = None
        self._answer_at = -1
        self._blank = ""
        self._thinking_at = -1
        self._thinking: list[str] = []
        self._flushed_s = 0.0
        self._flush_timer: Timer | None = None
        self._needle = ""
        self._places: list[int] = []

    # -- data

    def extend(self, entries: Iterable[Entry]) -> None:
        """Add entries at the end."""
        fresh = list(entries)
        for index, entry in enumerate(fresh, len(self.entries)):
            if isinstance(entry, ToolEntry):
                self._calls[entry.call_id] = index
        super().extend(fresh)

    def update(self, where: int | str, entry: Entry) -> None:
        """Replace an entry, named by index or by the id of its tool call. A call keeps the fold the person gave it.

        Raises KeyError or IndexError when there is none.
        """
        index = self._calls[where] if isinstance(where, str) else where
        old = fold_of(self.entries[index])
        if old is Fold.UNFOLDED:
            entry = folded(entry, old)
        if isinstance(entry, ToolEntry):
            self._calls[entry.call_id] = index
        self.replace(index, entry)

    def call(self, call_id: str) -> ToolEntry | None:
        """Return the entry of a tool call, None when there is none."""
        entry = self.entries[self._calls[call_id]] if call_id in self._calls else None
        return entry if isinstance(entry, ToolEntry) else None

    def go_to_call(self, call_id: str) -> bool:
        """Put the cursor on a tool call and show it; False where there is none."""
        index = self._calls.get(call_id)
        if index is None:
            return False
        self.follow = False
        self.cursor = index
        self.show_entry(index)
        return True

    def clear(self) -> None:
        """Drop all entries."""
        self._calls.clear()
        self._stop_streaming()
        super().clear()
        self.find("")

    # -- streaming

    def stream_text(self, fragment: str) -> None:
        """Add a piece of the answer; the first one that is not blank opens a new entry."""
        if self._answer is None:
            # models like to write blank lines before a call: they are no answer
            self._blank += fragment
            if not self._blank.strip():
                return
            fragment, self._blank = self._blank, ""
            self._answer = LiveAnswer()
            self._answer_at = len(self.entries)
            self.append(AnswerEntry("", live=True))
        self._answer.feed(fragment)
        self._flush_soon()

    def stream_thinking(self, fragment: str) -> None:
        """Add a piece of thinking; the first one that is not blank opens a new entry."""
        if self._thinking_at < 0:
            if not fragment.strip():
                return
            self._thinking_at = len(self.entries)
            self.append(ThinkingEntry("", live=True))
        self._thinking.append(fragment)
        self._flush_soon()

    def end_answer(self, text: str, thinking: str = "", seconds: float = 0.0) -> None:
        """Put the finished response in the place of what streamed; an empty text keeps what came.

        Without a stream (a resumed session) the entries are added.
        """
        streamed_thinking = "".join(self._thinking)
        streamed = self._answer.source if self._answer else ""
        thinking_at, answer_at = self._thinking_at, self._answer_at
        self._stop_streaming()
        for at, entry in (
            (thinking_at, ThinkingEntry(thinking or streamed_thinking, seconds)),
            (answer_at, AnswerEntry(text or streamed)),
        ):
            if at >= 0:
                self.update(at, entry)
            elif plain_text(entry).strip():
                self.append(entry)

    def flush(self) -> None:
        """Draw what streamed since the last time. Called by itself, at most 30 times a second."""
        self._stop_flush_timer()
        self._flushed_s = monotonic()
        if self._thinking_at >= 0:
            now = self.entries[self._thinking_at]
            if fold_of(now) is Fold.UNFOLDED:
                self.replace(self._thinking_at, ThinkingEntry("".join(self._thinking), live=True, unfolded=True))
            else:
                # folded thinking shows no text: nothing is drawn anew
                self.entries[self._thinking_at] = ThinkingEntry("".join(self._thinking), live=True)
        if self._answer is not None:
            self.entries[self._answer_at] = AnswerEntry(self._answer.source, live=True)
            self.grown(self._answer_at)

    def flush_late(self) -> None:
        """Draw what streamed and still waits for its turn: for a caller that has a beat of its own."""
        if self._flush_timer is not None:
            self.flush()

    def draw(self, index: int) -> list[Strip]:
        """Draw an entry; of the live answer only its open block."""
        if self._answer is not None and index == self._answer_at:
            width = self.plan.width
            return self._answer.strips(lambda markdown: self.painter.markdown(markdown, width), width)
        return super().draw(index)

    def redraw(self) -> None:
        """Forget all strips, those of the live answer too."""
        super().redraw()
        if self._answer is not None:
            self._answer.redraw()

    def _flush_soon(self) -> None:
        if self._flush_timer is not None or not self.is_mounted:
            return
        wait = self._flushed_s + FLUSH_S - monotonic()
        if wait <= 0:
            self.flush()
        else:
            self._flush_timer = self.set_timer(wait, self.flush)

    def _stop_streaming(self) -> None:
        self._stop_flush_timer()
        self._answer = None
        self._blank = ""
        self._answer_at = self._thinking_at = -1
        self._thinking = []

    def _stop_flush_timer(self) -> None:
        if self._flush_timer is not None:
            self._flush_timer.stop()
        self._flush_timer = None

    # -- search

    def find(self, text: str) -> None:
        """Search for `text`, case aside, and go to the newest place; an empty text ends the search."""
        self._needle = text
        self._places = search.matching(self.entries, text)
        self.found = (0, len(self._places))
        self.refresh()
        if self._places:
            self._go_to_place(len(self._places) - 1)

    def action_find_next(self) -> None:
        """Go to the next place that was found, round from the end to the start."""
        self._find_step(1)

    def action_find_previous(self) -> None:
        """Go to the previous place that was found."""
        self._find_step(-1)

    def _find_step(self, step: int) -> None:
        self._places = search.matching(self.entries, self._needle)
        if not self._places:
            self.found = (0, 0)
            return
        here = -1 if self.cursor is None else self.cursor
        if step > 0:
            ahead = [n for n, at in enumerate(self._places) if at > here]
            self._go_to_place(ahead[0] if ahead else 0)
        else:
            behind = [n for n, at in enumerate(self._places) if at < here]
            self._go_to_place(behind[-1] if behind else len(self._places) - 1)

    def _go_to_place(self, number: int) -> None:
        index = self._places[number]
        self.found = (number + 1, len(self._places))
        self.cursor = index
        if self._line_of_match(index) is None and fold_of(self.entries[index]) is Fold.FOLDED:
            self.update(index, folded(self.entries[index], Fold.UNFOLDED))
        self.show_entry(index)
        line = self._line_of_match(index)
        if line is not None:
            row = self.plan.top(index) + self.plan.gap(index) + line
            if not self.scroll_y <= row < self.scroll_y + self.view_height:
                self.show_row(row - self.view_height // 2)

    def _line_of_match(self, index: int) -> int | None:
        lines = (n for n, strip in enumerate(self.rows_of(index)) if any(search.spans(strip.text, self._needle)))
        return next(lines, None)

    def decorate(self, index: int, strip: Strip) -> Strip:
        """Mark what was found, and the block under the cursor."""
        for span in search.spans(strip.text, self._needle):
            strip = selected.styled(strip, span, self.painter.palette.found)
        return super().decorate(index, strip)

    # -- copying, and what others do

    def action_copy_entry(self) -> None:
        """Copy the block under the cursor, folded parts included."""
        if self.cursor is not None:
            text = foreign.without_colours(plain_text(self.entries[self.cursor]))
            self.post_message(self.CopyRequested(self, neutralise(text)))

    def action_copy_code(self) -> None:
        """Copy the code block of the answer under the cursor, or ask which of several."""
        entry = None if self.cursor is None else self.entries[self.cursor]
        blocks = code_blocks(neutralise(entry.markdown)) if isinstance(entry, AnswerEntry) else []
        match blocks:
            case []:
                self.app.bell()
            case [block]:
                self.post_message(self.CopyRequested(self, block))
            case _:
                self.post_message(self.CodeChoiceRequested(self, tuple(blocks)))

    def action_search(self) -> None:
        """Ask for the text to search."""
        self.post_message(self.SearchRequested())

    def action_request(self, want: str) -> None:
        """Ask for what the transcript cannot do itself; `want` is a value of `Want`."""
        if self.cursor is not None:
            self.post_message(self.Requested(Want(want), self.cursor, self.entries[self.cursor]))
