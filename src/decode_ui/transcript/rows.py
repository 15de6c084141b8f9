"""Rows of styled text with a mark in front, and how they become strips of exactly one width."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from decode_ui.transcript import foreign


class Fit(Enum):
    """What happens to a row that is longer than the width."""

    WRAP = "wrap"
    CUT = "cut"


@dataclass(frozen=True)
class Row:
    """A text of one or more lines. `mark` stands before its first line, blanks of its width before the others.

    `ground` fills everything right of `bare` cells, to the end of the line.
    """

    text: Text
    mark: Text = field(default_factory=Text)
    fit: Fit = Fit.WRAP
    ground: Style | None = None
    bare: int = 0


def strips(rows: Iterable[Row], width: int, console: Console, more: str) -> list[Strip]:
    """Draw rows as strips of exactly `width` cells."""
    return [strip for row in rows for strip in _strips(row, width, console, more)]


def exact(segments: Iterable[Segment], width: int) -> Strip:
    """Return a strip of exactly `width` cells, cut or filled up with blanks."""
    line = [segment for segment in segments if segment.text and not segment.control]
    length = sum(cell_len(segment.text) for segment in line)
    if length < width:
        line.append(Segment(" " * (width - length)))
    elif length > width:
        line = list(_cropped(line, width))
    return Strip(line, width)


def _cropped(line: list[Segment], width: int) -> Iterator[Segment]:
    room = width
    for text, style, _ in line:
        length = cell_len(text)
        if length > room:
            text = set_cell_size(text, room)
            length = room
        if text:
            yield Segment(text, style)
        room -= length
        if room <= 0:
            return


def _strips(row: Row, width: int, console: Console, more: str) -> Iterator[Strip]:
    indent = row.mark.cell_len
    room = max(width - indent, 1)
    if row.fit is Fit.CUT:
        lines = [_cut(row.text, room, more)]
    else:
        lines = list(row.text.wrap(console, room, overflow="fold", tab_size=foreign.TAB))
    for number, line in enumerate(lines or [Text()]):
        mark = row.mark if number == 0 else Text(" " * indent)
        strip = exact([*_segments(mark, console), *_segments(line, console)], width)
        yield strip if row.ground is None else _grounded(strip, row.bare, row.ground)


def _segments(text: Text, console: Console) -> Iterable[Segment]:
    # rendering a text leaves its own base style to the caller
    return Segment.apply_style(text.render(console, end=""), console.get_style(text.style))


def _cut(text: Text, room: int, more: str) -> Text:
    if text.cell_len <= room:
        return text
    short = text.copy()
    mark = more[:room]
    short.truncate(room - cell_len(mark))
    short.append(mark)
    return short


def _grounded(strip: Strip, bare: int, ground: Style) -> Strip:
    return Strip.join([strip.crop(0, bare), strip.crop(bare).apply_style(ground)])
