"""Rules and patterns: how they are written, and what a path pattern covers narrow and wide."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.paths import covers_narrow, matches_wide, matches_wide_text
from decode_core.permissions.patterns import compile_pattern, escape, matches
from decode_core.permissions.request import PathFact
from decode_core.permissions.rules import RuleError, RuleList, RuleSource, parse_rule


def fact(path: str, real: str | None = None) -> PathFact:
    root = Path("/ws")
    lexical, target = root / path, root / (real or path)
    return PathFact(path, lexical, target, path, real or path, inside=True)


@pytest.mark.parametrize("text", ["bash", "bash(git *)", "mcp__github__*", "write(a (1).txt)", "bash(echo (x))"])
def test_well_formed(text: str) -> None:
    assert parse_rule(text, RuleList.ALLOW, RuleSource.USER).text == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (3, "a rule is a string"),
        ("", "malformed"),
        ("bash(", "malformed"),
        ("bash()", "the pattern is empty"),
        ("bash(  )", "the pattern is empty"),
        ("git *", "malformed"),
        ("ba*", "only the names of MCP tools"),
        ("web_fetch(https://docs.python.org*)", "whole left-hand labels"),
        ("web_fetch(docs.python.org)", "begins with http"),
    ],
)
def test_malformed_rules_say_what_is_wrong(text: object, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        parse_rule(text, RuleList.ALLOW, RuleSource.USER)


def test_mcp_rules_name_by_prefix() -> None:
    rule = parse_rule("mcp__github__*", RuleList.DENY, RuleSource.USER)
    assert rule.names("mcp__github__push")
    assert not rule.names("mcp__gitlab__push")


@pytest.mark.parametrize(
    ("pattern", "path", "narrow", "wide"),
    [
        ("docs/*", "docs/a.md", True, True),
        ("docs/*", "docs/deep/a.md", False, True),
        ("src/*.py", "src/deep/x/a.py", False, True),
        ("src/**", "src/deep/x/a.py", True, True),
        (".env", ".env", True, True),
        (".env", "sub/.env", False, True),
        ("secrets", "secrets/a/b", False, True),
        ("secrets/", "secrets/a/b", False, True),
        ("./a.txt", "a.txt", True, True),
        ("a.txt", "b.txt", False, False),
        ("/ws/a", "a", True, True),
        ("caf\u00e9", "cafe\u0301", True, True),
    ],
)
def test_path_patterns(pattern: str, path: str, narrow: bool, wide: bool) -> None:
    compiled = compile_pattern(pattern)
    assert covers_narrow(compiled, fact(path)) is narrow
    assert matches_wide(compiled, fact(path)) is wide


def test_narrow_needs_the_link_and_its_target_wide_takes_either() -> None:
    linked = fact("docs/link.md", real="src/a.py")
    assert not covers_narrow(compile_pattern("docs/*"), linked)
    assert matches_wide(compile_pattern("src/*"), linked)
    assert matches_wide(compile_pattern("docs/*"), linked)


_NAMES = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=12)


@given(st.text(max_size=30), st.text(max_size=30))
def test_an_escaped_pattern_matches_its_text_and_no_other(text: str, other: str) -> None:
    pattern = compile_pattern(escape(text))
    assert pattern.is_literal
    assert pattern.literal == text
    assert matches(pattern, other, star_crosses_slash=True) is (text == other)


@given(
    st.text(alphabet="ab*?[]/.", max_size=12),
    st.lists(_NAMES | st.sampled_from(["a", "b", "ab"]), min_size=1, max_size=4),
)
def test_whatever_narrow_covers_wide_matches(pattern: str, parts: list[str]) -> None:
    path = "/".join(part for part in parts if part not in (".", "..")) or "a"
    if not pattern:
        return
    compiled = compile_pattern(pattern)
    if covers_narrow(compiled, fact(path)):
        assert matches_wide(compiled, fact(path))


def test_matching_stays_linear_on_patterns_made_to_backtrack() -> None:
    # a backtracking matcher would not come back from this within the life of the test run
    assert not matches(compile_pattern("*a" * 200 + "b"), "a" * 2_000, star_crosses_slash=True)
    assert not matches_wide_text(compile_pattern("*a*" * 100 + "b/x"), "a/" * 50)


@pytest.mark.parametrize(
    ("text", "mode"),
    [("acceptEdits", PermissionMode.EDIT), ("dontAsk", PermissionMode.DONT_ASK), ("plan", PermissionMode.PLAN)],
)
def test_modes_have_the_names_that_users_know(text: str, mode: PermissionMode) -> None:
    assert PermissionMode.parse(text) is mode


def test_an_unknown_mode_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="the modes are default, plan, edit, dont_ask, bypass"):
        PermissionMode.parse("yolo")


def test_shift_tab_cycles_through_four_modes() -> None:
    mode, seen = PermissionMode.DEFAULT, []
    for _ in range(4):
        mode = mode.next_in_cycle()
        seen.append(mode.value)
    assert seen == ["edit", "plan", "bypass", "default"]
    assert PermissionMode.DONT_ASK.next_in_cycle() is PermissionMode.DEFAULT
