"""Agent files: every required case of catalog.md §3 with its line and column, and no content that raises or hangs."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from decode_core.catalog.definition import Layer, Subagent
from decode_core.catalog.reading import Reading, read_agent
from decode_core.catalog.report import MAX_FAULTS
from decode_core.catalog.rule_lists import MAX_RULE_LENGTH
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.rules import MAX_RULES_PER_LAYER, RuleList, RuleSource

AgentText = Callable[..., str]

GOOD = """---
name: code-reviewer            # required
description: Reviews a diff
tools: [read, "mcp__github__*", read]
mode: acceptEdits
model: openai:gpt-5
allow: ["bash(npm test)"]
deny:
  - bash(git push *)
readonly: ["bash(git *)"]
subagent: both
max_turns: 40
color: "#7aa2f7"
---
You review.
"""


def reading(text: str | bytes, layer: Layer = Layer.USER) -> Reading:
    data = text.encode() if isinstance(text, str) else text
    return read_agent(Path("x.md"), data, layer, ["read", "company_search"])


def errors(result: Reading) -> list[str]:
    return [str(error) for error in result.errors]


def test_a_whole_file() -> None:
    agent = reading(GOOD).agent
    assert agent is not None
    assert (agent.name, agent.description, agent.model) == ("code-reviewer", "Reviews a diff", "openai:gpt-5")
    assert agent.tools == ("read", "mcp__github__*")
    assert (agent.mode, agent.subagent) == (PermissionMode.EDIT, Subagent.BOTH)
    assert (agent.max_turns, agent.color, agent.prompt) == (40, "#7aa2f7", "You review.\n")
    assert (agent.path, agent.layer) == (Path("x.md"), Layer.USER)
    assert [(rule.text, rule.list, rule.source, rule.line) for rule in agent.rules] == [
        ("bash(git push *)", RuleList.DENY, RuleSource.AGENT, 9),
        ("bash(npm test)", RuleList.ALLOW, RuleSource.AGENT, 7),
        ("bash(git *)", RuleList.READONLY, RuleSource.AGENT, 10),
    ]


def test_crlf_counts_as_one_line_end_and_stays_out_of_the_prompt() -> None:
    with_crlf, with_lf = reading(GOOD.replace("\n", "\r\n")).agent, reading(GOOD).agent
    assert with_crlf is not None
    assert with_crlf == with_lf


def test_what_is_left_out_has_its_default(agent_text: AgentText) -> None:
    agent = reading(agent_text()).agent
    assert agent is not None
    assert (agent.model, agent.rules, agent.max_turns, agent.color) == (None, (), None, None)
    assert agent.subagent is Subagent.PRIMARY


NOT_TEXT = "is not text: YAML reads"


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"name": None}, "1:1: the name is missing; write a short name such as code-reviewer"),
        ({"name": ""}, "2:6: the name is empty; "),
        ({"name": "' '"}, "2:7: the name is blank; "),
        ({"name": "3"}, f"2:7: the name {NOT_TEXT} '3' without quotes as int; "),
        ({"name": "no"}, f"2:7: the name {NOT_TEXT} 'no' without quotes as bool; "),
        ({"name": "[x]"}, "2:7: the name is not text; "),
        ({"name": "Code Reviewer"}, "2:7: the name 'Code Reviewer' has characters that a name cannot have; use a-z"),
        ({"name": "-x"}, "2:7: the name '-x' has characters"),
        ({"name": "ünder"}, "2:7: the name 'ünder' has characters"),
        ({"name": "../x"}, "2:7: the name '../x' has characters"),
        ({"name": "x" * 65}, f"2:7: the name '{'x' * 59}…' is longer than 64 characters; "),
        ({"description": None}, "1:1: the description is missing; "),
        ({"description": ""}, "3:13: the description is empty; "),
        ({"description": "''"}, "3:14: the description is blank; "),
        ({"description": "2024-01-01"}, f"3:14: the description {NOT_TEXT} '2024-01-01' without quotes as timestamp"),
        ({"description": '"a\\nb"'}, "3:14: the description has more than one line; keep one"),
        ({"tools": None}, "1:1: the tools are missing; write tools: [read, glob, grep]"),
        ({"tools": ""}, "4:7: the tools are not a list; "),
        ({"tools": "read"}, "4:8: the tools are not a list; "),
        ({"tools": "{read: 1}"}, "4:8: the tools are not a list; "),
        ({"tools": "[read, 3]"}, "4:15: a tool is not a name; "),
        ({"tools": "[read, [glob]]"}, "4:15: a tool is not a name; "),
        ({"tools": "[read, gerp]"}, "4:15: unknown tool 'gerp'; did you mean grep?"),
        ({"tools": "[Read]"}, "4:9: unknown tool 'Read'; did you mean read?"),
        ({"tools": "[company_serach]"}, "4:9: unknown tool 'company_serach'; did you mean company_search?"),
        ({"tools": "[zzzzzz]"}, "4:9: unknown tool 'zzzzzz'; the tools are agent_await, "),
        ({"tools": "['bash*']"}, "4:9: unknown tool 'bash*'; did you mean bash?"),
        ({"tools": "[mcp__github__]"}, "4:9: unknown tool 'mcp__github__'; "),
        ({"tools": "[mcp__Git_Hub__x]"}, "4:9: unknown tool 'mcp__Git_Hub__x'; "),
        ({"mode": None}, "1:1: the mode is missing; write one of default, plan, edit, dont_ask, bypass"),
        ({"mode": "yolo"}, "5:7: unknown mode 'yolo'; the modes are default, plan, edit, dont_ask, bypass"),
        ({"mode": "[plan]"}, "5:7: the mode is not text; "),
        ({"model": "3"}, f"6:8: the model {NOT_TEXT} '3'"),
        ({"model": "script:demo.yaml"}, "6:8: an agent may not name a scripted model; "),
        ({"allow": "bash"}, "6:8: allow is not a list of rules; write allow: "),
        ({"deny": ""}, "6:6: deny is not a list of rules; "),
        ({"ask": "{bash: x}"}, "6:6: ask is not a list of rules; "),
        ({"deny": "[bash, 3]"}, "6:14: agent x, list deny: a rule is not a string; "),
        ({"readonly": "[[bash]]"}, "6:12: agent x, list readonly: a rule is not a string; "),
        ({"deny": '["bash("]'}, "6:8: agent x, list deny: malformed rule 'bash('; write Tool or Tool(pattern)"),
        ({"allow": '[read, "bash()"]'}, "6:15: agent x, list allow: malformed rule 'bash()'; the pattern is empty"),
        ({"allow": '["web_fetch(https://x.org*)"]'}, "6:9: agent x, list allow: malformed rule"),
        ({"ask": f'["bash({"x" * MAX_RULE_LENGTH})"]'}, "6:7: agent x, list ask: the rule 'bash(xxx"),
        ({"ask": f"[{'bash, ' * (MAX_RULES_PER_LAYER + 1)}]"}, "6:6: an agent has at most 2,000 rules; "),
        ({"subagent": "sometimes"}, "6:11: unknown value 'sometimes' of subagent; write one of primary, only, both"),
        ({"subagent": "yes"}, f"6:11: the subagent {NOT_TEXT} 'yes' without quotes as bool; write one of primary"),
        ({"max_turns": "0"}, "6:12: max_turns is not a number from 1 to 99,999; "),
        ({"max_turns": "1:30"}, "6:12: max_turns is not a number"),
        ({"max_turns": "'40'"}, "6:12: max_turns is not a number"),
        ({"max_turns": "9" * 6_000}, "6:12: max_turns is not a number"),
        ({"color": "red"}, "6:8: 'red' is not a colour; "),
        ({"color": "#7aa2f7"}, '6:7: the color is empty; write color: "#7aa2f7", with the quotes'),
        ({"prompt": ""}, "7:1: the prompt is empty; "),
        ({"prompt": " \n\t"}, "7:1: the prompt is empty; "),
    ],
)
def test_every_fault_has_its_place_and_a_way_out(
    agent_text: AgentText, keys: dict[str, str | None], expected: str
) -> None:
    result = reading(agent_text(**keys))
    assert result.agent is None
    assert len(result.errors) == 1, errors(result)
    assert errors(result)[0].startswith(f"x.md:{expected}"), errors(result)


def test_a_prompt_that_is_missing_behind_the_last_fence_has_a_place() -> None:
    result = reading("---\nname: x\ndescription: d\ntools: []\nmode: plan\n---")
    assert errors(result)[0].startswith("x.md:6:1: the prompt is empty; ")


def test_a_file_tells_all_its_faults_at_once(agent_text: AgentText) -> None:
    result = reading(agent_text(name="X Y", mode="yolo", tools="[gerp]", deny="['(']", prompt=""))
    assert [error.field for error in result.errors] == ["name", "tools", "mode", "deny", "prompt"]


def test_the_rules_of_an_agent_without_a_usable_name_are_told_by_its_file(agent_text: AgentText) -> None:
    assert any("agent x, list deny" in line for line in errors(reading(agent_text(name="X Y", deny="['(']"))))


def test_the_number_of_rules_is_limited_over_all_lists(agent_text: AgentText) -> None:
    half = f"[{'bash, ' * (MAX_RULES_PER_LAYER // 2)}]"
    assert reading(agent_text(deny=half, ask=half)).agent is not None
    assert reading(agent_text(deny=half, ask=half, allow="[read]")).agent is None


@pytest.mark.parametrize(
    ("tools", "offered", "not_offered"),
    [
        ("[]", [], ["read", "mcp__github__push", ""]),
        ('["*"]', ["read", "bash", "mcp__github__push"], []),
        ('["mcp__github__*"]', ["mcp__github__push"], ["mcp__gitlab__push", "mcp__github", "read"]),
        ('["mcp__github__get_*", task]', ["mcp__github__get_me", "task"], ["mcp__github__push", "tas", "tasks"]),
        ("[company_search]", ["company_search"], ["company_searches"]),
    ],
)
def test_an_agent_offers_what_its_tools_name(
    agent_text: AgentText, tools: str, offered: list[str], not_offered: list[str]
) -> None:
    agent = reading(agent_text(tools=tools)).agent
    assert agent is not None
    assert [agent.offers(tool) for tool in offered] == [True] * len(offered)
    assert [agent.offers(tool) for tool in not_offered] == [False] * len(not_offered)


@pytest.mark.parametrize("mode", [*PermissionMode])
def test_every_mode_is_accepted_but_bypass_from_a_project(agent_text: AgentText, mode: PermissionMode) -> None:
    for layer in (Layer.BUILTIN, Layer.USER):
        agent = reading(agent_text(mode=mode), layer).agent
        assert agent is not None
        assert agent.mode is mode
    of_project = reading(agent_text(mode=mode), Layer.PROJECT)
    assert (of_project.agent is None) == (mode is PermissionMode.BYPASS)
    if of_project.errors:
        assert errors(of_project)[0].startswith("x.md:5:7: an agent of a project may not say bypass; ")


def test_unknown_keys_are_kept_as_written_and_told_once(agent_text: AgentText) -> None:
    result = reading(agent_text(colour='"#ffffff" # mine', temperature="\n  - {a: 1}\n  - 2"))
    assert result.agent is not None
    assert result.agent.extra == (("colour", '"#ffffff"'), ("temperature", "- {a: 1}\n  - 2"))
    assert [str(warning) for warning in result.warnings] == [
        "x.md:6:1: unknown key 'colour', kept and not used; did you mean color?",
        "x.md:7:1: unknown key 'temperature', kept and not used",
    ]


def test_a_rule_for_no_known_tool_is_a_warning_and_counts(agent_text: AgentText) -> None:
    result = reading(agent_text(deny="[read, bahs(git *), mcp__x__y]"))
    assert result.agent is not None
    assert [rule.tool for rule in result.agent.rules] == ["read", "bahs", "mcp__x__y"]
    (warning,) = result.warnings
    assert str(warning) == "x.md:6:14: the deny rule 'bahs(git *)' names no known tool; did you mean bash?"


@pytest.mark.parametrize("rule", ["write", "read", "mcp__x__*"])
def test_a_readonly_rule_for_a_tool_without_proofs_is_a_warning_and_has_no_effect(
    agent_text: AgentText, rule: str
) -> None:
    result = reading(agent_text(readonly=f"[{rule!r}, bash]"))
    assert result.agent is not None
    assert [kept.text for kept in result.agent.rules] == ["bash"]
    assert "has no effect; only calls of bash" in str(result.warnings[0])


def test_a_broken_file_still_tells_its_name_and_the_strict_rules_that_can_be_read(agent_text: AgentText) -> None:
    result = reading(agent_text(name="careful", mode="yolo", deny="[bash]", ask="[write]", allow="[read]"))
    assert (result.agent, result.name) == (None, "careful")
    assert [rule.text for rule in result.strict_rules] == ["bash", "write"]
    assert reading("no agent at all").name == "x"


@pytest.mark.parametrize(
    "keys",
    [
        {"tools": "[" + "gerp, " * 9_000 + "]"},
        {"deny": "[" + "'(', " * 1_900 + "]"},
        {"tools": "[" + "x" * 200_000 + "]"},
        {"name": "x" * 200_000},
        {"mode": "x" * 200_000},
        {"deny": "['bash(" + "[" * 200_000 + ")']"},
        {"deny": "[" + f"'bash({'[' * 4_000})', " * 60 + "]"},
        {"x" * 200_000: "1"},
        {f"k{number}": "1" for number in range(9_000)},
    ],
    ids=["tools", "rules", "tool", "name", "mode", "rule", "brackets", "key", "keys"],
)
def test_no_file_drowns_its_reader(agent_text: AgentText, keys: dict[str, str]) -> None:
    result = reading(agent_text(**keys))
    assert len(result.errors) <= MAX_FAULTS + 1
    assert len(result.warnings) <= MAX_FAULTS + 1
    assert all(len(str(fault)) < 600 for fault in (*result.errors, *result.warnings))


def test_more_faults_than_are_listed_are_not_passed_over_in_silence(agent_text: AgentText) -> None:
    result = reading(agent_text(tools="[" + "gerp, " * (MAX_FAULTS + 1) + "]"))
    assert str(result.errors[-1]).endswith("there is more of this kind, not listed; mend these first")
    assert len(reading(agent_text(tools="[" + "gerp, " * MAX_FAULTS + "]")).errors) == MAX_FAULTS


KEYS = st.sampled_from(
    ["name", "description", "tools", "mode", "model", "allow", "deny", "ask", "readonly", "subagent", "max_turns"]
)
VALUES = st.sampled_from(
    [
        "x",
        "plan",
        "bypass",
        "3",
        "no",
        "[read]",
        "[bash]",
        "['bash(git *)']",
        "[[x]]",
        "{a: b}",
        "",
        '"\\ud800"',
        "&a [*a]",
    ]
) | st.text(alphabet="ab[]{}'\"*&!:,- #\\\n", max_size=12)
FILES = (
    st.binary(max_size=400)
    | st.text(max_size=300).map(lambda text: f"---\n{text}\n---\nx".encode())
    | st.lists(st.tuples(KEYS, VALUES), max_size=12).map(
        lambda pairs: ("---\n" + "".join(f"{key}: {value}\n" for key, value in pairs) + "---\nx").encode()
    )
)


@given(FILES, st.sampled_from(Layer))
def test_any_bytes_give_an_agent_or_errors_with_places(data: bytes, layer: Layer) -> None:
    result = reading(data, layer)
    assert (result.agent is None) == bool(result.errors)
    assert all(error.line >= 1 and error.column >= 1 for error in (*result.errors, *result.warnings))
    assert all("\n" not in str(error) for error in (*result.errors, *result.warnings))
    if result.agent is not None and layer is Layer.PROJECT:
        assert result.agent.mode is not PermissionMode.BYPASS
