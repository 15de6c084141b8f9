"""Path subjects: wide and narrow matching of a pattern against the facts of a path (permissions.md §3.1). Pure."""

import sys
import unicodedata
from pathlib import Path, PurePosixPath

from decode_core.permissions.patterns import Pattern, compile_pattern, matches
from decode_core.permissions.request import PathFact

CASE_BLIND = sys.platform == "darwin"
"""Whether the file system takes names that differ only in case for one file: wide matching folds them there."""


def covers_narrow(pattern: Pattern, fact: PathFact) -> bool:
    """Whether an allow pattern covers the path: its lexical *and* its real form must match.

    `*` stops at a slash, `**` crosses; a pattern without a slash matches at the root only.
    """
    compiled = _anchored(pattern)
    absolute = compiled.text.startswith("/")
    lexical, real = (fact.lexical.as_posix(), fact.real.as_posix()) if absolute else (fact.relative, fact.real_relative)
    return all(matches(compiled, _nfc(path), star_crosses_slash=False) for path in (lexical, real))


def matches_wide(pattern: Pattern, fact: PathFact) -> bool:
    """Whether a deny or ask pattern matches any reasonable reading of the path, or a folder above it."""
    readings = {fact.relative, fact.real_relative, fact.lexical.as_posix(), fact.real.as_posix()}
    return any(matches_wide_text(pattern, reading) for reading in readings)


def matches_wide_text(pattern: Pattern, path: str) -> bool:
    """`matches_wide` for a path that is only known as text.

    `*` crosses slashes; a pattern without a slash matches a name at any depth; whatever lies below a match matches.
    """
    compiled = _anchored(pattern)
    folded = _fold(path)
    if CASE_BLIND:
        compiled = compile_pattern(compiled.text.casefold())
    parts = PurePosixPath(folded).parts
    if "/" not in compiled.text.rstrip("/"):
        return any(matches(compiled, part, star_crosses_slash=True) for part in parts)
    above = [str(PurePosixPath(*parts[: count + 1])) for count in range(len(parts))]
    return any(matches(compiled, reading, star_crosses_slash=True) for reading in above)


def _anchored(pattern: Pattern) -> Pattern:
    """The pattern with `~` expanded, a leading `./` and a trailing `/` dropped, in NFC."""
    text = _nfc(pattern.text)
    if text == "~" or text.startswith("~/"):
        text = Path.home().as_posix() + text[1:]
    while text.startswith("./"):
        text = text[2:]
    if len(text) > 1:
        text = text.rstrip("/")
    return pattern if text == pattern.text else compile_pattern(text)


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _fold(text: str) -> str:
    return _nfc(text).casefold() if CASE_BLIND else _nfc(text)
