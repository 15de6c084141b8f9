"""One settings file, read: the rules and values that count, and everything that is wrong with it."""

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from decode_core.permissions.rules import MAX_RULES_PER_LAYER, Rule, RuleError, RuleList, RuleSource, parse_rule
from decode_core.settings.files import ReadFile, SettingsReadError, read_settings_file, user_settings_file
from decode_core.settings.jsontext import JsonText, JsonTextError, parse_json_text
from decode_core.settings.merge import without
from decode_core.settings.places import JsonPath, Position, dotted
from decode_core.settings.problems import MAX_PROBLEMS, ProblemKind, ProblemList, SettingsProblem
from decode_core.settings.rights import ProjectMay, refused_keys
from decode_core.settings.schema import known_part, normalise, wrong_values

PROVABLE_TOOLS = frozenset({"bash"})
"""Tools whose calls can be proven to be reads; a readonly rule for another one can do nothing (permissions.md §6)."""


@dataclass(frozen=True)
class Layer:
    """What one file contributes. `broken` is what makes settings degraded (permissions.md §3.3)."""

    source: RuleSource
    file: Path | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    """Valid values that count, as in the file, without the rule lists."""
    rules: tuple[Rule, ...] = ()
    warnings: tuple[SettingsProblem, ...] = ()
    broken: tuple[SettingsProblem, ...] = ()
    text: JsonText | None = field(default=None, repr=False, compare=False)

    def position(self, path: JsonPath) -> Position | None:
        """Where the value at `path` stands in the file, or what is nearest above it."""
        return None if self.text is None else self.text.position(path)


def read_layer(
    file: Path | None,
    source: RuleSource,
    *,
    project_trusted: bool,
    granted: Collection[tuple[RuleList, str]] = (),
    tool_names: Collection[str] | None = None,
    read: ReadFile = read_settings_file,
) -> Layer:
    """Read one file; a missing one is an empty layer. Never raises for what the file holds.

    `project_trusted` and `granted`, list and text of rules that hold anyway, matter for a project's file only. With
    `tool_names`, rules for other tools are warned about (MCP tools come and go, and are not).
    """
    if file is None:
        return Layer(source)
    try:
        data = read(file)
        if data is None:
            return Layer(source, file)
        text = parse_json_text(data)
    except SettingsReadError as error:
        return _unreadable(file, source, str(error), None)
    except JsonTextError as error:
        return _unreadable(file, source, error.sentence, error.position)
    reading = _Reading(file, source, text, project_trusted, granted, tool_names)
    return reading.layer()


def _unreadable(file: Path, source: RuleSource, sentence: str, position: Position | None) -> Layer:
    problem = SettingsProblem(file, ProblemKind.UNREADABLE, sentence, (), position)
    return Layer(source, file, broken=(problem,))


@dataclass
class _Reading:
    """The work on one file that is strict JSON."""

    file: Path
    source: RuleSource
    text: JsonText
    project_trusted: bool
    granted: Collection[tuple[RuleList, str]]
    tool_names: Collection[str] | None

    def __post_init__(self) -> None:
        self.warnings = ProblemList(self.file, self.text.position)
        self.broken = ProblemList(self.file, self.text.position)

    def layer(self) -> Layer:
        values = self._known(normalise(self.text.value))
        if self.source is RuleSource.PROJECT:
            values = self._permitted(values)
        rules, values = self._rules(values)
        values = self._valid(values)
        warnings, broken = self.warnings.in_order(), self.broken.in_order()
        return Layer(self.source, self.file, values, rules, warnings, broken, self.text)

    def _known(self, values: dict[str, Any]) -> dict[str, Any]:
        known, unknown = known_part(values)
        for path, siblings in unknown:
            sentence = f"there is no setting {dotted(path)!r}{self._meant(path[-1], siblings)}"
            self.warnings.add(ProblemKind.UNKNOWN_KEY, sentence, path)
        return known

    def _permitted(self, values: dict[str, Any]) -> dict[str, Any]:
        for path, right in list(refused_keys(values, project_trusted=self.project_trusted)):
            name = dotted(path)
            if right is ProjectMay.NEVER:
                sentence = f"{name} is ignored: a project may not set it; set it in {user_settings_file()}"
                self.warnings.add(ProblemKind.NOT_FOR_PROJECTS, sentence, path)
            else:
                self.warnings.add(ProblemKind.NOT_TRUSTED, f"{name} is ignored until you trust this folder", path)
            values = without(values, path)
        return values

    def _rules(self, values: dict[str, Any]) -> tuple[tuple[Rule, ...], dict[str, Any]]:
        """The rules of all four lists, and the values without these lists."""
        rules: list[Rule] = []
        lists = values.get("permissions")
        if not isinstance(lists, dict):
            return (), values  # a wrong shape is reported with the other wrong values
        room = MAX_RULES_PER_LAYER
        for in_list in RuleList:
            entries = lists.get(in_list.value, [])
            if not isinstance(entries, list):
                continue
            if len(entries) > room:
                self._surplus(in_list, room, len(entries) - room)
            rules += self._rules_of_list(in_list, entries[:room])
            room = max(0, room - len(entries))
            values = without(values, ("permissions", in_list.value))
        return tuple(rules), values

    def _rules_of_list(self, in_list: RuleList, entries: list[Any]) -> list[Rule]:
        rules: dict[str, Rule] = {}
        for index, entry in enumerate(entries):
            path: JsonPath = ("permissions", in_list.value, index)
            try:
                rule = parse_rule(entry, in_list, self.source, self._line(path))
            except RuleError as error:
                self._bad_rule(in_list, path, str(error))
                continue
            if rule.text not in rules and self._counts(rule, path):
                rules[rule.text] = rule
        return list(rules.values())

    def _counts(self, rule: Rule, path: JsonPath) -> bool:
        """Whether a rule is taken; what is wrong with it is noted either way."""
        self._check_tool(rule, path)
        if rule.list is RuleList.READONLY and rule.tool not in PROVABLE_TOOLS:
            sentence = f"readonly rule {rule.text!r} has no effect: only calls of bash can be proven to be reads"
            self.warnings.add(ProblemKind.NO_EFFECT, sentence, path)
            return False
        if rule.list.is_wide or self.source is not RuleSource.PROJECT or self.project_trusted:
            return True
        if (rule.list, rule.text) not in self.granted:
            sentence = f"{rule.list} rule {rule.text!r} is ignored until you trust this folder"
            self.warnings.add(ProblemKind.NOT_TRUSTED, sentence, path)
        return False

    def _check_tool(self, rule: Rule, path: JsonPath) -> None:
        names = self.tool_names
        if names is None or rule.tool in names or rule.tool.startswith("mcp__"):
            return
        sentence = f"{rule.list} rule {rule.text!r} names no known tool{self._meant(rule.tool, names)}"
        self.warnings.add(ProblemKind.UNKNOWN_TOOL, sentence, path)

    def _bad_rule(self, in_list: RuleList, path: JsonPath, sentence: str) -> None:
        if in_list.is_wide:
            self.broken.add(ProblemKind.BAD_RULE, f"{in_list} rule: {sentence}", path)
        else:
            self.warnings.add(ProblemKind.BAD_RULE, f"{in_list} rule skipped: {sentence}", path)

    def _surplus(self, in_list: RuleList, first: int, count: int) -> None:
        sentence = f"a file holds at most {MAX_RULES_PER_LAYER:,} rules; the last {count:,} of {in_list} do not count"
        problems = self.broken if in_list.is_wide else self.warnings
        problems.add(ProblemKind.TOO_MANY_RULES, sentence, ("permissions", in_list.value, first))

    def _valid(self, values: dict[str, Any]) -> dict[str, Any]:
        while wrong := wrong_values(values):
            if len(wrong) > MAX_PROBLEMS:  # taking them out one by one would take a hostile file's time
                wrong = {path[:1]: "holds many wrong values" for path in wrong}
            for path, predicate in reversed(wrong.items()):  # backwards: indices of lists stay right
                self.broken.add(ProblemKind.WRONG_VALUE, f"{dotted(path)} {predicate}", path)
                values = without(values, path)
        return values

    def _meant(self, name: object, known: Collection[str]) -> str:
        """`; did you mean 'bash'?`, or nothing where no known name is near, or where nobody will read it."""
        if self.warnings.is_full:
            return ""
        folded = {other.casefold(): other for other in known}
        near = difflib.get_close_matches(str(name).casefold()[:100], folded, n=1)
        return f"; did you mean {folded[near[0]]!r}?" if near else ""

    def _line(self, path: JsonPath) -> int | None:
        position = self.text.position(path)
        return None if position is None else position.line
