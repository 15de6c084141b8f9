"""Rows of a dialog's body: nothing is dropped, nothing acts, nothing hides."""

import pytest
from hypothesis import given, strategies as st
from rich.cells import cell_len

from decode_ui.widgets.body_rows import BodyRow, argument_rows, fit_rows, inert_line, text_rows

TEXTS = st.text(alphabet=st.sampled_from("ab 字🙂é\t-\"'"), max_size=200)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\tb", "a␉b"),
        ("a\x1b[31m", "a␛[31m"),
        ("\u202eexe", "<U+202E>exe"),
        ("a\u200bb", "a<U+200B>b"),
        ("a\ufe0fb", "a<U+FE0F>b"),
        ("[@click=app.quit]x[/]", "[@click=app.quit]x[/]"),
        ("a\rb", "a␍b"),
        ("\x7f\x9b", "␡<U+009B>"),
    ],
)
def test_what_acts_or_hides_is_shown_as_a_sign(text: str, shown: str) -> None:
    assert inert_line(text) == shown


def test_later_lines_of_a_text_stand_under_the_first() -> None:
    rows = text_rows("one\r\ntwo\n", gutter="$ ")
    assert [(row.gutter, row.text) for row in rows] == [("$ ", "one"), ("  ", "two"), ("  ", "")]


@given(TEXTS, st.integers(min_value=8, max_value=60))
def test_a_row_that_wraps_loses_no_character_and_fits(text: str, width: int) -> None:
    fitted = fit_rows([BodyRow(text, gutter="$ ")], width)
    assert "".join(row.text for row in fitted) == text
    assert all(cell_len(row.gutter + row.text) <= width for row in fitted)
    assert [row.gutter for row in fitted] == ["$ ", *["  "] * (len(fitted) - 1)]


def test_a_row_breaks_after_a_blank_where_one_is_near() -> None:
    rows = fit_rows([BodyRow("git commit -m 'a message'")], 16)
    assert [row.text for row in rows] == ["git commit -m ", "'a message'"]


def test_a_row_that_does_not_wrap_stays_whole() -> None:
    row = BodyRow("x" * 500, wraps=False)
    assert fit_rows([row], 20) == [row]


def test_arguments_stand_in_one_column_with_structured_values_as_json() -> None:
    rows = argument_rows({"url": "https://a", "headers": {"b": 1}, "body": "two\nlines", "deep": None})
    assert [row.gutter + row.text for row in rows] == [
        "url      https://a",
        'headers  {"b": 1}',
        "body     two",
        "         lines",
        "deep     null",
    ]


def test_a_name_too_long_for_its_column_has_a_row_of_its_own() -> None:
    rows = argument_rows({"n" * 40: "v"})
    assert [row.text for row in rows] == ["n" * 40, "v"]


def test_no_arguments_are_said_in_words() -> None:
    assert [row.text for row in argument_rows({})] == ["no arguments"]
