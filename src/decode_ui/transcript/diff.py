"""Line differences of two texts, in time that hostile input cannot make quadratic.

Unique common lines split the texts (patience), Myers' greedy search compares what lies between, and a budget ends the
search: what is left then counts as replaced. The result is always a true diff, only not always the shortest one.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

MAX_LINES = 2_000
"""Lines of a diff that are listed by default; the rest is counted in a last line."""

_MAX_EDITS = 300
_BUDGET = 400_000
_NO_NEWLINE = "  (no newline at the end)"


class Sign(StrEnum):
    """What a line of a diff says; the value is the sign that is shown."""

    KEPT = " "
    ADDED = "+"
    REMOVED = "−"
    GAP = "…"


@dataclass(frozen=True)
class DiffLine:
    """One line of a diff.

    `number` counts from 1, in the old text for removed lines, else in the new one; None in gaps.
    """

    number: int | None
    sign: Sign
    text: str


def diff_lines(before: str | None, after: str, context: int = 3, max_lines: int = MAX_LINES) -> list[DiffLine]:
    """Return the changed lines with `context` kept lines around them.

    `before` is None for a new file. A gap line stands between hunks. More than `max_lines` lines are cut, and a last
    gap line says how many. Lines end at newline only; a carriage return is part of its line, and a last line without
    newline differs from one with it.
    """
    old, new = _lines(before or ""), _lines(after)
    rows: list[DiffLine] = []
    for hunk in _hunks(_changes(old, new), context, len(new)):
        if rows:
            rows.append(DiffLine(None, Sign.GAP, ""))
        rows.extend(_rows(hunk, old, new, context))
    if len(rows) > max_lines:
        rest = len(rows) - max_lines
        rows = [*rows[:max_lines], DiffLine(None, Sign.GAP, f"{rest:,} more lines")]
    return rows


def count_changes(before: str | None, after: str) -> tuple[int, int]:
    """Return how many lines were added and removed."""
    changes = _changes(_lines(before or ""), _lines(after))
    return sum(c.new_end - c.new for c in changes), sum(c.old_end - c.old for c in changes)


@dataclass(frozen=True)
class _Change:
    """Old lines `old:old_end` became new lines `new:new_end`."""

    old: int
    old_end: int
    new: int
    new_end: int


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    ended = [part + "\n" for part in parts[:-1]]
    return [*ended, parts[-1]] if parts[-1] else ended


def _hunks(changes: list[_Change], context: int, end: int) -> Iterator[list[_Change]]:
    hunk: list[_Change] = []
    for change in changes:
        if hunk and change.new - hunk[-1].new_end > 2 * context:
            yield hunk
            hunk = []
        hunk.append(change)
    if hunk:
        yield hunk


def _rows(hunk: list[_Change], old: Sequence[str], new: Sequence[str], context: int) -> Iterator[DiffLine]:
    at = max(0, hunk[0].new - context)
    for change in hunk:
        yield from _kept(new, at, change.new)
        for index in range(change.old, change.old_end):
            yield DiffLine(index + 1, Sign.REMOVED, _shown(old[index]))
        for index in range(change.new, change.new_end):
            yield DiffLine(index + 1, Sign.ADDED, _shown(new[index]))
        at = change.new_end
    yield from _kept(new, at, min(len(new), at + context))


def _kept(new: Sequence[str], start: int, end: int) -> Iterator[DiffLine]:
    for index in range(start, end):
        yield DiffLine(index + 1, Sign.KEPT, new[index].removesuffix("\n"))


def _shown(line: str) -> str:
    return line.removesuffix("\n") if line.endswith("\n") else line + _NO_NEWLINE


def _changes(old: Sequence[str], new: Sequence[str]) -> list[_Change]:
    """All changes in order, neighbours joined."""
    changes: list[_Change] = []
    at_old = at_new = 0
    for start_old, start_new, length in [*_matches(old, new), (len(old), len(new), 0)]:
        if (start_old, start_new) != (at_old, at_new):
            changes.append(_Change(at_old, start_old, at_new, start_new))
        at_old, at_new = start_old + length, start_new + length
    return changes


def _matches(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int]]:
    """Common runs `(old, new, length)` in order."""
    search = _Search(old, new)
    search.compare(0, len(old), 0, len(new))
    return search.runs


class _Search:
    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        self.old = old
        self.new = new
        self.runs: list[tuple[int, int, int]] = []
        self.budget = _BUDGET

    def compare(self, low: int, high: int, start: int, end: int) -> None:
        """Find the common runs of `old[low:high]` and `new[start:end]`: ends first, then what the anchors separate."""
        old, new = self.old, self.new
        head = 0
        while low + head < high and start + head < end and old[low + head] == new[start + head]:
            head += 1
        self._keep(low, start, head)
        low, start = low + head, start + head
        tail = 0
        while high - tail > low and end - tail > start and old[high - tail - 1] == new[end - tail - 1]:
            tail += 1
        high, end = high - tail, end - tail
        if low < high and start < end:
            for anchor_old, anchor_new in [*self._anchors(low, high, start, end), (high, end)]:
                self._between(low, anchor_old, start, anchor_new)
                if anchor_old < high:
                    self._keep(anchor_old, anchor_new, 1)
                low, start = anchor_old + 1, anchor_new + 1
        self._keep(high, end, tail)

    def _keep(self, old: int, new: int, length: int) -> None:
        if length:
            self.runs.append((old, new, length))

    def _anchors(self, low: int, high: int, start: int, end: int) -> list[tuple[int, int]]:
        """Lines that stand once in both texts, in an order that holds in both (longest increasing sequence)."""
        often_old, often_new = Counter(self.old[low:high]), Counter(self.new[start:end])
        place = {self.new[j]: j for j in range(start, end) if often_new[self.new[j]] == 1}
        tops: list[int] = []
        links: list[tuple[int, int, int]] = []
        ends: list[int] = []
        for i in range(low, high):
            line = self.old[i]
            if often_old[line] != 1 or line not in place:
                continue
            j = place[line]
            rank = bisect_left(tops, j)
            links.append((i, j, ends[rank - 1] if rank else -1))
            if rank == len(tops):
                tops.append(j)
                ends.append(len(links) - 1)
            else:
                tops[rank], ends[rank] = j, len(links) - 1
        chain: list[tuple[int, int]] = []
        at = ends[-1] if ends else -1
        while at >= 0:
            i, j, at = links[at]
            chain.append((i, j))
        return chain[::-1]

    def _between(self, low: int, high: int, start: int, end: int) -> None:
        """Myers' greedy search over a stretch without anchors; gives up on it when edits or budget run out."""
        old, new = self.old, self.new
        rows, columns = high - low, end - start
        if not rows or not columns:
            return
        reach = {1: 0}
        trail: list[dict[int, int]] = []
        for edits in range(min(rows + columns, _MAX_EDITS) + 1):
            trail.append(dict(reach))
            self.budget -= edits + 1
            for k in range(-edits, edits + 1, 2):
                down = k == -edits or (k != edits and reach.get(k - 1, -1) < reach.get(k + 1, -1))
                x = reach[k + 1] if down else reach[k - 1] + 1
                y = x - k
                while x < rows and y < columns and old[low + x] == new[start + y]:
                    x, y = x + 1, y + 1
                    self.budget -= 1
                reach[k] = x
                if x >= rows and y >= columns:
                    self._trace(trail, low, start, rows, columns)
                    return
            if self.budget < 0:
                return

    def _trace(self, trail: list[dict[int, int]], low: int, start: int, x: int, y: int) -> None:
        runs: list[tuple[int, int, int]] = []
        for edits in range(len(trail) - 1, -1, -1):
            reach = trail[edits]
            k = x - y
            down = k == -edits or (k != edits and reach.get(k - 1, -1) < reach.get(k + 1, -1))
            before = k + 1 if down else k - 1
            from_x = reach[before] if edits else 0
            from_y = from_x - before if edits else 0
            begin_x, begin_y = (from_x, from_y + 1) if down else (from_x + 1, from_y)
            if not edits:
                begin_x = begin_y = 0
            if x > begin_x:
                runs.append((low + begin_x, start + begin_y, x - begin_x))
            x, y = from_x, from_y
        self.runs.extend(reversed(runs))
