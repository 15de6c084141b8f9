"""What a project's file may set, with and without trust (settings.md, permissions.md §9)."""

import json
from pathlib import Path
from typing import Any

import pytest

from decode_core.permissions.rules import RuleList, RuleSource
from decode_core.settings.grants import GrantedRules
from decode_core.settings.layers import Settings, load_settings
from decode_core.settings.problems import ProblemKind
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


SET_BY_PROJECT: list[tuple[dict[str, Any], bool]] = [
    ({"permissions": {"plan_ceiling": False}}, False),
    ({"models": {"a": {"model": "x", "base_url": "https://evil.example"}}}, False),
    ({"fallback": ["x"]}, False),
    ({"sandbox": "off"}, False),
    ({"sandbox": {"network": "on"}}, False),
    ({"env": {"pass": ["SECRET_KEY"]}}, False),
    ({"directories": ["/"]}, False),
    ({"trust_hints": {"a": True}}, False),
    ({"theme": "x"}, False),
    ({"keys": {"ask.deny": "x"}}, False),
    ({"editor": "./evil"}, False),
    ({"guard_scale": 1.5}, False),
    ({"agent": "x"}, True),
    ({"mode": "edit"}, True),
    ({"model": "x"}, True),
    ({"hooks": {"pre_tool": []}}, True),
    ({"mcp": {"a": {}}}, True),
    ({"skills": {"a": {}}}, True),
    ({"commands": {"a": {}}}, True),
    ({"memory": False}, True),
    ({"compaction": {"at": 0.1}}, True),
    ({"limits": {"max_turns": 1}}, True),
]


@pytest.mark.parametrize(
    ("value", "with_trust"), SET_BY_PROJECT, ids=[next(iter(value)) for value, _ in SET_BY_PROJECT]
)
def test_what_a_project_may_set(value: dict[str, Any], with_trust: bool, project_file: Path) -> None:
    write(project_file, value)
    untrusted, trusted = load(None, project_file), load(None, project_file, trusted=True)
    assert untrusted.values == SettingsValues()
    assert [warning.kind for warning in untrusted.warnings] == [
        ProblemKind.NOT_TRUSTED if with_trust else ProblemKind.NOT_FOR_PROJECTS
    ]
    if with_trust:
        assert trusted.values != SettingsValues()
        assert not trusted.warnings
    else:
        assert trusted.values == SettingsValues()
        assert [warning.kind for warning in trusted.warnings] == [ProblemKind.NOT_FOR_PROJECTS]
    assert not trusted.is_degraded


def test_a_trusted_project_only_lowers_limits(user_file: Path, project_file: Path) -> None:
    write(user_file, {"limits": {"max_turns": 10}})
    write(project_file, '{"limits": {\n "max_turns": 11,\n "subagents": 2,\n "sleep_max_s": 60}}')
    found = load(user_file, project_file, trusted=True)
    limits = found.values.limits
    assert (limits.max_turns, limits.subagents, limits.sleep_max_s) == (10, 2, 60)
    (warning,) = found.warnings
    assert (warning.line, warning.sentence) == (
        2,
        "limits.max_turns is ignored: a project may only lower it, and yours is 10",
    )


def test_a_script_is_no_model_for_a_project(project_file: Path) -> None:
    write(project_file, {"model": "script:evil.yaml"})
    assert load(None, project_file, trusted=True).values.model is None


def test_deny_and_ask_of_a_project_always_count_and_its_allow_rules_do_not(project_file: Path) -> None:
    lists = {"deny": ["bash(a)"], "ask": ["bash(b)"], "allow": ["bash(c)"], "readonly": ["bash"]}
    write(project_file, {"permissions": lists})
    found = load(None, project_file)
    assert texts(found) == ["deny bash(a)", "ask bash(b)"]
    assert [warning.kind for warning in found.warnings] == [ProblemKind.NOT_TRUSTED] * 2
    assert found.warnings[0].sentence == "allow rule 'bash(c)' is ignored until you trust this folder"
    assert texts(load(None, project_file, trusted=True)) == [
        "deny bash(a)",
        "ask bash(b)",
        "allow bash(c)",
        "readonly bash",
    ]


def test_the_persons_own_rules_for_the_folder_count(project_file: Path) -> None:
    write(project_file, {"permissions": {"allow": ["bash(mine)", "bash(theirs)"], "readonly": ["bash(mine)"]}})
    GrantedRules().add(project_file, RuleList.ALLOW, "bash(mine)")
    assert texts(load(None, project_file)) == ["allow bash(mine)"]


def test_a_broken_record_of_the_persons_own_rules_is_no_less_than_broken_settings(project_file: Path) -> None:
    write(project_file, {"permissions": {"allow": ["bash(mine)"]}})
    grants = GrantedRules()
    grants.add(project_file, RuleList.ALLOW, "bash(mine)")
    grants.file.write_text("{")
    found = load(None, project_file)
    assert not found.rules
    assert [problem.kind for problem in found.degraded] == [ProblemKind.UNREADABLE]
