"""A line is finished once, and anew when anything that shows has changed."""

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from decode_ui.transcript.finished_lines import KEPT, FinishedLines

DARK, LIGHT = Style(bgcolor="black"), Style(bgcolor="white")


def strip(text: str = "text") -> Strip:
    return Strip([Segment(text)], len(text))


def test_the_same_strip_on_the_same_row_is_finished_once() -> None:
    lines, line = FinishedLines(), strip()
    first = lines.finish(3, line, DARK, 10)
    assert lines.finish(3, line, DARK, 10) is first
    assert (first.text, first.cell_length) == ("text      ", 10)


@pytest.mark.parametrize(
    ("row", "again", "ground", "width"),
    [(4, False, DARK, 10), (3, True, DARK, 10), (3, False, LIGHT, 10), (3, False, DARK, 12)],
    ids=["another row", "another strip that reads the same", "another ground", "another width"],
)
def test_whatever_shows_otherwise_is_finished_anew(row: int, again: bool, ground: Style, width: int) -> None:
    lines, line = FinishedLines(), strip()
    first = lines.finish(3, line, DARK, 10)
    other = lines.finish(row, strip() if again else line, ground, width)
    assert other is not first
    assert other.cell_length == width
    assert all(segment.style and segment.style.bgcolor == ground.bgcolor for segment in other)


def test_a_selection_finds_the_row() -> None:
    (segment, *_) = FinishedLines().finish(7, strip(), DARK, 4)
    assert segment.style is not None
    assert segment.style.meta["offset"] == (0, 7)


def test_the_number_of_kept_lines_is_bounded() -> None:
    lines, line = FinishedLines(), strip()
    for row in range(KEPT * 3):
        lines.finish(row, line, DARK, 10)
    assert len(lines._lines) <= KEPT + 1
