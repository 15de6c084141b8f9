"""How a piece of text is found: exactly, with blanks ignored, or not, and then what is told."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st

from decode_core.tools.matching import Matched, Unmatched, match_edit, replace

if TYPE_CHECKING:
    from _typeshed import TraceFunction


def edited(text: str, old: str, new: str, *, replace_all: bool = False) -> str:
    found = match_edit(text, old, new, replace_all=replace_all)
    assert isinstance(found, Matched), found
    return replace(text, found.replacements)


def problem(text: str, old: str) -> str:
    found = match_edit(text, old, "x")
    assert isinstance(found, Unmatched)
    return found.problem


@settings(deadline=None)
@given(
    before=st.text("ab\n "), old=st.text("cd\n", min_size=1).filter(str.strip), after=st.text("ab\n "), new=st.text()
)
def test_the_only_place_is_replaced_and_nothing_else(before: str, old: str, after: str, new: str) -> None:
    text = before + "<" + old + ">" + after
    assert edited(text, "<" + old + ">", new) == before + new + after


@settings(deadline=None)
@given(text=st.text("ab", max_size=30), old=st.text("ab", min_size=1, max_size=4), new=st.text("abc", max_size=4))
def test_replace_all_replaces_as_text_is_replaced(text: str, old: str, new: str) -> None:
    if old in text:
        assert edited(text, old, new, replace_all=True) == text.replace(old, new)


@pytest.mark.parametrize(
    ("text", "old", "lines"),
    [
        ("a\nb\na\n", "a", "lines 1, 3"),
        ("aaa", "aa", "lines 1"),
        ("x\n" * 20, "x", "lines 1, 2, 3, 4, 5 and more"),
    ],
)
def test_an_ambiguous_text_names_its_places(text: str, old: str, lines: str) -> None:
    told = problem(text, old)
    assert f"more than one place ({lines})" in told
    assert "replace_all" in told


FUNCTION = "class A:\n    def f(self):\n        if x:\n            return 1\n        return 2\n"


@pytest.mark.parametrize(
    ("name", "text", "old", "new", "after"),
    [
        (
            "less indented, fitted",
            FUNCTION,
            "if x:\n    return 1",
            "if x and y:\n    log()\n    return 1",
            "class A:\n    def f(self):\n        if x and y:\n            log()\n            return 1\n"
            "        return 2\n",
        ),
        (
            "blanks at line ends",
            "a = 1   \nb = 2\t\n",
            "a = 1\nb = 2\n",
            "a = 1\nb = 3\n",
            "a = 1   \nb = 3\n",
        ),
        (
            "tabs for blanks",
            "def f():\n\tif x:\n\t\treturn 1\n",
            "def f():\n    if x:\n        return 1\n",
            "def f():\n    if x:\n        y = 2\n            deep()\n        return 1\n",
            "def f():\n\tif x:\n\t\ty = 2\n\t\t\tdeep()\n\t\treturn 1\n",
        ),
        ("blanks inside", "x  =  1\ny = 2\n", "x = 1\ny = 2", "x = 1\ny = 3", "x  =  1\ny = 3\n"),
        (
            "more indented, fitted",
            "if a:\n    b()\n",
            "    if a:\n        b()",
            "    if a:\n        c()\n    d()",
            "if a:\n    c()\nd()\n",
        ),
        ("removed with its line", "a\n  b  \nc\n", "b\n", "", "a\nc\n"),
        ("at the end without newline", "a\n  last", "last\n", "end\n", "a\n  end\n"),
    ],
)
def test_blanks_are_ignored_and_the_file_decides_the_indentation(
    name: str, text: str, old: str, new: str, after: str
) -> None:
    if old not in text:
        found = match_edit(text, old, new)
        assert isinstance(found, Matched), (name, found)
        assert found.tolerant, name
    assert edited(text, old, new) == after, name


def test_an_exact_place_wins_over_a_tolerant_one() -> None:
    assert edited("  a b\na b\n", "\na b", "\nX") == "  a b\nX\n"


def test_tolerance_never_picks_one_of_two_places() -> None:
    told = problem("  if a:\n    b\n\n\tif a:\n\t  b\n", "if a:\nb")
    assert "with blanks ignored" in told
    assert "lines 1, 4" in told


def test_an_irregular_indentation_is_not_guessed() -> None:
    told = problem("    a\n  b\n", "a\nb")
    assert "another indentation" in told
    assert "     1\t    a" in told


def test_blank_lines_alone_are_found_nowhere() -> None:
    assert "blank" in problem("a\n\n\nb\n", "  \n \n  \n")


def test_a_missing_text_names_the_nearest_lines() -> None:
    text = "import os\n\ndef load(path, strict):\n    return read(path)\n\ndef store(path):\n    pass\n"
    told = problem(text, "def load(path, lenient):\n    return read(path)\n")
    assert "no line reads “def load(path, lenient):”" in told
    assert told.splitlines()[1] == "     3\tdef load(path, strict):"


def test_lines_that_stand_apart_are_told_so() -> None:
    assert "not together in this order; the first is line 3" in problem("b\nx\na\n", "a\nb")


def test_a_text_unlike_anything_asks_to_read_the_file() -> None:
    assert "Read the file" in problem("a\nb\n", "something else entirely")


def test_long_lines_are_cut_in_what_is_told() -> None:
    assert len(problem("word " * 50_000, "word " * 40_000 + "end")) < 1_000


def count_lines_run(act: Callable[[], object]) -> int:
    """How many lines of Python `act` runs: the work that grows, whatever the machine."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> "TraceFunction":
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    ("name", "line", "old"),
    [
        ("repeated lines, almost matching", "same\n", "same\n" * 200 + "other"),
        ("alternating", "a\nb\n", "a\nb\n" * 100 + " a\nc"),
        ("nothing alike", "some words here\n", "quite another text"),
        ("tolerant, all over", "  x = 1\n", "x =  1\n"),
    ],
)
def test_the_work_grows_in_step_with_the_text(name: str, line: str, old: str) -> None:
    small, large = (
        count_lines_run(lambda size=size: match_edit(line * size, old, "y\n", replace_all=True))  # type: ignore[misc]
        for size in (500, 4_000)
    )
    assert large < small * 10, name


def test_a_megabyte_in_one_line_is_edited() -> None:
    text = "ab" * 500_000
    assert edited(text, "ab", "c\nd", replace_all=True) == "c\nd" * 500_000


def test_a_megabyte_of_lines_is_searched_without_a_match() -> None:
    text = "    x = 1  \n" * 90_000
    assert "not found" in problem(text, "    x = 1\n" * 500 + "y")
