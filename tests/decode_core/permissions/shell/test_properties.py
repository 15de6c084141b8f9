"""What holds for every text: nothing raises, narrow lies within wide, deny never loosens, plan changes nothing."""

from pathlib import Path

from hypothesis import given, strategies as st

from decode_core.permissions.command import covers_command, matches_command_wide
from decode_core.permissions.modes import PermissionMode, PermissionOutcome, ToolKind
from decode_core.permissions.patterns import compile_pattern, escape
from decode_core.permissions.request import PermissionRequest, SubjectKind
from decode_core.permissions.shell import MAX_COMMAND_BYTES
from decode_core.permissions.shell.reading import read_script
from decode_core.permissions.shell.syntax import MAX_NODES
from decode_core.permissions.shell.wide import MAX_READ_CHARACTERS, MAX_READINGS, read_wide
from shell_workspace import is_read, judge, make_workspace, request_of

WORDS = st.sampled_from([*(Path(__file__).parent / "words.txt").read_text(encoding="utf-8").split(), "\n"])
COMMANDS = st.one_of(st.lists(WORDS, min_size=1, max_size=9).map(" ".join), st.text(max_size=30))
PATTERNS = st.sampled_from(["git *", "ls *", "rm *", "* x", "*", "sh *", "echo *", "cat *", "git log*", "ls", "sudo *"])
LISTS = st.lists(st.sampled_from(["bash", *(f"bash({p})" for p in ("git *", "ls *", "rm *", "*"))]), max_size=3)
STRICTNESS = [PermissionOutcome.ALLOW, PermissionOutcome.ASK, PermissionOutcome.DENY]


def bare(text: str) -> PermissionRequest:
    return PermissionRequest("c", "bash", ToolKind.OTHER, text, SubjectKind.COMMAND)


@given(text=st.one_of(COMMANDS, st.text(alphabet="ab $(){}[]<>|&;'\"\\`\n#=!*~", max_size=60)))
def test_reading_never_raises_and_always_has_a_reading(text: str) -> None:
    read_script(text)
    assert text in read_wide(text).readings


@given(pattern=PATTERNS, text=COMMANDS)
def test_whatever_an_allow_pattern_covers_a_deny_pattern_matches(pattern: str, text: str) -> None:
    compiled = compile_pattern(pattern)
    if covers_command(compiled, bare(text)):
        assert matches_command_wide(compiled, text)


@given(text=COMMANDS, mode=st.sampled_from(list(PermissionMode)), deny=LISTS, allow=LISTS, readonly=LISTS, more=LISTS)
def test_another_deny_rule_never_loosens(
    ws: Path, text: str, mode: PermissionMode, deny: list[str], allow: list[str], readonly: list[str], more: list[str]
) -> None:
    if not text:
        return
    before = judge(ws, text, mode, deny=deny, allow=allow, readonly=readonly)
    after = judge(ws, text, mode, deny=deny + more, allow=allow, readonly=readonly)
    assert STRICTNESS.index(after.outcome) >= STRICTNESS.index(before.outcome)


@given(text=COMMANDS, allow=LISTS, readonly=LISTS)
def test_in_plan_only_a_proven_command_runs(ws: Path, text: str, allow: list[str], readonly: list[str]) -> None:
    if text and judge(ws, text, "plan", allow=allow, readonly=readonly).outcome is PermissionOutcome.ALLOW:
        assert is_read(ws, text)
        assert readonly


@given(text=COMMANDS, pattern=PATTERNS, mode=st.sampled_from(list(PermissionMode)), allow=LISTS, readonly=LISTS)
def test_nothing_runs_that_a_deny_rule_matches(
    ws: Path, text: str, pattern: str, mode: PermissionMode, allow: list[str], readonly: list[str]
) -> None:
    if text and matches_command_wide(compile_pattern(pattern), text):
        decision = judge(ws, text, mode, deny=[f"bash({pattern})"], allow=allow, readonly=readonly)
        assert decision.outcome in (PermissionOutcome.DENY, PermissionOutcome.INVALID)


@given(text=st.lists(WORDS, min_size=20, max_size=400).map(" ".join))
def test_no_text_exceeds_the_counts(text: str) -> None:
    wide = read_wide(text)
    assert len(wide.readings) <= MAX_READINGS
    assert len(read_script(text).commands) <= MAX_NODES
    assert wide.unread is not None or sum(map(len, wide.readings)) <= MAX_READ_CHARACTERS


@given(text=COMMANDS, other=COMMANDS)
def test_a_stored_call_covers_no_other_text(text: str, other: str) -> None:
    stored = compile_pattern(escape(text.strip()))
    if covers_command(stored, bare(other)) and other.strip() != text.strip():
        # only the same simple command with other blanks between its words, or several times
        assert " ".join(text.split()) in " ".join(other.split())


def test_text_at_the_limit_is_judged_and_over_it_counts_as_not_parsed(ws: Path) -> None:
    assert judge(ws, "echo " + "x" * (MAX_COMMAND_BYTES - 5), allow=["bash(echo *)"]).outcome == "allow"
    assert not read_script("echo " + "x" * MAX_COMMAND_BYTES).is_parsed
    assert not read_script("echo " + "é" * (MAX_COMMAND_BYTES // 2)).is_parsed


def test_the_facts_of_a_call_are_frozen_into_its_request(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    before = request_of(ws, "bash", {"command": "wc -l *.txt"})
    (ws / ".git" / "config").write_text("[core]\n\tfsmonitor = x\n")
    (ws / "new.txt").write_text("x")
    assert request_of(ws, "bash", {"command": "wc -l *.txt"}).shell != before.shell
