"""A plan as rows: gutter, looks, comments, and no line lost at any width."""

import pytest
from hypothesis import given, strategies as st

from decode_core.events import Plan
from decode_core.tools.plan_text import plan_steps
from decode_ui.widgets.plan_rows import PlanText, inline

EVERY = frozenset(range(1, 1000))


def plan_text(text: str) -> PlanText:
    return PlanText(Plan(version=1, title="", text=text, steps=plan_steps(text)))


def shown(
    text: str, ticked: frozenset[int] = EVERY, comments: dict[int, str] | None = None, width: int = 80
) -> list[str]:
    return [row.content.plain for row in plan_text(text).rows(ticked, comments or {}, width)]


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
    rows = plan_text("## Steps\n1. one\n   more\n2. two").rows(frozenset({2}), {}, 80)
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
    rows = plan_text(text).rows(EVERY, {}, width)
    assert sorted({row.line for row in rows}) == list(range(text.count("\n") + 1))
    assert [row.line for row in rows] == sorted(row.line for row in rows)


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_words_of_a_long_step_are_all_there(width: int) -> None:
    words = " ".join(f"word{number}" for number in range(60))
    rows = shown(f"## Steps\n1. {words}", width=width)
    assert " ".join(" ".join(rows[1:]).split()) == f"☑ 1 {words}"
