"""Where a piece of text stands in a file: exactly, else with blanks ignored. Pure, and linear in time.

Texts here have newlines only; `editing` maps places back to a file with other line ends.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from decode_core.tools.texts import common_head, common_tail

MAX_PLACES_TOLD = 5
MAX_NEAREST = 3
_LINE_SHOWN = 120
_LEAST_LIKENESS = 0.4


@dataclass(frozen=True)
class Replacement:
    """Put `text` in the place of the characters from `start` up to `end`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Matched:
    """What an edit does, in order and without overlaps; `tolerant` where blanks had to be ignored."""

    replacements: tuple[Replacement, ...]
    tolerant: bool = False


@dataclass(frozen=True)
class Unmatched:
    """Why an edit has no clear place: one or more lines for the model, without the file's name."""

    problem: str


def match_edit(text: str, old: str, new: str, *, replace_all: bool = False) -> Matched | Unmatched:
    """Find `old` in `text`. More than one place is a problem unless `replace_all`; `old` must not be empty.

    The exact text comes first. Else whole lines match whose words are the same whatever blanks stand around and between
    them; lines that `new` leaves as they are then stay as the file has them, and the indentation of the others is
    fitted to the file's.
    """
    starts = _exact(text, old, replace_all=replace_all)
    if len(starts) == 1 or (starts and replace_all):
        return Matched(tuple(Replacement(start, start + len(old), new) for start in starts))
    if starts:
        return Unmatched(_ambiguous(text, starts))
    lines = _Lines(text)
    wanted = _wanted_lines(old)
    places = _places([_words(line) for line in lines.texts], [_words(line) for line in wanted])
    if not places:
        return Unmatched(_nearest(lines, wanted))
    if len(places) > 1 and not replace_all:
        return Unmatched(_ambiguous(text, [lines.start(place) for place in places], "with blanks ignored, "))
    replacements: list[Replacement] = []
    for place in _apart(places, len(wanted)):
        fitted = _fitted(lines.texts[place : place + len(wanted)], wanted, new.split("\n"), ends=old.endswith("\n"))
        if fitted is None:
            return Unmatched(_irregular(lines, place, len(wanted)))
        replacements.append(Replacement(lines.start(place), lines.end(place + len(wanted), old.endswith("\n")), fitted))
    return Matched(tuple(replacements), tolerant=True)


def replace(text: str, replacements: Sequence[Replacement]) -> str:
    """Carry out replacements, which are in order and do not overlap."""
    parts: list[str] = []
    at = 0
    for each in replacements:
        parts += [text[at : each.start], each.text]
        at = each.end
    return "".join([*parts, text[at:]])


def _exact(text: str, old: str, *, replace_all: bool) -> list[int]:
    """Where `old` begins: all places with `replace_all`, else as many as are told; overlapping ones count as two."""
    starts: list[int] = []
    at = text.find(old)
    while at != -1 and (replace_all or len(starts) <= MAX_PLACES_TOLD):
        starts.append(at)
        at = text.find(old, at + len(old))
    if len(starts) == 1 and not replace_all and (second := text.find(old, starts[0] + 1)) != -1:
        starts.append(second)
    return starts


class _Lines:
    """The lines of a text and where they are."""

    def __init__(self, text: str) -> None:
        self.texts = text.split("\n")
        self._size = len(text)
        self._starts = [0, *accumulate(len(line) + 1 for line in self.texts)]

    def start(self, index: int) -> int:
        """Where a line begins."""
        return self._starts[index]

    def number(self, place: int) -> int:
        """The line of a place, counted from 1."""
        return bisect_right(self._starts, place)

    def end(self, index: int, with_newline: bool) -> int:  # noqa: FBT001 - one private caller
        """Where the line before `index` ends, its newline counted or not."""
        return min(self._starts[index] - (not with_newline), self._size)


def _wanted_lines(old: str) -> list[str]:
    lines = old.split("\n")
    return lines[:-1] if old.endswith("\n") and len(lines) > 1 else lines


def _words(line: str) -> str:
    return " ".join(line.split())


def _places(lines: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Where `wanted` stands in `lines` (Knuth, Morris and Pratt), overlaps included; blank lines alone: nowhere."""
    if not any(wanted):
        return []
    fallback = [0] * len(wanted)
    length = 0
    for index in range(1, len(wanted)):
        while length and wanted[index] != wanted[length]:
            length = fallback[length - 1]
        length += wanted[index] == wanted[length]
        fallback[index] = length
    places: list[int] = []
    length = 0
    for index, line in enumerate(lines):
        while length and (length == len(wanted) or line != wanted[length]):
            length = fallback[length - 1]
        length += line == wanted[length]
        if length == len(wanted):
            places.append(index - length + 1)
    return places


def _apart(places: Sequence[int], length: int) -> Iterator[int]:
    """The places that do not overlap the one before."""
    free = 0
    for place in places:
        if place >= free:
            yield place
            free = place + length


def _fitted(found: list[str], wanted: list[str], new: list[str], *, ends: bool) -> str | None:
    """`new` as the file would write it; None where the indentation differs without a rule."""
    closed = ends and len(new) > 1 and new[-1] == ""
    fresh = new[:-1] if closed else new
    head = common_head(wanted, fresh)
    tail = common_tail(wanted, fresh, head)
    middle = fresh[head : len(fresh) - tail]
    indents = _indents(found, wanted)
    if indents is None:
        return None
    last = found[len(found) - tail :] if tail else []
    rows = [*found[:head], *(_indented(line, indents) for line in middle), *last]
    return "\n".join([*rows, ""] if closed else rows)


def _indents(found: Sequence[str], wanted: Sequence[str]) -> dict[str, str] | None:
    """Which indentation of the file stands for which of the edit; None where one stands for two."""
    indents: dict[str, str] = {}
    for theirs, ours in zip(found, wanted, strict=True):
        if ours.strip() and indents.setdefault(_indent(ours), _indent(theirs)) != _indent(theirs):
            return None
    return indents


def _indented(line: str, indents: dict[str, str]) -> str:
    own = _indent(line)
    if not line.strip():
        return line
    known = max((indent for indent in indents if own.startswith(indent)), key=len, default=None)
    if known is not None:
        return indents[known] + _deeper(own[len(known) :], indents) + line[len(own) :]
    # less indented than anything that was matched: what the file has more, it has here, too
    nearest = min(indents, key=len)
    ours, theirs = indents[nearest], nearest
    return ours.removesuffix(theirs) + line if ours.endswith(theirs) else line


def _deeper(rest: str, indents: dict[str, str]) -> str:
    """What a line is indented beyond a matched one: in the file's unit, where the matched lines show it."""
    for (ours, theirs), (our_next, their_next) in pairwise(sorted(indents.items(), key=lambda pair: len(pair[0]))):
        unit, their_unit = our_next.removeprefix(ours), their_next.removeprefix(theirs)
        if unit and their_unit and our_next.startswith(ours) and their_next.startswith(theirs):
            count, left = divmod(len(rest), len(unit))
            if rest.startswith(unit * count) and not left:
                return their_unit * count
    return rest


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _ambiguous(text: str, starts: Sequence[int], how: str = "") -> str:
    lines = _Lines(text)
    told = sorted({lines.number(start) for start in starts[:MAX_PLACES_TOLD]})
    more = " and more" if len(starts) > MAX_PLACES_TOLD else ""
    shown = "\n".join(_shown(number, lines.texts[number - 1]) for number in told)
    return (
        f"{how}the text stands in more than one place (lines {', '.join(map(str, told))}{more}); add lines around the "
        f"one that is meant, or set replace_all:\n{shown}"
    )


def _irregular(lines: _Lines, place: int, count: int) -> str:
    shown = "\n".join(_shown(place + 1 + index, lines.texts[place + index]) for index in range(min(count, 10)))
    return f"the text stands there with another indentation, line by line; give it as the file has it:\n{shown}"


def _nearest(lines: _Lines, wanted: Sequence[str]) -> str:
    """Name the lines most like the first wanted line that the file does not have."""
    have = {_words(line) for line in lines.texts}
    asked = [line for line in wanted if line.strip()]
    if not asked:
        return "the text is blank; give lines that hold something."
    lost = next((line for line in asked if _words(line) not in have), None)
    if lost is None:
        first = next(number for number, line in enumerate(lines.texts, 1) if _words(line) == _words(asked[0]))
        return f"the lines stand in the file, but not together in this order; the first is line {first}."
    words = set(lost.split())
    rated = [(_likeness(words, set(line.split())), -number) for number, line in enumerate(lines.texts, 1)]
    best = sorted((each for each in rated if each[0] >= _LEAST_LIKENESS), reverse=True)[:MAX_NEAREST]
    missing = f"the text was not found: no line reads “{_clip(lost.strip())}”"
    if not best:
        return f"{missing}. Read the file and give the text as it stands there."
    shown = "\n".join(_shown(-number, lines.texts[-number - 1]) for _, number in best)
    return f"{missing}. The nearest:\n{shown}"


def _likeness(ours: set[str], theirs: set[str]) -> float:
    return len(ours & theirs) / max(len(ours | theirs), 1)


def _shown(number: int, line: str) -> str:
    return f"{number:>6}\t{_clip(line)}"


def _clip(line: str) -> str:
    return line if len(line) <= _LINE_SHOWN else f"{line[:_LINE_SHOWN]}…"
