"""Completion in the prompt: it opens with a typed trigger, follows what is typed behind it, writes what is taken."""

from collections.abc import Coroutine
from typing import Any, Protocol

from decode_ui.clock import Alarm, Clock
from decode_ui.completing import Offer, Trigger, Word, command_offers, file_offer, word_at
from decode_ui.file_finder import FileFinder
from decode_ui.widgets.completion_list import CompletionList

MOST = 50
"""Files that are offered at once."""
PATIENCE_S = 0.3
"""A list of files that takes longer says so."""
HINT = "enter takes · esc closes"
READING = "reading the names of files…"


class Field(Protocol):
    """The text field that is completed."""

    @property
    def row_before_cursor(self) -> tuple[int, str]:
        """Number and text of the row with the cursor, up to the cursor."""
        ...

    def write_over(self, start: int, end: int, text: str) -> None:
        """Put `text` in place of these columns of the row with the cursor."""
        ...

    def start_search(self, search: Coroutine[Any, Any, None]) -> None:
        """Run a search in place of the one that runs."""
        ...


class Completer:
    """Completes the words of one field into a list. It shows nothing that was pasted: only `typed` begins a word."""

    def __init__(self, field: Field, rows: CompletionList, finder: FileFinder, clock: Clock) -> None:
        self._field = field
        self._rows = rows
        self._finder = finder
        self._clock = clock
        self._trigger: Trigger | None = None
        self._anchor = (0, 0)
        """Row and column of the trigger."""
        self._word: Word | None = None
        """What is looked for."""
        self._shown: Word | None = None
        """What the shown rows are for: that of a moment ago while a search runs."""
        self._late: Alarm | None = None
        self._take_first = False
        """Enter came before the rows did: the first one is wanted."""

    @property
    def is_open(self) -> bool:
        """Whether rows, or a word on why there are none, are shown."""
        return bool(self._rows.display)

    def typed(self, character: str, row: int, column: int, before: str) -> None:
        """A character is about to be typed at a place; `before` is the one to its left, empty at the start of a row."""
        is_start = (row, column) == (0, 0)
        if is_start and character in (Trigger.COMMAND, Trigger.SHELL):
            self._begin(Trigger(character), row, column)
        elif character == Trigger.FILE and self._trigger is not Trigger.SHELL and (not before or before.isspace()):
            self._begin(Trigger.FILE, row, column)

    def forget(self) -> None:
        """The text is another one, or was pasted: nothing in it is completed."""
        self._trigger = None
        self.close()

    def close(self) -> None:
        """Take the rows away; the text stays, and this word is completed no more."""
        if self._trigger is not Trigger.SHELL:
            self._trigger = None
        self._hide()

    def refresh(self) -> None:
        """The text or the cursor has changed: show what fits now."""
        word = self._current()
        if word == self._word or (self._trigger is Trigger.SHELL and not self.is_open):
            return
        self._word = word
        self._take_first = False
        match word:
            case None:
                self._hide()
            case Word(trigger=Trigger.COMMAND):
                self._show(command_offers(word.query))
            case _:
                self._search(word)

    def can_complete(self) -> bool:
        """Whether Tab has something to do here; else it moves the focus."""
        return self.is_open or (self._trigger is Trigger.SHELL and self._current() is not None)

    def complete(self) -> None:
        """Tab: write the marked row, or begin with the word of a shell line."""
        if self.is_open:
            self._take(self._rows.marked)
        elif (word := self._current()) is not None:
            self._word = word
            self._search(word)

    def take_if_new(self) -> bool:
        """Enter: write the marked row. False where nothing is open or left to write: then it sends."""
        if not self.is_open or self._word is None:
            return False
        if self._shown != self._word:
            self._take_first = True
            return True
        offer = self._rows.marked
        row = self._field.row_before_cursor[1]
        if offer is None or row[self._word.start : self._word.end] == offer.insert.rstrip():
            self._hide()
            return False
        self._take(offer)
        return True

    def take_row(self, option_id: str | None) -> None:
        """A row was clicked."""
        self._take(self._rows.offer_of(option_id))

    def move(self, rows: int) -> None:
        """Move the mark."""
        self._rows.move(rows)

    def _begin(self, trigger: Trigger, row: int, column: int) -> None:
        self._hide()
        self._trigger, self._anchor = trigger, (row, column)

    def _current(self) -> Word | None:
        row, text = self._field.row_before_cursor
        if self._trigger is None or row != self._anchor[0]:
            return None
        return word_at(self._trigger, self._anchor[1], text, len(text))

    def _search(self, word: Word) -> None:
        if self._late is None and not self.is_open:
            self._late = self._clock.after(PATIENCE_S, lambda: self._rows.show((), READING))
        self._field.start_search(self._find(word))

    async def _find(self, word: Word) -> None:
        found = await self._finder.find(word.query, MOST)
        if word != self._word:
            return
        offers = tuple(file_offer(path, word.trigger) for path in found.paths)
        if self._take_first and offers:
            self._take(offers[0])
        else:
            self._show(offers, found.problem)

    def _show(self, offers: tuple[Offer, ...], problem: str = "") -> None:
        """Show offers, or what is wrong; nothing where neither is."""
        self._still()
        self._shown = self._word
        if offers:
            self._rows.show(offers, f"{problem} · {HINT}" if problem else HINT)
        elif problem:
            self._rows.show((), problem)
        else:
            self._rows.hide()

    def _take(self, offer: Offer | None) -> None:
        word = self._word
        if offer is None or word is None or word != self._current():
            return
        if not offer.goes_on:
            self.close()
        self._field.write_over(word.start, word.end, offer.insert)

    def _hide(self) -> None:
        self._word = self._shown = None
        self._still()
        self._rows.hide()

    def _still(self) -> None:
        self._take_first = False
        if self._late is not None:
            self._late.stop()
            self._late = None
