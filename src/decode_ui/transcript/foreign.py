"""Makes foreign text fit for a strip: inert, without tabs, and never endlessly long (ui.md §7, keys.md §11 Chat)."""

import re

from rich.cells import cell_len, set_cell_size

from decode_core.neutral import neutralise, neutralise_line

MAX_CELLS = 2_000
"""One line of tool output, code or diff, and one unbroken word of prose, is cut here."""
MAX_PROSE_CELLS = 20_000
"""A line of prose may be a long paragraph: it is wrapped, and cut only here."""
TAB = 4

# with these an otherwise narrow sign is wide on some terminals only, so no width would be right everywhere
_VARIATION = re.compile("[\ufe0e\ufe0f]")
_COLOURS = re.compile(r"\x1b\[[0-9;:]*m")
_LONG_WORD = re.compile(r"\S{" + str(MAX_CELLS // 2) + r",}")


def one_line(text: str) -> str:
    """Return `text` on one line: line breaks and everything that acts or hides shown as signs, cut at MAX_CELLS."""
    return cut(_VARIATION.sub("", neutralise_line(text)), MAX_CELLS)


def code_line(line: str) -> str:
    """Return one line of code or output with its tabs as blanks, cut at MAX_CELLS."""
    return cut(_VARIATION.sub("", neutralise_line(line.expandtabs(TAB))), MAX_CELLS)


def output_line(line: str) -> str:
    """Return one line that a program wrote, like `code_line`, without the colours it was written in."""
    return code_line(without_colours(line))


def without_colours(text: str) -> str:
    """Return `text` without SGR sequences: they only colour, and every other escape stays to be seen."""
    return _COLOURS.sub("", text)


def prose(text: str) -> str:
    """Return text of several lines: inert, endless words cut at MAX_CELLS and lines at MAX_PROSE_CELLS."""
    inert = _VARIATION.sub("", neutralise(text))
    return "\n".join(_prose_line(line) for line in inert.split("\n"))


def cut(text: str, cells: int, mark: str = "…") -> str:
    """Return `text` in at most `cells` cells, ending in `mark` when something was cut.

    Characters without width are limited as well: at most `cells` characters stay.
    """
    if len(text) <= cells and cell_len(text) <= cells:
        return text
    room = cells - cell_len(mark)
    if room <= 0:
        return set_cell_size(mark, max(cells, 0))
    head = text[:room]
    return (head if cell_len(head) <= room else set_cell_size(head, room).rstrip()) + mark


def _prose_line(line: str) -> str:
    if len(line) < MAX_CELLS // 2:
        return line
    return cut(_LONG_WORD.sub(lambda word: cut(word.group(), MAX_CELLS), line), MAX_PROSE_CELLS)
