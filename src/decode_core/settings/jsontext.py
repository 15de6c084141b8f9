"""JSON read strictly, with positions for people: the one way in which settings files are read.

Refused with line and column, where Python's reader would be lenient or fail otherwise: duplicate keys (the last would
silently win), NaN and infinities, comments, trailing commas, a byte order mark, text that is no UTF-8, lone surrogates,
a root that is no object, deep nesting and large texts.
"""

import json
import math
import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from decode_core.settings.jsontree import Node, parse_tree
from decode_core.settings.places import JsonPath, Position

MAX_BYTES = 256 * 1024
MAX_DEPTH = 32
MAX_DIGITS = 40


class JsonTextError(ValueError):
    """A text that is not strict JSON. `sentence` says what is wrong and how to mend it, without the place."""

    def __init__(self, sentence: str, position: Position) -> None:
        super().__init__(f"line {position.line}, column {position.column}: {sentence}")
        self.sentence = sentence
        self.position = position


@dataclass(frozen=True)
class JsonText:
    """A text and its value, an object. Positions are worked out when first asked for."""

    data: bytes
    value: Mapping[str, Any]

    @cached_property
    def tree(self) -> Node:
        """Byte ranges of every value."""
        return parse_tree(self.data)

    def position(self, path: JsonPath) -> Position | None:
        """Where the value at `path` begins, else the nearest value above it that the text holds."""
        nodes = self.tree.along(path)
        return self._lines.position(nodes[-1].start) if len(nodes) > 1 else None

    @cached_property
    def _lines(self) -> "_LineIndex":
        return _LineIndex(self.data)


def parse_json_text(data: bytes) -> JsonText:
    """Read a JSON object.

    Raises JsonTextError, and nothing else, for whatever is not strict JSON of at most `MAX_BYTES` bytes.
    """
    if len(data) > MAX_BYTES:
        raise JsonTextError(f"the file is larger than {MAX_BYTES >> 10} KiB; shorten it", Position(1, 1))
    if data.startswith(b"\xef\xbb\xbf"):
        raise JsonTextError("the file begins with a byte order mark; save it as UTF-8 without one", Position(1, 1))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        raise JsonTextError("the text is not UTF-8; save it as UTF-8", _position(before, len(before))) from None
    if not text.strip(_BLANKS):
        raise JsonTextError("the file is empty; write {} into it or delete it", Position(1, 1))
    _check_tokens(text)
    try:
        value = json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise _explained(text, error) from None
    except _DuplicateKeyError as error:
        raise JsonTextError(f"the key {error.key!r} stands twice; keep one of them", _second_place(data)) from None
    if not isinstance(value, dict):
        start = len(text) - len(text.lstrip(_BLANKS))
        raise JsonTextError("the file must hold one object in braces", _position(text, start))
    return JsonText(data, value)


_BLANKS = " \t\r\n"
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[\[\]{}]|-?(?:NaN|Infinity)|-?\d[\d.eE+-]*', re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_SENTENCES = {
    "Expecting property name enclosed in double quotes": "a key in double quotes is missing here",
    "Expecting value": "a value is missing here",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing here",
    "Expecting ':' delimiter": "a colon is missing here",
    "Extra data": "there is text after the end of the object; remove it",
    "Invalid control character at": "a line break or control character stands in a string; write \\n or \\t",
    "Unterminated string starting at": "this string is not closed; add the missing quote",
}


class _DuplicateKeyError(Exception):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _DuplicateKeyError(key)
            seen.add(key)
    return made


def _check_tokens(text: str) -> None:
    """Refuse what Python's reader takes (NaN, infinities, lone surrogates) or fails on otherwise (depth, digits)."""
    depth = 0
    for token in _TOKEN.finditer(text):
        word = token.group()
        problem: str | None = None
        match word[0]:
            case "{" | "[":
                depth += 1
                if depth > MAX_DEPTH:
                    problem = f"brackets are nested deeper than {MAX_DEPTH}; flatten them"
            case "}" | "]":
                depth -= 1
            case '"':
                if _SURROGATE.search(word) and not _is_unicode(word):
                    problem = "half of a surrogate pair is no character; write the character itself"
            case _ if word.endswith(("NaN", "Infinity")):
                problem = f"{word} is no JSON value; write a number or null"
            case _:
                if len(word) > MAX_DIGITS or not _is_finite(word):
                    problem = "this number is too large or too long"
        if problem is not None:
            raise JsonTextError(problem, _position(text, token.start()))


def _is_unicode(literal: str) -> bool:
    try:
        json.loads(literal).encode("utf-8")
    except json.JSONDecodeError:
        return True  # the reader will say what is wrong with it
    except UnicodeEncodeError:
        return False
    return True


def _is_finite(number: str) -> bool:
    try:
        return math.isfinite(float(number))
    except ValueError:
        return True  # the reader will say what is wrong with it


def _explained(text: str, error: json.JSONDecodeError) -> JsonTextError:
    rest = text[error.pos :].lstrip(_BLANKS)
    place = len(text) - len(rest)
    before = text[: error.pos].rstrip(_BLANKS)
    if rest.startswith(("//", "/*", "#")):
        return JsonTextError("JSON has no comments; remove this one", _position(text, place))
    if _has_trailing_comma(before, rest):
        return JsonTextError("a comma stands before a closing bracket; remove it", _position(text, place))
    if not rest and not error.msg.startswith("Unterminated"):
        return JsonTextError("the text ends before its brackets are closed", _position(text, len(text.rstrip(_BLANKS))))
    if error.msg.startswith("Invalid \\"):
        sentence = "this backslash begins no known escape; write \\\\ for a backslash"
    else:
        sentence = _SENTENCES.get(error.msg, error.msg[:1].lower() + error.msg[1:])
    return JsonTextError(sentence, _position(text, error.pos))


def _has_trailing_comma(before: str, rest: str) -> bool:
    """Python 3.13 points at the comma, earlier versions behind it."""
    if rest.startswith(","):
        return rest[1:].lstrip(_BLANKS).startswith(("}", "]"))
    return before.endswith(",") and rest.startswith(("}", "]"))


def _second_place(data: bytes) -> Position:
    for node in parse_tree(data).walk():
        seen: set[str] = set()
        for member in node.members:
            if member.key in seen:
                return _LineIndex(data).position(member.start)
            seen.add(member.key)
    return Position(1, 1)


def _position(text: str, offset: int) -> Position:
    line_start = text.rfind("\n", 0, offset) + 1
    return Position(text.count("\n", 0, offset) + 1, offset - line_start + 1)


class _LineIndex:
    """Byte offsets as lines and columns."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._starts = [0, *(found.end() for found in re.finditer(b"\n", data))]

    def position(self, offset: int) -> Position:
        line = bisect_right(self._starts, offset)
        before = self._data[self._starts[line - 1] : offset]
        return Position(line, len(before.decode("utf-8", errors="replace")) + 1)
