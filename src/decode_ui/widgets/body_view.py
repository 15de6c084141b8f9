"""The body of a dialog: rows of text that scroll while everything around them stays in place."""

from collections.abc import Collection, Iterable
from itertools import pairwise

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from decode_ui.transcript.palette import Palette
from decode_ui.widgets.body_rows import BodyRow, RowTone, fit_rows

MORE = "›"
"""In the last column: the line goes on, → shows it."""


class BodyView(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows by the line API: a thousand of them cost no more than a screenful.

    It has no keys of its own; the dialog's table of actions scrolls it by `scroll`.
    """

    class EndSeen(Message):
        """The last row has been on the screen."""

    DEFAULT_CSS = """
    BodyView {
        height: 1fr;
        scrollbar-size: 0 1;
        scrollbar-color: $border;
        scrollbar-color-hover: $muted;
        scrollbar-color-active: $primary;
        scrollbar-background: $surface;
        scrollbar-background-hover: $surface;
        scrollbar-background-active: $surface;
        scrollbar-corner-color: $surface;
        background: transparent;
    }
    """

    def __init__(self, rows: Iterable[BodyRow], *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.end_seen = False
        self._rows = list(rows)
        self._fitted: list[BodyRow] = []
        self._width = 0
        self._palette: Palette | None = None

    @property
    def text(self) -> str:
        """Everything that the body holds, a line for each row that is not fitted yet."""
        return "\n".join(row.gutter + row.text for row in self._rows)

    def show(self, rows: Iterable[BodyRow]) -> None:
        """Replace the rows; the end has not been seen then."""
        self._rows = list(rows)
        self._width = 0
        self.end_seen = False
        self._fit()
        self.call_after_refresh(self._look_for_end)

    def height_in(self, width: int) -> int:
        """How many lines the rows take in `width` cells."""
        return len(fit_rows(self._rows, width))

    def places(self, tones: Collection[RowTone]) -> list[int]:
        """The first rows, as they are fitted, of each run of rows in these tones."""
        tones_of = [None, *(row.tone for row in self._fitted)]
        return [
            index for index, (before, tone) in enumerate(pairwise(tones_of)) if tone in tones and before not in tones
        ]

    def scroll(self, way: str) -> None:
        """Scroll by the name of a key: up, down, left, right, pageup, pagedown, home or end."""
        page = max(self.scrollable_content_region.height - 1, 1)
        match way:
            case "up" | "down":
                self.scroll_relative(y=1 if way == "down" else -1, animate=False)
            case "left" | "right":
                self.scroll_relative(x=8 if way == "right" else -8, animate=False)
            case "pageup" | "pagedown":
                self.scroll_relative(y=page if way == "pagedown" else -page, animate=False)
            case "home":
                self.scroll_to(x=0, y=0, animate=False)
            case "end" if self.size:
                self.scroll_to(x=0, y=self.max_scroll_y, animate=False)
            case "end":
                self.scroll_end(animate=False)  # not laid out yet: the next layout knows where the end is

    def on_resize(self) -> None:
        """Another width breaks the rows anew."""
        self._fit()
        self.call_after_refresh(self._look_for_end)

    def watch_scroll_y(self, old: float, new: float) -> None:
        """Whoever scrolls may reach the end."""
        super().watch_scroll_y(old, new)
        self._look_for_end()

    def notify_style_update(self) -> None:
        """Another theme, other colours."""
        super().notify_style_update()
        self._palette = None

    def render_line(self, y: int) -> Strip:
        """One line of the view."""
        scroll_x, scroll_y = self.scroll_offset
        width = self.size.width
        index = y + round(scroll_y)
        if index >= len(self._fitted):
            return Strip.blank(width, self.rich_style)
        row = self._fitted[index]
        gutter_style, style = self._styles(row.tone)
        strip = self._strip(row)
        strip = self._with_selection(strip, index)
        shown = strip.crop_extend(scroll_x, scroll_x + width, style)
        if strip.cell_length > scroll_x + width:
            shown = Strip.join([shown.crop(0, width - 1), Strip([Segment(MORE, gutter_style)], 1)])
        return shown.apply_offsets(scroll_x, index)

    def _strip(self, row: BodyRow) -> Strip:
        gutter_style, style = self._styles(row.tone)
        strip = Strip([Segment(row.gutter, gutter_style), Segment(row.text, style)])
        if row.right is None:
            return strip
        between = Segment(" │ ", self._styles(RowTone.QUIET)[0])
        return Strip.join([strip, Strip([between]), self._strip(row.right)])

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text, as it is shown."""
        return selection.extract("\n".join(row.shown for row in self._fitted)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Show the selection as it grows."""
        self.refresh()

    def _fit(self) -> None:
        width = self.scrollable_content_region.width
        if width == self._width or not width:
            return
        self._width = width
        self._fitted = fit_rows(self._rows, width)
        longest = max((cell_len(row.shown) for row in self._fitted), default=0)
        self.virtual_size = Size(longest, len(self._fitted))
        self.refresh()

    def _look_for_end(self) -> None:
        height = self.scrollable_content_region.height
        if self.end_seen or not self._fitted or not height:
            return
        if round(self.scroll_y) + height >= len(self._fitted):
            self.end_seen = True
            self.post_message(self.EndSeen())

    def _styles(self, tone: RowTone) -> tuple[Style, Style]:
        """Styles of gutter and text over the widget's own ground."""
        palette = self._palette = self._palette or Palette.of(self.app.theme_variables)
        own = self.rich_style
        match tone:
            case RowTone.PLAIN:
                return own + palette.muted, own
            case RowTone.QUIET:
                return own + palette.muted, own + palette.muted
            case RowTone.LABEL:
                return own + palette.muted, own + palette.muted
            case RowTone.ADDED:
                return (own + palette.added + palette.added_ground,) * 2
            case RowTone.REMOVED:
                return (own + palette.removed + palette.removed_ground,) * 2
            case RowTone.WARNING:
                return (own + palette.ask,) * 2

    def _with_selection(self, strip: Strip, index: int) -> Strip:
        span = self.text_selection.get_span(index) if self.text_selection is not None else None
        if span is None:
            return strip
        text = strip.text
        start, end = span[0], len(text) if span[1] == -1 else span[1]
        cuts = [cell_len(text[:start]), cell_len(text[:end]), strip.cell_length]
        before, chosen, after = [*strip.divide(cuts), Strip([]), Strip([]), Strip([])][:3]
        style = self.screen.get_component_rich_style("screen--selection")
        return Strip.join([before, chosen.apply_style(style), after])
