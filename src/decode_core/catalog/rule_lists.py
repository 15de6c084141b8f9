"""Reads an agent's four rule lists (permissions.md §3). A rule that cannot be read breaks its file, whatever its list:
a forgotten deny must not go unseen."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from decode_core.catalog.places import Place
from decode_core.catalog.report import Report, shown
from decode_core.catalog.yamlvalues import Entry, Scalar, Sequence, Value
from decode_core.permissions.rules import MAX_RULES_PER_LAYER, Rule, RuleError, RuleList, RuleSource, parse_rule

MAX_RULE_LENGTH = 4_096

_PROVABLE_TOOL = "bash"


@dataclass(frozen=True)
class RuleLists:
    """Where an agent's rules come from, and what to hold them against."""

    agent: str
    tools: Collection[str]
    report: Report

    def read(self, entries: Mapping[str, Entry]) -> tuple[Rule, ...]:
        """The rules that can be read, deny first, each with its line in the file; faults go to the report."""
        rules: list[Rule] = []
        for in_list in RuleList:
            entry = entries.get(in_list.value)
            if entry is None:
                continue
            if not isinstance(entry.value, Sequence):
                hint = f'write {in_list}: ["bash(git log *)"]'
                self.report.error(entry.value.place, in_list, f"{in_list} is not a list of rules", hint)
                continue
            if len(rules) + len(entry.value.items) > MAX_RULES_PER_LAYER:
                problem = f"an agent has at most {MAX_RULES_PER_LAYER:,} rules"
                self.report.error(entry.value.place, in_list, problem, "merge some of them")
                continue
            for item in entry.value.items:
                rule = self._rule(item, in_list)
                if rule is not None and self._counts(rule, item.place):
                    rules.append(rule)
        return tuple(rules)

    def _rule(self, item: Value, in_list: RuleList) -> Rule | None:
        where = f"agent {self.agent}, list {in_list}"
        if not isinstance(item, Scalar) or item.kind != "str":
            self.report.error(
                item.place, in_list, f"{where}: a rule is not a string", 'write it like "bash(git log *)"'
            )
            return None
        if len(item.text) > MAX_RULE_LENGTH:
            problem = f"{where}: the rule {shown(item.text)} is longer than {MAX_RULE_LENGTH:,} characters"
            self.report.error(item.place, in_list, problem, "write a shorter pattern")
            return None
        try:
            return parse_rule(item.text, in_list, RuleSource.AGENT, item.place.line)
        except RuleError as error:
            problem, _, hint = str(error).partition("; ")
            self.report.error(item.place, in_list, f"{where}: {problem}", hint)
            return None

    def _counts(self, rule: Rule, place: Place) -> bool:
        """Whether a rule is taken; a name that no tool has is worth a word either way."""
        if rule.tool not in self.tools and not rule.tool.startswith("mcp__"):
            problem = f"the {rule.list} rule {shown(rule.text)} names no known tool"
            self.report.warn(place, rule.list, problem, self.report.did_you_mean(rule.tool, self.tools))
        if rule.list is RuleList.READONLY and rule.tool != _PROVABLE_TOOL:
            problem = f"the readonly rule {shown(rule.text)} has no effect"
            self.report.warn(place, rule.list, problem, "only calls of bash can be proven to be reads")
            return False
        return True
