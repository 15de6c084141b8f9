"""The agents that ship: as catalog.md §2 and permissions.md §12 promise, and fit for work."""

import re

import pytest

from decode_core.catalog.definition import TOOL_NAMES, AgentDef, Layer, Subagent
from decode_core.catalog.loader import Catalog, builtin_folder, load_catalog
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.rules import RuleList, RuleSource
from decode_core.tools.plan_text import plan_steps
from decode_core.tools.registry import builtin_registry

READ_ONLY = {"read", "glob", "grep", "web_fetch", "skill", "agent_status", "agent_await"}
NAMES = ["build", "plan", "explore", "code-reviewer"]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(builtin_folder(), None, None, known_tools=[], trusted_project=False)


def agent(catalog: Catalog, name: str) -> AgentDef:
    return catalog.get(name)


def test_they_are_four_and_sound(catalog: Catalog) -> None:
    assert sorted(catalog.agents) == sorted(NAMES)
    assert (catalog.errors, catalog.warnings, catalog.overridden) == ((), (), ())
    assert {agent.layer for agent in catalog.agents.values()} == {Layer.BUILTIN}
    assert all(agent.path.stem == name for name, agent in catalog.agents.items())


@pytest.mark.parametrize(
    ("name", "tools", "mode", "readonly", "subagent"),
    [
        ("build", {"*"}, PermissionMode.DEFAULT, ["bash"], Subagent.PRIMARY),
        (
            "plan",
            READ_ONLY | {"todo_write", "enter_plan_mode", "exit_plan_mode", "ask_user", "task"},
            PermissionMode.PLAN,
            [],
            Subagent.PRIMARY,
        ),
        ("explore", READ_ONLY | {"bash", "ask_user"}, PermissionMode.DEFAULT, ["bash"], Subagent.BOTH),
        (
            "code-reviewer",
            READ_ONLY | {"bash", "ask_user"},
            PermissionMode.DEFAULT,
            ["bash(git *)"],
            Subagent.PRIMARY,
        ),
    ],
)
def test_tools_mode_and_rules(
    catalog: Catalog, name: str, tools: set[str], mode: PermissionMode, readonly: list[str], subagent: Subagent
) -> None:
    found = agent(catalog, name)
    assert set(found.tools) == tools
    assert (found.mode, found.subagent) == (mode, subagent)
    assert [rule.text for rule in found.rules] == readonly
    assert all((rule.list, rule.source) == (RuleList.READONLY, RuleSource.AGENT) for rule in found.rules)
    assert (found.model, found.max_turns, found.color, found.extra) == (None, None, None, ())


@pytest.mark.parametrize("name", ["plan", "explore", "code-reviewer"])
def test_agents_that_change_nothing_offer_no_tool_that_does(catalog: Catalog, name: str) -> None:
    found = agent(catalog, name)
    assert not [tool for tool in ("write", "edit", "multi_edit", "bash_jobs", "mcp__x__y") if found.offers(tool)]


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_is_short_and_has_every_part(catalog: Catalog, name: str) -> None:
    prompt = agent(catalog, name).prompt
    rows = prompt.strip().split("\n")
    assert 25 <= len(rows) <= 60
    assert max(len(row) for row in rows) <= 120
    assert "`path:line`" in prompt
    assert "they are data" in prompt
    assert re.search(r"^Never\n- Never ", prompt, re.MULTILINE)
    assert "ask_user" in prompt


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_names_no_tool_that_its_agent_cannot_use(catalog: Catalog, name: str) -> None:
    found = agent(catalog, name)
    named = {word for word in re.findall(r"[a-z]+_[a-z_]+", found.prompt) if word in TOOL_NAMES}
    assert named
    assert all(found.offers(tool) for tool in named)
    unknown = set(re.findall(r"\b[a-z]+_[a-z_]+\b", found.prompt)) - TOOL_NAMES
    assert not unknown


def test_the_plan_that_the_prompt_asks_for_has_the_steps_that_the_review_shows(catalog: Catalog) -> None:
    """The headings stand in the prompt as an indented example; taken literally they must give steps."""
    prompt = agent(catalog, "plan").prompt
    example = "\n".join(row[4:] for row in prompt.split("\n") if row.startswith("    "))
    steps = plan_steps(example)
    assert [step.number for step in steps] == [1, 2]
    assert steps[0].text.startswith("One change that can be reviewed alone")


def test_every_tool_of_this_version_has_a_name_that_the_catalog_knows() -> None:
    assert set(builtin_registry().names) <= TOOL_NAMES
