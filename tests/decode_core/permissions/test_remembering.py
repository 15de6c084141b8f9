"""Rules that an answer stores (permissions.md §3.2): exactly one call, or a suggested pattern around it."""

import string
from pathlib import Path

import pytest
from hypothesis import assume, given, strategies as st

from decode_core.permissions.gate import PermissionGate
from decode_core.permissions.matching import covers, touches
from decode_core.permissions.modes import PermissionOutcome, ToolKind
from decode_core.permissions.remembering import exact_rule, preview_rule, suggested_rules
from decode_core.permissions.request import PathFact, PermissionRequest, SubjectKind
from decode_core.permissions.rules import RuleList, RuleSource
from decode_core.permissions.urls import parse_url

ROOT = Path("/ws")
SHELL_TEXT = st.text(alphabet="abrgit*?[] .;|&>$'\"\\/-=\n", min_size=1, max_size=30)
NAMES = st.text(alphabet=string.ascii_letters + "*?[]! .-_é", min_size=1, max_size=12)


def command(text: str) -> PermissionRequest:
    return PermissionRequest("c", "bash", ToolKind.OTHER, text, SubjectKind.COMMAND)


def edit(path: str, tool: str = "edit") -> PermissionRequest:
    lexical = ROOT / path
    fact = PathFact(path, lexical, lexical, path, path, inside=True)
    return PermissionRequest("c", tool, ToolKind.FILE_EDIT, path, SubjectKind.PATH, paths=(fact,))


def fetch(url: str) -> PermissionRequest:
    return PermissionRequest("c", "web_fetch", ToolKind.READ_ONLY, url, SubjectKind.URL, url=parse_url(url))


def text(subject: str) -> PermissionRequest:
    return PermissionRequest("c", "deploy", ToolKind.OTHER, subject, SubjectKind.TEXT)


@given(SHELL_TEXT)
def test_a_literal_rule_for_a_command_covers_it_whatever_its_characters(subject: str) -> None:
    rule = exact_rule(command(subject))
    assume(rule is not None)
    assert rule is not None and covers(rule, command(subject))


@given(SHELL_TEXT, SHELL_TEXT)
def test_a_literal_rule_for_a_command_covers_no_other_command(subject: str, other: str) -> None:
    rule = exact_rule(command(subject))
    assume(rule is not None and other.strip() != subject.strip())
    assert rule is not None
    if covers(rule, command(other)):
        # only the very same command, written twice, in another spelling of its blanks, or beside comments
        assert set(subject.split()) <= set(other.replace(";", " ").replace("&", " ").replace("|", " ").split())


@given(NAMES, NAMES)
def test_a_literal_rule_for_a_file_covers_that_file_alone(name: str, other: str) -> None:
    assume(name.strip() not in ("", ".") and "/" not in name)
    rule = exact_rule(edit(name))
    assume(rule is not None)
    assert rule is not None
    assert covers(rule, edit(name))
    assert covers(rule, edit(other)) == (other == name)


@given(st.text(min_size=1, max_size=20), st.text(min_size=1, max_size=20))
def test_a_literal_rule_for_any_text_matches_that_text_alone(subject: str, other: str) -> None:
    rule = exact_rule(text(subject))
    assume(rule is not None and other != subject and other != subject.strip())
    assert rule is not None and not covers(rule, text(other))


@pytest.mark.parametrize("call", [command(""), command("   "), edit("."), text(""), text(" ")])
def test_an_empty_subject_is_never_stored(call: PermissionRequest) -> None:
    assert exact_rule(call) is None
    assert exact_rule(call, RuleList.DENY) is None


def test_pattern_characters_are_escaped_the_glob_way() -> None:
    rule = exact_rule(command("rm build/*.o"))
    assert rule is not None and rule.text == "bash(rm build/[*].o)"
    assert not covers(rule, command("rm build/a.o"))


@given(SHELL_TEXT)
def test_a_suggested_pattern_covers_the_command_that_was_approved(subject: str) -> None:
    for rule in suggested_rules(command(subject)):
        assert covers(rule, command(subject))


@given(st.lists(NAMES.filter(lambda name: name.strip(". ") != ""), min_size=1, max_size=4))
def test_a_suggested_pattern_covers_the_file_that_was_approved(parts: list[str]) -> None:
    call = edit("/".join(parts))
    for rule in suggested_rules(call):
        assert covers(rule, call)


@pytest.mark.parametrize(
    ("call", "suggested"),
    [
        (command("git add -A src/x.py"), ["bash(git add *)", "bash(git add -A *)", "bash(git *)"]),
        (command("grep foo a.log"), ["bash(grep *)"]),
        (command("npm run test"), ["bash(npm run *)"]),
        (command("cargo build --release x"), ["bash(cargo build *)", "bash(cargo build --release *)"]),
        (command("pytest -q tests"), ["bash(pytest *)"]),
        (command("python3 tool.py x"), []),
        (command("rm -rf build && curl u"), []),
        (command("ls"), []),
        (command("echo x > f"), ["bash(echo *)"]),
        (edit("src/pkg/a.py"), ["edit(src/pkg/**)", "edit(src/pkg/*.py)", "edit(src/**)"]),
        (edit("a.py"), ["edit(*.py)"]),
        (edit("Makefile"), []),
        (
            fetch("https://docs.python.org/3/library"),
            ["web_fetch(https://docs.python.org/*)", "web_fetch(https://docs.python.org/3/*)"],
        ),
        (text("staging"), []),
    ],
)
def test_suggestions_go_from_the_fitting_to_the_wide(call: PermissionRequest, suggested: list[str]) -> None:
    assert [rule.text for rule in suggested_rules(call)] == suggested


def test_no_suggestion_lets_an_interpreter_run_anything() -> None:
    for program in ("bash", "python", "node", "npx", "perl"):
        texts = [rule.text for rule in suggested_rules(command(f"{program} -c x y"))]
        assert f"bash({program} *)" not in texts


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("bash", "every call"),
        ("bash(*)", "nearly every call"),
        ("bash(**)", "nearly every call"),
        ("bash(git", "Malformed"),
        ("bash()", "empty"),
        ("bash(git push *)", "does not match this call"),
        ("edit(git add *)", "does not match this call"),
    ],
)
def test_a_pattern_that_lets_too_much_through_or_misses_the_call_is_not_storable(rule: str, says: str) -> None:
    preview = preview_rule(rule, RuleList.ALLOW, RuleSource.PROJECT, call=command("git add -A x"))
    assert not preview.is_storable
    assert preview.problem is not None and says in preview.problem


def test_the_preview_lists_what_a_pattern_would_have_matched_latest_first_and_once() -> None:
    earlier = [command(line) for line in ("git add a.py", "git push", "git add b.py", "git add a.py", "ls")]
    preview = preview_rule("bash(git add *)", RuleList.ALLOW, RuleSource.PROJECT, earlier=earlier)
    assert preview.is_storable
    assert preview.matched == ("git add a.py", "git add b.py")


def test_a_deny_rule_is_previewed_wide() -> None:
    earlier = [command("sudo rm -rf x"), command("ls")]
    preview = preview_rule("bash(rm *)", RuleList.DENY, RuleSource.USER, earlier=earlier)
    assert preview.matched == ("sudo rm -rf x",)


@given(SHELL_TEXT)
def test_a_stored_refusal_refuses_the_next_such_command(subject: str) -> None:
    rule = exact_rule(command(subject), RuleList.DENY, RuleSource.PROJECT)
    assume(rule is not None)
    assert rule is not None and touches(rule, command(subject))
    assert PermissionGate(rules=[rule]).check(command(subject)).outcome is PermissionOutcome.DENY
