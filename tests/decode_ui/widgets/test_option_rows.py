"""Options as rows: keys, cursor, ticks, wrapping, and the filter."""

import pytest
from hypothesis import given, strategies as st
from rich.cells import cell_len

from decode_core.neutral import neutralise_line
from decode_ui.widgets.option_rows import MOST, OptionRow, Ticks, matching, option_rows


def lines(rows: list[OptionRow]) -> list[str]:
    return [f"{row.mark}|{row.key}|{row.tick}|{row.text}" for row in rows]


def test_keys_stand_beside_the_first_nine_that_are_shown() -> None:
    options = [f"o{number}" for number in range(12)]
    rows = option_rows(options, [3, *range(5, 12)], 40, cursor=5, ticked=None)
    assert lines(rows)[:3] == [" |1||o3", "›|2||o5", " |3||o6"]
    rows = option_rows(options, range(12), 40, cursor=None, ticked=None)
    assert [row.key for row in rows] == [*"123456789", " ", " ", " "]


def test_ticks_are_signs() -> None:
    rows = option_rows(["a", "b"], range(2), 40, cursor=0, ticked=frozenset({1}))
    assert lines(rows) == ["›|1|☐|a", " |2|☑|b"]


def test_long_options_wrap_under_their_text() -> None:
    rows = option_rows(["one two three four", "b"], range(2), 14, cursor=0, ticked=None)
    assert [(row.place, row.key, row.text) for row in rows] == [
        (0, "1", "one two "),
        (0, "", "  three four"),
        (1, "2", "b"),
    ]


def test_an_endless_option_ends_in_an_ellipsis() -> None:
    rows = option_rows(["x" * 1_000_000], range(1), 80, cursor=0, ticked=None)
    text = "".join(row.text.strip() for row in rows)
    assert text == "x" * MOST + "…"


@given(
    st.lists(st.text(max_size=60), min_size=1, max_size=12),
    st.integers(12, 80),
    st.booleans(),
)
def test_rows_fit_hide_nothing_and_hold_nothing_that_acts(options: list[str], width: int, can_tick: bool) -> None:
    rows = option_rows(options, range(len(options)), width, cursor=0, ticked=frozenset() if can_tick else None)
    for row in rows:
        if row.key:
            tick = f"{row.tick} " if row.tick else ""
            shown = f"{row.mark} {row.key} {tick}{row.text}"
        else:
            shown = f"{row.mark} {row.text}"
        assert cell_len(shown) <= width
        assert neutralise_line(shown) == shown
    assert {row.place for row in rows} == set(range(len(options)))
    assert all(row.tick is Ticks.NONE for row in rows) is not can_tick


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("", [0, 1, 2]),
        ("red", [0, 1]),
        ("RED d", [0, 1]),
        ("fox  red", [0]),
        ("blue dog", []),
        ("STRASSE", [2]),
    ],
)
def test_every_word_must_be_there_in_any_order_and_case(words: str, places: list[int]) -> None:
    assert matching(["Red fox", "red dog", "blue straße"], words) == places
