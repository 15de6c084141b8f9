"""What stands in the body of a dialog, as plain rows: commands, arguments and prose. Pure.

Nothing is hidden here: a row is as long as its text, and everything that acts or hides is shown as a sign.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rich.cells import cell_len, chop_cells

from decode_core.neutral import neutralise_line

_VARIATION = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")


class RowTone(StrEnum):
    """What a row is; it gives the colour, and a sign in `gutter` or words say it as well."""

    PLAIN = "plain"
    QUIET = "quiet"
    LABEL = "label"
    ADDED = "added"
    REMOVED = "removed"
    WARNING = "warning"


@dataclass(frozen=True)
class BodyRow:
    """One row before it is fitted to a width. `wraps` is False where long lines are scrolled instead."""

    text: str
    tone: RowTone = RowTone.PLAIN
    gutter: str = ""
    wraps: bool = True
    right: "BodyRow | None" = None
    """What stands beside it; both are fitted to their halves already."""

    @property
    def shown(self) -> str:
        """Everything on the row, as it is copied."""
        left = self.gutter + self.text
        return left if self.right is None else f"{left} │ {self.right.shown}"


def inert_line(text: str) -> str:
    """Return one line with every invisible character shown as a sign, variation selectors and tabs too. Never cut."""
    return _VARIATION.sub(lambda match: f"<U+{ord(match.group()):04X}>", neutralise_line(text))


def text_rows(text: str, tone: RowTone = RowTone.PLAIN, gutter: str = "") -> list[BodyRow]:
    """Rows of a text of several lines: a command, a note, a value. The second and later lines have a blank gutter."""
    lines = text.replace("\r\n", "\n").split("\n")
    blank = " " * cell_len(gutter)
    return [BodyRow(inert_line(line), tone, blank if index else gutter) for index, line in enumerate(lines)]


def argument_rows(args: Mapping[str, Any]) -> list[BodyRow]:
    """Rows of a call's arguments: `name  value`, values in one column; structured values as JSON."""
    if not args:
        return [BodyRow("no arguments", RowTone.QUIET)]
    names = {name: inert_line(name) for name in args}
    column = min(max(cell_len(shown) for shown in names.values()), 20) + 2
    rows: list[BodyRow] = []
    for name, value in args.items():
        shown = names[name]
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        if cell_len(shown) + 2 > column:
            rows.append(BodyRow(shown, RowTone.LABEL))
            shown = ""
        rows.extend(text_rows(text, gutter=shown + " " * (column - cell_len(shown))))
    return rows


def fit_rows(rows: list[BodyRow], width: int) -> list[BodyRow]:
    """Break rows that wrap into pieces of at most `width` cells, gutter included; later pieces have a blank gutter.

    A piece ends after a blank where there is one in its second half, else anywhere; no character is dropped.
    """
    fitted: list[BodyRow] = []
    for row in rows:
        room = max(width - cell_len(row.gutter), 4)
        if row.right is not None or not row.wraps or len(row.text) * 2 <= room or cell_len(row.text) <= room:
            fitted.append(row)
            continue
        blank = " " * cell_len(row.gutter)
        for index, piece in enumerate(_pieces(row.text, room)):
            fitted.append(BodyRow(piece, row.tone, blank if index else row.gutter))
    return fitted


def _pieces(text: str, room: int) -> list[str]:
    pieces: list[str] = []
    rest = ""
    for chunk in chop_cells(text, room):
        rest += chunk
        while cell_len(rest) > room:
            head = chop_cells(rest, room)[0]
            blank = head.rfind(" ")
            cut = blank + 1 if blank >= len(head) // 2 else len(head)
            pieces.append(rest[:cut])
            rest = rest[cut:]
    return [*pieces, rest]
