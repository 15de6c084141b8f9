"""Parts of lines by character offsets, as Textual's text selection names them."""

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

Span = tuple[int, int]
"""First character and the one after the last; -1 for the end of the line."""


def cut(text: str, span: Span | None) -> str:
    """Return the part of `text` in `span`, nothing for None."""
    if span is None:
        return ""
    start, end = span
    return text[start:] if end == -1 else text[start:end]


def styled(strip: Strip, span: Span, style: Style) -> Strip:
    """Return `strip` with `style` on top of the characters in `span`."""
    start, end = span
    end = len(strip.text) if end == -1 else end
    segments: list[Segment] = []
    at = 0
    for text, own, control in strip:
        low, high = (min(max(edge - at, 0), len(text)) for edge in (start, end))
        for part, on_top in ((text[:low], None), (text[low:high], style), (text[high:], None)):
            if part:
                segments.append(Segment(part, own if on_top is None else (own or Style()) + on_top, control))
        at += len(text)
    return Strip(segments, strip.cell_length)
