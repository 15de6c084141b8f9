"""Where every value of a JSON text stands: byte ranges from tree-sitter.

Only for texts that the strict reader of `jsontext` took. The module imports tree-sitter and is itself imported only
when a position is wanted, so that reading a small file at start costs no grammar.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

import tree_sitter
import tree_sitter_json

from decode_core.settings.places import JsonPath

_LANGUAGE = tree_sitter.Language(tree_sitter_json.language())


class TreeError(Exception):
    """The grammar reads the text otherwise than the strict reader did; the message is one sentence."""


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
    """The tree of a JSON text whose root is one object.

    Raises TreeError where the grammar finds an error after all.
    """
    root = tree_sitter.Parser(_LANGUAGE).parse(data).root_node
    if root.has_error or root.named_child_count != 1:
        raise TreeError("the text cannot be edited by a program; change it by hand")
    return _node(root.named_children[0])


def _node(raw: tree_sitter.Node) -> Node:
    match raw.type:
        case "object":
            members = tuple(_member(pair) for pair in raw.named_children)
            return Node(NodeKind.OBJECT, raw.start_byte, raw.end_byte, members=members)
        case "array":
            items = tuple(_node(item) for item in raw.named_children)
            return Node(NodeKind.ARRAY, raw.start_byte, raw.end_byte, items=items)
        case "string" | "number" | "true" | "false" | "null":
            return Node(NodeKind.SCALAR, raw.start_byte, raw.end_byte)
        case other:
            raise TreeError(f"a {other} stands in the text; JSON has none")


def _member(pair: tree_sitter.Node) -> Member:
    key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
    if key is None or value is None or key.text is None:
        raise TreeError("a key without a value stands in the text")
    return Member(json.loads(key.text), key.start_byte, key.end_byte, _node(value))
