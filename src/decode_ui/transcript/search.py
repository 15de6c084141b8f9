"""Search in the conversation: which entries hold a text, and where it stands in a line."""

from collections.abc import Iterator, Sequence

from decode_ui.transcript.entry import Entry, plain_text
from decode_ui.transcript.selection import Span


def matching(entries: Sequence[Entry], needle: str) -> list[int]:
    """Return the indices of the entries that contain `needle`, folded parts included; case does not matter."""
    wanted = needle.casefold()
    return [i for i, entry in enumerate(entries) if wanted in plain_text(entry).casefold()] if wanted else []


def spans(text: str, needle: str) -> Iterator[Span]:
    """Yield where `needle` stands in one line, whatever its case."""
    wanted, line = needle.lower(), text.lower()
    if not wanted or len(line) != len(text):  # a few letters change their length in lower case: no offsets then
        return
    at = line.find(wanted)
    while at >= 0:
        yield at, at + len(wanted)
        at = line.find(wanted, at + len(wanted))
