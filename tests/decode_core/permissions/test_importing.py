"""Rules of other agents in our words: each mapping, each reason, and never wider than the original."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from decode_core.permissions.gate import PermissionGate
from decode_core.permissions.importing import LISTS, Origin, import_rule
from decode_core.permissions.modes import PermissionOutcome
from decode_core.permissions.rules import Rule, RuleList, RuleSource, parse_rule
from decode_core.tools.registry import builtin_registry
from decode_core.workspace import Workspace
from decode_ui.headless.permissions import request_for

ALLOW, DENY, ASK = RuleList.ALLOW, RuleList.DENY, RuleList.ASK

MAPPINGS = [
    (ALLOW, "Bash(npm run test:*)", ["bash(npm run test)", "bash(npm run test *)"]),
    (DENY, "Bash(npm run test:*)", ["bash(npm run test*)"]),
    (ALLOW, "Bash(npm run lint)", ["bash(npm run lint)"]),
    (ALLOW, "Bash(git * main)", ["bash(git * main)"]),
    (ALLOW, "Bash(ls [ab]?)", ["bash(ls [[]ab][?])"]),
    (ALLOW, "Bash", ["bash"]),
    (ALLOW, "Bash(*)", ["bash"]),
    (ALLOW, "Bash(:*)", ["bash"]),
    (DENY, "Read(./.env)", ["read(.env)"]),
    (DENY, "Read(secrets/)", ["read(secrets/**)"]),
    (DENY, "Read(src/**/private.py)", ["read(src/**/private.py)", "read(src/private.py)"]),
    (DENY, "Read(*.p?m)", ["read(*.p*m)"]),
    (DENY, "Read(id_[rd]sa)", ["read(id_*sa)"]),
    (ALLOW, "Read(~/notes/**)", ["read(~/notes/**)"]),
    (ALLOW, "Read(//usr/include/**)", ["read(/usr/include/**)"]),
    (ALLOW, "Read(/docs/**)", ["read(docs/**)"]),
    (ALLOW, "Edit(src/**)", ["edit(src/**)", "write(src/**)"]),
    (ALLOW, "Edit", ["edit", "write"]),
    (ALLOW, "Write(out/*)", ["write(out/*)"]),
    (ALLOW, "WebFetch(domain:docs.python.org)", ["web_fetch(https://docs.python.org/*)"]),
    (ALLOW, "WebFetch(domain:*.example.org)", ["web_fetch(https://*.example.org/*)"]),
    (DENY, "WebFetch(domain:Example.org)", ["web_fetch(example.org)"]),
    (ALLOW, "mcp__github__list_issues", ["mcp__github__list_issues"]),
    (ALLOW, "mcp__github", ["mcp__github__*"]),
    (ALLOW, "mcp__github__*", ["mcp__github__*"]),
    (DENY, "TodoWrite", ["todo_write"]),
    (DENY, "Task", ["task"]),
]


@pytest.mark.parametrize(("in_list", "original", "rules"), MAPPINGS, ids=[f"{row[0]}-{row[1]}" for row in MAPPINGS])
def test_a_mapping(in_list: RuleList, original: str, rules: list[str]) -> None:
    found = import_rule(in_list, original)
    assert (list(found.rules), found.reason) == (rules, "")


REASONS = [
    (5, "no rule of the form"),
    ("Bash(", "no rule of the form"),
    ("WebSearch", "no tool like WebSearch"),
    ("NotebookEdit(x.ipynb)", "no tool like NotebookEdit"),
    ("Task(Explore)", "agents have other names"),
    ("Skill(pdf)", "skills have other names"),
    ("WebFetch(https://x.org)", "only WebFetch(domain:…)"),
    ("WebFetch(domain:a b)", "only WebFetch(domain:…)"),
    ("Read(!x)", "exceptions"),
    ("Read(a\\ b)", "only * and **"),
    ("Read(x?)", "only * and **"),
    ("Read(../x)", "paths with .."),
    ("Read()", "pattern is empty"),
    ("mcp__My_Server__x", "names of servers"),
    ("mcp__github__x(y)", "no pattern here"),
    ("TodoWrite(x)", "TodoWrite has no pattern here"),
]


@pytest.mark.parametrize(("original", "reason"), REASONS, ids=[str(row[0]) for row in REASONS])
def test_a_rule_without_a_counterpart_is_left_out_with_the_reason(original: object, reason: str) -> None:
    found = import_rule(ALLOW, original)
    assert found.rules == ()
    assert reason in found.reason


def test_a_path_that_counts_from_the_persons_folder_is_not_guessed() -> None:
    found = import_rule(DENY, "Read(/x)", Origin.USER)
    assert found.rules == ()
    assert "counts from the folder of those settings" in found.reason


def imported(in_list: RuleList, original: str) -> list[Rule]:
    return [parse_rule(text, in_list, RuleSource.USER) for text in import_rule(in_list, original).rules]


NEVER_WIDER = [
    ("Bash(npm run test:*)", "bash", "npm run test-all; rm x"),
    ("Bash(npm run test:*)", "bash", "npm run testing"),
    ("Bash(npm run test:*)", "bash", "npm run test && curl x"),
    ("Bash(npm run test:*)", "bash", "npm run test > ~/.bashrc"),
    ("Bash(git log:*)", "bash", "git log --output=x"),
    ("Bash(ls [ab])", "bash", "ls a"),
    ("Read(*.env)", "read", "deep/below/x.env"),
    ("Edit(src/*)", "write", "src/deep/x.py"),
    ("Edit(src/**)", "write", "src/../x.py"),
    ("Edit(src/**)", "bash", "rm src/x.py"),
    ("WebFetch(domain:python.org)", "web_fetch", "https://python.org.evil.example/"),
    ("WebFetch(domain:python.org)", "web_fetch", "https://evil.example/?python.org/"),
    ("WebFetch(domain:python.org)", "web_fetch", "https://docs.python.org/"),
    ("WebFetch(domain:*.python.org)", "web_fetch", "https://evilpython.org/"),
]


def outcome(rules: list[Rule], tool: str, subject: str, root: Path) -> PermissionOutcome:
    registry = builtin_registry()
    spec = registry.get(tool)
    assert spec is not None
    assert spec.subject is not None
    args = {spec.subject: subject} | ({"content": "x"} if tool == "write" else {})
    return PermissionGate(rules=rules).check(request_for(registry, Workspace(root), tool, args)).outcome


@pytest.mark.parametrize(("original", "tool", "subject"), NEVER_WIDER)
def test_what_the_original_did_not_mean_is_not_allowed_by_ours(
    original: str, tool: str, subject: str, tmp_path: Path
) -> None:
    without = outcome([], tool, subject, tmp_path)
    assert outcome(imported(ALLOW, original), tool, subject, tmp_path) is without


COVERED = [
    ("Bash(npm run test:*)", "bash", "npm run test"),
    ("Bash(npm run test:*)", "bash", "npm run test --watch"),
    ("Edit(src/**)", "write", "src/deep/x.py"),
    ("WebFetch(domain:docs.python.org)", "web_fetch", "https://docs.python.org/3/"),
]


@pytest.mark.parametrize(("original", "tool", "subject"), COVERED)
def test_what_the_original_was_for_runs(original: str, tool: str, subject: str, tmp_path: Path) -> None:
    assert outcome(imported(ALLOW, original), tool, subject, tmp_path) is PermissionOutcome.ALLOW


DENIED = [
    ("Read(./.env)", "read", ".env"),
    ("Read(.env)", "read", "deep/.env"),
    ("Read(secrets/)", "read", "secrets/a/b"),
    ("Read(src/**/key.txt)", "read", "src/key.txt"),
    ("Read(src/**/key.txt)", "read", "src/a/b/key.txt"),
    ("Read(**/.ssh/**)", "read", "x/.ssh/id"),
    ("Edit(src/**)", "write", "src/x.py"),
    ("Bash(rm:*)", "bash", "rm -rf x"),
    ("Bash(rm:*)", "bash", "ls && rmdir x"),
    ("Bash(git push)", "bash", "sudo git push"),
    ("WebFetch(domain:evil.example)", "web_fetch", "http://evil.example:8080/x"),
    ("WebFetch(domain:*.evil.example)", "web_fetch", "https://a.evil.example/x"),
]


@pytest.mark.parametrize(("original", "tool", "subject"), DENIED)
def test_what_the_original_denied_is_denied_by_ours(original: str, tool: str, subject: str, tmp_path: Path) -> None:
    assert outcome(imported(DENY, original), tool, subject, tmp_path) is PermissionOutcome.DENY


@given(
    st.sampled_from(LISTS), st.one_of(st.text(max_size=40), st.from_regex(r"[A-Z][a-z]+\(.{0,20}\)", fullmatch=True))
)
def test_any_text_is_a_rule_of_ours_or_a_reason(in_list: RuleList, original: str) -> None:
    found = import_rule(in_list, original)
    assert bool(found.rules) != bool(found.reason)
    for text in found.rules:
        parse_rule(text, in_list, RuleSource.USER)
