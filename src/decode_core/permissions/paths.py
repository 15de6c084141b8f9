"""Path subjects: wide and narrow matching of a pattern against the facts of a path (permissions.md §3.1). Pure."""

import sys
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path

from decode_core.permissions.patterns import Pattern, compile_pattern, matches
from decode_core.permissions.request import PathFact

CASE_BLIND = sys.platform == "darwin"
"""Whether the file system takes names that differ only in case for one file: wide matching folds them there."""


MAX_KEPT_CHARACTERS = 4_096
"""Readings of longer paths (no file system knows any) are made anew each time: together they would fill memory."""


def covers_narrow(pattern: Pattern, fact: PathFact) -> bool:
    """Whether an allow pattern covers the path: its lexical *and* its real form must match.

    `*` stops at a slash, `**` crosses; a pattern without a slash matches at the root only.
    """
    compiled = narrow_form(pattern)
    absolute = compiled.text.startswith("/")
    lexical, real = (fact.lexical.as_posix(), fact.real.as_posix()) if absolute else (fact.relative, fact.real_relative)
    return all(matches(compiled, _nfc(path), star_crosses_slash=False) for path in (lexical, real))


def matches_wide(pattern: Pattern, fact: PathFact) -> bool:
    """Whether a deny or ask pattern matches any reasonable reading of the path, or a folder above it."""
    return any(matches_wide_text(pattern, form) for form in wide_forms(fact))


def matches_wide_text(pattern: Pattern, path: str) -> bool:
    """`matches_wide` for a path that is only known as text.

    `*` crosses slashes; a pattern without a slash matches a name at any depth; whatever lies below a match matches.
    """
    compiled = wide_form(pattern)
    by_name = "/" not in compiled.text.rstrip("/")
    readings = _names(path) if by_name else _folders_and_path(path)
    return any(matches(compiled, reading, star_crosses_slash=True) for reading in readings)


def wide_forms(fact: PathFact) -> set[str]:
    """The path as given and with links followed, against the root and absolute."""
    return {fact.relative, fact.real_relative, fact.lexical.as_posix(), fact.real.as_posix()}


def wide_readings(path: str) -> Iterable[str]:
    """Every text that a wide pattern is tried on for `path`."""
    if len(path) <= MAX_KEPT_CHARACTERS:
        return _kept_readings(path)
    return chain(_names(path), _folders_and_path(path))


def narrow_readings(fact: PathFact) -> tuple[str, str]:
    """The texts of the lexical path that a narrow pattern is tried on; the real ones come on top."""
    return _nfc(fact.relative), _nfc(fact.lexical.as_posix())


def narrow_form(pattern: Pattern) -> Pattern:
    """The pattern with `~` expanded, a leading `./` and a trailing `/` dropped, in NFC."""
    text = _nfc(pattern.text)
    if text == "~" or text.startswith("~/"):
        text = Path.home().as_posix() + text[1:]
    while text.startswith("./"):
        text = text[2:]
    if len(text) > 1:
        text = text.rstrip("/")
    return pattern if text == pattern.text else compile_pattern(text)


def wide_form(pattern: Pattern) -> Pattern:
    """`narrow_form`, with case folded where the file system is blind to it."""
    compiled = narrow_form(pattern)
    return compile_pattern(compiled.text.casefold()) if CASE_BLIND else compiled


@lru_cache(maxsize=256)
def _kept_readings(path: str) -> tuple[str, ...]:
    return tuple(chain(_names(path), _folders_and_path(path)))


def _names(path: str) -> list[str]:
    """The names in a path, the root's first where it is absolute."""
    names = [name for name in _fold(path).split("/") if name not in ("", ".")]
    return ["/", *names] if path.startswith("/") else names


def _folders_and_path(path: str) -> Iterator[str]:
    """Each folder above a path and the path itself, outermost first."""
    above = ""
    for name in _names(path):
        above = f"{above}{name}" if above in ("", "/") else f"{above}/{name}"
        yield above


def _nfc(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _fold(text: str) -> str:
    return _nfc(text).casefold() if CASE_BLIND else _nfc(text)
