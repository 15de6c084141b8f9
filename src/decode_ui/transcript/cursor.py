"""A cursor over whole entries: moving by block, by page and by the person's own messages, and folding."""

from collections.abc import Iterable

from textual.events import Blur, Click, Focus
from textual.reactive import reactive
from textual.strip import Strip

from decode_ui.actions import bindings
from decode_ui.transcript.entry import Entry, Fold, UserEntry, fold_of, folded
from decode_ui.transcript.keys import CHAT
from decode_ui.transcript.scroll import EntryScroll

_STEP = 3
"""Rows that the cursor keys scroll inside a tall block."""
_SIGN_CELLS = 2
"""Cells at the start of a line that a click folds or unfolds by."""


class EntryCursor(EntryScroll, inherit_bindings=False):
    """`cursor` is the index of the block under the cursor, None before the first focus; it is drawn with focus only."""

    BINDINGS = [*bindings(CHAT)]

    cursor: reactive[int | None] = reactive(None)

    def extend(self, entries: Iterable[Entry]) -> None:
        """Add entries; a cursor on the last one goes along while the reader follows."""
        along = self.follow and self.cursor is not None and self.cursor == len(self.entries) - 1
        super().extend(entries)
        if along or (self.has_focus and self.cursor is None and self.entries):
            self.cursor = len(self.entries) - 1

    def clear(self) -> None:
        """Drop all entries."""
        self.cursor = None
        super().clear()

    def decorate(self, index: int, strip: Strip) -> Strip:
        """Mark the block under the cursor."""
        if self.has_focus and index == self.cursor:
            return strip.apply_style(self.painter.palette.cursor)
        return strip

    def on_focus(self, event: Focus) -> None:
        """Show the cursor, on a block in view."""
        self.cursor_into_view()
        self.refresh()

    def on_blur(self, event: Blur) -> None:
        """Hide the cursor."""
        self.refresh()

    def on_click(self, event: Click) -> None:
        """A click puts the cursor; on the sign of a line, or twice, it folds or unfolds."""
        at = event.get_content_offset(self)
        row = -1 if at is None else round(self.scroll_y) + at.y
        if at is None or not 0 <= row < self.plan.total:
            return
        place = self.plan.find(row)
        self.cursor = place.entry
        on_sign = at.x < _SIGN_CELLS and place.row == self.plan.gap(place.entry)
        if on_sign or event.chain == 2:
            self.action_toggle_fold()

    def cursor_into_view(self) -> None:
        """Keep the cursor when its block is in view, else put it on the last block that is."""
        if self.entries:
            first = self._entry_at(round(self.scroll_y))
            last = self._entry_at(round(self.scroll_y) + self.view_height - 1)
            if self.cursor is None or not first <= self.cursor <= last:
                self.cursor = last

    # -- moving

    def action_cursor_up(self) -> None:
        """Go to the block above, or scroll inside a tall one."""
        if self.cursor is None:
            self.cursor_into_view()
        elif (hidden := round(self.scroll_y) - self.plan.top(self.cursor)) > 0:
            self.show_row(round(self.scroll_y) - min(hidden, _STEP))
        elif self.cursor > 0:
            self._enter(self.cursor - 1)

    def action_cursor_down(self) -> None:
        """Go to the block below, or scroll inside a tall one."""
        if self.cursor is None:
            self.cursor_into_view()
        elif (hidden := self.bottom(self.cursor) - round(self.scroll_y) - self.view_height) > 0:
            self.show_row(round(self.scroll_y) + min(hidden, _STEP))
        elif self.cursor < len(self.entries) - 1:
            self._enter(self.cursor + 1)

    def action_page_up(self) -> None:
        """Scroll up a page, one line of it kept in view."""
        self.show_row(self._measured_above(round(self.scroll_y) - max(self.view_height - 1, 1)))
        self.cursor_into_view()

    def action_page_down(self) -> None:
        """Scroll down a page, one line of it kept in view."""
        self.show_row(round(self.scroll_y) + max(self.view_height - 1, 1))
        self.cursor_into_view()

    def action_scroll_home(self) -> None:
        """Go to the first entry."""
        if self.entries:
            self.show_row(0)
            self.cursor = 0

    def action_scroll_end(self) -> None:
        """Go to the newest line, and follow again."""
        if self.entries:
            self.follow = True
            self.settle()
            self.cursor = len(self.entries) - 1

    def action_previous_message(self) -> None:
        """Go to the person's previous message."""
        here = len(self.entries) if self.cursor is None else self.cursor
        self._enter_message(range(here - 1, -1, -1))

    def action_next_message(self) -> None:
        """Go to the person's next message."""
        here = -1 if self.cursor is None else self.cursor
        self._enter_message(range(here + 1, len(self.entries)))

    def _enter_message(self, candidates: range) -> None:
        found = next((index for index in candidates if isinstance(self.entries[index], UserEntry)), None)
        if found is None:
            self.app.bell()
        else:
            self.cursor = found
            self.show_row(self.plan.top(found) + self.plan.gap(found))

    def _enter(self, index: int) -> None:
        """Put the cursor on a neighbour; of one that is taller than the view, show the end that is nearer."""
        up = self.cursor is not None and index < self.cursor
        self.cursor = index
        self._measure(index)
        if self.plan.height(index) <= self.view_height:
            self.show_entry(index)
        else:
            self.show_row(self.bottom(index) - self.view_height if up else self.plan.top(index))

    def _entry_at(self, row: int) -> int:
        return self.plan.find(row).entry

    # -- folding

    def action_toggle_fold(self) -> None:
        """Unfold or fold the block under the cursor."""
        match None if self.cursor is None else fold_of(self.entries[self.cursor]):
            case Fold.FOLDED:
                self.action_unfold()
            case Fold.UNFOLDED:
                self.action_fold()
            case None:
                self.app.bell()

    def action_unfold(self) -> None:
        """Unfold the block under the cursor."""
        self._fold_cursor(Fold.UNFOLDED)

    def action_fold(self) -> None:
        """Fold the block under the cursor."""
        self._fold_cursor(Fold.FOLDED)

    def action_toggle_all(self) -> None:
        """Unfold every block, or fold every block when one is unfolded."""
        folds = [fold_of(entry) for entry in self.entries]
        fold = Fold.FOLDED if Fold.UNFOLDED in folds else Fold.UNFOLDED
        at = self.cursor if self.cursor is not None else self._entry_at(round(self.scroll_y)) if self.entries else None
        for index, was in enumerate(folds):
            if was is not None and was is not fold:
                self.put(index, folded(self.entries[index], fold))
        if at is not None:
            self.show_entry(at)

    def _fold_cursor(self, fold: Fold) -> None:
        if self.cursor is not None and fold_of(self.entries[self.cursor]) not in (None, fold):
            self.replace(self.cursor, folded(self.entries[self.cursor], fold))
            self.show_entry(self.cursor)
