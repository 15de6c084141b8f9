"""The diff is a true diff of any two texts, reads like one, and stays quick on hostile input."""

import pytest
from hypothesis import given, settings, strategies as st

from decode_ui.transcript import diff
from decode_ui.transcript.diff import DiffLine, Sign, count_changes, diff_lines

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "x = 1", "é"]), max_size=30)
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))


def shape(lines: list[DiffLine]) -> list[str]:
    return [f"{'' if line.number is None else line.number}{line.sign.value}{line.text}" for line in lines]


def numbered(count: int) -> str:
    return "".join(f"{n}\n" for n in range(1, count + 1))


def test_a_changed_line_stands_between_its_context_with_the_numbers_of_its_own_text() -> None:
    before = numbered(9)
    after = before.replace("5\n", "five\nfive and a half\n")
    assert shape(diff_lines(before, after, context=1)) == ["4 4", "5−5", "5+five", "6+five and a half", "7 6"]


def test_hunks_that_are_far_apart_have_a_gap_between_them() -> None:
    after = numbered(30).replace("3\n", "three\n", 1).replace("28\n", "")
    signs = [line.sign for line in diff_lines(numbered(30), after, context=1)]
    assert signs.count(Sign.GAP) == 1
    assert signs[0] is not Sign.GAP
    assert signs[-1] is not Sign.GAP


def test_a_new_file_is_all_added() -> None:
    assert shape(diff_lines(None, "a\nb\n")) == ["1+a", "2+b"]
    assert count_changes(None, "a\nb\n") == (2, 0)


@pytest.mark.parametrize(
    ("before", "after", "counts"),
    [
        ("a\n", "a\n", (0, 0)),
        ("", "", (0, 0)),
        ("a\nb\n", "b\n", (0, 1)),
        ("a\n", "a", (1, 1)),
        ("a\n", "a\r\n", (1, 1)),
        ("a\nb\nc\n", "", (0, 3)),
        ("a\nb\nc\nd\n", "c\nd\na\nb\n", (2, 2)),
    ],
)
def test_changes_are_counted(before: str, after: str, counts: tuple[int, int]) -> None:
    assert count_changes(before, after) == counts


def test_a_missing_newline_at_the_end_is_told() -> None:
    assert shape(diff_lines("a\n", "a")) == ["1−a", "1+a  (no newline at the end)"]


def test_a_long_diff_is_cut_and_says_how_much_is_missing() -> None:
    lines = diff_lines(None, numbered(50), max_lines=10)
    assert len(lines) == 11
    assert lines[-1] == DiffLine(None, Sign.GAP, "40 more lines")


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS)
def test_the_diff_turns_one_text_into_the_other(before: str, after: str) -> None:
    lines = diff_lines(before, after, context=1_000)
    if before == after:
        assert lines == []
        return
    old = [line.text for line in lines if line.sign is not Sign.ADDED]
    new = [line.text for line in lines if line.sign is not Sign.REMOVED]
    note = "  (no newline at the end)"
    assert [text.removesuffix(note) for text in old] == before.removesuffix("\n").split("\n")[: len(old)]
    assert [text.removesuffix(note) for text in new] == after.removesuffix("\n").split("\n")[: len(new)]
    added, removed = count_changes(before, after)
    assert added - removed == len(new) - len(old)
    assert [line.number for line in lines if line.sign is not Sign.REMOVED] == list(range(1, len(new) + 1))


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS)
def test_the_diff_is_never_longer_than_replacing_everything(before: str, after: str) -> None:
    added, removed = count_changes(before, after)
    assert added <= len(after.split("\n"))
    assert removed <= len(before.split("\n"))


def test_hostile_repetition_ends_within_its_budget() -> None:
    before = ["ab"[n % 2] for n in range(20_000)]
    after = ["ba"[n % 3 % 2] for n in range(20_000)]
    work = diff._Search(before, after)
    work.compare(0, len(before), 0, len(after))
    assert work.budget > -30_000  # one round of the search may pass the budget, not more
    for old, new, length in work.runs:
        assert before[old : old + length] == after[new : new + length]
