"""From an agent's file to a definition: every key validated, every fault with its place."""

import difflib
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from decode_core.catalog.definition import TOOL_NAMES, AgentDef, CatalogError, Layer, Subagent
from decode_core.catalog.frontmatter import FrontMatter, Place, Scalar, Sequence, read_front_matter
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.rules import MAX_RULES_PER_LAYER, Rule, RuleError, RuleList, RuleSource, parse_rule

KNOWN_KEYS = (
    *("name", "description", "tools", "mode", "model", "allow", "deny", "ask", "readonly"),
    *("subagent", "max_turns", "color"),
)

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass
class Reading:
    """What came of one file: an agent, or errors; warnings in either case."""

    agent: AgentDef | None = None
    errors: list[CatalogError] = field(default_factory=list)
    warnings: list[CatalogError] = field(default_factory=list)


def read_agent(path: Path, data: bytes, layer: Layer, known_tools: Collection[str]) -> Reading:
    """Validate the bytes of an agent's file. Pure, and never raises."""
    return _Reader(path, layer, frozenset(known_tools) | TOOL_NAMES).read(read_front_matter(data))


class _Reader:
    def __init__(self, path: Path, layer: Layer, tools: frozenset[str]) -> None:
        self._path = path
        self._layer = layer
        self._tools = tools
        self._result = Reading()

    def read(self, front: FrontMatter) -> Reading:
        for fault in front.faults:
            self._error(fault.place, fault.field, fault.problem, fault.hint)
        if front.faults and not front.values:
            return self._result
        self._front = front
        self._warn_unknown_keys()
        name, description = self._name(), self._description()
        tools, mode, model = self._tool_names(), self._mode(), self._text("model")
        rules = tuple(rule for kind in RuleList for rule in self._rules(kind, name))
        subagent, max_turns, color = self._subagent(), self._max_turns(), self._color()
        if not front.body.strip():
            self._error(
                Place(), "prompt", "the prompt is empty", "write what the agent is to do below the front matter"
            )
        if not self._result.errors:
            self._result.agent = AgentDef(
                name=name,
                description=description,
                tools=tools,
                mode=mode,
                model=model,
                rules=rules,
                subagent=subagent,
                max_turns=max_turns,
                color=color,
                prompt=front.body,
                path=self._path,
                layer=self._layer,
            )
        return self._result

    def _name(self) -> str:
        text = self._required("name", "a short name such as code-reviewer")
        if text and not _NAME.fullmatch(text):
            problem = f"the name {text!r} has characters that a name cannot have"
            self._error(self._place("name"), "name", problem, "use a-z, 0-9 and -, at most 64, not - first")
        return text

    def _description(self) -> str:
        text = self._required("description", "one line that says what the agent is for")
        if "\n" in text.strip():
            self._error(self._place("description"), "description", "the description has more than one line", "keep one")
        return text.strip()

    def _tool_names(self) -> tuple[str, ...]:
        value = self._front.values.get("tools")
        if value is None:
            self._error(Place(), "tools", "tools are missing", 'write tools: [read, glob, grep], or ["*"] for all')
            return ()
        if not isinstance(value, Sequence):
            self._error(value.place, "tools", "tools are not a list", "write tools: [read, glob, grep]")
            return ()
        names: list[str] = []
        for item in value.items:
            if not isinstance(item, Scalar) or item.kind != "str":
                self._error(item.place, "tools", "a tool is not a name", "write names of tools only")
            elif self._is_tool(item.text):
                names.append(item.text)
            else:
                self._error(item.place, "tools", f"unknown tool {item.text!r}", _did_you_mean(item.text, self._tools))
        return tuple(names)

    def _is_tool(self, name: str) -> bool:
        return name == "*" or name in self._tools or re.fullmatch(r"mcp__[a-z0-9-]+__[\w.-]*\*?", name) is not None

    def _mode(self) -> PermissionMode:
        text = self._text("mode")
        if text is None:
            return PermissionMode.DEFAULT
        try:
            mode = PermissionMode.parse(text)
        except ValueError as error:
            self._error(self._place("mode"), "mode", str(error).partition(";")[0], str(error).partition("; ")[2])
            return PermissionMode.DEFAULT
        if mode is PermissionMode.BYPASS and self._layer is Layer.PROJECT:
            self._error(
                self._place("mode"), "mode", "a project's agent may not say bypass", "the person chooses bypass"
            )
        return mode

    def _rules(self, kind: RuleList, agent: str) -> Iterable[Rule]:
        value = self._front.values.get(kind.value)
        if value is None or (isinstance(value, Scalar) and value.kind == "null"):
            return
        if not isinstance(value, Sequence):
            hint = f'write {kind.value}: ["bash(git *)"]'
            self._error(value.place, kind.value, f"{kind.value} is not a list of rules", hint)
            return
        if len(value.items) > MAX_RULES_PER_LAYER:
            self._error(value.place, kind.value, f"more than {MAX_RULES_PER_LAYER} rules", "merge some of them")
            return
        for item in value.items:
            if not isinstance(item, Scalar) or item.kind != "str":
                self._error(item.place, kind.value, "a rule is not a string", 'write "bash(git *)"')
                continue
            try:
                yield parse_rule(item.text, kind, RuleSource.AGENT, item.place.line)
            except RuleError as error:
                self._error(item.place, kind.value, f"agent {agent or '?'}, list {kind.value}: {error}")

    def _subagent(self) -> Subagent:
        text = self._text("subagent")
        if text is None:
            return Subagent.PRIMARY
        try:
            return Subagent(text)
        except ValueError:
            hint = f"it is one of {', '.join(Subagent)}"
            self._error(self._place("subagent"), "subagent", f"unknown value {text!r} for subagent", hint)
            return Subagent.PRIMARY

    def _max_turns(self) -> int | None:
        value = self._front.values.get("max_turns")
        if value is None:
            return None
        if isinstance(value, Scalar) and value.kind == "int" and re.fullmatch(r"[1-9][0-9]{0,4}", value.text):
            return int(value.text)
        self._error(value.place, "max_turns", "max_turns is not a number from 1 to 99,999", "write max_turns: 40")
        return None

    def _color(self) -> str | None:
        text = self._text("color")
        if text is not None and not _COLOR.fullmatch(text):
            self._error(self._place("color"), "color", f"{text!r} is not a colour", 'write color: "#7aa2f7"')
        return text

    def _required(self, key: str, what: str) -> str:
        value = self._front.values.get(key)
        if value is None:
            self._error(Place(), key, f"the {key} is missing", f"write {key}: {what}")
            return ""
        if not isinstance(value, Scalar) or value.kind != "str":
            self._error(value.place, key, f"the {key} is not text", f"write {key}: {what}")
            return ""
        if not value.text.strip():
            self._error(value.place, key, f"the {key} is blank", f"write {key}: {what}")
            return ""
        return value.text

    def _text(self, key: str) -> str | None:
        value = self._front.values.get(key)
        if value is None or (isinstance(value, Scalar) and value.kind == "null"):
            return None
        if not isinstance(value, Scalar) or value.kind != "str" or not value.text.strip():
            self._error(value.place, key, f"{key} is not text", f"write {key}: and a word, or leave the line out")
            return None
        return value.text.strip()

    def _warn_unknown_keys(self) -> None:
        for key, place in self._front.places.items():
            if key not in KNOWN_KEYS:
                hint = _did_you_mean(key, KNOWN_KEYS)
                self._result.warnings.append(self._at(place, key, f"unknown key {key!r}, kept and ignored", hint))

    def _place(self, key: str) -> Place:
        return self._front.values[key].place

    def _error(self, place: Place, key: str, problem: str, hint: str = "") -> None:
        self._result.errors.append(self._at(place, key, problem, hint))

    def _at(self, place: Place, key: str, problem: str, hint: str) -> CatalogError:
        return CatalogError(self._path, place.line, place.column, key, problem, hint)


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, sorted(known), n=1)
    return f"did you mean {close[0]}?" if close else ""
