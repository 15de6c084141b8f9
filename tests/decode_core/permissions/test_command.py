"""Shell commands under rules, without a look at any file: allow reads narrow, deny and ask read wide."""

import pytest
from hypothesis import given, strategies as st

from decode_core.permissions.command import covers_command as covers, is_parsed, matches_command_wide
from decode_core.permissions.modes import ToolKind
from decode_core.permissions.patterns import Pattern, compile_pattern, escape
from decode_core.permissions.request import PermissionRequest, SubjectKind


def covers_command(pattern: Pattern | None, text: str) -> bool:
    return covers(pattern, PermissionRequest("c", "bash", ToolKind.OTHER, text, SubjectKind.COMMAND))


@pytest.mark.parametrize(
    "text",
    [
        "git log; rm x",
        "git log && rm x",
        "git log | sh",
        "git log $(rm x)",
        "git log `rm x`",
        "git diff\nrm -rf x",
        "(rm x)",
        "{ rm x; }",
        "a[$(rm x)]",
        "git -c core.pager='sh -c id' log",
        "cat 'open",
        "FOO=1 git log",
        "",
        "   ",
        "# only words",
        "git log\x00",
        "git log \u202e",
        "git\rlog",
        "git log " + "x" * 70_000,
        "git log \ud800",
    ],
)
def test_a_pattern_for_one_program_covers_no_other_and_nothing_unread(text: str) -> None:
    assert not covers_command(compile_pattern("git *"), text)


@pytest.mark.parametrize(
    ("pattern", "text", "covered"),
    [
        ("git *", "git diff", True),
        ("git *", "git   diff", True),
        ("git *", "/usr/bin/git diff", True),
        ("git *", "./git diff", False),
        ("git *", "/tmp/git diff", False),
        ("git *", "git", False),
        ("git *", "GIT diff", False),
        ("git *", "git status && rm -rf x", False),
        ("npm test", "npm test", True),
        ("npm test", "npm testing", False),
        ("rm build/[*].o", "rm build/*.o", True),
        ("rm build/[*].o", "rm build/[*].o", False),
        ("a; b > c", "a; b > c", True),
    ],
)
def test_what_an_allow_pattern_covers(pattern: str, text: str, covered: bool) -> None:
    assert covers_command(compile_pattern(pattern), text) is covered


def test_the_bare_rule_covers_every_text_without_control_characters() -> None:
    assert covers_command(None, "anything --at all; and more > f")
    assert not covers_command(None, "ls \x1b[2J")


@pytest.mark.parametrize(
    "text",
    [
        " rm -rf x",
        "/bin/rm x",
        "\\rm x",
        "'rm' x",
        "r\\m x",
        "r\\\nm x",
        "command rm x",
        "sudo rm x",
        "sudo env -i FOO=1 rm x",
        "timeout 5 rm x",
        "nice -n 5 rm x",
        "cd d && rm -rf x",
        "true || rm x",
        "(rm x)",
        "{ rm x; }",
        "rm\t-rf x",
        "bash -c 'rm x'",
        "echo $(rm x)",
        "echo `rm x`",
        "find . -exec rm {} +",
        "ls | xargs rm",
        "FOO=1 rm x",
        "if true; then rm x; fi",
        "f(){ rm x; }; f",
        "rm x &",
        "time rm x",
        "git log\nrm x",
    ],
)
def test_a_deny_pattern_finds_its_program_wherever_it_stands(text: str) -> None:
    assert matches_command_wide(compile_pattern("rm *"), text)


def test_a_deny_pattern_leaves_other_commands_alone() -> None:
    assert not matches_command_wide(compile_pattern("rm *"), "echo rm x")
    assert not matches_command_wide(compile_pattern("rm *"), "git rm-something")


@given(st.text(min_size=1, max_size=40), st.text(min_size=1, max_size=40))
def test_a_stored_literal_covers_exactly_its_own_command(text: str, other: str) -> None:
    pattern = compile_pattern(escape(text.strip()))
    if text.strip():
        assert covers_command(pattern, text)
        if is_parsed(other) and other.strip() != text.strip() and " ".join(other.split()) != " ".join(text.split()):
            assert not covers_command(pattern, other)
