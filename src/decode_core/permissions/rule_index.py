"""The rules in force, arranged so that a verdict looks only at those which may speak of the call. Pure.

The index leaves out what cannot match and never decides: whatever it finds goes through `touches`, `stops_shell_access`
and `covers`, in the order of the rules.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from decode_core.permissions import command, paths
from decode_core.permissions.matching import FILE_TOOLS, SAME_POWER, covers, stops_shell_access, tidy, touches
from decode_core.permissions.pattern_index import PatternIndex
from decode_core.permissions.patterns import Pattern
from decode_core.permissions.request import PermissionRequest, SubjectKind
from decode_core.permissions.rules import Rule, RuleList
from decode_core.permissions.shell.narrow import Part, covers_part


class RuleIndex:
    """All rules in force. May be read by several threads: tables are made when they are first asked for."""

    def __init__(self, rules: Iterable[Rule] = ()) -> None:
        self.rules = tuple(rules)
        self._tables: dict[_Key, PatternIndex] = {}
        self._last: _Found | None = None

    def first_wide(self, in_list: RuleList, request: PermissionRequest) -> Rule | None:
        """The first deny or ask rule that matches any reasonable reading of the call."""
        return next((rule for rule in self._found(request).touching if rule.list is in_list), None)

    def covering(self, request: PermissionRequest) -> Sequence[Rule]:
        """The allow rules that cover every part of the call, in order."""
        return self._found(request).covering

    def takes_whole(self, request: PermissionRequest) -> Rule | None:
        """The allow rule that covers a command with everything in it: a bare one, or one that is literally its text."""
        return next((rule for rule in self.covering(request) if command.takes_call_whole(rule, request)), None)

    def covering_jointly(self, request: PermissionRequest) -> Sequence[Rule] | None:
        """Rules that cover all simple commands of a call together, or None (permissions.md §4)."""
        return command.cover_jointly(request, self.part_rule(request, RuleList.ALLOW), self.part_rule(request))

    def reading_rule(self, request: PermissionRequest) -> Rule | None:
        """The readonly rule by which a command counts as a read: every part covered, and proven."""
        return command.reads_only(request, self.part_rule(request))

    def part_rule(
        self, request: PermissionRequest, in_list: RuleList = RuleList.READONLY
    ) -> Callable[[Part], Rule | None]:
        """Gives the first rule of a list that covers a part of the call."""
        key = _Key(_names_for(request), SubjectKind.COMMAND, is_wide=False, is_readonly=in_list is RuleList.READONLY)
        table = self._table(key)

        def find(part: Part) -> Rule | None:
            numbers = table.find((part.reading,))
            return next((self.rules[n] for n in numbers if covers_part(self.rules[n].pattern, part)), None)

        return find

    def patterned_wide(self, tool: str) -> Rule | None:
        """The first deny or ask rule with a pattern that speaks of `tool`."""
        rules = (rule for rule in self.rules if rule.list.is_wide and rule.pattern is not None)
        return next((rule for rule in rules if rule.names(tool)), None)

    def has_allow(self, tool: str) -> bool:
        """Whether an allow rule speaks of `tool`."""
        return any(rule.list is RuleList.ALLOW and rule.names(tool) for rule in self.rules)

    def has_readonly(self, tool: str) -> bool:
        """Whether a readonly rule speaks of `tool`."""
        return any(rule.list is RuleList.READONLY and rule.names(tool) for rule in self.rules)

    def may_touch(self, request: PermissionRequest) -> Iterator[Rule]:
        """Deny and ask rules that may match the call, in order."""
        key = _Key(_names_for(request), request.subject_kind, is_wide=True)
        numbers = self._table(key).find(_wide_texts(request))
        if request.subject_kind is SubjectKind.COMMAND:
            named = {tidy(word) for word in command.words_of(request)}
            texts = (text for path in named for text in paths.wide_readings(path))
            # a bare rule on a file tool says nothing about commands; whoever verifies leaves it out
            numbers = sorted({*numbers, *self._table(_NAMED_FILES).find(texts)})
        return (self.rules[number] for number in numbers)

    def may_cover(self, request: PermissionRequest) -> Iterator[Rule]:
        """Allow rules that may cover the call, in order."""
        key = _Key(_names_for(request), request.subject_kind, is_wide=False)
        return (self.rules[number] for number in self._table(key).find(_narrow_texts(request)))

    def _found(self, request: PermissionRequest) -> "_Found":
        # one check asks for several lists of the same request, often under two modes
        last = self._last
        if last is None or last.request is not request:
            last = self._last = _Found(self, request)
        return last

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
    def touching(self) -> tuple[Rule, ...]:
        request = self.request
        rules = self._index.may_touch(request)
        return tuple(rule for rule in rules if touches(rule, request) or stops_shell_access(rule, request))

    @cached_property
    def covering(self) -> tuple[Rule, ...]:
        return tuple(rule for rule in self._index.may_cover(self.request) if covers(rule, self.request))


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
            return command.wide_readings(request.subject)
        case _:
            return (request.subject or request.tool,)


def _narrow_texts(request: PermissionRequest) -> Iterable[str]:
    match request.subject_kind:
        case SubjectKind.PATH:
            return [text for fact in request.paths for text in paths.narrow_readings(fact)]
        case SubjectKind.COMMAND:
            return command.narrow_readings(request)
        case _:
            return (request.subject or request.tool,)
