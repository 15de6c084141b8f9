"""The line of a tool call: everything when there is room, why it was allowed to the last."""

import pytest
from rich.cells import cell_len

from decode_ui.transcript import tool_line
from decode_ui.transcript.diff import DiffLine, Sign, diff_lines
from decode_ui.transcript.entry import ArgumentLine, CallState, OutputLine, ToolEntry
from decode_ui.transcript.palette import ASCII, DEFAULT, UNICODE, Signs
from decode_ui.transcript.render import Painter

READ = ToolEntry("1", "read", "src/client.py", CallState.OK, "84 lines", 2, "allowed: read-only")


def head(entry: ToolEntry, width: int = 100, signs: Signs = UNICODE) -> str:
    return tool_line.head(entry, width, DEFAULT, signs).plain


def shown(entry: ToolEntry, width: int = 60) -> list[str]:
    return [strip.text.rstrip() for strip in Painter().paint(entry, width)]


def test_a_call_says_state_tool_subject_result_time_and_why() -> None:
    assert head(READ) == "● read src/client.py · 84 lines · 2 ms · allowed: read-only"


def test_an_edit_shows_its_counts_beside_the_file_in_their_colours() -> None:
    entry = ToolEntry("1", "edit", "src/client.py", CallState.OK, "+3 −1", None, "allowed: mode edit")
    line = tool_line.head(entry, 100, DEFAULT, UNICODE)
    assert line.plain == "● edit src/client.py +3 −1 · allowed: mode edit"
    styles = {line.plain[span.start : span.end]: span.style for span in line.spans}
    assert styles["+3"] == DEFAULT.added
    assert styles["−1"] == DEFAULT.removed
    assert styles["edit"] == DEFAULT.strong


def test_words_after_the_counts_stay_in_the_tail() -> None:
    entry = ToolEntry("1", "edit", "a", CallState.OK, "+12 two places", None, "why")
    assert head(entry) == "● edit a +12 · two places · why"


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (CallState.RUNNING, "◐ bash ls"),
        (CallState.ASKED, "◐ bash ls · waits for you"),
        (CallState.OK, "● bash ls"),
        (CallState.FAILED, "✗ bash ls · failed"),
        (CallState.DENIED, "⊘ bash ls · denied"),
    ],
)
def test_every_state_has_a_sign_or_word_of_its_own(state: CallState, line: str) -> None:
    assert head(ToolEntry("1", "bash", "ls", state)) == line


def test_a_state_is_not_said_twice() -> None:
    assert head(ToolEntry("1", "bash", "ls", CallState.DENIED, why="denied: rule")) == "⊘ bash ls · denied: rule"
    assert head(ToolEntry("1", "bash", "ls", CallState.FAILED, "exit 1")) == "✗ bash ls · exit 1"


def test_ascii_signs_for_terminals_without_more() -> None:
    assert head(READ, signs=ASCII).startswith("+ read src/client.py . 84 lines")


def test_a_long_subject_gives_way_before_the_rest() -> None:
    entry = ToolEntry("1", "bash", "x" * 300, CallState.OK, "exit 0", 12, "allowed: once")
    line = head(entry, 70)
    assert cell_len(line) == 70
    assert line.startswith("● bash xxx")
    assert line.endswith("x… · exit 0 · 12 ms · allowed: once")


def test_why_stays_when_time_and_result_no_longer_fit() -> None:
    entry = ToolEntry("1", "bash", "x" * 300, CallState.OK, "exit 0", 12, "allowed: once")
    assert head(entry, 46).endswith("… · exit 0 · allowed: once")
    assert head(entry, 36).endswith("… · allowed: once")


@pytest.mark.parametrize("width", range(1, 60))
def test_no_width_is_exceeded(width: int) -> None:
    entry = ToolEntry("1", "bash", "漢字" * 30, CallState.FAILED, "+1 −2 exit 1", 99_000, "asked you: allowed once")
    assert cell_len(head(entry, width)) <= width


def test_a_command_of_many_lines_stays_on_one() -> None:
    assert head(ToolEntry("1", "bash", "a\nb", CallState.OK)) == "● bash a␊b"


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (0, "0 ms"),
        (999, "999 ms"),
        (2_100, "2.1 s"),
        (4_000, "4 s"),
        (38_200, "38 s"),
        (60_000, "1 min"),
        (125_000, "2 min 5 s"),
    ],
)
def test_times_are_short(milliseconds: int, text: str) -> None:
    assert tool_line.elapsed(milliseconds) == text


def test_a_folded_edit_shows_its_changed_lines_with_number_and_sign() -> None:
    body = tuple(diff_lines("a\nb\nc\n", "a\nB\nc\n"))
    assert shown(ToolEntry("1", "edit", "f", CallState.OK, body=body))[1:] == ["   2 − b", "   2 + B"]


def test_a_long_diff_is_folded_with_a_count_and_unfolds_with_its_context() -> None:
    body = (*(DiffLine(n, Sign.ADDED, f"line {n}") for n in range(1, 21)), DiffLine(21, Sign.KEPT, "kept"))
    lines = shown(ToolEntry("1", "edit", "f", CallState.OK, body=body))
    assert lines[-1] == "  … 12 more · enter unfolds"
    assert len(lines) == 1 + tool_line.FOLDED_DIFF + 1
    assert shown(ToolEntry("1", "edit", "f", CallState.OK, body=body, unfolded=True))[-1] == "  21   kept"


def test_a_changed_line_has_its_ground_to_the_end_but_not_under_the_number() -> None:
    strip = Painter().paint(ToolEntry("1", "edit", "f", body=(DiffLine(7, Sign.ADDED, "x"),)), 40)[1]
    grounded = "".join(s.text for s in strip if s.style and s.style.bgcolor == DEFAULT.added_ground.bgcolor)
    assert grounded == "+ x".ljust(40 - 5)


def test_a_running_call_shows_its_newest_output_and_a_finished_one_none() -> None:
    body = tuple(OutputLine(f"line {n}") for n in range(10))
    assert shown(ToolEntry("1", "bash", "x", body=body))[1:] == ["  line 7", "  line 8", "  line 9"]
    assert shown(ToolEntry("1", "bash", "x", CallState.OK, body=body))[1:] == []


def test_unfolded_it_shows_arguments_and_output() -> None:
    body = (ArgumentLine("command", "ls\npwd"), OutputLine("a.py"))
    lines = shown(ToolEntry("1", "bash", "ls", CallState.OK, body=body, unfolded=True))
    assert lines[1:] == ["  command: ls", "           pwd", "  a.py"]


def test_endless_output_is_cut_with_a_count() -> None:
    body = tuple(OutputLine(str(n)) for n in range(1_234))
    lines = shown(ToolEntry("1", "bash", "x", CallState.OK, body=body, unfolded=True))
    assert len(lines) == 1 + tool_line.MAX_LINES + 1
    assert lines[-1] == "  … 1,034 more lines · c copies all"
