"""Merging, broken files, what a project may set, and which of its rules count (settings.md, permissions.md §3.3)."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.rules import MAX_RULES_PER_LAYER, RuleList, RuleSource
from decode_core.settings.grants import GrantedRules
from decode_core.settings.layers import Settings, load_settings
from decode_core.settings.problems import MAX_PROBLEMS, ProblemKind
from decode_core.settings.schema import SettingsValues

TOOLS = ("bash", "read", "edit", "web_fetch")


def write(file: Path, value: Any) -> None:
    file.write_text(value if isinstance(value, str) else json.dumps(value, indent=2))


def load(
    user: Path | None = None, project: Path | None = None, *, trusted: bool = False, last_good: Settings | None = None
) -> Settings:
    return load_settings(
        user, project, project_trusted=trusted, grants=GrantedRules(), tool_names=TOOLS, last_good=last_good
    )


def texts(found: Settings, source: RuleSource | None = None) -> list[str]:
    return [f"{rule.list} {rule.text}" for rule in found.rules if source in (None, rule.source)]


def test_missing_files_are_empty(user_file: Path, project_file: Path) -> None:
    found = load(user_file, project_file)
    assert found.values == SettingsValues()
    assert (found.rules, found.warnings, found.degraded) == ((), (), ())
    assert load().values == SettingsValues()


def test_a_project_folder_that_is_a_file_holds_no_settings(tmp_path: Path) -> None:
    (tmp_path / ".decode").write_text("x")
    assert not load(None, tmp_path / ".decode" / "settings.json").warnings


def test_rule_lists_are_united_and_know_their_lines(user_file: Path, project_file: Path) -> None:
    write(user_file, '{"permissions": {\n "deny": ["bash(rm *)",\n  "bash(rm *)"],\n "allow": [\n  " bash(ls) "]}}')
    write(project_file, '{"permissions": {"ask": ["edit"],\n "deny": ["bash(rm *)"]}}')
    rules = load(user_file, project_file).rules
    assert [(rule.list, rule.text, rule.source, rule.line) for rule in rules] == [
        (RuleList.DENY, "bash(rm *)", RuleSource.USER, 2),
        (RuleList.ALLOW, "bash(ls)", RuleSource.USER, 5),
        (RuleList.DENY, "bash(rm *)", RuleSource.PROJECT, 2),
        (RuleList.ASK, "edit", RuleSource.PROJECT, 1),
    ]


def test_later_wins_for_single_values(user_file: Path, project_file: Path) -> None:
    write(user_file, {"agent": "plan", "mode": "edit", "compaction": {"at": 0.5}, "mcp": {"a": 1, "b": 1}})
    write(project_file, {"agent": "build", "mcp": {"b": 2, "c": 2}, "memory": False})
    found = load(user_file, project_file, trusted=True)
    assert (found.values.agent, found.values.mode) == ("build", PermissionMode.EDIT)
    assert found.values.mcp == {"a": 1, "b": 2, "c": 2}
    assert (found.values.memory, found.values.compaction.at) == (False, 0.5)
    assert found.source_of(("agent",)) is RuleSource.PROJECT
    assert found.source_of(("compaction", "at")) is RuleSource.USER
    assert found.source_of(("theme",)) is None
    assert not found.warnings


def test_a_project_cannot_take_the_persons_hooks_away(user_file: Path, project_file: Path) -> None:
    write(user_file, {"hooks": {"pre_tool": [{"command": "mine"}], "turn_end": [1]}})
    write(project_file, {"hooks": {"pre_tool": [], "decision": [2]}})
    hooks = load(user_file, project_file, trusted=True).values.hooks
    assert hooks == {"pre_tool": [{"command": "mine"}], "turn_end": [1], "decision": [2]}
    write(project_file, {"hooks": {"pre_tool": None}})
    assert load(user_file, project_file, trusted=True).values.hooks["pre_tool"] == [{"command": "mine"}, None]


BROKEN: list[tuple[str, str, int]] = [
    ("no JSON", '{"permissions": {\n "deny": ["bash(rm *)"],\n}}', 3),
    ("empty", "", 1),
    ("wrong root", "[]", 1),
    ("permissions of a wrong shape", '{\n"permissions": []}', 2),
    ("a list of a wrong shape", '{\n"permissions": {\n"deny": "bash"}}', 3),
    ("allow of a wrong shape", '{\n"permissions": {\n"allow": {}}}', 3),
    ("an unparsable deny", '{"permissions": {"deny": [\n"bash(rm *)",\n"bash(rm"]}}', 3),
    ("a deny that is no string", '{"permissions": {"deny": [\n3]}}', 2),
    ("an unparsable ask", '{"permissions": {"ask": [\n"bash()"]}}', 2),
    ("a wrong value", '{\n\n"compaction": {"at": "soon"}}', 3),
    ("a bypass default", '{\n"mode": "bypass"}', 2),
]


@pytest.mark.parametrize(("text", "line"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_a_broken_file_degrades_and_names_its_line(text: str, line: int, user_file: Path, project_file: Path) -> None:
    write(user_file, text)
    (problem,) = load(user_file).degraded
    assert (problem.file, problem.line) == (user_file, line)
    assert str(problem) == f"{user_file}:{line}: {problem.sentence}"
    write(project_file, text)
    assert len(load(None, project_file, trusted=True).degraded) == 1


@pytest.mark.parametrize("text", [case[1] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_a_broken_file_of_an_untrusted_folder_is_a_warning_only(text: str, project_file: Path) -> None:
    write(project_file, text)
    found = load(None, project_file)
    assert not found.is_degraded
    assert found.warnings


def test_what_can_be_read_of_a_broken_file_stays_in_force(user_file: Path) -> None:
    write(
        user_file,
        {
            "permissions": {"deny": ["bash(", "bash(rm *)"], "ask": [None, "edit"]},
            "limits": {"max_turns": "x", "subagents": 2},
            "env": {"pass": ["1", "GOOD", 3]},
        },
    )
    found = load(user_file)
    assert texts(found) == ["deny bash(rm *)", "ask edit"]
    assert (found.values.limits.max_turns, found.values.limits.subagents) == (100, 2)
    assert found.values.env.passed == ("GOOD",)
    assert [problem.kind for problem in found.degraded].count(ProblemKind.BAD_RULE) == 2
    assert len(found.degraded) == 5


@pytest.mark.parametrize("kind", ["allow", "readonly"])
@pytest.mark.parametrize("entry", ["bash(", "", 3, None, ["bash"]])
def test_an_unparsable_loosening_rule_is_skipped_with_a_warning(kind: str, entry: Any, user_file: Path) -> None:
    write(user_file, {"permissions": {kind: [entry, "bash(ls)"]}})
    found = load(user_file)
    assert texts(found) == [f"{kind} bash(ls)"]
    assert not found.is_degraded
    (warning,) = found.warnings
    assert (warning.kind, warning.line, warning.path) == (ProblemKind.BAD_RULE, 4, ("permissions", kind, 0))


@pytest.mark.parametrize(
    ("rule", "meant"),
    [("Bash(rm *)", "did you mean 'bash'?"), ("raed", "did you mean 'read'?"), ("zzz", ""), ("webfetch", "web_fetch")],
)
def test_an_unknown_tool_is_a_warning_and_the_rule_counts(rule: str, meant: str, user_file: Path) -> None:
    write(user_file, {"permissions": {"deny": [rule]}})
    found = load(user_file)
    (warning,) = found.warnings
    assert warning.kind is ProblemKind.UNKNOWN_TOOL
    assert meant in warning.sentence
    assert ("did you mean" in warning.sentence) == bool(meant)
    assert texts(found) == [f"deny {rule}"]
    assert not found.is_degraded


def test_tools_of_servers_and_no_list_of_tools_give_no_warning(user_file: Path) -> None:
    write(user_file, {"permissions": {"ask": ["mcp__docs__search", "mcp__docs__*"]}})
    assert not load(user_file).warnings
    write(user_file, {"permissions": {"ask": ["anything"]}})
    assert not load_settings(user_file, None, project_trusted=False, grants=GrantedRules()).warnings


def test_a_readonly_rule_without_proofs_has_no_effect_and_is_a_warning(user_file: Path) -> None:
    write(user_file, {"permissions": {"readonly": ["edit", "bash(git *)", "mcp__a__b"]}})
    found = load(user_file)
    assert texts(found) == ["readonly bash(git *)"]
    assert [warning.kind for warning in found.warnings] == [ProblemKind.NO_EFFECT] * 2


def test_each_unknown_key_is_one_warning(user_file: Path) -> None:
    write(user_file, {"theem": "x", "permissions": {"alow": ["bash"]}})
    found = load(user_file)
    assert [warning.sentence for warning in found.warnings] == [
        "there is no setting 'theem'; did you mean 'theme'?",
        "there is no setting 'permissions.alow'; did you mean 'allow'?",
    ]
    assert not found.is_degraded


def test_the_last_good_version_stays_in_force(user_file: Path) -> None:
    write(user_file, {"permissions": {"deny": ["bash(a)"], "allow": ["bash(ls)"]}, "agent": "plan"})
    good = load(user_file)
    write(user_file, '{"permissions": {"deny": ["bash(a)"')
    broken = load(user_file, last_good=good)
    assert broken.is_degraded
    assert texts(broken) == texts(good)
    assert broken.values == good.values
    still = load(user_file, last_good=broken)
    assert texts(still) == texts(good), "a second reload of the broken file loses nothing"
    write(user_file, {"permissions": {"deny": ["bash(b)"]}})
    mended = load(user_file, last_good=still)
    assert texts(mended) == ["deny bash(b)"]
    assert not mended.is_degraded


def test_a_broken_file_may_tighten_what_was_in_force_but_not_loosen_it(user_file: Path) -> None:
    write(user_file, {"permissions": {"deny": ["bash(a)"]}})
    good = load(user_file)
    write(user_file, {"permissions": {"deny": [3, "bash(b)"], "allow": ["bash(c)"]}, "agent": "other"})
    found = load(user_file, last_good=good)
    assert texts(found) == ["deny bash(a)", "deny bash(b)"]
    assert found.values.agent == "build"


def test_the_last_good_version_of_another_file_means_nothing(user_file: Path, tmp_path: Path) -> None:
    write(user_file, {"permissions": {"allow": ["bash(ls)"]}})
    good = load(user_file)
    other = tmp_path / "other.json"
    write(other, "{")
    assert not load(other, last_good=good).rules


def make_pipe(file: Path) -> None:
    os.mkfifo(file)


def make_folder(file: Path) -> None:
    file.mkdir()


def make_dangling_link(file: Path) -> None:
    file.symlink_to("nowhere")


def make_circle(file: Path) -> None:
    file.symlink_to(file)


@pytest.mark.parametrize("make", [make_pipe, make_folder, make_dangling_link, make_circle])
def test_what_is_no_regular_file_degrades_and_never_blocks(make: Callable[[Path], None], user_file: Path) -> None:
    make(user_file)
    (problem,) = load(user_file).degraded
    assert problem.kind is ProblemKind.UNREADABLE


def test_a_link_to_settings_is_read(user_file: Path, tmp_path: Path) -> None:
    write(tmp_path / "dotfile.json", {"agent": "plan"})
    user_file.symlink_to(tmp_path / "dotfile.json")
    assert load(user_file).values.agent == "plan"


def test_a_layer_holds_a_bounded_number_of_rules(user_file: Path) -> None:
    many = [f"bash(x{number})" for number in range(MAX_RULES_PER_LAYER + 5)]
    write(user_file, {"permissions": {"deny": many}})
    found = load(user_file)
    assert len(found.rules) == MAX_RULES_PER_LAYER
    assert [problem.kind for problem in found.degraded] == [ProblemKind.TOO_MANY_RULES]
    write(user_file, {"permissions": {"deny": many[:1990], "allow": many[:15]}})
    found = load(user_file)
    assert len(found.rules) == MAX_RULES_PER_LAYER
    assert [problem.kind for problem in found.warnings] == [ProblemKind.TOO_MANY_RULES]
    assert not found.is_degraded


def test_a_hostile_file_cannot_flood_the_screen(project_file: Path) -> None:
    write(project_file, {**{f"k{number}": 1 for number in range(500)}, "permissions": {"deny": [1] * 500}})
    found = load(None, project_file)
    assert len(found.warnings) == 2 * (MAX_PROBLEMS + 1)
    assert {"450 more problems in this file are not listed"} == {
        warning.sentence for warning in found.warnings if warning.kind is ProblemKind.MORE
    }


def test_sentences_are_one_inert_line(project_file: Path) -> None:
    hostile = "\x1b[2J\u202e\n[@click=app.quit]" + "x" * 5000
    write(project_file, {hostile: 1, "permissions": {"deny": [hostile], "allow": [f"bash({hostile})"]}})
    for problem in load(None, project_file).warnings:
        assert not set(str(problem)) & set("\x1b\u202e\n")
        assert len(problem.sentence) <= 300


ENTRY = st.one_of(
    st.none(), st.integers(), st.text(max_size=12), st.sampled_from(["bash", "bash(x)", "read(a/*)", "bash("])
)
PERMISSIONS = st.dictionaries(
    st.sampled_from([*RuleList, "plan_ceiling", "junk"]), st.lists(ENTRY, max_size=4) | ENTRY | st.booleans()
)
ANYTHING = st.dictionaries(
    st.sampled_from(["permissions", "mode", "limits", "sandbox", "env", "hooks", "models", "junk", "theme"]),
    st.recursive(
        ENTRY | st.booleans(), lambda b: st.lists(b, max_size=3) | st.dictionaries(st.text(max_size=3), b, max_size=3)
    ),
) | st.builds(lambda lists: {"permissions": lists}, PERMISSIONS)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(user=ANYTHING, project=ANYTHING)
def test_no_content_raises_and_an_untrusted_project_only_tightens(
    user: dict[str, Any], project: dict[str, Any], user_file: Path, project_file: Path
) -> None:
    write(user_file, user)
    write(project_file, project)
    alone, both = load(user_file), load(user_file, project_file)
    ours = set(texts(both, RuleSource.PROJECT))
    assert both.values.model_dump(exclude={"permissions"}) == alone.values.model_dump(exclude={"permissions"})
    assert both.values.permissions.plan_ceiling == alone.values.permissions.plan_ceiling
    assert both.degraded == alone.degraded
    assert all(text.startswith(("deny", "ask")) for text in ours)
    assert texts(both, RuleSource.USER) == texts(alone)
