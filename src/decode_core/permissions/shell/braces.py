"""Brace expansion: `{a,b}` and `{1..3}`, as bash does it. Pure."""

import re
from itertools import pairwise, product

from decode_core.permissions.shell.pieces import Piece, Text

MAX_FORMS = 64
"""Words that braces may make of one; a word that makes more counts as unknown."""

_RANGE = re.compile(r"(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])(?:\.\.(-?\d{1,6}))?")


def expand_braces(pieces: list[Piece]) -> list[list[Piece]] | None:
    """The words that unquoted braces make; None where they are more than MAX_FORMS."""
    if not any(isinstance(piece, Text) and not piece.quoted and "{" in piece.text for piece in pieces):
        return [pieces]
    atoms: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, Text) and not piece.quoted:
            atoms.extend(Text(character, quoted=False) for character in piece.text)
        else:
            atoms.append(piece)
    try:
        return [gathered(word) for word in _braced(atoms, 0)]
    except _TooManyError:
        return None


class _TooManyError(Exception):
    pass


def _braced(atoms: list[Piece], depth: int) -> list[list[Piece]]:
    if depth > 20:
        raise _TooManyError
    begin = 0
    while (start := _index_of(atoms, "{", begin)) is not None:
        group = _closing(atoms, start)
        if group is None:
            begin = start + 1
            continue
        end, commas = group
        inside = atoms[start + 1 : end]
        if commas:
            cuts = [start, *commas, end]
            choices = [form for left, right in pairwise(cuts) for form in _braced(atoms[left + 1 : right], depth + 1)]
        elif (series := _series(inside)) is not None:
            choices = [[Text(each, quoted=True)] for each in series]
        else:
            begin = start + 1
            continue
        rest = _braced(atoms[end + 1 :], depth + 1)
        if len(choices) * len(rest) > MAX_FORMS:
            raise _TooManyError
        return [[*atoms[:start], *choice, *tail] for choice, tail in product(choices, rest)]
    return [atoms]


def _index_of(atoms: list[Piece], character: str, begin: int) -> int | None:
    wanted = Text(character, quoted=False)
    return next((index for index in range(begin, len(atoms)) if atoms[index] == wanted), None)


def _closing(atoms: list[Piece], start: int) -> tuple[int, list[int]] | None:
    """Where the brace at `start` closes, and the commas of its own level."""
    depth = 0
    commas: list[int] = []
    for index in range(start, len(atoms)):
        match atoms[index]:
            case Text("{", quoted=False):
                depth += 1
            case Text("}", quoted=False):
                depth -= 1
                if depth == 0:
                    return index, commas
            case Text(",", quoted=False) if depth == 1:
                commas.append(index)
    return None


def _series(inside: list[Piece]) -> list[str] | None:
    text = "".join(piece.text if isinstance(piece, Text) and not piece.quoted else "\0" for piece in inside)
    found = _RANGE.fullmatch(text)
    if found is None:
        return None
    first, last, step = found[1], found[2], abs(int(found[3] or 1)) or 1
    numeric = [re.fullmatch(r"-?\d+", end) is not None for end in (first, last)]
    if numeric[0] is not numeric[1]:
        return None
    begin, end = (int(first), int(last)) if numeric[0] else (ord(first), ord(last))
    count = abs(end - begin) // step + 1
    if count > MAX_FORMS:
        raise _TooManyError
    numbers = [begin + (step if end >= begin else -step) * index for index in range(count)]
    width = max(len(first), len(last)) if first.lstrip("-").startswith("0") or last.lstrip("-").startswith("0") else 0
    return [str(number).zfill(width) if numeric[0] else chr(number) for number in numbers]


def gathered(atoms: list[Piece]) -> list[Piece]:
    """Neighbouring unquoted characters as one piece again."""
    gathered: list[Piece] = []
    for atom in atoms:
        last = gathered[-1] if gathered else None
        if isinstance(atom, Text) and isinstance(last, Text) and not atom.quoted and not last.quoted:
            gathered[-1] = Text(last.text + atom.text, quoted=False)
        else:
            gathered.append(atom)
    return gathered
