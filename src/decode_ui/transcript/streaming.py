"""The live answer: finished blocks are drawn once and frozen, only the open block is drawn anew.

Blocks end at a blank line outside a code fence, once the next line is known not to continue them. A block that stays
open for long (a long fence, list or paragraph) is cut by lines, so that the cost of a flush does not grow with the
answer. Such cuts may look a little different from the whole (a loose list, a reference link): when the answer ends,
the caller renders it once more as a whole.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from textual.strip import Strip

from decode_core.neutral import neutralise
from decode_ui.transcript.entry import Fence, fence_lines, fence_mark

MAX_OPEN_LINES = 40
"""An open block longer than this is cut by lines."""

_ITEM = re.compile(r"(?:[-+*]|\d{1,9}[.)])\s")
_BEGUN_ITEM = re.compile(r"[-+*]|\d{1,9}[.)]?")
"""A line of which more may come, and may make it an item."""

Render = Callable[[str], list[Strip]]
"""Draws Markdown at the current width."""


class Join(Enum):
    """What stands between a piece and the one above it."""

    BLANK = "blank"
    CLOSE = "close"


@dataclass(frozen=True)
class Piece:
    """A part of the answer that is drawn by itself."""

    markdown: str
    join: Join


class LiveAnswer:
    """An answer that grows. `renders` counts the pieces drawn: the tests' measure of cost."""

    def __init__(self) -> None:
        self.renders = 0
        self._fragments: list[str] = []
        self._source = ""
        self._pieces: list[Piece] = []
        self._open = ""
        self._join = Join.BLANK
        self._held = ""
        self._frozen: list[Strip] = []
        self._drawn = 0

    @property
    def source(self) -> str:
        """Everything that came, as it came."""
        if self._fragments:
            self._source += "".join(self._fragments)
            self._fragments.clear()
        return self._source

    def feed(self, fragment: str) -> None:
        """Add a piece of text, cut anywhere."""
        self._fragments.append(fragment)
        text = self._held + fragment
        # a carriage return may be half of a line end whose newline is still to come
        self._held = "\r" if text.endswith("\r") else ""
        self._open += neutralise(text.removesuffix("\r"))

    def strips(self, render: Render, width: int) -> list[Strip]:
        """Return all rows, drawing what is new. Call `redraw` first when width or colours changed."""
        blank = Strip.blank(width)
        self._settle()
        for piece in self._pieces[self._drawn :]:
            _join(self._frozen, self._draw(piece.markdown, render), piece.join, blank)
        self._drawn = len(self._pieces)
        rows = list(self._frozen)
        if self._open.strip():
            _join(rows, self._draw(self._open, render), self._join, blank)
        return rows

    def redraw(self) -> None:
        """Forget what was drawn: width or colours are others now."""
        self._frozen = []
        self._drawn = 0

    def _draw(self, markdown: str, render: Render) -> list[Strip]:
        self.renders += 1
        return render(markdown)

    def _settle(self) -> None:
        """Move what can no longer change from the open block to the pieces."""
        while (cut := _block_end(self._open)) or self._open.count("\n") > MAX_OPEN_LINES:
            if cut:
                self._freeze(self._open[:cut], self._join)
                self._open, self._join = self._open[cut:], Join.BLANK
            else:
                self._cut_by_lines()

    def _cut_by_lines(self) -> None:
        lines = self._open.split("\n")
        head, rest = lines[:MAX_OPEN_LINES], lines[MAX_OPEN_LINES:]
        if fence := _open_fence(head):
            head.append(fence_mark(fence))
            rest.insert(0, fence)
        elif _is_table(head):
            rest = [*head[:2], *rest]
        self._freeze("\n".join(head), self._join)
        self._open = "\n".join(rest)
        self._join = Join.CLOSE

    def _freeze(self, markdown: str, join: Join) -> None:
        if markdown.strip():
            self._pieces.append(Piece(markdown, join))


def _join(rows: list[Strip], more: list[Strip], join: Join, blank: Strip) -> None:
    if rows and more and join is Join.BLANK:
        rows.append(blank)
    rows.extend(more)


def _block_end(text: str) -> int:
    """Where the last finished block ends: after a blank line that is followed by a line which cannot continue it."""
    end = at = 0
    blank = in_list = False
    first = True
    for line, fence in fence_lines(text):
        is_last = at + len(line) == len(text)
        item = _ITEM.match(line) is not None or (is_last and _BEGUN_ITEM.fullmatch(line) is not None)
        # an item after a blank line goes on with a loose list, whose numbers only the whole list knows
        if blank and line and not line[0].isspace() and fence is not Fence.INSIDE and not (item and in_list):
            end, first = at, True
        if first and line.strip():
            in_list, first = item, False
        blank = fence is Fence.OUTSIDE and not line.strip()
        at += len(line) + 1
    return end


def _open_fence(lines: list[str]) -> str:
    """The line that opened the fence in which `lines` end, or an empty string."""
    opening = ""
    for line, fence in fence_lines("\n".join(lines)):
        match fence:
            case Fence.OPENS:
                opening = line
            case Fence.CLOSES:
                opening = ""
            case _:
                pass
    return opening


def _is_table(lines: list[str]) -> bool:
    return len(lines) > 2 and "|" in lines[0] and "-" in lines[1] and not lines[1].strip("|-: ")
