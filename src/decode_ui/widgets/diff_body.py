"""The rows of a unified diff in a dialog: line numbers, signs, and a limit that says what it leaves out. Pure."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, groupby, zip_longest

from rich.cells import cell_len

from decode_ui.transcript.diff import DiffLine, Sign, count_changes, diff_lines
from decode_ui.transcript.foreign import TAB, cut
from decode_ui.widgets.body_rows import BodyRow, RowTone, fit_rows, inert_line

MAX_CHANGED_LINES = 400
"""Changed lines that a dialog lists (keys.md §11); the rest is counted."""
BETWEEN = 3
"""Cells between the two sides of a change."""
MAX_LINE_CELLS = 20_000
"""A longer line is cut, and a sign says so."""


def diff_rows(before: str | None, after: str, *, most: int | None = MAX_CHANGED_LINES) -> list[BodyRow]:
    """Return the rows of what changes from `before` (None: a new file) to `after`.

    `most` changed lines are listed and the rest is counted; None lists all.
    """
    lines = diff_lines(before, after, max_lines=1_000_000)
    if not lines:
        empty = "a new, empty file" if before is None else "no difference: the file stays as it is"
        return [BodyRow(empty, RowTone.QUIET)]
    shown, left_out = (lines, 0) if most is None else _first_changes(lines, most)
    digits = max(len(str(line.number or 0)) for line in shown)
    rows = [_row(line, digits) for line in shown]
    if left_out:
        rows.append(BodyRow(f"… {left_out:,} more changed lines are not shown", RowTone.WARNING))
    return rows


def side_rows(before: str, after: str, width: int, *, most: int | None = MAX_CHANGED_LINES) -> list[BodyRow]:
    """Return the same change with the old text on the left and the new one on the right, in `width` cells.

    Lines that are longer than their half go on below; none is cut but those that `diff_rows` cuts as well.
    """
    lines = diff_lines(before, after, max_lines=1_000_000)
    if not lines:
        return diff_rows(before, after, most=most)
    shown, left_out = (lines, 0) if most is None else _first_changes(lines, most)
    digits = len(str(max((line.number or 0) for line in shown) + len(shown)))
    half = (width - BETWEEN) // 2
    rows: list[BodyRow] = []
    for left, right in _pairs(shown):
        old = _half(left, digits, half)
        new = _half(right, digits, half)
        for one, other in zip_longest(old, new, fillvalue=BodyRow(" " * half)):
            rows.append(replace(one, right=other))
    if left_out:
        rows.append(BodyRow(f"… {left_out:,} more changed lines are not shown", RowTone.WARNING))
    return rows


def change_counts(before: str | None, after: str) -> str:
    """How much changes, in a few signs: `+3 −1`."""
    added, removed = count_changes(before, after)
    return f"+{added:,} −{removed:,}"


def _first_changes(lines: list[DiffLine], most: int) -> tuple[list[DiffLine], int]:
    """The lines up to the `most`th changed one, and how many changed lines are left out."""
    counts = list(accumulate(int(line.sign in (Sign.ADDED, Sign.REMOVED)) for line in lines))
    if counts[-1] <= most:
        return lines, 0
    return lines[: counts.index(most) + 1], counts[-1] - most


def _pairs(lines: list[DiffLine]) -> Iterator[tuple[DiffLine | None, DiffLine | None]]:
    """Kept lines beside themselves, removed ones beside those that were added in their place."""
    more_before = 0
    """How many lines the old text has more than the new one, up to here."""
    for is_change, run in groupby(lines, key=lambda line: line.sign in (Sign.ADDED, Sign.REMOVED)):
        group = list(run)
        if not is_change:
            for line in group:
                number = None if line.number is None else line.number + more_before
                yield replace(line, number=number), line
            continue
        removed = [line for line in group if line.sign is Sign.REMOVED]
        added = [line for line in group if line.sign is Sign.ADDED]
        more_before += len(removed) - len(added)
        yield from zip_longest(removed, added)


def _half(line: DiffLine | None, digits: int, width: int) -> list[BodyRow]:
    """A line as rows that fill one half."""
    if line is None:
        return [BodyRow(" " * width)]
    fitted = fit_rows([replace(_row(line, digits), wraps=True)], width)
    return [
        replace(row, text=row.text + " " * max(width - cell_len(row.gutter) - cell_len(row.text), 0)) for row in fitted
    ]


def _row(line: DiffLine, digits: int) -> BodyRow:
    number = "" if line.number is None else str(line.number)
    gutter = f"{number:>{digits + 1}}  {line.sign.value} "
    text = inert_line(line.text.expandtabs(TAB))
    if len(text) > MAX_LINE_CELLS // 2 and cell_len(text) > MAX_LINE_CELLS:
        text = cut(text, MAX_LINE_CELLS, f" … cut: the line has {len(line.text):,} characters")
    match line.sign:
        case Sign.ADDED:
            return BodyRow(text, RowTone.ADDED, gutter, wraps=False)
        case Sign.REMOVED:
            return BodyRow(text, RowTone.REMOVED, gutter, wraps=False)
        case Sign.KEPT | Sign.GAP:
            return BodyRow(text, RowTone.QUIET, gutter, wraps=False)
