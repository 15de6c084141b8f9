"""Edits of a JSON text that leave every other byte alone.

Adding is a pure insertion, in the style of its surroundings: line ends, indentation, one line or many, blanks after
colons. Pure functions over `JsonText`; the text must be what the strict reader took.
"""

import json
from dataclasses import dataclass
from typing import Any

from decode_core.settings.jsontext import JsonText
from decode_core.settings.jsontree import Node, NodeKind
from decode_core.settings.places import JsonPath, dotted

_DEFAULT_UNIT = b"  "


class EditError(ValueError):
    """The text has no place for the edit; the message is the end of a sentence about the file."""


def new_text(value: dict[str, Any]) -> bytes:
    """The text of a new file."""
    return json.dumps(value, ensure_ascii=False, indent=len(_DEFAULT_UNIT)).encode() + b"\n"


def put(text: JsonText, path: tuple[str, ...], value: Any) -> bytes:
    """The text with `value` at `path`; objects on the way are made.

    Raises EditError where something else than an object stands on the way.
    """
    node = text.tree
    for depth, key in enumerate(path):
        if node.kind is not NodeKind.OBJECT:
            raise EditError(f"{dotted(path[:depth])} is not an object")
        below = node.step(key)
        if below is None:
            for missing in reversed(path[depth + 1 :]):
                value = {missing: value}
            return _inserted(text.data, node, value, _style(text), key)
        node = below
    indent = _line_indent(text.data, node.start)
    return _spliced(text.data, node.start, node.end, _style(text).rendered(value, indent))


def append(text: JsonText, path: tuple[str, ...], value: Any) -> bytes:
    """The text with `value` as the last item of the list at `path`, which is made if it is missing.

    Raises EditError where something else stands there.
    """
    node = text.tree.find(path)
    if node is None:
        return put(text, path, [value])
    if node.kind is not NodeKind.ARRAY:
        raise EditError(f"{dotted(path)} is not a list")
    return _inserted(text.data, node, value, _style(text))


def remove(text: JsonText, path: JsonPath) -> bytes:
    """The text without the member or item at `path`, which must be there."""
    parent = text.tree.find(path[:-1])
    key = path[-1]
    if parent is None or parent.step(key) is None:
        raise EditError(f"there is no {dotted(path)}")
    index = key if isinstance(key, int) else next(i for i, m in enumerate(parent.members) if m.key == key)
    children = parent.children
    if len(children) == 1:
        return _spliced(text.data, parent.start + 1, parent.end - 1, b"")
    if index + 1 < len(children):
        return _spliced(text.data, children[index].start, children[index + 1].start, b"")
    return _spliced(text.data, children[index - 1].end, children[index].end, b"")


@dataclass(frozen=True)
class _Style:
    """How a text is laid out."""

    newline: bytes
    unit: bytes
    """Indentation of one level."""
    colon: bytes
    comma: bytes
    """Behind an item of a list on one line."""
    has_lines: bool

    def rendered(self, value: Any, indent: bytes) -> bytes:
        """A value as it stands on a line indented by `indent`."""
        if not self.has_lines:
            separators = (self.comma.decode(), self.colon.decode())
            return json.dumps(value, ensure_ascii=False, separators=separators).encode()
        separators = (",", self.colon.decode())
        lines = json.dumps(value, ensure_ascii=False, indent=self.unit.decode(), separators=separators).encode()
        return lines.replace(b"\n", self.newline + indent)


def _style(text: JsonText) -> _Style:
    data, root = text.data, text.tree
    inside = data[root.start : root.end]
    has_lines = b"\n" in inside or not root.children
    unit, colon, comma = _DEFAULT_UNIT, b": ", b", "
    if root.members:
        first = root.members[0]
        if b"\n" in data[root.start : first.start]:
            unit = _line_indent(data, first.start)
        if first.value.start - first.key_end == 1:
            colon = b":"
            comma = b"," if not has_lines else comma
    return _Style(b"\r\n" if b"\r\n" in data else b"\n", unit, colon, comma, has_lines)


def _inserted(data: bytes, parent: Node, value: Any, style: _Style, key: str | None = None) -> bytes:
    """The text with a new last child of `parent`: a member if `key` is given, else an item."""
    label = b"" if key is None else json.dumps(key, ensure_ascii=False).encode() + style.colon
    if parent.children:
        separator = _separator(data, parent, style)
        if b"\n" in separator:
            child = style.rendered(value, separator.rpartition(b"\n")[2])
        else:
            child = _on_one_line(style).rendered(value, b"")
        place = parent.children[-1].end
        return _spliced(data, place, place, separator + label + child)
    place = parent.start + 1
    if not style.has_lines:
        return _spliced(data, place, place, label + style.rendered(value, b""))
    outer = _line_indent(data, parent.start)
    closing = b"" if b"\n" in data[place : parent.end] else style.newline + outer
    child = label + style.rendered(value, outer + style.unit)
    return _spliced(data, place, place, style.newline + outer + style.unit + child + closing)


def _separator(data: bytes, parent: Node, style: _Style) -> bytes:
    """What stands between two children of `parent`: as before the last one, blank lines left out."""
    children = parent.children
    if len(children) > 1:
        before = data[children[-2].end : children[-1].start].partition(b",")[2]
        one_line = b"," + before
    else:
        before = data[parent.start + 1 : children[0].start]
        one_line = style.comma
    if b"\n" not in before:
        return one_line
    newline = b"\r\n" if b"\r\n" in before else b"\n"
    return b"," + newline + before.rpartition(b"\n")[2]


def _on_one_line(style: _Style) -> _Style:
    return _Style(style.newline, style.unit, style.colon, style.comma, has_lines=False)


def _line_indent(data: bytes, offset: int) -> bytes:
    line = data[data.rfind(b"\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip(b" \t"))]


def _spliced(data: bytes, start: int, end: int, new: bytes) -> bytes:
    return data[:start] + new + data[end:]
