"""A plan as rows: gutter, looks, comments, and no line lost at any width."""

import pytest
from hypothesis import given, strategies as st

from decode_core.events import Plan
from decode_core.tools.plan_text import plan_steps
from decode_ui.widgets.plan_rows import PlanRow, PlanText, inline

EVERY = frozenset(range(1, 1000))


def plan_text(text: str) -> PlanText:
    return PlanText(Plan(version=1, title="", text=text, steps=plan_steps(text)))


def rows_of(
    text: str, ticked: frozenset[int] = EVERY, comments: dict[int, str] | None = None, width: int = 80
) -> list[PlanRow]:
    """All rows, as a view puts them one below the other."""
    plan = plan_text(text)
    rows: list[PlanRow] = []
    for number in range(len(plan.lines)):
        rows += plan.rows(number, ticked, width)
        if comments and number in comments:
            rows += plan.comment_rows(number, comments[number], width)
    return rows


def shown(
    text: str, ticked: frozenset[int] = EVERY, comments: dict[int, str] | None = None, width: int = 80
) -> list[str]:
    return [row.content.plain for row in rows_of(text, ticked, comments, width)]


def test_steps_have_a_tick_and_a_number_in_place_of_their_marker() -> None:
    assert shown("## Steps\n1. one\n2. two") == ["Steps", "☑ 1  one", "☑ 2  two"]
    assert shown("## Plan\n- one\n* [ ] two") == ["Plan", "☑ 1  one", "☑ 2  two"]


def test_numbers_of_many_steps_stand_in_one_column() -> None:
    rows = shown("## Steps\n" + "\n".join(f"{number}. x" for number in range(1, 11)))
    assert rows[1] == "☑  1  x"
    assert rows[10] == "☑ 10  x"


def test_sections_are_steps_and_hold_their_text() -> None:
    text = plan_text("# Plan\n## One\nsome text\n### detail\nmore\n## Two\n")
    parts = [line.part_of.number if line.part_of else None for line in text.lines]
    assert parts == [None, 1, 1, 1, 1, 2, 2]


def test_an_item_ends_at_the_next_line_that_is_not_indented() -> None:
    text = plan_text("## Steps\n1. one\n   more\n\n   still\n\nafter\n## Risk")
    parts = [line.part_of.number if line.part_of else None for line in text.lines]
    assert parts == [None, 1, 1, 1, 1, 1, None, None]


def test_an_unticked_step_says_so_in_words_and_its_text_is_dim() -> None:
    rows = rows_of("## Steps\n1. one\n   more\n2. two", frozenset({2}))
    assert rows[1].content.plain == "☐ 1  one  (not approved)"
    assert {str(span.style) for span in rows[2].content.spans} == {"$muted"}


def test_what_is_nested_under_a_step_stands_under_its_text() -> None:
    assert shown("## Steps\n1. one\n   - more\n   ```\n   code\n   ```")[2:] == [
        "     - more",
        "     ```",
        "     code",
        "     ```",
    ]


def test_a_comment_stands_under_its_line() -> None:
    rows = shown("## Steps\n1. one\n2. two", comments={1: "why\nnot"})
    assert rows == ["Steps", "☑ 1  one", "     ┃ you: why", "     ┃      not", "☑ 2  two"]


def test_markdown_looks_are_given_and_signs_dropped() -> None:
    content = inline("use `a*b` and **bold** [@click=app.quit]x[/]")
    assert content.plain == "use a*b and bold [@click=app.quit]x[/]"
    assert [str(span.style) for span in content.spans] == ["$accent", "bold"]


def test_headings_and_markers_in_code_stay_as_they_are() -> None:
    assert shown("```\n# no heading\n1. no step\n```") == ["☑ 1  ```", "# no heading", "1. no step", "```"]


@given(st.text(alphabet=st.sampled_from("ab #-1.`*\n字\t"), max_size=300), st.integers(min_value=20, max_value=120))
def test_every_line_of_any_plan_has_a_row_and_fits(text: str, width: int) -> None:
    rows = rows_of(text, width=width)
    assert sorted({row.line for row in rows}) == list(range(text.count("\n") + 1))
    assert [row.line for row in rows] == sorted(row.line for row in rows)


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_words_of_a_long_step_are_all_there(width: int) -> None:
    words = " ".join(f"word{number}" for number in range(60))
    rows = shown(f"## Steps\n1. {words}", width=width)
    assert " ".join(" ".join(rows[1:]).split()) == f"☑ 1 {words}"


@given(
    st.text(alphabet=st.sampled_from("ab #-1.`*\n字\t"), max_size=300),
    st.integers(min_value=20, max_value=120),
    st.frozensets(st.integers(1, 3)),
)
def test_the_height_of_a_line_is_that_of_its_rows(text: str, width: int, ticked: frozenset[int]) -> None:
    plan = plan_text(text)
    for number in range(len(plan.lines)):
        assert plan.height(number, ticked, width) == len(plan.rows(number, ticked, width))


def test_words_are_found_in_what_is_shown_whatever_their_case() -> None:
    plan = plan_text("# Use `Client.send` twice\n1. nothing\n2. SEND TWICE")
    assert plan.lines_with("send twice") == [0, 2]
    assert plan.lines_with("") == []
    (row,) = plan.rows(2, EVERY, 80, "send")
    assert [(span.start, span.end, str(span.style)) for span in row.content.spans] == [(3, 7, "reverse")]
