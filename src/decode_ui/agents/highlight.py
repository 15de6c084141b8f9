"""Which parts of a line of an agent's file have a colour: YAML above the closing fence, Markdown below. Pure.

Line by line, so that only what is on the screen costs anything, whatever the file's length.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from decode_ui.agents.completion import front_matter_end


class Span(NamedTuple):
    """Characters from `start` up to `end` of a line are a `kind`: key, string, sign, quiet, heading or code."""

    start: int
    end: int
    kind: str


_YAML = re.compile(
    r"""(?P<quiet>(?:^|(?<=\s))\#.*$)|(?P<string>"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?)"""
    r"""|(?P<key>^\s*[A-Za-z_][\w-]*(?=:(?:\s|$)))|(?P<sign>[\[\]{},]|^\s*-(?=\s))""",
    re.VERBOSE,
)
_MARKDOWN = re.compile(
    r"(?P<heading>^\#{1,6}\s.*$)|(?P<code>`[^`]+`)|(?P<sign>^\s*(?:[-*+]|\d+[.)])(?=\s))|(?P<key>\*\*[^*]+\*\*)"
)


class Colours:
    """The lines of one text. Where the front matter ends and what stands in code blocks is found once."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._end = front_matter_end(lines)
        self._code = _code_rows(lines, self._end)

    def spans(self, row: int) -> list[Span]:
        """The coloured parts of a row, from left to right."""
        line = self._lines[row] if row < len(self._lines) else ""
        if row in (0, self._end) and self._end:
            return [Span(0, len(line), "quiet")] if line else []
        if row in self._code:
            return [Span(0, len(line), "code")] if line else []
        pattern = _YAML if row < self._end else _MARKDOWN
        return [Span(*found.span(), found.lastgroup or "") for found in pattern.finditer(line)]


def _code_rows(lines: Sequence[str], begin: int) -> frozenset[int]:
    rows: set[int] = set()
    inside = False
    for row in range(begin, len(lines)):
        is_fence = lines[row].lstrip().startswith("```")
        if inside or is_fence:
            rows.add(row)
        inside ^= is_fence
    return frozenset(rows)
