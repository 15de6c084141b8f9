"""Options to choose from, with a cursor, ticks and a filter. Its keys are the dialog's."""

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from decode_ui.widgets.option_rows import OptionRow, matching, option_rows

DEAD = "-dead"
"""Class of a view whose options do not answer yet."""


class OptionView(ScrollView, can_focus=True, inherit_bindings=False):
    """Draws rows on demand. `ticked` holds the places of ticked options, None where only one may be chosen."""

    class Clicked(Message):
        """The option at `place` was clicked."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    COMPONENT_CLASSES = {"option-view--cursor", "option-view--key"}
    DEFAULT_CSS = """
    OptionView {
        height: 1fr;
        min-height: 1;
        background: transparent;
        overflow-x: hidden;
        scrollbar-size: 1 1;
        scrollbar-color: $border;
        scrollbar-color-hover: $muted;
        scrollbar-color-active: $primary;
        scrollbar-background: $surface;
        scrollbar-background-hover: $surface;
        scrollbar-background-active: $surface;
        & > .option-view--cursor { background: $cursor-ground; }
        & > .option-view--key { color: $accent; text-style: bold; }
        &.-dead { color: $muted; }
        &.-dead > .option-view--key { color: $muted; }
    }
    """

    def __init__(
        self,
        options: Sequence[str],
        ticked: frozenset[int] | None,
        *,
        cursor: int = 0,
        id: str | None = None,  # noqa: A002 - Textual's name
    ) -> None:
        super().__init__(id=id)
        self.options = tuple(options)
        self.ticked = ticked
        self.shown: list[int] = list(range(len(self.options)))
        """Places of the options that pass the filter."""
        self._place = min(max(cursor, 0), max(len(self.options) - 1, 0))
        self._shows_cursor = True
        self._rows: list[OptionRow] = []
        self._drawn_width = 0

    @property
    def cursor(self) -> int | None:
        """Place of the option under the cursor; None where the filter leaves none."""
        return self._place if self._place in self.shown else None

    def place_of_key(self, number: int) -> int | None:
        """Place of the option that the key `number`, from 1, stands beside; None where there is none."""
        return self.shown[number - 1] if 1 <= number <= len(self.shown) else None

    def toggle(self, place: int) -> None:
        """Tick or untick an option, and put the cursor on it. Nothing where only one may be chosen."""
        if self.ticked is not None:
            self.ticked = self.ticked ^ {place}
        self.put_cursor(place)

    def put_cursor(self, place: int) -> None:
        """Put the cursor on an option and bring it into view."""
        self._place = place
        self.draw()
        self._show_cursor()

    def show_cursor(self, *, shown: bool) -> None:
        """Show or hide the cursor: hidden, it says that Enter does not send the option under it."""
        if shown != self._shows_cursor:
            self._shows_cursor = shown
            self.draw()

    def move(self, way: str) -> None:
        """Move the cursor over the options that are shown: up, down, home or end. A tall option scrolls first."""
        if not self.shown or self._scrolled_inside(way):
            return
        at = self.shown.index(self._place)
        match way:
            case "up":
                at = max(at - 1, 0)
            case "down":
                at = min(at + 1, len(self.shown) - 1)
            case "home":
                at = 0
            case _:
                at = len(self.shown) - 1
        self.put_cursor(self.shown[at])

    def show_matching(self, words: str) -> None:
        """Show only the options that hold all these words; the cursor stays on its option if that is one of them."""
        self.shown = matching(self.options, words)
        if self.shown and self._place not in self.shown:
            self._place = self.shown[0]
        self.draw()
        self._show_cursor()

    def height_in(self, width: int) -> int:
        """How many lines all options take in `width` cells, filtered or not: a filter never moves the answers."""
        every = range(len(self.options))
        return len(option_rows(self.options, every, width, cursor=None, ticked=self.ticked))

    def draw(self) -> None:
        """Make the rows anew: width, cursor, ticks or filter changed."""
        width = self.scrollable_content_region.width
        if not width:
            return
        self._drawn_width = width
        cursor = self.cursor if self._shows_cursor else None
        self._rows = option_rows(self.options, self.shown, width, cursor=cursor, ticked=self.ticked)
        self.virtual_size = Size(width, max(len(self._rows), 1))
        self.refresh()

    def on_resize(self) -> None:
        """Another width breaks the lines anew; the cursor stays in view."""
        if self.scrollable_content_region.width != self._drawn_width:
            self.draw()
        self.call_after_refresh(self._show_cursor)

    def notify_style_update(self) -> None:
        """Another theme, other colours."""
        super().notify_style_update()
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """A click chooses, as the key of the option does."""
        event.stop()
        index = round(self.scroll_offset.y) + event.y
        if 0 <= index < len(self._rows):
            self.post_message(self.Clicked(self._rows[index].place))

    def render_line(self, y: int) -> Strip:
        """One row of the view."""
        width = self.size.width
        index = y + round(self.scroll_offset.y)
        if not self._rows and index == 0:
            nothing = Content.styled("nothing matches · esc shows all", "$muted")
            return Strip(nothing.render_segments(self.visual_style)).adjust_cell_length(width, self.rich_style)
        if index >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        row = self._rows[index]
        on_cursor = self._shows_cursor and row.place == self.cursor
        ground = self.get_visual_style("option-view--cursor") if on_cursor else self.visual_style
        strip = Strip(self._content(row).render_segments(ground))
        return strip.adjust_cell_length(width, ground.rich_style).apply_offsets(0, index)

    def _content(self, row: OptionRow) -> Content:
        key = self.get_visual_style("option-view--key", partial=True)
        if not row.key:
            return Content(f"{row.mark} {row.text}")
        tick = f"{row.tick} " if row.tick else ""
        return Content.assemble((f"{row.mark} {row.key} ", key), tick, row.text)

    def _scrolled_inside(self, way: str) -> bool:
        """Scroll an option that is taller than the view by a line, while there is more of it that way."""
        mine, height = self._cursor_rows, self.scrollable_content_region.height
        if len(mine) <= height or way not in ("up", "down"):
            return False
        top = round(self.scroll_offset.y)
        if way == "down" and top + height < mine.stop:
            self.scroll_to(y=max(top + 1, mine.start), animate=False)
            return True
        if way == "up" and top > mine.start:
            self.scroll_to(y=top - 1, animate=False)
            return True
        return False

    @property
    def _cursor_rows(self) -> range:
        mine = [index for index, row in enumerate(self._rows) if row.place == self.cursor]
        return range(mine[0], mine[-1] + 1) if mine else range(0)

    def _show_cursor(self) -> None:
        """Scroll no more than needed to have all rows of the option under the cursor in view; a tall one: its first."""
        mine = self._cursor_rows
        if mine:
            height = min(len(mine), max(self.scrollable_content_region.height, 1))
            self.scroll_to_region(Region(0, mine.start, 1, height), animate=False, x_axis=False)
