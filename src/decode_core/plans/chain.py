"""Our own hash chain beside a journal (`journal.chain`), so that an edited old line shows.

The format of the journal has none. One line a journal line: its number and the SHA-256 over the digest before it and
its bytes. The file may be shorter than the journal, when the other program wrote or a crash came between: the next
writer catches up. It proves nothing against somebody who rewrites both files; it shows a slip and a quiet edit.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from decode_core.plans.events import AnyEvent

CHAIN_FILE = "journal.chain"

_LINE = re.compile(rb"([0-9]{1,18}) ([0-9a-f]{64})")
_START = "0" * 64


@dataclass(frozen=True)
class Chain:
    """What a chain says about a journal."""

    links: tuple[tuple[int, str], ...]
    """Number and digest of every line that is chained."""
    fault: str | None
    """Why the journal is not the one that was chained; None if it is."""
    missing: bytes
    """The lines to append for what is not chained yet; none to a chain that cannot be read."""
    whole_bytes: int
    """The length of the file without a torn last line."""
    file_bytes: int
    """The length of the file."""
    digest: str
    """The digest of the last line."""


def follow_chain(data: bytes, events: Sequence[AnyEvent], lines: Sequence[bytes]) -> Chain:
    """Hold the chain file `data` against all lines of a journal, archives first."""
    due: list[tuple[int, str]] = []
    digest = _START
    for event, line in zip(events, lines, strict=True):
        digest = next_digest(digest, line)
        due.append((event.seq, digest))
    expected = b"".join(link(*one) for one in due)
    if not expected.startswith(data):
        return _hold_against(data, due, lines)
    # the usual case, told by one comparison: the file is the beginning of what is due
    whole_bytes = data.rfind(b"\n") + 1
    known = data.count(b"\n")
    return Chain(tuple(due[:known]), None, expected[whole_bytes:], whole_bytes, len(data), digest)


def _hold_against(data: bytes, due: Sequence[tuple[int, str]], lines: Sequence[bytes]) -> Chain:
    """Look at a chain file that is torn, or that does not fit, link by link."""
    links, whole_bytes, fault = _links(data)
    digest, added = _START, []
    for index, line in enumerate(lines):
        seq, digest = due[index][0], next_digest(digest, line)
        if index >= len(links):
            added.append(link(seq, digest))
        elif fault is None and links[index] != (seq, digest):
            fault = f"seq {seq} is not the line that was written; the journal was changed afterwards"
        if index < len(links):
            # go on from what was chained, so that one edited line is named and not every line after it
            digest = links[index][1]
    if fault is None and len(links) > len(lines):
        fault = f"{len(links) - len(lines)} lines at the end of the journal are gone"
    unreadable = len(links) < data[:whole_bytes].count(b"\n")
    return Chain(tuple(links), fault, b"" if unreadable else b"".join(added), whole_bytes, len(data), digest)


def next_digest(digest: str, line: bytes) -> str:
    """The digest of a line (without its newline) that follows one with this digest."""
    return hashlib.sha256(digest.encode() + line).hexdigest()


def link(seq: int, digest: str) -> bytes:
    """A line of the chain file."""
    return b"%d %s\n" % (seq, digest.encode())


def _links(data: bytes) -> tuple[list[tuple[int, str]], int, str | None]:
    links: list[tuple[int, str]] = []
    whole = data[: data.rfind(b"\n") + 1]
    for number, line in enumerate(whole.splitlines(), start=1):
        match = _LINE.fullmatch(line)
        if match is None:
            return links, len(whole), f"{CHAIN_FILE}, line {number}, is no link of a chain"
        links.append((int(match[1]), match[2].decode()))
    return links, len(whole), None
