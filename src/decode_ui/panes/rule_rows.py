"""The rows of the rules tab: the rules in force by layer, in the order in which the gate looks at them. Pure."""

from collections.abc import Mapping, Sequence

from textual.content import Content

from decode_core.neutral import neutralise_line
from decode_core.permissions.rules import Rule, RuleList, RuleSource
from decode_ui.panes.list_pane import Row

LAYERS = (RuleSource.USER, RuleSource.PROJECT, RuleSource.AGENT, RuleSource.SESSION, RuleSource.PARENT)
NAMES = {
    RuleSource.USER: "yours",
    RuleSource.PROJECT: "project",
    RuleSource.AGENT: "agent",
    RuleSource.SESSION: "this session",
    RuleSource.PARENT: "parent agent",
}
COLOURS = {
    RuleList.DENY: "$verdict-deny",
    RuleList.ASK: "$verdict-ask",
    RuleList.ALLOW: "$verdict-allow",
    RuleList.READONLY: "$mode-plan",
}


def rule_rows(rules: Sequence[Rule], places: Mapping[str, str]) -> tuple[list[Row], dict[str, Rule]]:
    """The rows, and the rule of each row by its key; `places` is where the rules of a layer are kept."""
    rows: list[Row] = []
    by_key: dict[str, Rule] = {}
    for layer in LAYERS:
        of_layer = [rule for in_list in RuleList for rule in rules if rule.source is layer and rule.list is in_list]
        if not of_layer:
            continue
        place = neutralise_line(places.get(layer, ""))
        heading = Content.assemble((NAMES[layer], "bold"), (f"  {place}" if place else "", "$muted"))
        rows.append(Row(f"layer {layer}", heading, heading.plain, is_heading=True))
        for rule in of_layer:
            row = _row(rule, f"{layer} {rule.list} {len(by_key)}")
            rows.append(row)
            by_key[row.key] = rule
    return rows, by_key


def _row(rule: Rule, key: str) -> Row:
    line = f"  line {rule.line}" if rule.line is not None else ""
    text = neutralise_line(rule.text)
    content = Content.assemble((f"{rule.list:<8} ", COLOURS[rule.list]), text, (line, "$muted"))
    return Row(key, content, text)
