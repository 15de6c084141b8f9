"""File patterns as people write them: `*`, `**`, `?`, `[a-z]`, `{a,b}` and `\\` before a literal sign. Pure.

No backtracking beyond the last star: the time to match a path grows with pattern times path at worst.
"""

import fnmatch
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

MAX_ALTERNATIVES = 200
"""Patterns that braces may stand for; more is an error."""


class GlobError(ValueError):
    """A pattern that cannot be used. The message is one sentence."""


@dataclass(frozen=True)
class GlobPattern:
    """A compiled pattern; without a slash it matches names in every folder."""

    alternatives: tuple[tuple[re.Pattern[str] | None, ...], ...]
    """For each alternative its parts between slashes; None is `**`."""

    def matches(self, path: str) -> bool:
        """Whether a relative POSIX path matches."""
        names = path.split("/")
        return any(_matches(parts, names) for parts in self.alternatives)


@lru_cache(maxsize=128)
def compile_glob(text: str) -> GlobPattern:
    """Compile a pattern. Raises GlobError: empty, leaving the folder by `..`, or too many alternatives."""
    while text.startswith("./"):
        text = text[2:]
    if not text.strip():
        raise GlobError("the pattern is empty; write * for every file")
    alternatives: list[tuple[re.Pattern[str] | None, ...]] = []
    for plain in _expand(text):
        parts = [part for part in plain.split("/") if part]
        if plain.startswith("/") or ".." in parts:
            raise GlobError(f"the pattern {text!r} leaves the folder; give the folder as path")
        if "/" not in plain.rstrip("/"):
            parts.insert(0, "**")
        if plain.endswith("/"):
            parts.append("**")
        alternatives.append(tuple(None if part == "**" else _part(part) for part in parts))
    return GlobPattern(tuple(alternatives))


def _matches(parts: tuple[re.Pattern[str] | None, ...], names: list[str]) -> bool:
    """Match part by part; after the last `**` seen, try again one name later."""
    part = name = 0
    retry_part = retry_name = -1
    while name < len(names):
        if part < len(parts) and (wanted := parts[part]) is None:
            part += 1
            retry_part, retry_name = part, name
        elif part < len(parts) and wanted is not None and wanted.match(names[name]):
            part, name = part + 1, name + 1
        elif retry_part != -1:
            retry_name += 1
            part, name = retry_part, retry_name
        else:
            return False
    # a `**` at the end stands for what lies below, not for the folder itself; `a/**` has matched it by now
    return part == len(parts) or (part == len(parts) - 1 and parts[part] is None and part == 0)


def _part(part: str) -> re.Pattern[str]:
    # fnmatch knows no backslash; a set of one sign says the same. Its expressions use atomic groups: no backtracking.
    plain = re.sub(r"\\(.)", lambda sign: f"[{sign[1]}]" if sign[1] in "*?[" else sign[1], part)
    return re.compile(fnmatch.translate(re.sub(r"\*{2,}", "*", plain)))


def _expand(text: str) -> list[str]:
    """Braces written out. An unclosed brace stands for itself."""
    pieces: list[list[str]] = [[""]]
    index = 0
    while index < len(text):
        char = text[index]
        if char == "\\" and index + 1 < len(text):
            pieces.append([text[index : index + 2]])
            index += 2
            continue
        if char == "{" and (end := _closing(text, index)) != -1:
            options = [option for part in _split(text[index + 1 : end]) for option in _expand(part)]
            pieces.append(options)
            index = end + 1
        else:
            pieces.append([char])
            index += 1
        count = 1
        for options in pieces:
            count *= len(options)
        if count > MAX_ALTERNATIVES:
            raise GlobError(f"the braces of the pattern stand for more than {MAX_ALTERNATIVES} patterns; use fewer")
    return ["".join(choice) for choice in product(*pieces)]


def _closing(text: str, start: int) -> int:
    depth = 0
    for index in range(start, len(text)):
        if text[index - 1 : index] == "\\":
            continue
        depth += (text[index] == "{") - (text[index] == "}")
        if not depth:
            return index
    return -1


def _split(text: str) -> list[str]:
    """Split at commas outside inner braces."""
    parts = [""]
    depth = 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if char == "," and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return parts
