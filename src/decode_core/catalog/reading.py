"""From an agent's file to a definition: every key validated, every fault with its place."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from decode_core.catalog.definition import (
    COLOR_PATTERN,
    EVERY_TOOL,
    MAX_TURNS,
    NAME_PATTERN,
    TOOL_NAMES,
    AgentDef,
    CatalogError,
    Layer,
    Subagent,
)
from decode_core.catalog.frontmatter import FrontMatter, read_front_matter
from decode_core.catalog.places import Place
from decode_core.catalog.report import Report, shown
from decode_core.catalog.rule_lists import RuleLists
from decode_core.catalog.yamlvalues import Scalar, Sequence
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.rules import Rule, RuleList

KNOWN_KEYS = (
    *("name", "description", "tools", "mode", "model"),
    *(in_list.value for in_list in RuleList),
    *("subagent", "max_turns", "color"),
)

_NAME = re.compile(NAME_PATTERN)
_COLOR = re.compile(COLOR_PATTERN)
_MCP_TOOL = re.compile(r"mcp__[a-z0-9-]+__(?:\*|[A-Za-z0-9_.-]+\*?)")
_NUMBER = re.compile("[1-9][0-9]{0,4}")
_ALL_TOOLS = f"the tools are {', '.join(sorted(TOOL_NAMES))}"


@dataclass(frozen=True)
class Reading:
    """What came of one file: an agent, or errors; warnings in either case."""

    name: str
    """The agent's name; where the file does not tell it, the file's name without `.md`."""
    name_place: Place = field(default_factory=Place)
    agent: AgentDef | None = None
    strict_rules: tuple[Rule, ...] = ()
    """Deny and ask rules that could be read, also of a broken file."""
    errors: tuple[CatalogError, ...] = ()
    warnings: tuple[CatalogError, ...] = ()


def read_agent(path: Path, data: bytes, layer: Layer, known_tools: Collection[str]) -> Reading:
    """Validate the bytes of an agent's file. Pure, and never raises."""
    return _Reader(path, layer, frozenset(known_tools) | TOOL_NAMES, read_front_matter(data)).read()


class _Reader:
    def __init__(self, path: Path, layer: Layer, tools: frozenset[str], front: FrontMatter) -> None:
        self._path = path
        self._layer = layer
        self._tools = tools
        self._front = front
        self._report = Report(path)

    def read(self) -> Reading:
        for fault in self._front.faults:
            self._report.fault(fault)
        if self._front.faults and not self._front.entries:
            return self._reading("", None, ())
        name, description = self._name(), self._description()
        tools, mode, model = self._tool_names(), self._mode(), self._model()
        rules = RuleLists(name or self._path.stem, self._tools, self._report).read(self._front.entries)
        subagent, max_turns, color = self._subagent(), self._max_turns(), self._color()
        extra = self._unknown_keys()
        if not self._front.body.strip():
            hint = "write what the agent is to do below the front matter"
            self._report.error(self._front.body_place, "prompt", "the prompt is empty", hint)
        if self._report.errors:
            return self._reading(name, None, rules)
        agent = AgentDef(
            name=name,
            description=description,
            tools=tools,
            mode=mode,
            model=model,
            rules=rules,
            subagent=subagent,
            max_turns=max_turns,
            color=color,
            prompt=self._front.body,
            extra=extra,
            path=self._path,
            layer=self._layer,
        )
        return self._reading(name, agent, rules)

    def _reading(self, name: str, agent: AgentDef | None, rules: tuple[Rule, ...]) -> Reading:
        return Reading(
            name=name or self._path.stem,
            name_place=self._place("name"),
            agent=agent,
            strict_rules=tuple(rule for rule in rules if rule.list.is_wide),
            errors=tuple(self._report.errors),
            warnings=tuple(self._report.warnings),
        )

    def _name(self) -> str:
        text = self._required("name", "write a short name such as code-reviewer")
        if not text or _NAME.fullmatch(text):
            return text
        problem = f"the name {shown(text)} has characters that a name cannot have"
        if len(text) > 64 and _NAME.fullmatch(text[:64]):
            problem = f"the name {shown(text)} is longer than 64 characters"
        self._report.error(self._place("name"), "name", problem, "use a-z, 0-9 and -, at most 64, the first not -")
        return ""

    def _description(self) -> str:
        text = self._required("description", "write one line that says what the agent is for").strip()
        if len(text.splitlines()) > 1:
            self._report.error(
                self._place("description"), "description", "the description has more than one line", "keep one"
            )
        return text

    def _tool_names(self) -> tuple[str, ...]:
        hint = 'write tools: [read, glob, grep], or ["*"] for all'
        entry = self._front.entries.get("tools")
        if entry is None:
            self._report.error(Place(), "tools", "the tools are missing", hint)
            return ()
        if not isinstance(entry.value, Sequence):
            self._report.error(entry.value.place, "tools", "the tools are not a list", hint)
            return ()
        names: dict[str, None] = {}
        for item in entry.value.items:
            if not isinstance(item, Scalar) or item.kind != "str":
                self._report.error(item.place, "tools", "a tool is not a name", hint)
            elif self._is_tool(item.text):
                names[item.text] = None
            else:
                meant = self._report.did_you_mean(item.text, self._tools) or _ALL_TOOLS
                self._report.error(item.place, "tools", f"unknown tool {shown(item.text)}", meant)
        return tuple(names)

    def _is_tool(self, name: str) -> bool:
        return name == EVERY_TOOL or name in self._tools or _MCP_TOOL.fullmatch(name) is not None

    def _mode(self) -> PermissionMode:
        modes = ", ".join(PermissionMode)
        text = self._required("mode", f"write one of {modes}")
        if not text:
            return PermissionMode.DEFAULT
        try:
            mode = PermissionMode.parse(text)
        except ValueError:
            problem, hint = f"unknown mode {shown(text)}", f"the modes are {modes}"
            self._report.error(self._place("mode"), "mode", problem, hint)
            return PermissionMode.DEFAULT
        if mode is PermissionMode.BYPASS and self._layer is Layer.PROJECT:
            problem = "an agent of a project may not say bypass"
            self._report.error(self._place("mode"), "mode", problem, "write default or edit; the person chooses bypass")
        return mode

    def _model(self) -> str | None:
        text = self._optional("model", "write a model such as openai:gpt-5, or leave the line out")
        if text is not None and text.startswith("script:"):
            problem = "an agent may not name a scripted model"
            self._report.error(self._place("model"), "model", problem, "name it on the command line with --model")
        return text

    def _subagent(self) -> Subagent:
        hint = f"write one of {', '.join(Subagent)}"
        text = self._optional("subagent", hint)
        if text is None:
            return Subagent.PRIMARY
        try:
            return Subagent(text)
        except ValueError:
            problem = f"unknown value {shown(text)} of subagent"
            self._report.error(self._place("subagent"), "subagent", problem, hint)
            return Subagent.PRIMARY

    def _max_turns(self) -> int | None:
        entry = self._front.entries.get("max_turns")
        if entry is None:
            return None
        value = entry.value
        if isinstance(value, Scalar) and value.kind == "int" and _NUMBER.fullmatch(value.text):
            return int(value.text)
        problem = f"max_turns is not a number from 1 to {MAX_TURNS:,}"
        self._report.error(value.place, "max_turns", problem, "write max_turns: 40, or leave the line out")
        return None

    def _color(self) -> str | None:
        # without quotes, # begins a comment and nothing is left
        hint = 'write color: "#7aa2f7", with the quotes'
        text = self._optional("color", hint)
        if text is not None and not _COLOR.fullmatch(text):
            self._report.error(self._place("color"), "color", f"{shown(text)} is not a colour", hint)
        return text

    def _unknown_keys(self) -> tuple[tuple[str, str], ...]:
        unknown = [(key, entry) for key, entry in self._front.entries.items() if key not in KNOWN_KEYS]
        for key, entry in unknown:
            meant = self._report.did_you_mean(key, KNOWN_KEYS)
            self._report.warn(entry.place, key, f"unknown key {shown(key)}, kept and not used", meant)
        return tuple((key, entry.written) for key, entry in unknown)

    def _required(self, key: str, hint: str) -> str:
        """The text of a key that every agent has; empty where a fault says why there is none."""
        if key not in self._front.entries:
            self._report.error(Place(), key, f"the {key} is missing", hint)
            return ""
        return self._text(key, hint)

    def _optional(self, key: str, hint: str) -> str | None:
        """The text of a key that may be left out; None where it is, or where a fault says what is wrong."""
        return self._text(key, hint) or None if key in self._front.entries else None

    def _text(self, key: str, hint: str) -> str:
        value = self._front.entries[key].value
        match value:
            case Scalar(kind="str") if value.text.strip():
                return value.text.strip()
            case Scalar(kind="str"):
                self._report.error(value.place, key, f"the {key} is blank", hint)
            case Scalar(kind="null"):
                self._report.error(value.place, key, f"the {key} is empty", hint)
            case Scalar(kind=kind):
                # YAML reads no, on, 3 and 2024-01-01 as something else than text
                problem = f"the {key} is not text: YAML reads {shown(value.text)} without quotes as {kind}"
                self._report.error(value.place, key, problem, hint)
            case _:
                self._report.error(value.place, key, f"the {key} is not text", hint)
        return ""

    def _place(self, key: str) -> Place:
        entry = self._front.entries.get(key)
        return entry.value.place if entry is not None else Place()
