"""What a change of settings or agents loosens, and what holds until somebody said yes to it (permissions.md §9).

Pure comparisons between two loaded contents. A tightening applies at once, so between the change and the answer the
stricter of both holds, part by part: `tighter_layer` and `tighter_agent`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from decode_core.catalog.definition import AgentDef, Subagent
from decode_core.permissions.rules import Rule, RuleList
from decode_core.settings.layer import Layer
from decode_core.trust.values import loosened_values, shown, with_old_value


@dataclass(frozen=True)
class Loosening:
    """One thing that a change loosens.

    `where` is what changed ("settings", "agent reviewer"), `what` the change in a few words, as plain text that may
    hold anything: neutralise it before it is shown.
    """

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def settings_loosening(before: Layer, after: Layer) -> tuple[Loosening, ...]:
    """What `after` loosens against `before`, two states of one settings file."""
    found = [*_rules_loosened(before.rules, after.rules)]
    found += [what for _, what in loosened_values(before.values, after.values)]
    return tuple(Loosening("settings", what) for what in found)


def agents_loosening(before: Mapping[str, AgentDef], after: Mapping[str, AgentDef]) -> tuple[Loosening, ...]:
    """What the agents in force loosen against those before, by name. A new agent counts with all that it may."""
    found: list[Loosening] = []
    for name, agent in after.items():
        old = before.get(name)
        found += agent_loosening(old, agent) if old != agent else ()
    return tuple(found)


def agent_loosening(before: AgentDef | None, after: AgentDef) -> tuple[Loosening, ...]:
    """What one agent loosens against what it was; None: it was not there."""
    where = f"agent {after.name}"
    if before is None:
        allowed = [rule.text for rule in after.rules if not rule.list.is_wide]
        told = f", unasked: {', '.join(allowed)}" if allowed else ""
        return (Loosening(where, f"new, mode {after.mode}, tools {', '.join(after.tools) or 'none'}{told}"),)
    found = [*_rules_loosened(before.rules, after.rules)]
    if after.mode.loosens(before.mode):
        found.append(f"mode {after.mode} instead of {before.mode}")
    if more := [tool for tool in after.tools if not before.offers(tool)]:
        found.append(f"more tools: {', '.join(more)}")
    if after.model != before.model:
        found.append(f"model {shown(after.model)} instead of {shown(before.model)}")
    if _may_be_started(after) - _may_be_started(before):
        found.append(f"subagent {after.subagent} instead of {before.subagent}")
    if _limit(after.max_turns) > _limit(before.max_turns):
        found.append(f"max_turns {after.max_turns or 'unlimited'} instead of {before.max_turns}")
    return tuple(Loosening(where, what) for what in found)


def tighter_layer(before: Layer, after: Layer) -> Layer:
    """The stricter of two states of one settings file, part by part: what holds until the loosening is answered.

    `after` itself where nothing is loosened.
    """
    values: Mapping[str, Any] = after.values
    for path, _ in loosened_values(before.values, after.values):
        values = with_old_value(values, before.values, path)
    return replace(after, rules=_tighter_rules(before.rules, after.rules), values=values)


def tighter_agent(before: AgentDef, after: AgentDef) -> AgentDef:
    """The stricter of two states of one agent, part by part; `after` itself where nothing is loosened.

    Prompt and description are the new ones: they allow nothing.
    """
    return after.model_copy(
        update={
            "rules": _tighter_rules(before.rules, after.rules),
            "mode": min(before.mode, after.mode, key=lambda mode: mode.strictness),
            "tools": _tighter_tools(before, after),
            "model": before.model,
            "subagent": after.subagent if _may_be_started(after) <= _may_be_started(before) else before.subagent,
            "max_turns": before.max_turns if _limit(after.max_turns) > _limit(before.max_turns) else after.max_turns,
        }
    )


def _rules_loosened(before: Iterable[Rule], after: Iterable[Rule]) -> Iterator[str]:
    old, new = _keys(before), _keys(after)
    for in_list, text in old:
        if in_list.is_wide and not _still_holds(in_list, text, new):
            yield f"no longer {in_list} {text}"
    for in_list, text in new:
        if not in_list.is_wide and (in_list, text) not in old:
            yield f"{in_list} {text}"


def _tighter_rules(before: tuple[Rule, ...], after: tuple[Rule, ...]) -> tuple[Rule, ...]:
    old, new = _keys(before), _keys(after)
    kept = [rule for rule in after if rule.list.is_wide or (rule.list, rule.text) in old]
    return (*kept, *(rule for rule in before if rule.list.is_wide and not _still_holds(rule.list, rule.text, new)))


def _still_holds(in_list: RuleList, text: str, rules: Mapping[tuple[RuleList, str], None]) -> bool:
    """Whether a rule that denies or asks is among `rules`, or a stricter one: what only asked is denied now."""
    return (in_list, text) in rules or (RuleList.DENY, text) in rules


def _keys(rules: Iterable[Rule]) -> dict[tuple[RuleList, str], None]:
    return {(rule.list, rule.text): None for rule in rules}


def _tighter_tools(before: AgentDef, after: AgentDef) -> tuple[str, ...]:
    both = [tool for tool in after.tools if before.offers(tool)]
    return (*both, *(tool for tool in before.tools if after.offers(tool) and tool not in both))


def _may_be_started(agent: AgentDef) -> frozenset[Subagent]:
    if agent.subagent is Subagent.BOTH:
        return frozenset({Subagent.PRIMARY, Subagent.ONLY})
    return frozenset({agent.subagent})


def _limit(turns: int | None) -> float:
    return float("inf") if turns is None else turns
