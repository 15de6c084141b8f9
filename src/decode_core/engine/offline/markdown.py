"""Pieces of Markdown that hold foreign text: names and file contents cannot break out of them."""

import re
from collections.abc import Sequence


def code(text: str) -> str:
    """Inline code, on one line, whatever backticks `text` holds."""
    text = re.sub(r"[\r\n]+", "␊", text)
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    padded = f" {text} " if text.startswith("`") or text.endswith("`") or not text.strip() else text
    return f"{ticks}{padded}{ticks}"


def fence(text: str, language: str = "") -> str:
    """A fenced block, with more backticks than `text` holds in a row."""
    ticks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{ticks}{language}\n{text.rstrip()}\n{ticks}"


def bullets(items: Sequence[str], most: int) -> str:
    """A list of inline code, cut after `most` items with a count of the rest."""
    lines = [f"- {code(item)}" for item in items[:most]]
    if len(items) > most:
        lines.append(f"- … and {len(items) - most} more")
    return "\n".join(lines)


def counted(number: int, thing: str) -> str:
    """`1 file`, `3 files`, `2 matches`."""
    if number == 1:
        return f"1 {thing}"
    return f"{number:,} {thing}{'es' if thing.endswith(('ch', 's', 'x')) else 's'}"


def one_line(text: str, most: int = 400) -> str:
    """`text` on one line, cut at `most` characters."""
    flat = re.sub(r"\s+", " ", text).strip()
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def cut(lines: Sequence[str], most: int) -> tuple[str, int]:
    """The first `most` lines as text, and how many were left out."""
    return "\n".join(lines[:most]), max(len(lines) - most, 0)
