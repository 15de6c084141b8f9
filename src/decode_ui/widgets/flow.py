"""A layout that sets its children like words: beside each other, and on the next line where one does not fit."""

from textual.geometry import NULL_OFFSET, Region, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget

STARTS_LINE = "-starts-line"
"""Class of a child that begins a new line wherever its neighbours stand."""


class FlowLayout(Layout):
    """Sets children of one line's height from left to right; a child is never broken, only moved as a whole.

    A child that is wider than the whole line gets the line to itself and is cut.
    """

    name = "flow"

    def arrange(
        self,
        parent: Widget,
        children: list[Widget],
        size: Size,
        greedy: bool = True,  # noqa: FBT001, FBT002 - Textual's signature
    ) -> ArrangeResult:
        """Place `children` in lines of `size.width` cells."""
        parent.pre_layout(self)
        placements: list[WidgetPlacement] = []
        x = y = 0
        for child in children:
            wide = child.get_content_width(size, parent.app.viewport_size) + child.gutter.width
            wide = min(wide, max(size.width, 1))
            if x and (x + wide > size.width or child.has_class(STARTS_LINE)):
                x, y = 0, y + 1
            placements.append(WidgetPlacement(Region(x, y, wide, 1), NULL_OFFSET, Spacing(), child))
            x += wide
        return placements
