"""Reads one YAML mapping into values that know their place, whoever wrote it.

The safe loader composes nodes; nothing is ever constructed, so no tag can build an object. Depth and number of values
are limited on the flat stream of events, before anything recurses, and again while aliases are followed: a small file
cannot expand to a large one.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from decode_core.catalog.places import Fault, Place

MAX_DEPTH = 16
MAX_VALUES = 10_000

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CORE = "tag:yaml.org,2002:"
_SAFE_TAGS = frozenset(f"{_CORE}{kind}" for kind in ("str", "int", "float", "bool", "null", "seq", "map", "timestamp"))
_MERGE = f"{_CORE}merge"
_NOT_ALLOWED = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""What YAML does not allow, and U+0085, U+2028 and U+2029: YAML ends a line there, editors show none."""
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Scalar:
    """A single value: its text, its kind (str, int, float, bool, null, timestamp) and its place."""

    text: str
    kind: str
    place: Place


@dataclass(frozen=True)
class Sequence:
    """A list of values."""

    items: "tuple[Value, ...]"
    place: Place


@dataclass(frozen=True)
class Mapping:
    """A nested mapping; agents know none, so only its place matters."""

    place: Place


Value = Scalar | Sequence | Mapping


@dataclass(frozen=True)
class Entry:
    """One key: its place, its value, and the value as it is written."""

    place: Place
    value: Value
    written: str


def read_mapping(text: str, place_of: Callable[[int], Place]) -> tuple[dict[str, Entry], list[Fault]]:
    """Read a mapping, keys in order; `place_of` tells the place of a character of `text` in its file.

    Never raises. A text that is no mapping, or too large a one, has no entries and at least one fault.
    """
    reader = _Reader(text, place_of)
    try:
        reader.read()
    except _Refused as refused:
        # half of the keys would look as if the others were missing
        return {}, [*reader.faults, refused.fault]
    return reader.entries, reader.faults


class _Refused(Exception):  # noqa: N818 - it ends the reading, with a fault
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.problem)
        self.fault = fault


class _Reader:
    def __init__(self, text: str, place_of: Callable[[int], Place]) -> None:
        self.entries: dict[str, Entry] = {}
        self.faults: list[Fault] = []
        self._text = text
        self._place_of = place_of
        self._room = MAX_VALUES

    def read(self) -> None:
        found = _NOT_ALLOWED.search(self._text)
        if found is not None:
            problem = f"YAML: the character U+{ord(found.group()):04X} is not allowed"
            raise _Refused(Fault(self._place_of(found.start()), problem, "remove it"))
        try:
            self._refuse_by_events()
            root = yaml.compose(self._text, Loader=_LOADER)
        except yaml.MarkedYAMLError as error:
            raise _Refused(self._syntax_fault(error)) from error
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            # such as an escape beyond Unicode; the loader does not say where
            problem = f"YAML: {_clipped(str(error) or type(error).__name__)}"
            raise _Refused(Fault(self._place_of(0), problem)) from error
        if root is None:
            hint = "write name, description, tools and mode"
            raise _Refused(Fault(self._place_of(0), "the front matter is empty", hint))
        if not isinstance(root, MappingNode):
            problem = "the front matter is not a mapping"
            raise _Refused(Fault(self._place(root), problem, "write lines like name: reviewer"))
        for key, (key_node, value_node) in self._pairs(root, ""):
            value = self._value(value_node, key, 1)
            written = self._text[value_node.start_mark.index : value_node.end_mark.index].strip()
            self.entries[key] = Entry(self._place(key_node), value, written)

    def _refuse_by_events(self) -> None:
        depth = count = 0
        for event in yaml.parse(self._text, Loader=_LOADER):
            if isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
                continue
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            count += isinstance(event, yaml.NodeEvent)
            tag = getattr(event, "tag", None)
            tag_is_safe = tag is None or tag == "!" or tag in _SAFE_TAGS
            if tag_is_safe and depth <= MAX_DEPTH and count <= 2 * MAX_VALUES:
                continue
            place = self._place_of(event.start_mark.index if event.start_mark else 0)
            if depth > MAX_DEPTH:
                raise _Refused(_too_deep(place))
            if count > 2 * MAX_VALUES:
                raise _Refused(_too_many(place))
            raise _Refused(Fault(place, f"the YAML tag {_clipped(str(tag))!r} is not allowed", "remove it"))

    def _pairs(self, node: MappingNode, field: str) -> "list[tuple[str, tuple[Node, Node]]]":
        """The pairs of a mapping by key. A key that stands twice counts once, the first time, and is a fault."""
        pairs: dict[str, tuple[Node, Node]] = {}
        for key_node, value_node in node.value:
            place = self._place(key_node)
            if not isinstance(key_node, ScalarNode):
                hint = "write lines like name: reviewer"
                self.faults.append(Fault(place, "a key is not a plain word", hint, field))
            elif key_node.tag == _MERGE:
                # left out, it would lose rules that its writer counts on
                self.faults.append(Fault(place, "YAML merges (<<) are not supported", "write the keys out", field))
            elif (key := key_node.value) in pairs:
                problem = f"the key {_clipped(key)!r} stands twice"
                first = self._place(pairs[key][0])
                self.faults.append(Fault(place, problem, f"the first is in line {first.line}; keep one", field or key))
            else:
                pairs[key] = key_node, value_node
        return list(pairs.items())

    def _value(self, node: Node, field: str, depth: int) -> Value:
        place = self._place(node)
        self._room -= 1
        if self._room < 0:
            raise _Refused(_too_many(place))
        if depth > MAX_DEPTH:
            raise _Refused(_too_deep(place))
        match node:
            case ScalarNode():
                if _SURROGATE.search(node.value):
                    problem = "the text has a character that is not Unicode"
                    self.faults.append(Fault(place, problem, "remove the escape", field))
                return Scalar(node.value, node.tag.removeprefix(_CORE), place)
            case SequenceNode():
                return Sequence(tuple(self._value(item, field, depth + 1) for item in node.value), place)
            case MappingNode():
                for _, (_, value_node) in self._pairs(node, field):
                    self._value(value_node, field, depth + 1)
        return Mapping(place)

    def _syntax_fault(self, error: yaml.MarkedYAMLError) -> Fault:
        mark, context = error.problem_mark, error.context_mark
        problem = error.problem or "syntax error"
        index = mark.index if mark is not None else 0
        last = max(len(self._text.rstrip()) - 1, 0)
        if index > last:
            # the end is only where the loader gave up: what was never closed is what has to be mended
            index = min(context.index if context is not None else last, last)
        elif context is not None and context.index != index:
            begin = self._place_of(context.index)
            problem = f"{problem} ({error.context}, which begins at {begin.line}:{begin.column})"
        return Fault(self._place_of(index), f"YAML: {_clipped(problem)}", self._way_out(error, index))

    def _way_out(self, error: yaml.MarkedYAMLError, index: int) -> str:
        told = f"{error.context or ''} {error.problem or ''}"
        if self._text[index : index + 1] == "\t":
            return "indent with blanks, not with tabs"
        return next((hint for part, hint in _WAYS_OUT if part in told), "check quotes, brackets and indents")

    def _place(self, node: Node) -> Place:
        return self._place_of(node.start_mark.index)


_WAYS_OUT = (
    ("mapping values are not allowed", 'put a text that holds ": " in quotes'),
    ("alias", 'put a text that begins with * in quotes, like ["*"]'),
    ("tab character", "indent with blanks, not with tabs"),
    ("cannot start any token", "put the text in quotes"),
    ("escape", "double the backslash, or use single quotes"),
    ("quoted scalar", "close the quote"),
    ("flow sequence", "close the list with ]"),
    ("flow mapping", "close the mapping with }"),
    ("flow node", "close the bracket"),
)


def _too_deep(place: Place) -> Fault:
    return Fault(place, f"the YAML nests deeper than {MAX_DEPTH} levels", "an agent needs two")


def _too_many(place: Place) -> Fault:
    return Fault(place, f"the YAML holds more than {MAX_VALUES:,} values, aliases expanded", "write fewer of them")


def _clipped(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 160 else line[:159] + "…"
