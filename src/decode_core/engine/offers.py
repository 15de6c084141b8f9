"""Which answers a permission question offers, and what each of them would keep (permissions.md §3.2 and §7).

An answer is offered only if it would settle the next identical call: the gate is asked what it would say then.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from decode_core.permissions.gate import PermissionGate
from decode_core.permissions.modes import PermissionMode, PermissionOutcome, ToolKind
from decode_core.permissions.path_grants import grants_for
from decode_core.permissions.remembering import exact_rule, note_of, suggested_rules
from decode_core.permissions.request import PermissionDecision, PermissionRequest, SubjectKind
from decode_core.permissions.rules import Rule, RuleList, RuleSource
from decode_core.rule_book import RuleBook


@dataclass(frozen=True)
class Offers:
    """The names of the answers in their order, and plain data on what they keep, for front ends."""

    names: tuple[str, ...]
    stores: dict[str, dict[str, Any]] = field(default_factory=dict)


def offers(request: PermissionRequest, gate: PermissionGate, book: RuleBook | None) -> Offers:
    """What may be answered to a call that asks. `book` is None where no rule can be kept."""
    exact = exact_rule(request)
    allows = exact is not None and _settles(gate.would(request, rules=[exact]))
    names: list[str] = ["once"]
    stores: dict[str, dict[str, Any]] = {}
    if session := _session_answer(request, gate, exact, allows=allows):
        names.append("session")
        stores["session"] = session
    if book is not None and allows and exact is not None:
        names.append("always")
        stores["always"] = _stored(exact, request, book, RuleSource.PROJECT)
    if book is not None and (patterns := _patterns(request, gate, exact if allows else None)):
        names.append("pattern")
        stores["pattern"] = {
            "rules": [rule.text for rule in patterns],
            "list": RuleList.ALLOW.value,
            "places": {source.value: book.place_of(source) for source in (RuleSource.PROJECT, RuleSource.USER)},
        }
    if _may_loosen(request, gate):
        names.append("mode")
    if (folder := readable_folder(request)) and _settles(gate.would(_as_readable(request))):
        names.append("folder")
        stores["folder"] = {"folder": str(folder), "place": "this session"}
    if request.args:
        names.append("edit")
    names += ["deny", "tell"]
    denying = exact_rule(request, RuleList.DENY, RuleSource.PROJECT)
    if book is not None and denying is not None:
        names.append("never")
        stores["never"] = _stored(denying, request, book, RuleSource.PROJECT)
    return Offers((*names, "stop"), stores)


def readable_folder(request: PermissionRequest) -> Path | None:
    """The folder outside the workspace that a read looks into, so that it could be added for reading; else None."""
    if request.kind is not ToolKind.READ_ONLY or request.subject_kind is not SubjectKind.PATH or not request.paths:
        return None
    fact = request.paths[0]
    if fact.inside or fact.free_to_read:
        return None
    folder = fact.real.parent if fact.is_file or not fact.exists else fact.real
    # a whole disk or everybody's home is no folder to add by one key
    return folder if len(folder.parts) > 2 else None


def _settles(decision: PermissionDecision) -> bool:
    return decision.outcome is PermissionOutcome.ALLOW


def _may_loosen(request: PermissionRequest, gate: PermissionGate) -> bool:
    """Whether mode edit would settle an edit that the default mode asks about."""
    if request.kind is not ToolKind.FILE_EDIT or gate.mode is not PermissionMode.DEFAULT:
        return False
    return _settles(gate.would(request, mode=PermissionMode.EDIT))


def _session_answer(
    request: PermissionRequest, gate: PermissionGate, exact: Rule | None, *, allows: bool
) -> dict[str, Any] | None:
    """What "until the session ends" keeps: a rule, where that `allows` the call, or one protected path."""
    if exact is not None and allows:
        return {"rule": exact.text, "list": RuleList.ALLOW.value, "place": "this session"}
    paths = grants_for(request)
    rules: Iterable[Rule] = () if exact is None else (exact,)
    if paths and _settles(gate.would(request, rules=rules, paths=paths)):
        return {"path": request.paths[0].relative, "place": "this session"}
    return None


def _patterns(request: PermissionRequest, gate: PermissionGate, exact: Rule | None) -> list[Rule]:
    """Suggestions that would settle the next such call, the exact one last; only what one line can hold and show."""

    def settling() -> Iterator[Rule]:
        for rule in suggested_rules(request):
            if _settles(gate.would(request, rules=[rule])):
                yield rule
        if exact is not None:
            yield exact

    return [rule for rule in settling() if rule.text.isprintable()]


def _stored(rule: Rule, request: PermissionRequest, book: RuleBook, source: RuleSource) -> dict[str, Any]:
    return {
        "rule": rule.text,
        "list": rule.list.value,
        "file": book.place_of(source),
        "layer": source.value,
        "note": note_of(rule, request),
    }


def _as_readable(request: PermissionRequest) -> PermissionRequest:
    return replace(request, paths=tuple(replace(fact, free_to_read=True) for fact in request.paths))
