"""A tool call as one line: state, tool, subject, result, time and why it was allowed; and the detail below it."""

import re
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from decode_ui.transcript import foreign
from decode_ui.transcript.diff import DiffLine, Sign
from decode_ui.transcript.entry import ArgumentLine, CallState, OutputLine, ToolEntry
from decode_ui.transcript.palette import Palette, Signs
from decode_ui.transcript.rows import Fit, Row

FOLDED_DIFF = 8
"""Changed lines below a folded call; unfolded, they have their context."""
LIVE_OUTPUT = 3
"""Last lines of output below a call that runs."""
MAX_LINES = 200
"""Lines of one kind below an unfolded call; copying the entry gives all of them."""

_CHANGES = re.compile(r"(?:[+−-]\d[\d,]*(?: |$))+")
_CHANGED = (Sign.ADDED, Sign.REMOVED)
_SUBJECT = 12
"""Cells of the subject that stay before time and result are left out."""


def head(entry: ToolEntry, width: int, palette: Palette, signs: Signs) -> Text:
    """Return the line of a call in at most `width` cells: the subject gives way first, why it was allowed last."""
    tool = foreign.cut(foreign.one_line(entry.tool), 32, signs.more)
    subject = foreign.one_line(entry.subject)
    changes, summary = _split_summary(foreign.one_line(entry.summary))
    spent = "" if entry.elapsed_ms is None else elapsed(entry.elapsed_ms)
    why = foreign.one_line(entry.why)
    fixed = cell_len(f"{signs.of(entry.state)} {tool} ") + (cell_len(changes) + 1 if changes else 0)
    least = min(cell_len(subject), _SUBJECT)
    for parts in ([summary, spent, why], [summary, why], [why], []):
        tail = _tail([_stated(entry), *parts], signs)
        if fixed + least + cell_len(tail) <= width:
            break
    text = Text(no_wrap=True, end="")
    text.append(f"{signs.of(entry.state)} ", palette.of_state(entry.state))
    text.append(tool, palette.strong)
    if subject:
        room = max(width - fixed - cell_len(tail), 1)
        text.append(" " + foreign.cut(subject, room, signs.more), palette.text)
    for change in changes.split():
        text.append(" ")
        text.append(change, palette.added if change.startswith("+") else palette.removed)
    text.append(tail, palette.muted)
    if text.cell_len > width:
        text.truncate(max(width - cell_len(signs.more), 0))
        text.append(signs.more, palette.muted)
    return text


def elapsed(milliseconds: int) -> str:
    """Return a duration in few characters: `12 ms`, `2.1 s`, `38 s`, `2 min 5 s`."""
    if milliseconds < 1_000:
        return f"{milliseconds} ms"
    seconds = milliseconds / 1_000
    if seconds < 60:
        return f"{seconds:.1f} s".replace(".0 s", " s") if seconds < 10 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def body(entry: ToolEntry, palette: Palette, signs: Signs) -> Iterator[Row]:
    """Yield the detail below the head: a folded call shows the start of its diff, a running one its newest output."""
    diff = [line for line in entry.body if isinstance(line, DiffLine)]
    output = [line for line in entry.body if isinstance(line, OutputLine)]
    if entry.unfolded:
        for line in entry.body:
            if isinstance(line, ArgumentLine):
                yield from _argument(line, palette)
        yield from _diff(diff[:MAX_LINES], palette, Fit.WRAP)
        yield from _rest(len(diff), palette, signs)
        for shown in output[:MAX_LINES]:
            yield Row(Text(foreign.output_line(shown.text), palette.quiet), _INDENT)
        yield from _rest(len(output), palette, signs)
        return
    changed = [line for line in diff if line.sign in _CHANGED]
    yield from _diff(changed[:FOLDED_DIFF], palette, Fit.CUT)
    if len(changed) > FOLDED_DIFF:
        yield more_row(f"{len(changed) - FOLDED_DIFF:,} more {signs.note} enter unfolds", palette, signs)
    if entry.state is CallState.RUNNING:
        for shown in output[-LIVE_OUTPUT:]:
            yield Row(Text(foreign.output_line(shown.text), palette.muted), _INDENT, Fit.CUT)


def body_rows(entry: ToolEntry) -> int:
    """Return about how many rows the detail of a call takes: an estimate from counts alone."""
    if entry.unfolded:
        return min(len(entry.body), MAX_LINES)
    changed = sum(isinstance(line, DiffLine) and line.sign in _CHANGED for line in entry.body)
    output = sum(isinstance(line, OutputLine) for line in entry.body) if entry.state is CallState.RUNNING else 0
    return min(changed, FOLDED_DIFF + 1) + min(output, LIVE_OUTPUT)


def more_row(text: str, palette: Palette, signs: Signs) -> Row:
    """Return the dim line that counts what is folded away."""
    return Row(Text(f"{signs.more} {text}", palette.muted), _INDENT, Fit.CUT)


def _split_summary(summary: str) -> tuple[str, str]:
    """Part `+3 −1` at the start of a summary from the words after it."""
    match = _CHANGES.match(summary)
    return (match.group().strip(), summary[match.end() :]) if match else ("", summary)


def _tail(parts: list[str], signs: Signs) -> str:
    return "".join(f" {signs.note} {part}" for part in parts if part)


def _stated(entry: ToolEntry) -> str:
    """Say in a word what only the sign would tell."""
    said = f"{entry.summary} {entry.why}".casefold()
    match entry.state:
        case CallState.FAILED if not entry.summary:
            return "failed"
        case CallState.DENIED if "denied" not in said:
            return "denied"
        case CallState.ASKED:
            return "waits for you"
        case _:
            return ""


def _argument(argument: ArgumentLine, palette: Palette) -> Iterator[Row]:
    name = Text(f"  {foreign.cut(foreign.one_line(argument.name), 24)}: ", palette.muted)
    lines = argument.value.split("\n")
    for number, line in enumerate(lines[:MAX_LINES]):
        mark = name if number == 0 else Text(" " * name.cell_len)
        yield Row(Text(foreign.code_line(line), palette.text), mark)
    if len(lines) > MAX_LINES:
        yield Row(Text(f"{len(lines) - MAX_LINES:,} more lines", palette.muted), Text(" " * name.cell_len))


def _diff(lines: Sequence[DiffLine], palette: Palette, fit: Fit) -> Iterator[Row]:
    digits = max((len(str(line.number)) for line in lines if line.number is not None), default=1)
    digits = max(digits, 2)
    for line in lines:
        number = "" if line.number is None else str(line.number)
        mark = Text(f"  {number:>{digits}} ", palette.muted)
        ground: Style | None
        match line.sign:
            case Sign.ADDED:
                style, ground = palette.added, palette.added_ground
            case Sign.REMOVED:
                style, ground = palette.removed, palette.removed_ground
            case Sign.KEPT | Sign.GAP:
                style, ground = palette.muted, None
        bare = mark.cell_len
        mark.append(f"{line.sign} ", style)
        yield Row(Text(foreign.code_line(line.text), style), mark, fit, ground, bare)


def _rest(count: int, palette: Palette, signs: Signs) -> Iterator[Row]:
    if count > MAX_LINES:
        yield more_row(f"{count - MAX_LINES:,} more lines {signs.note} c copies all", palette, signs)


_INDENT = Text("  ")
