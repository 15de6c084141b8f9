"""The rules in force, arranged so that a verdict looks only at those which may speak of the call. Pure.

The index leaves out what cannot match and never decides: whatever it finds goes through `touches`, `stops_shell_access`
and `covers`, in the order of the rules.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from decode_core.permissions import paths
from decode_core.permissions.matching import FILE_TOOLS, SAME_POWER, covers, stops_shell_access, touches
from decode_core.permissions.pattern_index import PatternIndex
from decode_core.permissions.patterns import Pattern
from decode_core.permissions.request import PermissionRequest, SubjectKind
from decode_core.permissions.rules import Rule, RuleList

if TYPE_CHECKING:
    from decode_core.permissions.command_rules import CommandRules, CommandVerdicts

MAX_TOOLS = 1_000
"""Tools of which it is kept which rules speak of them."""


class RuleIndex:
    """All rules in force. May be read by several threads: tables are made when they are first asked for."""

    def __init__(self, rules: Iterable[Rule] = ()) -> None:
        self.rules = tuple(rules)
        self._tables: dict[_Key, PatternIndex] = {}
        self._tools: dict[str, _AboutTool] = {}
        self._last: _Found | None = None

    def first_wide(self, in_list: RuleList, request: PermissionRequest) -> Rule | None:
        """The first deny or ask rule that matches any reasonable reading of the call."""
        return next((rule for rule in self._found(request).touching if rule.list is in_list), None)

    def covering(self, request: PermissionRequest) -> Sequence[Rule]:
        """The allow rules that cover every part of the call, in order."""
        return self._found(request).covering

    def of_command(self, request: PermissionRequest) -> "CommandVerdicts":
        """What the rules say of a command besides (permissions.md §4)."""
        return self._commands.of(request)

    def patterned_wide(self, tool: str) -> Rule | None:
        """The first deny or ask rule with a pattern that speaks of `tool`."""
        return self._about(tool).patterned_wide

    def has_allow(self, tool: str) -> bool:
        """Whether an allow rule speaks of `tool`."""
        return RuleList.ALLOW in self._about(tool).lists

    def has_readonly(self, tool: str) -> bool:
        """Whether a readonly rule speaks of `tool`."""
        return RuleList.READONLY in self._about(tool).lists

    def verified_touching(self, request: PermissionRequest) -> Iterator[Rule]:
        """Deny and ask rules that match any reasonable reading of the call, in order. Each time anew."""
        rules = self.may_touch(request)
        return (rule for rule in rules if touches(rule, request) or stops_shell_access(rule, request))

    def verified_covering(self, request: PermissionRequest) -> Iterator[Rule]:
        """Allow rules that cover every part of the call, in order. Each time anew."""
        return (rule for rule in self.may_cover(request) if covers(rule, request))

    def may_touch(self, request: PermissionRequest) -> Iterator[Rule]:
        """Deny and ask rules that may match the call, in order."""
        key = _Key(_names_for(request), request.subject_kind, is_wide=True)
        numbers = self._table(key).find(_wide_texts(request))
        if request.subject_kind is SubjectKind.COMMAND:
            from decode_core.permissions.command_rules import named_paths

            texts = (text for path in named_paths(request) for text in paths.wide_readings(path))
            # a bare rule on a file tool says nothing about commands; whoever verifies leaves it out
            numbers = sorted({*numbers, *self._table(_NAMED_FILES).find(texts)})
        return (self.rules[number] for number in numbers)

    def may_cover(self, request: PermissionRequest) -> Iterator[Rule]:
        """Allow rules that may cover the call, in order."""
        key = _Key(_names_for(request), request.subject_kind, is_wide=False)
        return (self.rules[number] for number in self._table(key).find(_narrow_texts(request)))

    def may_cover_part(self, request: PermissionRequest, reading: str, in_list: RuleList) -> Iterator[Rule]:
        """Rules of a narrow list that may cover a part of a command, which reads so; in order."""
        key = _Key(_names_for(request), SubjectKind.COMMAND, is_wide=False, is_readonly=in_list is RuleList.READONLY)
        return (self.rules[number] for number in self._table(key).find((reading,)))

    @cached_property
    def _commands(self) -> "CommandRules":
        # imported when the first command is judged: starting must not wait for it
        from decode_core.permissions.command_rules import CommandRules

        return CommandRules(self)

    def _found(self, request: PermissionRequest) -> "_Found | CommandVerdicts":
        if request.subject_kind is SubjectKind.COMMAND:
            return self.of_command(request)
        # one check asks for several lists of the same request, often under two modes
        last = self._last
        if last is None or last.request is not request:
            last = self._last = _Found(self, request)
        return last

    def _about(self, tool: str) -> "_AboutTool":
        if (about := self._tools.get(tool)) is None:
            speaking = [rule for rule in self.rules if rule.names(tool)]
            patterned = (rule for rule in speaking if rule.list.is_wide and rule.pattern is not None)
            about = _AboutTool(frozenset(rule.list for rule in speaking), next(patterned, None))
            if len(self._tools) < MAX_TOOLS:
                self._tools[tool] = about
        return about

    def _table(self, key: "_Key") -> PatternIndex:
        if (table := self._tables.get(key)) is None:
            table = self._tables[key] = self._make_table(key)
        return table

    def _make_table(self, key: "_Key") -> PatternIndex:
        patterns: list[tuple[int, Pattern]] = []
        always: list[int] = []
        for number, rule in enumerate(self.rules):
            narrow = RuleList.READONLY if key.is_readonly else RuleList.ALLOW
            if not (rule.list.is_wide if key.is_wide else rule.list is narrow):
                continue
            if not any(rule.names(tool) for tool in key.tools):
                continue
            form = None if rule.pattern is None else _indexed_form(rule.pattern, key)
            if form is None:
                always.append(number)
            else:
                patterns.append((number, form))
        return PatternIndex(patterns, always)


class _AboutTool(NamedTuple):
    """What the rules that speak of one tool are."""

    lists: frozenset[RuleList]
    patterned_wide: Rule | None


class _Key(NamedTuple):
    """Which rules a table holds, and as what their patterns are read."""

    tools: tuple[str, ...]
    kind: SubjectKind
    is_wide: bool
    is_readonly: bool = False


_NAMED_FILES = _Key(FILE_TOOLS, SubjectKind.PATH, is_wide=True)


class _Found:
    """What the rules say of one call, worked out when it is asked for."""

    def __init__(self, index: RuleIndex, request: PermissionRequest) -> None:
        self.request = request
        self._index = index

    @cached_property
    def touching(self) -> Sequence[Rule]:
        return tuple(self._index.verified_touching(self.request))

    @cached_property
    def covering(self) -> Sequence[Rule]:
        return tuple(self._index.verified_covering(self.request))


def _names_for(request: PermissionRequest) -> tuple[str, ...]:
    """The tools whose rules may hold for the call."""
    twin = SAME_POWER.get(request.tool)
    return (request.tool,) if twin is None else (request.tool, twin)


def _indexed_form(pattern: Pattern, key: _Key) -> Pattern | None:
    """The pattern as texts of this kind are matched with it; None where only a look at the call can tell."""
    match key.kind:
        case SubjectKind.PATH:
            if pattern.text.startswith("~"):
                return None  # what it stands for is looked up when it is matched
            return paths.wide_form(pattern) if key.is_wide else paths.narrow_form(pattern)
        case SubjectKind.URL:
            return None
        case SubjectKind.COMMAND | SubjectKind.TEXT | SubjectKind.NONE:
            return pattern


def _wide_texts(request: PermissionRequest) -> Iterable[str]:
    match request.subject_kind:
        case SubjectKind.PATH:
            forms = {form for fact in request.paths for form in paths.wide_forms(fact)}
            return {text for form in forms for text in paths.wide_readings(form)}
        case SubjectKind.COMMAND:
            from decode_core.permissions.command import wide_readings

            return wide_readings(request.subject)
        case _:
            return (request.subject or request.tool,)


def _narrow_texts(request: PermissionRequest) -> Iterable[str]:
    match request.subject_kind:
        case SubjectKind.PATH:
            return [text for fact in request.paths for text in paths.narrow_readings(fact)]
        case SubjectKind.COMMAND:
            from decode_core.permissions.command import narrow_readings

            return narrow_readings(request)
        case _:
            return (request.subject or request.tool,)
