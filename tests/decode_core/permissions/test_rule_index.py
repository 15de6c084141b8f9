"""The index of rules finds exactly what a look at every rule finds, whatever the rules and the call are."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from decode_core.permissions.gate import PermissionGate
from decode_core.permissions.matching import covers, stops_shell_access, touches
from decode_core.permissions.modes import PermissionOutcome, ToolKind
from decode_core.permissions.pattern_index import PatternIndex
from decode_core.permissions.patterns import compile_pattern, matches
from decode_core.permissions.request import PathFact, PermissionRequest, SubjectKind
from decode_core.permissions.rule_index import RuleIndex
from decode_core.permissions.rules import Rule, RuleError, RuleList, RuleSource, parse_rule

PATTERN_TEXT = st.text(alphabet="ab*?[]/. ", min_size=1, max_size=10)
PATTERNS = st.one_of(
    PATTERN_TEXT,
    st.sampled_from(["git *", "*.key", "**/a", "src/**", "~/a", "/ws/a*", "./a", "a/", "é*", "git", "sudo *", "* -f"]),
)
TOOLS = st.sampled_from(["bash", "read", "edit", "multi_edit", "write", "mcp__a__*", "mcp__a__b", "todo_write"])
WORDS = st.sampled_from(["git", "a", "ab", "sudo", "/usr/bin/git", "src/a", "./a/../b", ";", "|", "x=1", "'a b'", "-f"])
PATHS = st.lists(st.sampled_from(["a", "b", "ab", "src", ".", "e\u0301", "x.key"]), min_size=1, max_size=4)


@st.composite
def rule_lists(draw: st.DrawFn) -> list[Rule]:
    found = []
    for tool, pattern, in_list in draw(
        st.lists(st.tuples(TOOLS, st.none() | PATTERNS, st.sampled_from(RuleList)), max_size=8)
    ):
        try:
            text = tool if pattern is None else f"{tool}({pattern})"
            found.append(parse_rule(text, in_list, RuleSource.USER))
        except RuleError:
            continue
    return found


@st.composite
def calls(draw: st.DrawFn) -> PermissionRequest:
    kind = draw(st.sampled_from([SubjectKind.PATH, SubjectKind.COMMAND, SubjectKind.TEXT, SubjectKind.NONE]))
    match kind:
        case SubjectKind.PATH:
            given_path, real = "/".join(draw(PATHS)), "/".join(draw(PATHS))
            root = Path("/ws")
            fact = PathFact(given_path, root / given_path, root / real, given_path, real, inside=True)
            tool = draw(st.sampled_from(["read", "edit", "multi_edit", "write"]))
            tool_kind = ToolKind.READ_ONLY if tool == "read" else ToolKind.FILE_EDIT
            return PermissionRequest("c", tool, tool_kind, given_path, kind, paths=(fact,))
        case SubjectKind.COMMAND:
            text = draw(st.sampled_from([" ", "  "])).join(draw(st.lists(WORDS, min_size=1, max_size=5)))
            return PermissionRequest("c", "bash", ToolKind.OTHER, text, kind)
        case _:
            tool = draw(st.sampled_from(["mcp__a__b", "mcp__a__c", "todo_write"]))
            return PermissionRequest("c", tool, ToolKind.OTHER, draw(PATTERN_TEXT), kind)


@given(rule_lists(), calls())
def test_the_index_finds_what_a_look_at_every_rule_finds(rules: list[Rule], call: PermissionRequest) -> None:
    index = RuleIndex(rules)
    for in_list in (RuleList.DENY, RuleList.ASK):
        by_hand = (r for r in rules if r.list is in_list and (touches(r, call) or stops_shell_access(r, call)))
        assert index.first_wide(in_list, call) is next(by_hand, None)
    assert list(index.covering(call)) == [r for r in rules if r.list is RuleList.ALLOW and covers(r, call)]


@given(st.lists(PATTERNS, max_size=6), st.text(alphabet="ab/. ", max_size=8))
def test_no_pattern_that_matches_is_left_out(patterns: list[str], text: str) -> None:
    compiled = [compile_pattern(pattern) for pattern in patterns]
    found = PatternIndex(enumerate(compiled)).find([text])
    assert {n for n, each in enumerate(compiled) if matches(each, text, star_crosses_slash=True)} <= set(found)


def test_of_many_rules_few_are_looked_at() -> None:
    texts = [f"bash(tool{n} run *)" for n in range(500)] + [f"read(src/part{n}/**)" for n in range(500)]
    index = RuleIndex([parse_rule(text, RuleList.DENY, RuleSource.USER) for text in texts])
    call = PermissionRequest("c", "bash", ToolKind.OTHER, "cat src/part3/a && tool7 run it", SubjectKind.COMMAND)
    assert [rule.text for rule in index.may_touch(call)] == ["bash(tool7 run *)", "read(src/part3/**)"]


@pytest.mark.parametrize("in_list", [RuleList.DENY, RuleList.ASK])
def test_a_rule_that_is_added_counts_for_the_same_request(in_list: RuleList) -> None:
    gate = PermissionGate(rules=[parse_rule("bash(make)", RuleList.ALLOW, RuleSource.USER)])
    call = PermissionRequest("c", "bash", ToolKind.OTHER, "make", SubjectKind.COMMAND)
    assert gate.check(call).outcome is PermissionOutcome.ALLOW
    gate.add_rule(parse_rule("bash(make)", in_list, RuleSource.SESSION))
    assert gate.check(call).outcome.value == in_list.value


@given(
    st.text(alphabet="ab*?[]/", max_size=10).filter(bool),
    st.text(alphabet="ab/*", max_size=10),
)
def test_a_crossing_pattern_matches_as_one_reads_it(pattern: str, text: str) -> None:
    compiled = compile_pattern(pattern)
    assert matches(compiled, text, star_crosses_slash=True) is _by_hand(compiled.tokens, text)


def _by_hand(tokens: tuple[object, ...], text: str) -> bool:
    """The meaning of a pattern, spelt out by trying everything."""
    if not tokens:
        return not text
    first, rest = tokens[0], tokens[1:]
    match first:
        case str():
            return text[:1] == first and _by_hand(rest, text[1:])
        case frozenset():
            return text[:1] in first and bool(text) and _by_hand(rest, text[1:])
        case _ if getattr(first, "name", "") == "ONE":
            return bool(text) and _by_hand(rest, text[1:])
        case _:
            return any(_by_hand(rest, text[start:]) for start in range(len(text) + 1))
