"""Lines as they are handed to Textual, kept while they stay the same.

While an answer streams at the end, every line above it moves up the screen and is painted anew, yet stays what it was:
row, style and text are the same. Finishing a line (its ground, its width, where a selection finds it) costs more than
half of painting it.
"""

from rich.style import Style
from textual.strip import Strip

KEPT = 512
"""Lines that are kept: several screens."""


class FinishedLines:
    """Finishes strips for rows. One is finished anew when its strip is another object, or ground or width changed."""

    def __init__(self) -> None:
        self._lines: dict[int, tuple[Strip, Strip]] = {}
        self._ground = Style()
        self._width = 0

    def finish(self, row: int, strip: Strip, ground: Style, width: int) -> Strip:
        """Return `strip` on its ground, `width` cells wide, knowing its row for selections."""
        if (ground, width) != (self._ground, self._width) or len(self._lines) > KEPT:
            self._lines.clear()
            self._ground, self._width = ground, width
        known = self._lines.get(row)
        if known is not None and known[0] is strip:
            return known[1]
        finished = strip.apply_style(ground).extend_cell_length(width, ground).apply_offsets(0, row)
        self._lines[row] = (strip, finished)
        return finished
