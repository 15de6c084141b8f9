"""What counts as loosening, and that nothing looser holds before somebody said yes (permissions.md §9)."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from decode_core.catalog.definition import AgentDef, Layer as AgentLayer, Subagent
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.rules import Rule, RuleList, RuleSource, parse_rule
from decode_core.settings.layer import Layer
from decode_core.trust.loosening import (
    agent_loosening,
    agents_loosening,
    settings_loosening,
    tighter_agent,
    tighter_layer,
)

SOURCE = RuleSource.PROJECT


def rules(**lists: list[str]) -> tuple[Rule, ...]:
    return tuple(parse_rule(text, RuleList(name), SOURCE) for name, texts in lists.items() for text in texts)


def layer(values: dict[str, Any] | None = None, **lists: list[str]) -> Layer:
    return Layer(SOURCE, values=values or {}, rules=rules(**lists))


def agent(**changes: Any) -> AgentDef:
    plain = {
        "name": "reviewer",
        "description": "Reviews.",
        "tools": ("read", "grep"),
        "mode": PermissionMode.DEFAULT,
        "prompt": "Review.",
        "path": Path("/p/.decode/agents/reviewer.md"),
        "layer": AgentLayer.PROJECT,
    }
    return AgentDef.model_validate(plain | changes)


LOOSENING = [
    (layer(), layer(allow=["bash(make)"]), "allow bash(make)"),
    (layer(), layer(readonly=["bash"]), "readonly bash"),
    (layer(deny=["read(.env)"]), layer(), "no longer deny read(.env)"),
    (layer(ask=["bash"]), layer(), "no longer ask bash"),
    (layer(deny=["bash"]), layer(ask=["bash"]), "no longer deny bash"),
    (layer(), layer({"mode": "edit"}), "mode edit instead of the default"),
    (layer({"mode": "plan"}), layer(), "mode the default instead of plan"),
    (layer(), layer({"agent": "wild"}), "agent wild instead of the default"),
    (layer({"model": "a"}), layer({"model": "b"}), "model b instead of a"),
    (layer(), layer({"hooks": {"stop": ["x"]}}), 'new hook stop: ["x"]'),
    (layer({"hooks": {"stop": ["x"]}}), layer({"hooks": {"stop": ["y"]}}), 'hook stop is now ["y"]'),
    (layer({"hooks": {"stop": ["x"]}}), layer(), "hook stop is gone"),
    (layer(), layer({"mcp": {"db": {"command": "x"}}}), 'new server db: {"command": "x"}'),
    (layer(), layer({"commands": {"c": "x"}}), "new command c: x"),
    (layer({"limits": {"max_turns": 5}}), layer({"limits": {"max_turns": 9}}), "limits.max_turns 9 instead of 5"),
    (layer({"limits": {"max_turns": 5}}), layer(), "limits.max_turns the default instead of 5"),
    (layer({"memory": False}), layer(), "memory the default instead of false"),
    (layer(), layer({"permissions": {"plan_ceiling": False}}), "permissions.plan_ceiling false instead of the default"),
    (layer({"sandbox": {"mode": "require"}}), layer(), "sandbox.mode the default instead of require"),
    (layer(), layer({"env": {"pass": ["TOKEN"]}}), 'env.pass ["TOKEN"] instead of the default'),
    (layer(), layer({"directories": ["/"]}), 'directories ["/"] instead of the default'),
    (layer(), layer({"fallback": ["x"]}), 'fallback ["x"] instead of the default'),
]


@pytest.mark.parametrize(("before", "after", "told"), LOOSENING, ids=[row[2] for row in LOOSENING])
def test_what_loosens_is_told_and_does_not_hold_yet(before: Layer, after: Layer, told: str) -> None:
    assert [each.what for each in settings_loosening(before, after)] == [told]
    assert settings_loosening(before, tighter_layer(before, after)) == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (layer(allow=["bash(make)"]), layer()),
        (layer(readonly=["bash"]), layer()),
        (layer(), layer(deny=["bash"], ask=["write"])),
        (layer(ask=["bash"]), layer(deny=["bash"])),
        (layer({"mode": "edit"}), layer({"mode": "plan"})),
        (layer({"mcp": {"db": {}}}), layer()),
        (layer(), layer({"limits": {"max_turns": 5}})),
        (layer({"limits": {"max_turns": 5}}), layer({"limits": {"max_turns": 3}})),
        (layer(), layer({"theme": "light", "compaction": {"at": 0.5}})),
        (layer(), layer({"memory": False})),
        (layer({"permissions": {"plan_ceiling": False}}), layer()),
        (layer({"sandbox": {"mode": "off"}}), layer({"sandbox": {"mode": "require", "network": "off"}})),
        (layer({"env": {"pass": ["A", "B"]}}), layer({"env": {"pass": ["A"]}})),
        (layer({"directories": ["/x"]}), layer()),
    ],
)
def test_what_tightens_or_does_nothing_applies_at_once(before: Layer, after: Layer) -> None:
    assert settings_loosening(before, after) == ()
    tighter = tighter_layer(before, after)
    assert (tighter.rules, tighter.values) == (after.rules, after.values)


def test_of_a_mixed_change_the_tightening_half_applies_at_once() -> None:
    before = layer({"mcp": {"db": {"command": "x"}}, "mode": "plan"}, deny=["read(.env)"], allow=["bash(make)"])
    after = layer({"mcp": {"db": {"command": "y"}, "web": {}}, "memory": False}, deny=["bash(rm *)"], allow=["bash"])
    tighter = tighter_layer(before, after)
    assert {rule.text for rule in tighter.rules} == {"bash(rm *)", "read(.env)"}
    assert tighter.values == {"mcp": {"db": {"command": "x"}}, "mode": "plan", "memory": False}


AGENTS = [
    ({"mode": PermissionMode.EDIT}, "mode edit instead of default"),
    ({"tools": ("read", "grep", "bash")}, "more tools: bash"),
    ({"tools": ("*",)}, "more tools: *"),
    ({"rules": rules(allow=["bash(make)"])}, "allow bash(make)"),
    ({"model": "openai:x"}, "model openai:x instead of the default"),
    ({"subagent": Subagent.BOTH}, "subagent both instead of primary"),
]


@pytest.mark.parametrize(("changes", "told"), AGENTS)
def test_an_agent_that_may_more_is_told_and_may_not_yet(changes: dict[str, Any], told: str) -> None:
    before, after = agent(), agent(**changes)
    assert [str(each) for each in agent_loosening(before, after)] == [f"agent reviewer: {told}"]
    assert agent_loosening(before, tighter_agent(before, after)) == ()
    assert agent_loosening(after, before) == () or "model" in told or "subagent" in told


def test_limits_and_prompts_of_an_agent() -> None:
    limited = agent(max_turns=5)
    assert [each.what for each in agent_loosening(limited, agent())] == ["max_turns unlimited instead of 5"]
    assert agent_loosening(agent(), limited) == ()
    assert tighter_agent(limited, agent(prompt="New.")).max_turns == 5
    assert tighter_agent(limited, agent(prompt="New.")).prompt == "New."
    assert agent_loosening(agent(), agent(prompt="New.")) == ()


def test_a_wildcard_covers_what_it_stood_for() -> None:
    wide, narrow = agent(tools=("mcp__git__*", "read")), agent(tools=("mcp__git__log",))
    assert agent_loosening(wide, narrow) == ()
    assert tighter_agent(narrow, wide).tools == ("mcp__git__log",)
    assert tighter_agent(agent(tools=("*",)), narrow).tools == ("mcp__git__log",)


def test_a_new_agent_is_told_with_all_that_it_may() -> None:
    (found,) = agents_loosening({}, {"reviewer": agent(rules=rules(allow=["bash(make)"]))})
    assert str(found) == "agent reviewer: new, mode default, tools read, grep, unasked: bash(make)"
    assert agents_loosening({"reviewer": agent()}, {}) == ()


TEXTS = st.sampled_from(["bash", "bash(make)", "read(.env)", "write(src/**)"])
LISTS = st.fixed_dictionaries({name.value: st.lists(TEXTS, unique=True, max_size=3) for name in RuleList})
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "mode": st.sampled_from(["plan", "default", "edit"]),
        "memory": st.booleans(),
        "limits": st.dictionaries(st.sampled_from(["max_turns", "subagents"]), st.integers(1, 3)),
        "hooks": st.dictionaries(st.sampled_from("ab"), st.sampled_from(["x", "y"])),
        "mcp": st.dictionaries(st.sampled_from("ab"), st.sampled_from(["x", "y"])),
        "sandbox": st.dictionaries(st.just("mode"), st.sampled_from(["auto", "require", "off"])),
        "env": st.dictionaries(st.just("pass"), st.lists(st.sampled_from("AB"), unique=True)),
    },
)


@given(VALUES, LISTS, VALUES, LISTS)
def test_the_stricter_of_two_states_loosens_neither(
    old: dict[str, Any], old_rules: dict[str, list[str]], new: dict[str, Any], new_rules: dict[str, list[str]]
) -> None:
    before, after = layer(old, **old_rules), layer(new, **new_rules)
    tighter = tighter_layer(before, after)
    assert settings_loosening(before, tighter) == ()
    if settings_loosening(before, after) == ():
        assert set(tighter.rules) == set(after.rules)
        assert tighter.values == after.values
