"""Foreign text cannot break out of the Markdown it stands in."""

import re

import pytest
from hypothesis import given, strategies as st

from decode_core.engine.offline.markdown import bullets, code, counted, cut, fence, one_line

TICKY = st.text(alphabet="`a b\n*_[](", max_size=30)


@pytest.mark.parametrize(
    ("text", "markdown"),
    [("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("", "`  `"), ("a\nb", "`a␊b`"), ("``x", "``` ``x ```")],
)
def test_inline_code_has_enough_backticks(text: str, markdown: str) -> None:
    assert code(text) == markdown


@given(TICKY)
def test_inline_code_ends_only_at_its_end(text: str) -> None:
    markdown = code(text)
    ticks = re.match("`+", markdown)
    assert ticks is not None
    runs = re.findall("`+", markdown)
    assert runs.count(ticks.group()) == 2
    assert "\n" not in markdown


@given(TICKY)
def test_a_fence_closes_only_at_its_end(text: str) -> None:
    lines = fence(text).split("\n")
    assert [line for line in lines if line.startswith(lines[0]) and set(line) == {"`"}] == [lines[0], lines[-1]]


def test_long_lists_are_cut_with_a_count() -> None:
    assert bullets(["a", "b", "c"], 2) == "- `a`\n- `b`\n- … and 1 more"
    assert cut(["a", "b", "c"], 2) == ("a\nb", 1)


@pytest.mark.parametrize(
    ("number", "thing", "text"),
    [(1, "file", "1 file"), (0, "file", "0 files"), (2, "match", "2 matches"), (1200, "line", "1,200 lines")],
)
def test_counts_read_well(number: int, thing: str, text: str) -> None:
    assert counted(number, thing) == text


def test_one_line_is_one_line() -> None:
    assert one_line(" a\n\tb  c ") == "a b c"
    assert one_line("x" * 500, 10) == "x" * 9 + "…"
