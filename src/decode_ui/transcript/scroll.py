"""A scrolling list of entries on Textual's line API: one widget, however many entries.

Strips are made for what is in view and kept in a small cache. Heights of entries that were never in view are
estimates; they are corrected before anything is painted, and the reader's line stays where it is.
"""

from collections import OrderedDict
from collections.abc import Iterable
from enum import Enum

from rich.style import Style
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.theme import Theme

from decode_ui.transcript import selection as selected
from decode_ui.transcript.entry import Entry, plain_text, stands_close
from decode_ui.transcript.finished_lines import FinishedLines
from decode_ui.transcript.layout import Layout
from decode_ui.transcript.palette import UNICODE, Palette, Signs
from decode_ui.transcript.render import Painter, extent

CACHED = 200
"""Entries whose strips are kept."""


class Pin(Enum):
    """What stays in place while heights change."""

    END = "end"
    READER = "reader"


class EntryScroll(ScrollView, can_focus=True):
    """Shows entries and scrolls through them.

    `follow` is true while the reader is at the end; `new_below` counts the entries that came since they left it.
    `renders` counts entries drawn, for tests.
    """

    DEFAULT_CSS = """
    EntryScroll {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
        scrollbar-color: $foreground 18%;
        scrollbar-color-hover: $foreground 40%;
        scrollbar-color-active: $foreground 40%;
        scrollbar-background: $background;
        scrollbar-background-hover: $background;
        scrollbar-background-active: $background;
    }
    """

    # the size is told to the scrollbar directly: a layout of the whole screen at each flush would cost key latency
    virtual_size: reactive[Size] = reactive(Size(0, 0), layout=False)
    follow: reactive[bool] = reactive(default=True, repaint=False)
    new_below: reactive[int] = reactive(0, repaint=False)

    def __init__(
        self,
        *,
        signs: Signs = UNICODE,
        name: str | None = None,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self.entries: list[Entry] = []
        self.painter = Painter(signs=signs)
        self.plan = Layout(0)
        self.renders = 0
        self._drawn: OrderedDict[int, list[Strip]] = OrderedDict()
        self._placing = False
        self._ground = Style()
        self._finished = FinishedLines()

    # -- data

    def append(self, entry: Entry) -> int:
        """Add an entry at the end and return its index."""
        self.extend([entry])
        return len(self.entries) - 1

    def extend(self, entries: Iterable[Entry]) -> None:
        """Add entries at the end."""
        start = len(self.entries)
        for entry in entries:
            self.entries.append(entry)
            self.plan.append(extent(entry), self._gap(len(self.entries) - 1))
        if not self.follow:
            self.new_below += len(self.entries) - start
        self.settle()

    def replace(self, index: int, entry: Entry) -> None:
        """Put another entry in the place of one, and keep the reader's line where it is."""
        row, top, bottom = round(self.scroll_y), self.plan.top(index), self.bottom(index)
        shift = self.put(index, entry)
        if top < row < bottom and self.plan.width:
            self._measure(index)  # the reader is inside it: its start stays where it is
        self.settle(row + shift if bottom <= row else row)

    def put(self, index: int, entry: Entry) -> int:
        """Put another entry in the place of one without moving the view; return by how much the height changed.

        For many at once: the caller scrolls afterwards.
        """
        self.entries[index] = entry
        self._drawn.pop(index, None)
        shift = self.plan.change(index, extent(entry), self._gap(index))
        if index + 1 < len(self.entries):
            shift += self.plan.set_gap(index + 1, self._gap(index + 1))
        return shift

    def grown(self, index: int) -> None:
        """Draw an entry anew that grew at its end."""
        if not self.plan.width:
            return
        row, bottom = round(self.scroll_y), self.bottom(index)
        self._drawn.pop(index, None)
        shift = self.plan.measure(index, len(self.rows_of(index)))
        self.settle(row + shift if bottom <= row else row)

    def clear(self) -> None:
        """Drop all entries."""
        self.entries.clear()
        self._drawn.clear()
        self.plan = Layout(self.plan.width)
        self.follow = True
        self.new_below = 0
        self.settle()

    # -- geometry

    @property
    def view_height(self) -> int:
        """Rows in view."""
        return self.scrollable_content_region.height

    def bottom(self, index: int) -> int:
        """Return the row below an entry."""
        return self.plan.top(index) + self.plan.height(index)

    def settle(self, row: int | None = None) -> None:
        """Correct what is in view and repaint; stay at the end when following, else at `row` (default: where it is)."""
        if self.plan.width:
            if self.follow:
                self._place(0, Pin.END)
            else:
                self._place(round(self.scroll_y) if row is None else row, Pin.READER)
            self.refresh()

    def show_row(self, row: int) -> None:
        """Scroll so that `row` is the first in view, as far as there are rows."""
        self._place(row, Pin.READER, pivot=row)
        self.follow = self.is_vertical_scroll_end
        self.refresh()

    def show_entry(self, index: int) -> None:
        """Scroll as little as it takes to have an entry in view, its top if it does not fit."""
        self._measure(index)
        top = self.plan.top(index)
        row = max(round(self.scroll_y), self.bottom(index) - self.view_height)
        self.show_row(min(row, top))

    def rows_of(self, index: int) -> list[Strip]:
        """Return the strips of an entry, from the cache or drawn now."""
        strips = self._drawn.get(index)
        if strips is None:
            self.renders += 1
            strips = self._drawn[index] = self.draw(index)
            while len(self._drawn) > CACHED:
                self._drawn.popitem(last=False)
        else:
            self._drawn.move_to_end(index)
        return strips

    def draw(self, index: int) -> list[Strip]:
        """Draw an entry at the present width."""
        return self.painter.paint(self.entries[index], self.plan.width)

    def redraw(self) -> None:
        """Forget all strips: colours are others now."""
        self._drawn.clear()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Follow again at the end; correct what comes into view before it is painted."""
        super().watch_scroll_y(old_value, new_value)
        if not self._placing and self.plan.width:
            self.follow = self.is_vertical_scroll_end
            if not self.follow:
                # what was in view stays the measure: entries that come in above it grow upwards
                self._place(round(new_value), Pin.READER, pivot=round(max(old_value, new_value)))

    def watch_follow(self, follow: bool) -> None:  # noqa: FBT001
        """At the end nothing is new any more."""
        if follow:
            self.new_below = 0

    def watch_virtual_size(self, size: Size) -> None:
        """Tell the scrollbar."""
        self._scroll_update(size)

    def on_mount(self) -> None:
        """Take the theme's colours, now and whenever they change."""
        self.app.theme_changed_signal.subscribe(self, self._on_theme_changed)
        self._take_colours()

    def on_resize(self) -> None:
        """Wrap anew when the width changed, and keep the reading position."""
        width = self.scrollable_content_region.width
        if not width or width == self.plan.width:
            self.settle()
            return
        place = self.plan.find(round(self.scroll_y)) if self.entries and self.plan.width else None
        share = place.row / self.plan.height(place.entry) if place else 0.0
        self.redraw()
        self.plan.resize(width)
        if place is None or self.follow:
            self.settle()
        else:
            self._measure(place.entry)
            self.settle(self.plan.top(place.entry) + round(share * self.plan.height(place.entry)))

    def _on_theme_changed(self, theme: Theme) -> None:
        self._take_colours()
        self.redraw()
        self.settle()

    def _take_colours(self) -> None:
        palette = Palette.of(self.app.theme_variables)
        self.painter = Painter(palette.without_colour() if self.app.no_color else palette, self.painter.signs)

    def _measured_above(self, row: int) -> int:
        """Measure what lies between `row` and the view, and return `row` moved along: a page stays a page."""
        index = self.plan.find(round(self.scroll_y)).entry if self.entries else 0
        while index > 0 and self.plan.top(index) > row:
            index -= 1
            row += self._measure(index)
        return row

    def _gap(self, index: int) -> int:
        return 0 if index == 0 or stands_close(self.entries[index - 1], self.entries[index]) else 1

    def _measure(self, index: int) -> int:
        return 0 if self.plan.measured(index) else self.plan.measure(index, len(self.rows_of(index)))

    def _place(self, row: int, pin: Pin, pivot: int | None = None) -> None:
        """Scroll to `row` (or the end) with every height in view known; growth above `pivot` pushes the view down."""
        height = self.view_height
        pivot = row if pivot is None else pivot
        settled = False
        while not settled:
            last = max(0, self.plan.total - height)
            row = last if pin is Pin.END else min(max(row, 0), last)
            row, pivot, settled = self._correct(row, pivot)
        self._placing = True
        try:
            self.virtual_size = Size(self.plan.width, self.plan.total)
            self.scroll_to(y=row, animate=False, force=True)
        finally:
            self._placing = False

    def _correct(self, row: int, pivot: int) -> tuple[int, int, bool]:
        """Measure what would be in view at `row`; return row and pivot moved along, and whether nothing changed."""
        if not self.entries:
            return 0, 0, True
        start = row
        index = self.plan.find(row).entry
        top = self.plan.top(index)
        known = True
        while index < len(self.entries) and top < row + self.view_height:
            if not self.plan.measured(index):
                known = False
                delta = self._measure(index)
                if top < pivot:
                    row, pivot = row + delta, pivot + delta
                if row < start:
                    break
            top += self.plan.height(index)
            index += 1
        return row, pivot, known

    # -- painting

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the lines in view; the base style is looked up once for all of them."""
        self._ground = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        row = round(self.scroll_y) + y
        width = self.size.width
        if row >= self.plan.total or not self.plan.width:
            return Strip.blank(width, self._ground)
        place = self.plan.find(row)
        at = place.row - self.plan.gap(place.entry)
        strips = self.rows_of(place.entry) if at >= 0 else []
        if at < 0 or at >= len(strips):
            return Strip.blank(width, self._ground).apply_offsets(0, row)
        strip = self.decorate(place.entry, strips[at])
        if (chosen := self.text_selection) is not None and (span := chosen.get_span(row)) is not None:
            shown = self.screen.get_component_rich_style("screen--selection")
            strip = selected.styled(strip.apply_style(self._ground), span, shown)
        return self._finished.finish(row, strip, self._ground, width)

    def decorate(self, index: int, strip: Strip) -> Strip:
        """Return a line with what does not belong to the entry itself, such as a cursor."""
        return strip

    # -- selection by mouse

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text as it is read, without the blanks at the ends of lines."""
        if not self.entries:
            return None
        first = 0 if selection.start is None else max(0, selection.start.y)
        last = self.plan.total - 1 if selection.end is None else min(selection.end.y, self.plan.total - 1)
        start, end = self.plan.find(first).entry, self.plan.find(last).entry
        lines: list[str] = []
        for index in range(start, end + 1):
            at_start = index == start and selection.start is not None
            at_end = index == end and selection.end is not None
            if at_start or at_end:
                rows = enumerate(self._texts(index), self.plan.top(index))
                lines.extend(selected.cut(text, selection.get_span(row)) for row, text in rows if first <= row <= last)
            elif self.plan.measured(index):
                lines.extend(self._texts(index))
            else:
                # only "select all" reaches what was never in view: its source will do, and nothing is drawn for it
                lines.extend([""] * self.plan.gap(index))
                lines.extend(plain_text(self.entries[index]).split("\n"))
        return "\n".join(lines), "\n"

    def _texts(self, index: int) -> list[str]:
        """The rows of an entry as text, its gap included."""
        return [*[""] * self.plan.gap(index), *(strip.text.rstrip() for strip in self.rows_of(index))]
