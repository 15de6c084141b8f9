"""A diff in a dialog: numbers and signs, limits that say what they leave out, and inert text."""

import pytest
from hypothesis import given, strategies as st
from rich.cells import cell_len

from decode_ui.widgets.body_rows import RowTone
from decode_ui.widgets.diff_body import MAX_CHANGED_LINES, change_counts, diff_rows, side_rows


def shown(before: str | None, after: str) -> list[str]:
    return [row.gutter + row.text for row in diff_rows(before, after)]


def test_removed_and_added_lines_have_numbers_signs_and_tones() -> None:
    rows = diff_rows("a\nb\nc\n", "a\nB\nc\n")
    assert [row.gutter + row.text for row in rows] == [" 1    a", " 2  − b", " 2  + B", " 3    c"]
    assert [row.tone for row in rows] == [RowTone.QUIET, RowTone.REMOVED, RowTone.ADDED, RowTone.QUIET]


def test_lines_are_not_wrapped_so_that_columns_stay_comparable() -> None:
    assert not any(row.wraps for row in diff_rows("a\n", "b\n"))


def test_a_new_file_is_all_added() -> None:
    assert shown(None, "a\nb\n") == [" 1  + a", " 2  + b"]


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [("a\n", "a\n", "no difference"), (None, "", "a new, empty file"), ("", "", "no difference")],
)
def test_where_nothing_changes_words_say_so(before: str | None, after: str, words: str) -> None:
    (row,) = diff_rows(before, after)
    assert row.text.startswith(words)


def test_a_gap_stands_between_distant_changes() -> None:
    lines = [f"{number}\n" for number in range(40)]
    after = ["x\n", *lines[1:39], "y\n"]
    assert any("…" in row.gutter for row in diff_rows("".join(lines), "".join(after)))


@pytest.mark.parametrize(("count", "left_out"), [(399, None), (400, None), (401, 1), (5_000, 4_600)])
def test_changed_lines_beyond_the_limit_are_counted(count: int, left_out: int | None) -> None:
    rows = diff_rows(None, "".join(f"{number}\n" for number in range(count)))
    added = [row for row in rows if row.tone is RowTone.ADDED]
    assert len(added) == min(count, MAX_CHANGED_LINES)
    if left_out is None:
        assert len(rows) == count
    else:
        assert rows[-1].text == f"… {left_out:,} more changed lines are not shown"


def test_hostile_lines_are_inert_and_tabs_keep_columns() -> None:
    (row,) = diff_rows(None, "\t[@click=app.quit]\x1b\u202e\r\n")
    assert row.text == "    [@click=app.quit]␛<U+202E>␍"


def test_an_endless_line_is_cut_and_says_so() -> None:
    (row,) = diff_rows(None, "x" * 100_000 + "\n")
    assert len(row.text) <= 20_000
    assert row.text.endswith("cut: the line has 100,000 characters")


def test_counts_are_short() -> None:
    assert change_counts("a\nb\n", "a\nc\nd\n") == "+2 −1"


LINES = st.lists(st.text(alphabet="ab │\t\x1b漢", max_size=60), max_size=12)


@given(LINES, LINES, st.integers(60, 140))
def test_side_by_side_shows_both_texts_in_the_width(old: list[str], new: list[str], width: int) -> None:
    before, after = "\n".join(old) + "\n", "\n".join(new) + "\n"
    rows = side_rows(before, after, width)
    assert all(cell_len(row.shown) <= width for row in rows)
    if before == after:
        return
    unified = diff_rows(before, after)
    for tone, sides in (
        (RowTone.REMOVED, [row for row in rows if row.tone is RowTone.REMOVED]),
        (RowTone.ADDED, [row.right for row in rows if row.right is not None and row.right.tone is RowTone.ADDED]),
    ):
        wanted = "".join(row.text for row in unified if row.tone is tone).replace(" ", "")
        assert "".join(row.text for row in sides if row is not None).replace(" ", "") == wanted


def test_lines_beside_each_other_have_the_numbers_of_their_own_texts() -> None:
    before, after = "a\nb\nc\nd\n", "a\nx\ny\nz\nc\nd\n"
    rows = side_rows(before, after, 60)
    pairs = [(row.gutter.split(), (row.right or row).gutter.split()) for row in rows]
    assert pairs == [
        (["1"], ["1"]),
        (["2", "−"], ["2", "+"]),
        ([], ["3", "+"]),
        ([], ["4", "+"]),
        (["3"], ["5"]),
        (["4"], ["6"]),
    ]
