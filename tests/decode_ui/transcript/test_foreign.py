"""Foreign text cannot act, hide, or make a line endless."""

import unicodedata

import pytest
from hypothesis import given, strategies as st
from rich.cells import cell_len

from decode_ui.transcript import foreign


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a␛[31mb"),
        ("a\x00b", "a␀b"),
        ("a\nb\tc", "a␊b␉c"),
        ("a\u202eb", "a<U+202E>b"),
        ("a\x9bb", "a<U+009B>b"),
        ("\u26a0\ufe0f", "\u26a0"),
    ],
)
def test_what_acts_or_hides_on_one_line_is_shown(text: str, shown: str) -> None:
    assert foreign.one_line(text) == shown


def test_tabs_of_code_become_blanks() -> None:
    assert foreign.code_line("\tif x:\ty") == "    if x:   y"


def test_output_loses_its_colours_and_shows_every_other_escape() -> None:
    assert foreign.output_line("\x1b[1;32mok\x1b[0m \x1b[2J\x1b]0;title\x07") == "ok ␛[2J␛]0;title␇"
    assert foreign.code_line("\x1b[32mok") == "␛[32mok"


def test_a_line_of_code_is_cut_at_two_thousand_cells() -> None:
    assert cell_len(foreign.code_line("x" * 100_000)) == foreign.MAX_CELLS
    assert cell_len(foreign.code_line("漢" * 100_000)) <= foreign.MAX_CELLS


def test_a_long_paragraph_stays_whole_but_an_endless_word_is_cut() -> None:
    paragraph = "word " * 1_000
    assert foreign.prose(paragraph) == paragraph
    assert foreign.prose("a " + "x" * 100_000) == "a " + "x" * (foreign.MAX_CELLS - 1) + "…"
    assert cell_len(foreign.prose("word " * 20_000)) <= foreign.MAX_PROSE_CELLS


def test_marks_without_width_do_not_make_a_line_endless() -> None:
    assert len(foreign.code_line("e" + "\u0301" * 100_000)) <= foreign.MAX_CELLS


@given(st.text(), st.integers(min_value=0, max_value=30))
def test_a_cut_text_fits(text: str, cells: int) -> None:
    assert cell_len(foreign.cut(foreign.one_line(text), cells)) <= cells


@given(st.text())
def test_nothing_that_controls_is_left(text: str) -> None:
    for made in (foreign.one_line(text), foreign.code_line(text), foreign.prose(text).replace("\n", "")):
        assert not [c for c in made if unicodedata.category(c) in {"Cc", "Cs"} and c != "\t"]
