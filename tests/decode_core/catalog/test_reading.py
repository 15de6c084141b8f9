"""Agent files: every fault with its line and column, and no content that raises or hangs."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decode_core.catalog.definition import Layer, Subagent
from decode_core.catalog.loader import UnknownAgent, builtin_folder, load_catalog, validate
from decode_core.catalog.reading import Reading, read_agent
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.rules import RuleList, RuleSource

GOOD = """---
name: code-reviewer
description: Reviews a diff
tools: [read, "mcp__github__*"]
mode: acceptEdits
model: openai:gpt-5
allow: ["bash(npm test)"]
deny:
  - bash(git push *)
subagent: both
max_turns: 40
color: "#7aa2f7"
---
You review.
"""


def reading(text: str | bytes, layer: Layer = Layer.USER) -> Reading:
    data = text.encode() if isinstance(text, str) else text
    return read_agent(Path("x.md"), data, layer, ["read"])


def agent_text(**keys: str) -> str:
    values = {"name": "x", "description": "d", "tools": "[read]", **keys}
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in values.items()) + "---\nPrompt.\n"


def test_a_whole_file() -> None:
    agent = reading(GOOD).agent
    assert agent is not None
    assert (agent.name, agent.mode, agent.subagent, agent.max_turns) == (
        "code-reviewer",
        PermissionMode.EDIT,
        Subagent.BOTH,
        40,
    )
    assert [(rule.text, rule.list, rule.source, rule.line) for rule in agent.rules] == [
        ("bash(git push *)", RuleList.DENY, RuleSource.AGENT, 9),
        ("bash(npm test)", RuleList.ALLOW, RuleSource.AGENT, 7),
    ]
    assert agent.offers("mcp__github__push")
    assert not agent.offers("write")
    assert agent.prompt == "You review.\n"


@pytest.mark.parametrize("variant", [GOOD.replace("\n", "\r\n"), "\ufeff" + GOOD])
def test_crlf_and_a_bom_are_accepted(variant: str) -> None:
    assert reading(variant).agent is not None


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("no fence", "1:1", "no front matter"),
        ("", "1:1", "no front matter"),
        ("---\nname: x\n", "1:1", "not closed"),
        ("---\nname: [x\n---\np\n", "3:1", "YAML"),
        ("---\nname: 'x\n---\np\n", "3:1", "YAML"),
        ("---\n- a\n---\np\n", "2:1", "not a mapping"),
        ("---\nname: x\nname: y\n---\np\n", "3:1", "stands twice"),
        ("---\na: &x [1]\nb: *x\n---\np\n", "3:4", "aliases"),
        ("---\na: !!python/object/apply:os.system [id]\n---\np\n", "2:4", "not allowed"),
        ("---\na: " + "[" * 60 + "]" * 60 + "\n---\np\n", "2:19", "nested deeper"),
        (agent_text(name=""), "2:6", "not text"),
        (agent_text(name="' '"), "2:7", "blank"),
        (agent_text(name="3"), "2:7", "not text"),
        (agent_text(name="Code Reviewer"), "2:7", "characters"),
        (agent_text(name="-x"), "2:7", "characters"),
        (agent_text(name="x" * 65), "2:7", "characters"),
        (agent_text(description=""), "3:13", "not text"),
        (agent_text(tools="read"), "4:8", "not a list"),
        (agent_text(tools="[read, 3]"), "4:15", "not a name"),
        (agent_text(tools="[read, gerp]"), "4:15", "unknown tool 'gerp'; did you mean grep?"),
        (agent_text(mode="yolo"), "5:7", "unknown mode 'yolo'; the modes are default, plan, edit, dont_ask, bypass"),
        (agent_text(allow="bash"), "5:8", "not a list of rules"),
        (agent_text(deny="[3]"), "5:8", "not a string"),
        (agent_text(deny='["bash("]'), "5:8", "agent x, list deny: malformed rule"),
        (agent_text(subagent="sometimes"), "5:11", "primary, only, both"),
        (agent_text(max_turns="0"), "5:12", "max_turns"),
        (agent_text(max_turns="9" * 60), "5:12", "max_turns"),
        (agent_text(color="red"), "5:8", "not a colour"),
        (agent_text().replace("Prompt.", "  "), "1:1", "the prompt is empty"),
        (b"---\nname: \xff\n---\n", "2:7", "not UTF-8"),
        (b"x" * 300_000, "1:1", "262,144 is the limit"),
    ],
)
def test_every_fault_has_its_place_and_a_sentence(text: str | bytes, place: str, problem: str) -> None:
    result = reading(text)
    assert result.agent is None
    assert any(str(error).startswith(f"x.md:{place}: ") and problem in str(error) for error in result.errors), [
        str(error) for error in result.errors
    ]


@pytest.mark.parametrize("missing", ["name", "description", "tools"])
def test_missing_keys_are_named(missing: str) -> None:
    text = "".join(line for line in agent_text().splitlines(keepends=True) if not line.startswith(missing))
    assert any(missing in error.problem and "missing" in error.problem for error in reading(text).errors)


def test_a_file_may_have_several_faults_at_once() -> None:
    result = reading(agent_text(name="X Y", mode="yolo", tools="[gerp]"))
    assert {error.field for error in result.errors} == {"name", "mode", "tools"}


def test_no_tools_and_all_tools_are_fine() -> None:
    assert reading(agent_text(tools="[]")).agent is not None
    everything = reading(agent_text(tools='["*"]')).agent
    assert everything is not None
    assert everything.offers("anything")


def test_a_projects_agent_may_not_say_bypass() -> None:
    assert reading(agent_text(mode="bypass"), Layer.USER).agent is not None
    assert reading(agent_text(mode="bypass"), Layer.PROJECT).agent is None


def test_unknown_keys_are_kept_and_warned_about_once() -> None:
    result = reading(agent_text(colour="x"))
    assert result.agent is not None
    assert [warning.hint for warning in result.warnings] == ["did you mean color?"]


@given(st.binary(max_size=400) | st.text(max_size=400).map(lambda text: f"---\n{text}\n---\nx".encode()))
def test_no_content_raises(data: bytes) -> None:
    result = reading(data)
    assert (result.agent is None) == bool(result.errors)
    assert all(error.line >= 1 and error.column >= 1 for error in result.errors)


def test_the_built_in_agents_are_as_the_product_promises() -> None:
    catalog = load_catalog(builtin_folder(), None, None, known_tools=[], trusted_project=False)
    assert not catalog.errors
    assert not catalog.warnings
    assert set(catalog.agents) == {"build", "plan", "explore", "code-reviewer"}
    assert catalog.agents["build"].tools == ("*",)
    assert catalog.agents["plan"].mode is PermissionMode.PLAN
    assert not any(catalog.agents[name].offers("write") for name in ("plan", "explore", "code-reviewer"))
    readonly = {name: [rule.text for rule in agent.rules] for name, agent in catalog.agents.items()}
    assert readonly == {"build": ["bash"], "plan": [], "explore": ["bash"], "code-reviewer": ["bash(git *)"]}
    assert catalog.agents["explore"].subagent is Subagent.BOTH


def test_layers_override_by_name_and_project_agents_wait_for_trust(tmp_path: Path) -> None:
    user, project = tmp_path / "user", tmp_path / "project"
    for folder in (user, project):
        folder.mkdir()
        (folder / "build.md").write_text(agent_text(name="build", description=folder.name))
    untrusted = load_catalog(builtin_folder(), user, project, known_tools=["read"], trusted_project=False)
    assert untrusted.agents["build"].layer is Layer.USER
    assert [path.name for path in untrusted.untrusted] == ["build.md"]
    trusted = load_catalog(builtin_folder(), user, project, known_tools=["read"], trusted_project=True)
    assert trusted.agents["build"].description == "project"
    assert [agent.layer for agent in trusted.overridden] == [Layer.BUILTIN, Layer.USER]


def test_two_files_with_one_name_are_both_told_and_the_first_by_path_counts(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(agent_text(name="same", description="first"))
    (tmp_path / "b.md").write_text(agent_text(name="same", description="second"))
    catalog = load_catalog(None, tmp_path, None, known_tools=["read"], trusted_project=False)
    assert catalog.agents["same"].description == "first"
    assert {error.path.name for error in catalog.errors} == {"a.md", "b.md"}


def test_what_is_no_readable_file_is_told_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(agent_text(name="good"))
    (tmp_path / "dir.md").mkdir()
    (tmp_path / "dangling.md").symlink_to("nowhere")
    os.mkfifo(tmp_path / "fifo.md")
    catalog = load_catalog(None, tmp_path, None, known_tools=["read"], trusted_project=False)
    assert list(catalog.agents) == ["good"]
    assert {error.path.name for error in catalog.errors} == {"dir.md", "dangling.md", "fifo.md"}
    assert len(validate([tmp_path], ["read"])) == 3


def test_a_missing_folder_is_empty(tmp_path: Path) -> None:
    assert not load_catalog(None, tmp_path / "none", None, known_tools=[], trusted_project=False).errors


def test_an_unknown_agent_is_one_sentence_with_a_guess() -> None:
    catalog = load_catalog(builtin_folder(), None, None, known_tools=[], trusted_project=False)
    with pytest.raises(UnknownAgent, match="did you mean build"):
        catalog.get("biuld")
    with pytest.raises(UnknownAgent, match="there are build, "):
        catalog.get("zzz")
