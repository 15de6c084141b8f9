"""How many lines a change adds and removes, in time that no text can make quadratic. Pure."""

from collections import Counter

from decode_core.tools.texts import common_head, common_tail

MAX_EDITS = 300
"""Differences up to which the count is exact; beyond, lines that only moved do not count."""


def count_lines_changed(before: str | None, after: str) -> tuple[int, int]:
    """Return (added, removed) lines; `before` is None for a new file. A line end is part of its line."""
    old, new = _lines(before or ""), _lines(after)
    head = common_head(old, new)
    tail = common_tail(old, new, head)
    old, new = old[head : len(old) - tail], new[head : len(new) - tail]
    edits = _edits(old, new)
    if edits is None:
        kept = (Counter(old) & Counter(new)).total()
        return len(new) - kept, len(old) - kept
    return (edits + len(new) - len(old)) // 2, (edits + len(old) - len(new)) // 2


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    ended = [part + "\n" for part in parts[:-1]]
    return [*ended, parts[-1]] if parts[-1] else ended


def _edits(old: list[str], new: list[str]) -> int | None:
    """The least number of lines to add and remove (Myers' greedy search), or None beyond MAX_EDITS."""
    if not old or not new:
        return len(old) + len(new)
    reach = {1: 0}
    for edits in range(MAX_EDITS + 1):
        for diagonal in range(-edits, edits + 1, 2):
            down = diagonal == -edits or (
                diagonal != edits and reach.get(diagonal - 1, -1) < reach.get(diagonal + 1, -1)
            )
            x = reach[diagonal + 1] if down else reach[diagonal - 1] + 1
            y = x - diagonal
            while x < len(old) and y < len(new) and old[x] == new[y]:
                x, y = x + 1, y + 1
            reach[diagonal] = x
            if x >= len(old) and y >= len(new):
                return edits
    return None
