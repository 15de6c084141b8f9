"""Reads the bytes of a journal: every line or none, and what a crash left at the end.

Source: dwp-records, "journal.ndjson". One rule is stricter than the publisher's: its reader stops at the first bad line
and so loses everything after it; here a bad line in the middle makes the journal unreadable, and nothing is written.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from decode_core.plans.canonical import NotJsonError, parse_object
from decode_core.plans.errors import CorruptJournalError
from decode_core.plans.events import AnyEvent, EventError, read_event
from decode_core.plans.generation import Generation, generation_of_event


class Tear(StrEnum):
    """What is wrong with the last line."""

    CUT = "cut"
    """It was written in part; it is to be cut off."""
    NO_NEWLINE = "no_newline"
    """It is whole but for its newline."""


@dataclass(frozen=True)
class TornTail:
    """A last line that the next writer repairs."""

    tear: Tear
    byte_offset: int
    """Where the line begins (cut), or where its newline is missing."""
    length: int
    """The bytes from there on."""

    @property
    def cause(self) -> str:
        """What the repair is recorded as."""
        if self.tear is Tear.CUT:
            return f"torn last line of {self.length} bytes cut off"
        return "newline of the last line restored"


@dataclass(frozen=True)
class Journal:
    """The events of one file, in order, with the bytes of each line without its newline."""

    events: tuple[AnyEvent, ...] = ()
    lines: tuple[bytes, ...] = ()
    torn: TornTail | None = None

    @property
    def last_seq(self) -> int:
        """The highest sequence number, 0 for an empty journal."""
        return self.events[-1].seq if self.events else 0


@dataclass
class _Reading:
    name: str
    after: int
    generation: Generation | None
    events: list[AnyEvent] = field(default_factory=list)
    lines: list[bytes] = field(default_factory=list)

    def take(self, number: int, line: bytes) -> None:
        try:
            event = read_event(line)
        except EventError as error:
            raise CorruptJournalError(self.complaint(number, str(error))) from None
        last = self.events[-1].seq if self.events else self.after
        if event.seq <= last:
            raise CorruptJournalError(self.complaint(number, f"seq {event.seq} does not rise above {last}"))
        if self.generation is not None and event.generation is not self.generation:
            raise CorruptJournalError(
                self.complaint(number, f"a {event.generation} event in a {self.generation} plan; generations never mix")
            )
        self.events.append(event)
        self.lines.append(line)

    def complaint(self, number: int, what: str) -> str:
        return f"{self.name}, line {number}: {what}; nothing is written until the journal is mended"


def read_journal(
    data: bytes, *, name: str = "journal.ndjson", after: int = 0, generation: Generation | None = None
) -> Journal:
    """Read a whole journal whose numbers rise above `after`.

    A last line that is no JSON is reported as torn, not read. Raises CorruptJournalError for a bad line anywhere else,
    for numbers that do not rise, and for an event of another generation than the first or the given one.
    """
    whole, tail = _split(data)
    # a crash can also leave a last line of rubbish with a newline: it is as torn as one without
    torn = None
    if tail and _is_json(tail):
        torn = TornTail(Tear.NO_NEWLINE, len(data), 0)
        whole.append(tail)
    elif tail:
        torn = TornTail(Tear.CUT, len(data) - len(tail), len(tail))
    elif whole and not _is_json(whole[-1]):
        length = len(whole.pop()) + 1
        torn = TornTail(Tear.CUT, len(data) - length, length)
    if generation is None and whole:
        generation = _generation_of(whole[0])
    reading = _Reading(name, after, generation)
    for number, line in enumerate(whole, start=1):
        reading.take(number, line)
    return Journal(tuple(reading.events), tuple(reading.lines), torn)


def read_archives(files: Sequence[tuple[str, bytes]], *, generation: Generation | None = None) -> Journal:
    """Read archives of a rolled journal, oldest first, as one. Raises CorruptJournalError, also for a torn one."""
    events: list[AnyEvent] = []
    lines: list[bytes] = []
    for name, data in files:
        last = events[-1].seq if events else 0
        part = read_journal(data, name=name, after=last, generation=generation)
        if part.torn is not None:
            raise CorruptJournalError(f"{name}: {part.torn.cause}; an archive is never torn, so it was changed")
        events += part.events
        lines += part.lines
    return Journal(tuple(events), tuple(lines))


def _split(data: bytes) -> tuple[list[bytes], bytes]:
    parts = data.split(b"\n")
    return parts[:-1], parts[-1]


def _is_json(line: bytes) -> bool:
    try:
        parse_object(line)
    except NotJsonError:
        return False
    return True


def _generation_of(line: bytes) -> Generation | None:
    try:
        return generation_of_event(parse_object(line).get("schema"))
    except NotJsonError:
        return None
