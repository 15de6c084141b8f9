"""Script files: what a scripted model answers, written as YAML (core.md §5).

A script is read with a safe loader, checked as a whole, and every fault is told with its line. Anchors and aliases are
refused: a few lines of them can unfold to gigabytes.
"""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

MAX_BYTES = 32_000_000
"""The largest script that is read."""
MAX_DEPTH = 100
"""The deepest nesting of lists and mappings that is read."""

_LOADER: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class ExpectedOutcome(StrEnum):
    """How the result of a call has to have come out."""

    OK = "ok"
    FAILED = "failed"
    DENIED = "denied"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class ScriptCall(_Part):
    """A call of a tool that the model makes."""

    tool: str = Field(min_length=1)
    args: dict[str, JsonValue] = Field(default_factory=dict)


class ScriptUsage(_Part):
    """Tokens that the response reports."""

    input: int = Field(default=0, ge=0)
    output: int = Field(default=0, ge=0)


class ExpectedResult(_Part):
    """What the result of one call has to be; what is left out is not looked at."""

    tool: str = Field(min_length=1)
    outcome: ExpectedOutcome | None = None
    contains: str | None = None


class Expectation(_Part):
    """What a request has to hold before its response is given.

    `results` are all the results since the last response, in the order of their calls.
    """

    results: tuple[ExpectedResult, ...] | None = None
    tools_include: tuple[str, ...] = ()
    tools_exclude: tuple[str, ...] = ()
    instructions_contain: str | None = None


class ScriptFault(_Part):
    """An error of the provider: its HTTP status, and how many seconds it asks to wait."""

    status: int = Field(ge=400, le=599)
    retry_after: float | None = Field(default=None, ge=0)


class ScriptResponse(_Part):
    """One response. An error comes after the thinking and the text, as in a stream that breaks off."""

    thinking: str = ""
    text: str = ""
    calls: tuple[ScriptCall, ...] = ()
    usage: ScriptUsage | None = None
    expect: Expectation | None = None
    error: ScriptFault | None = None

    @model_validator(mode="after")
    def _error_makes_no_calls(self) -> "ScriptResponse":
        if self.error is not None and self.calls:
            raise ValueError("a response with an error cannot make calls; move them to a response of their own")
        return self


class Script(_Part):
    """A whole script: one response a model request, in order."""

    version: Literal[1]
    chunk: int = Field(default=24, ge=1, le=1_000_000)
    """Characters in a streamed delta."""
    delay_ms: Annotated[float, Field(ge=0, le=60_000)] = 0
    """Milliseconds between two deltas."""
    responses: tuple[ScriptResponse, ...]
    name: str = Field(default="script", exclude=True)
    """What messages call the script: the name of its file."""


@dataclass(frozen=True)
class ScriptProblem:
    """One fault of a script: its line, counted from 1, and a sentence."""

    line: int
    sentence: str


class ScriptError(ValueError):
    """A script that cannot be used. As text: one `path:line: sentence` for each fault."""

    def __init__(self, path: Path, problems: tuple[ScriptProblem, ...]) -> None:
        self.path = path
        self.problems = problems
        super().__init__("\n".join(f"{path}:{problem.line}: {problem.sentence}" for problem in problems))


def load_script(path: Path) -> Script:
    """Read the script at `path`. Raises ScriptError with every fault that was found."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = (error.strerror or "it is out of reach").lower()
        raise ScriptError(path, (ScriptProblem(1, f"the script cannot be read: {reason}"),)) from error
    return parse_script(data, path)


def parse_script(data: bytes, path: Path = Path("script.yaml")) -> Script:
    """Read a script from its bytes; `path` names it in messages. Raises ScriptError like `load_script`."""
    try:
        root = _compose(data)
        value = _construct(root)
    except _FlawError as flaw:
        raise ScriptError(path, (ScriptProblem(flaw.line, flaw.sentence),)) from flaw
    if isinstance(value, dict) and "name" in value:
        raise ScriptError(path, (ScriptProblem(_locate(root, ("name",))[0], _unknown_key("name", Script)),))
    try:
        script = Script.model_validate(value)
    except ValidationError as error:
        found = [_problem(root, dict(each)) for each in error.errors(include_url=False)]
        raise ScriptError(path, tuple(sorted(found, key=lambda problem: problem.line))) from error
    return script.model_copy(update={"name": path.name})


class _FlawError(Exception):
    """A fault that ends the reading."""

    def __init__(self, line: int, sentence: str) -> None:
        self.line = line
        self.sentence = sentence
        super().__init__(sentence)


def _compose(data: bytes) -> yaml.Node:
    if len(data) > MAX_BYTES:
        raise _FlawError(1, f"the script is larger than {MAX_BYTES // 1_000_000} MB; split it")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _FlawError(line, "the script is not UTF-8; save it in that encoding") from error
    try:
        _check_shape(text)
        root: yaml.Node | None = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        raise _FlawError(_error_line(error), f"this is not YAML: {_yaml_reason(error)}") from error
    if not isinstance(root, yaml.MappingNode):
        raise _FlawError(1, "a script is a mapping that starts with `version: 1`")
    _check_keys(root)
    return root


def _check_shape(text: str) -> None:
    """Refuse what would be costly to build, looking at events alone."""
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _FlawError(line, "anchors and aliases are not supported; write the value out")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise _FlawError(line, f"lists and mappings are nested deeper than {MAX_DEPTH} levels")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _check_keys(root: yaml.Node) -> None:
    """Make every key the text that was written, and refuse it where it stands twice."""
    for node in _nodes(root):
        if not isinstance(node, yaml.MappingNode):
            continue
        seen: set[str] = set()
        for key, _ in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise _FlawError(line, "a key has to be plain text")
            key.tag = "tag:yaml.org,2002:str"  # `on` and `1` are names here, not a boolean and a number
            if key.value in seen:
                raise _FlawError(line, f'the key "{key.value}" is there twice; remove one')
            seen.add(key.value)


def _nodes(root: yaml.Node) -> Iterator[yaml.Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        match node:
            case yaml.MappingNode():
                stack.extend(value for _, value in reversed(node.value))
            case yaml.SequenceNode():
                stack.extend(reversed(node.value))


class _Constructor(yaml.constructor.SafeConstructor):
    """Builds plain values; a date stays the text that was written, since arguments are JSON."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: FBT001, FBT002 - the library's
        """Build one value. Raises _FlawError, with its line, for a scalar that its type cannot hold."""
        try:
            return super().construct_object(node, deep=deep)
        except (ValueError, OverflowError) as error:
            raise _FlawError(node.start_mark.line + 1, "this is no value of its type; put it in quotes") from error


_Constructor.add_constructor("tag:yaml.org,2002:timestamp", lambda _, node: node.value)


def _construct(root: yaml.Node) -> Any:
    try:
        return _Constructor().construct_document(root)
    except yaml.YAMLError as error:
        raise _FlawError(_error_line(error), _yaml_reason(error)) from error


def _error_line(error: yaml.YAMLError) -> int:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    return mark.line + 1 if mark is not None else 1


def _yaml_reason(error: yaml.YAMLError) -> str:
    reason = getattr(error, "problem", None) or getattr(error, "reason", None)
    return str(reason or "it cannot be parsed").strip().splitlines()[0]


def _problem(root: yaml.Node, error: dict[str, Any]) -> ScriptProblem:
    line, key = _locate(root, error["loc"])
    return ScriptProblem(line, _sentence(error, key))


def _locate(root: yaml.Node, loc: tuple[int | str, ...]) -> tuple[int, str]:
    """The line of the node that `loc` names, or of the last one on the way to it, and the last key on that way."""
    node, line, last = root, root.start_mark.line, ""
    for step in loc:
        match node:
            case yaml.MappingNode():
                found = next(((key, value) for key, value in node.value if key.value == step), None)
                if found is None:
                    break
                line, last, node = found[0].start_mark.line, found[0].value, found[1]
            case yaml.SequenceNode() if isinstance(step, int) and step < len(node.value):
                node = node.value[step]
                line = node.start_mark.line
            case _:
                break
    return int(line) + 1, last


_MODELS: dict[str, type[BaseModel]] = {
    "": Script,
    "responses": ScriptResponse,
    "calls": ScriptCall,
    "usage": ScriptUsage,
    "expect": Expectation,
    "results": ExpectedResult,
    "error": ScriptFault,
}


def _sentence(error: dict[str, Any], key: str) -> str:
    names = [step for step in error["loc"] if isinstance(step, str)]
    match error["type"]:
        case "missing":
            return f'"{names[-1]}" is missing'
        case "extra_forbidden":
            return _unknown_key(key, _MODELS.get(names[-2] if len(names) > 1 else "", Script))
        case "value_error":
            return str(error["ctx"]["error"])
        case "string_type":
            return f'"{key}" should be text; put it in quotes'
        case "model_type":
            return f'"{key}" should hold keys and values'
        case _:
            asked = error["msg"].removeprefix("Input ").removeprefix("Value ")
            return f'"{key}" {asked[:1].lower()}{asked[1:]}'


def _unknown_key(key: str, model: type[BaseModel]) -> str:
    known = [name for name in model.model_fields if (model, name) != (Script, "name")]
    near = difflib.get_close_matches(key, known, n=1)
    way_out = f'did you mean "{near[0]}"?' if near else f"known here: {', '.join(known)}"
    return f'unknown key "{key}"; {way_out}'
