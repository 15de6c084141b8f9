"""The rows of a unified diff in a dialog: line numbers, signs, and a limit that says what it leaves out. Pure."""

from itertools import accumulate

from rich.cells import cell_len

from decode_ui.transcript.diff import DiffLine, Sign, count_changes, diff_lines
from decode_ui.transcript.foreign import TAB, cut
from decode_ui.widgets.body_rows import BodyRow, RowTone, inert_line

MAX_CHANGED_LINES = 400
"""Changed lines that a dialog lists (keys.md §11); the rest is counted."""
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
