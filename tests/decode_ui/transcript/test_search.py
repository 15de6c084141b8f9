"""Search finds text whatever its case, in folded parts as well, and marks it where it stands."""

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from decode_ui.transcript.entry import Entry, NoteEntry, OutputLine, ToolEntry, UserEntry
from decode_ui.transcript.search import matching, spans
from decode_ui.transcript.selection import cut, styled


def test_entries_are_found_by_any_of_their_text() -> None:
    entries: list[Entry] = [
        UserEntry("Hello"),
        NoteEntry("x"),
        ToolEntry("1", "bash", "ls", body=(OutputLine("says hELLo"),)),
    ]
    assert matching(entries, "hello") == [0, 2]
    assert matching(entries, "") == []


@pytest.mark.parametrize(
    ("text", "needle", "found"),
    [("abAB", "ab", [(0, 2), (2, 4)]), ("aaa", "aa", [(0, 2)]), ("abc", "", []), ("abc", "x", []), ("İab", "ab", [])],
)
def test_places_in_a_line(text: str, needle: str, found: list[tuple[int, int]]) -> None:
    assert list(spans(text, needle)) == found


@pytest.mark.parametrize(("span", "part"), [(None, ""), ((1, 3), "bc"), ((2, -1), "cd"), ((0, 99), "abcd")])
def test_a_part_of_a_line(span: tuple[int, int] | None, part: str) -> None:
    assert cut("abcd", span) == part


def test_a_style_covers_exactly_its_characters() -> None:
    strip = Strip([Segment("ab", Style(bold=True)), Segment("漢d")], 5)
    marked = styled(strip, (1, 3), Style(reverse=True))
    assert [(s.text, bool(s.style and s.style.reverse)) for s in marked] == [
        ("a", False),
        ("b", True),
        ("漢", True),
        ("d", False),
    ]
    assert marked.cell_length == 5
    assert "".join(s.text for s in styled(strip, (3, -1), Style(reverse=True)) if s.style and s.style.reverse) == "d"
