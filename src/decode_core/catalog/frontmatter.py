"""Reads the YAML front matter of an agent's file, every fault with its line and column.

YAML is composed by the safe loader into nodes, never constructed into objects; aliases are refused, which bounds what
a small file can expand to.
"""

from dataclasses import dataclass, field

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

MAX_BYTES = 256 * 1024
MAX_DEPTH = 16

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SAFE_TAGS = frozenset(
    f"tag:yaml.org,2002:{kind}" for kind in ("str", "int", "float", "bool", "null", "seq", "map", "timestamp")
)


@dataclass(frozen=True)
class Place:
    """A place in the file, counted from 1."""

    line: int = 1
    column: int = 1


@dataclass(frozen=True)
class Fault:
    """Something wrong, at a place."""

    place: Place
    problem: str
    hint: str = ""
    field: str = ""


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
    """A nested mapping; agents have none, so only its place matters."""

    place: Place


Value = Scalar | Sequence | Mapping


@dataclass
class FrontMatter:
    """The keys of the front matter in order, the text below it, and what is wrong."""

    values: dict[str, Value] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    body: str = ""
    faults: list[Fault] = field(default_factory=list)


def read_front_matter(data: bytes) -> FrontMatter:
    """Split and read a file. Never raises: whatever is wrong stands in `faults`."""
    result = FrontMatter()
    text = _decode(data, result)
    if text is None:
        return result
    lines = text.splitlines(keepends=True)
    if not lines or lines[0].rstrip() != "---":
        result.faults.append(Fault(Place(), "there is no front matter", "begin the file with a line of three dashes"))
        return result
    end = next((index for index, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        result.faults.append(Fault(Place(), "the front matter is not closed", "end it with a line of three dashes"))
        return result
    result.body = "".join(lines[end + 1 :])
    root = _compose("".join(lines[1:end]), result)
    if root is not None:
        _read_keys(root, result)
    return result


def _decode(data: bytes, result: FrontMatter) -> str | None:
    if len(data) > MAX_BYTES:
        problem = f"the file has {len(data):,} bytes; {MAX_BYTES:,} is the limit"
        result.faults.append(Fault(Place(), problem, "move long texts into files that the agent can read"))
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        place = Place(before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1)
        result.faults.append(Fault(place, "the file is not UTF-8", "save it as UTF-8"))
        return None


def _compose(text: str, result: FrontMatter) -> MappingNode | None:
    """Parse the YAML text between the fences (line 2 of the file on) to nodes."""
    try:
        fault = _forbidden(text)
        if fault is not None:
            result.faults.append(fault)
            return None
        root = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = f"YAML: {error.problem or error.context or 'syntax error'}"
        result.faults.append(Fault(_place(mark) if mark else Place(2), problem, "check quotes, brackets and indents"))
        return None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        result.faults.append(Fault(Place(2), f"YAML: {first}", "check quotes, brackets and indents"))
        return None
    if not isinstance(root, MappingNode):
        result.faults.append(Fault(Place(2), "the front matter is not a mapping", "write lines like `name: reviewer`"))
        return None
    return root


def _forbidden(text: str) -> Fault | None:
    """An alias or a deep nest, found in the flat stream of events before anything is expanded or recursed into."""
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        place = _place(event.start_mark) if event.start_mark else Place(2)
        if isinstance(event, yaml.AliasEvent):
            return Fault(place, "YAML aliases are not allowed", "write the value out")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                return Fault(place, f"the YAML is nested deeper than {MAX_DEPTH} levels", "agents need two")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    return None


def _read_keys(root: MappingNode, result: FrontMatter) -> None:
    for key_node, value_node in root.value:
        place = _place(key_node.start_mark)
        if not isinstance(key_node, ScalarNode):
            result.faults.append(Fault(place, "a key is not a plain word", "write lines like `name: reviewer`"))
            continue
        key = key_node.value
        if key in result.values:
            result.faults.append(Fault(place, f"the key {key!r} stands twice", "keep one of them", key))
            continue
        value = _read_value(value_node, key, result)
        if value is not None:
            result.values[key] = value
            result.places[key] = place


def _read_value(node: Node, key: str, result: FrontMatter) -> Value | None:
    place = _place(node.start_mark)
    if node.tag not in _SAFE_TAGS:
        result.faults.append(Fault(place, f"the YAML tag {node.tag!r} is not allowed", "remove it", key))
        return None
    if isinstance(node, ScalarNode):
        return Scalar(node.value, node.tag.rpartition(":")[2], place)
    if isinstance(node, SequenceNode):
        items = (_read_value(item, key, result) for item in node.value)
        return Sequence(tuple(item for item in items if item is not None), place)
    return Mapping(place)


def _place(mark: "yaml.Mark | yaml._yaml.Mark") -> Place:
    # the text that YAML saw begins at line 2 of the file
    return Place(mark.line + 2, mark.column + 1)
