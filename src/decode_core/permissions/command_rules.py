"""What the rules in force say of commands (permissions.md §4). Pure.

Loaded when the first command is judged: it brings the whole analysis of shell text with it. What is worked out for a
call is kept for as long as the rules stand, so that a command seen before costs a look into a table. The facts of the
call are never kept: proofs, edits and protected paths are those of the request that is being judged.
"""

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from decode_core.permissions import command
from decode_core.permissions.keeping import Kept
from decode_core.permissions.matching import FILE_TOOLS, tidy
from decode_core.permissions.request import PermissionRequest
from decode_core.permissions.rules import Rule, RuleList
from decode_core.permissions.shell.narrow import Part, Parts, covers_part, runs_what_it_is_given

if TYPE_CHECKING:
    from decode_core.permissions.rule_index import RuleIndex


class CommandRules:
    """Gives for each command what the rules of an index say of it."""

    def __init__(self, index: "RuleIndex") -> None:
        self._index = index
        self._kept: Kept[CommandVerdicts] = Kept()
        self._last: tuple[PermissionRequest, CommandVerdicts] | None = None

    def of(self, request: PermissionRequest) -> "CommandVerdicts":
        """What the rules say of the command of `request`."""
        last = self._last
        if last is not None and last[0] is request:
            return last[1]  # one verdict asks several times
        key = (request.tool, request.kind, request.subject, _matched(request))
        found = self._kept.get(key, len(request.subject), lambda: CommandVerdicts(self._index, request))
        self._last = request, found
        return found


class CommandVerdicts:
    """What the rules say of one command, each part worked out when it is asked for.

    Everything here follows from the text, from what its patterns match, and from the rules.
    """

    def __init__(self, index: "RuleIndex", request: PermissionRequest) -> None:
        self._index = index
        self._request = request

    @cached_property
    def touching(self) -> Sequence[Rule]:
        """Deny and ask rules that match any reasonable reading of the call, in order."""
        return tuple(self._index.verified_touching(self._request))

    @cached_property
    def covering(self) -> Sequence[Rule]:
        """Allow rules each of which covers the whole call, in order."""
        return tuple(self._index.verified_covering(self._request))

    @cached_property
    def whole(self) -> Rule | None:
        """The allow rule that covers the call with everything in it: a bare one, or one that is literally its text."""
        return next((rule for rule in self.covering if command.takes_call_whole(rule, self._request)), None)

    @cached_property
    def unread(self) -> tuple[Rule, str] | None:
        """A patterned rule that may be meant for something which only running the call tells, and what that is."""
        unread = command.unread_reason(self._request.subject)
        if unread and (rule := self._index.patterned_wide(self._request.tool)):
            return rule, unread
        for tool in FILE_TOOLS:
            if (rule := self._index.patterned_wide(tool)) and command.hides_words(self._request):
                return rule, "a word of it is only known when it runs"
        return None

    def joint_rules(self, unproven: Sequence[str | None]) -> Sequence[Rule] | None:
        """The rules that cover the call together, each part by one of them; None where a part stays uncovered.

        A readonly rule counts only for a part that is proven: `unproven` says for each part why it is not.
        """
        if self._parts.obstacle is not None or not self._parts.parts:
            return None
        if len(unproven) != len(self._parts.parts):
            unproven = ["nothing was looked up"] * len(self._parts.parts)
        found: list[Rule] = []
        for allowing, reading, problem in zip(self._allowing, self._reading, unproven, strict=True):
            rule = allowing or (reading if problem is None else None)
            if rule is None:
                return None
            found.append(rule)
        return found

    @cached_property
    def reading_rule(self) -> Rule | None:
        """The first of the readonly rules that cover every part; it counts where every part is proven, too."""
        if self._parts.obstacle is not None or not all(self._reading):
            return None
        return next(iter(self._reading), None)

    @cached_property
    def hazard(self) -> str | None:
        """Why no wildcard would cover the call, as a clause; None where the bare `*` would cover every part of it."""
        for part in self._parts.parts:
            if part.hazard is not None:
                return part.hazard
            if runs_what_it_is_given(part):
                return f"{part.program} runs what it is given"
        return self._parts.obstacle if self._parts.obstacle or self._parts.parts else "it runs no command"

    @cached_property
    def uncovered(self) -> str | None:
        """What of the call no allow rule covers, for people: a command, or what stands in the way of all rules."""
        if self._parts.obstacle is not None:
            return self._parts.obstacle
        for part, rule in zip(self._parts.parts, self._allowing, strict=True):
            if rule is None:
                return f"{part.hazard} in {part.reading}" if part.hazard else f"no rule covers {part.reading}"
        return None

    @cached_property
    def _parts(self) -> Parts:
        return command.call_parts(self._request)

    @cached_property
    def _allowing(self) -> Sequence[Rule | None]:
        return self._rules_for_parts(RuleList.ALLOW)

    @cached_property
    def _reading(self) -> Sequence[Rule | None]:
        return self._rules_for_parts(RuleList.READONLY)

    def _rules_for_parts(self, in_list: RuleList) -> Sequence[Rule | None]:
        """For each part the first rule of a list that covers it."""
        return tuple(next(self._covering_part(part, in_list), None) for part in self._parts.parts)

    def _covering_part(self, part: Part, in_list: RuleList) -> Iterator[Rule]:
        may_cover = self._index.may_cover_part(self._request, part.reading, in_list)
        return (rule for rule in may_cover if covers_part(rule.pattern, part))


def named_paths(request: PermissionRequest) -> frozenset[str]:
    """Every word of a command as a path relative to the root."""
    return frozenset(tidy(word) for word in command.words_of(request))


def _matched(request: PermissionRequest) -> Hashable:
    """What the file system has made of the patterns of a call: the one fact that its words depend on."""
    facts = request.shell
    if facts is None:
        return None
    if not facts.globs:
        return facts.has_unknown_patterns
    return tuple(facts.globs.items()), facts.matched, facts.has_unknown_patterns
