"""What can stand at a place of an agent's front matter: keys, tools, modes, tools of rules. Pure."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from decode_core.catalog.definition import EVERY_TOOL, Subagent
from decode_core.catalog.reading import KNOWN_KEYS
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.rules import RuleList

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*$")
_KEY = re.compile(r"([a-z_]+):")
_RULES = frozenset(in_list.value for in_list in RuleList)


@dataclass(frozen=True)
class Completion:
    """What was typed of a word, and the words that begin so, the shortest first."""

    typed: str
    words: tuple[str, ...]

    @property
    def rest(self) -> str:
        """What is missing of the first word."""
        return self.words[0][len(self.typed) :]


def front_matter_end(lines: Sequence[str]) -> int:
    """The row of the closing fence; the number of lines where it is missing, 0 where there is no front matter."""
    if not lines or lines[0].rstrip(" \t") != "---":
        return 0
    return next((row for row in range(1, len(lines)) if lines[row].rstrip(" \t") == "---"), len(lines))


def completion(lines: Sequence[str], row: int, column: int, tools: Collection[str]) -> Completion | None:
    """What the word before the cursor can become; None where nothing fits, or nothing is missing."""
    if not 0 < row < front_matter_end(lines):
        return None
    before, after = lines[row][:column], lines[row][column:]
    found = _WORD.search(before)
    if found is None or re.match(r"[A-Za-z0-9_-]", after):
        return None
    typed = found.group()
    words = sorted(
        (word for word in _words(lines, row, before, typed, tools) if word.startswith(typed) and word != typed),
        key=lambda word: (len(word), word),
    )
    return Completion(typed, tuple(words)) if words else None


def _words(lines: Sequence[str], row: int, before: str, typed: str, tools: Collection[str]) -> Collection[str]:
    if before == typed:
        present = {found.group(1) for line in lines[1:row] if (found := _KEY.match(line))}
        return [f"{key}: " for key in KNOWN_KEYS if key not in present]
    key = _key_of(lines, row)
    if "#" in before:
        return ()
    match key:
        case "mode":
            return tuple(PermissionMode) if _is_value(before, typed) else ()
        case "subagent":
            return tuple(Subagent) if _is_value(before, typed) else ()
        case "tools":
            return {*tools} - {EVERY_TOOL}
        case _ if key in _RULES:
            # a rule begins with its tool; what stands in its brackets is free text
            begin = before[: len(before) - len(typed)].rstrip()
            return tools if begin.endswith(("[", ",", '"', "'", "-", ":")) and "(" not in _rule(begin) else ()
        case _:
            return ()


def _is_value(before: str, typed: str) -> bool:
    return re.fullmatch(r"[a-z_]+:\s+", before[: len(before) - len(typed)]) is not None


def _rule(begin: str) -> str:
    """The rule that is being written: what stands behind the last quote, unless that one closes a rule."""
    quotes = begin.count('"')
    return begin.rpartition('"')[2] if quotes % 2 else ""


def _key_of(lines: Sequence[str], row: int) -> str:
    """The key that a row belongs to."""
    for line in reversed(lines[1 : row + 1]):
        found = _KEY.match(line)
        if found:
            return found.group(1)
    return ""
