"""Where every value of a JSON text stands: byte ranges, for line numbers and edits.

Only for texts that the strict reader of `jsontext` took, so that tokens are all there is to look at. The grammar of
tree-sitter-json is not used: it takes `1e+16`, which is JSON, for an error.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from decode_core.settings.places import JsonPath


class NodeKind(Enum):
    """What sort of value a node is."""

    OBJECT = auto()
    ARRAY = auto()
    SCALAR = auto()


@dataclass(frozen=True)
class Node:
    """One value. `start` and `end` are byte offsets, `end` exclusive."""

    kind: NodeKind
    start: int
    end: int
    members: tuple["Member", ...] = ()
    items: tuple["Node", ...] = ()

    @property
    def children(self) -> tuple["Member | Node", ...]:
        """Members of an object or items of an array, in the order of the text."""
        return self.members or self.items

    def step(self, key: str | int) -> "Node | None":
        """The value below `key`, the last one where a key stands twice."""
        match key:
            case str():
                return next((member.value for member in reversed(self.members) if member.key == key), None)
            case int():
                return self.items[key] if 0 <= key < len(self.items) else None

    def along(self, path: JsonPath) -> list["Node"]:
        """The node itself and the values on the way along `path`, as far as they exist."""
        nodes = [self]
        for key in path:
            below = nodes[-1].step(key)
            if below is None:
                break
            nodes.append(below)
        return nodes

    def find(self, path: JsonPath) -> "Node | None":
        """The value at `path`, or None."""
        nodes = self.along(path)
        return nodes[-1] if len(nodes) == len(path) + 1 else None

    def walk(self) -> Iterator["Node"]:
        """Every value in the order of the text, parents first."""
        yield self
        for member in self.members:
            yield from member.value.walk()
        for item in self.items:
            yield from item.walk()


@dataclass(frozen=True)
class Member:
    """A key of an object with its value; `start` to `end` covers both."""

    key: str
    start: int
    key_end: int
    value: Node

    @property
    def end(self) -> int:
        """Byte offset behind the value."""
        return self.value.end


def parse_tree(data: bytes) -> Node:
    """The tree of a text that the strict reader took (a key may stand twice); undefined for any other."""
    tokens = _TOKEN.finditer(data)
    return _node(next(tokens), tokens)


_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+')


def _node(first: re.Match[bytes], tokens: Iterator[re.Match[bytes]]) -> Node:
    match first[0]:
        case b"{":
            members, end = _members(tokens)
            return Node(NodeKind.OBJECT, first.start(), end, members=members)
        case b"[":
            items, end = _items(tokens)
            return Node(NodeKind.ARRAY, first.start(), end, items=items)
        case _:
            return Node(NodeKind.SCALAR, first.start(), first.end())


def _members(tokens: Iterator[re.Match[bytes]]) -> tuple[tuple[Member, ...], int]:
    members: list[Member] = []
    while (token := next(tokens))[0] != b"}":
        if token[0] != b",":
            next(tokens)  # the colon
            members.append(Member(json.loads(token[0]), token.start(), token.end(), _node(next(tokens), tokens)))
    return tuple(members), token.end()


def _items(tokens: Iterator[re.Match[bytes]]) -> tuple[tuple[Node, ...], int]:
    items: list[Node] = []
    while (token := next(tokens))[0] != b"]":
        if token[0] != b",":
            items.append(_node(token, tokens))
    return tuple(items), token.end()
