"""Folded pastes: long ones become a token, and what is sent is what was pasted (keys.md §11)."""

import pytest
from hypothesis import given, strategies as st

from decode_ui.widgets.pastes import FOLD_BYTES, FOLD_LINES, Pastes


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("short", None),
        ("\n" * (FOLD_LINES - 1), None),
        ("\n" * FOLD_LINES, "[pasted 21 lines]"),
        ("x" * FOLD_BYTES, None),
        ("x" * (FOLD_BYTES + 1), "[pasted 2,049 characters]"),
        ("ä" * (FOLD_BYTES // 2 + 1), "[pasted 1,025 characters]"),
        ("x\n" * 4_999 + "x", "[pasted 5,000 lines]"),
    ],
    ids=["short", "20 lines", "21 lines", "2 KB", "over 2 KB", "over 2 KB of two-byte letters", "5,000 lines"],
)
def test_what_is_folded(text: str, token: str | None) -> None:
    assert Pastes().fold(text) == token


def test_two_pastes_of_one_size_stay_apart_and_the_same_one_twice_is_one() -> None:
    pastes = Pastes()
    first, second = "a\n" * 30, "b\n" * 30
    tokens = [pastes.fold(first), pastes.fold(second), pastes.fold(first)]
    assert tokens == ["[pasted 31 lines]", "[pasted 31 lines #2]", "[pasted 31 lines]"]
    assert pastes.expand("[pasted 31 lines] and [pasted 31 lines #2]") == f"{first} and {second}"


def test_text_that_only_looks_like_a_token_is_sent_as_it_is() -> None:
    assert Pastes().expand("[pasted 31 lines]") == "[pasted 31 lines]"


def test_a_paste_that_holds_a_token_is_not_written_out_twice() -> None:
    pastes = Pastes()
    inner = "secret\n" * 30
    token = pastes.fold(inner)
    outer = f"{token}\n" * 40
    assert pastes.expand(pastes.fold(outer) or "") == outer


def test_backspace_finds_only_a_whole_token_of_this_prompt() -> None:
    pastes = Pastes()
    token = pastes.fold("x\n" * 30)
    assert pastes.token_before(f"see {token}") == token
    assert pastes.token_before(f"see {token} ") is None
    assert pastes.token_before("see [pasted 99 lines]") is None
    pastes.clear()
    assert pastes.token_before(f"see {token}") is None


@given(st.lists(st.text(max_size=30).map(lambda text: text + "\n" * FOLD_LINES), max_size=6), st.text(max_size=20))
def test_what_is_sent_is_what_was_pasted(texts: list[str], between: str) -> None:
    pastes = Pastes()
    between = between.replace("[", "(")
    tokens = [pastes.fold(text) or text for text in texts]
    assert pastes.expand(between.join(tokens)) == between.join(texts)
