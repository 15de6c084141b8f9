"""Saving changes only the bytes that the person changed (catalog.md §6): comments, CRLF, missing last newline."""

import pytest
from hypothesis import given, strategies as st

from decode_core.catalog.edited_text import MAX_COMPARED, editable_text, edited_bytes

TEXTS = st.text(st.sampled_from("ab \t\r\n\x00\x1b\u202e\u2028\x85\ufeffé"), max_size=60)


@given(TEXTS)
def test_a_text_that_was_not_touched_keeps_every_byte(text: str) -> None:
    data = text.encode()
    assert edited_bytes(data, editable_text(data)) == data


@given(TEXTS, st.integers(0, 60), st.text("xyz\n", max_size=5))
def test_what_is_typed_somewhere_changes_nothing_else(text: str, at: int, typed: str) -> None:
    data = text.encode()
    shown = editable_text(data)
    # behind a sign that stands for one hidden character nothing is split
    at = min(at, len(shown))
    if any(not character.isascii() or character == "<" for character in shown[max(at - 8, 0) : at + 8]):
        return
    changed = edited_bytes(data, shown[:at] + typed + shown[at:])
    assert editable_text(changed) == shown[:at] + typed + shown[at:]
    assert len(changed) <= len(data) + 2 * len(typed)


@given(TEXTS, st.text("abx \n", max_size=40))
def test_any_text_comes_back_as_it_was_typed(text: str, typed: str) -> None:
    assert editable_text(edited_bytes(text.encode(), typed)) == typed


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        ("a\r\nb\r\n", "a\nB\n", "a\r\nB\r\n"),
        ("a\r\nb", "a\nb\nc", "a\r\nb\r\nc"),
        ("a\nb", "a\nb\n", "a\nb\n"),
        ("a\nb\n", "a\nb", "a\nb"),
        ("a\r\nb\nc\rd", "a\nb\nc\nd!", "a\r\nb\nc\rd!"),
        ("\ufeffa\n", "b\n", "\ufeffb\n"),
        ("", "a\nb\n", "a\nb\n"),
        ("a\u200bb c\n", "a<U+200B>b d\n", "a\u200bb d\n"),
        ("x: \x1b[0m # why\n", "x: ␛[0m # because\n", "x: \x1b[0m # because\n"),
        ("a\nb\nc\n", "c\n", "c\n"),
        ("a\r\n\r\nb\r\n", "new\na\n\nb\n", "new\r\na\r\n\r\nb\r\n"),
    ],
)
def test_line_ends_marks_and_hidden_characters_stay(before: str, text: str, after: str) -> None:
    assert edited_bytes(before.encode(), text) == after.encode()


def test_a_long_stretch_of_changes_is_matched_without_comparing_everything_with_everything() -> None:
    lines = MAX_COMPARED + 10
    data = "a\r\n" * lines
    assert edited_bytes(data.encode(), "b\n" * lines) == b"b\r\n" * lines


def test_bytes_that_are_no_utf_8_are_refused() -> None:
    with pytest.raises(UnicodeDecodeError):
        editable_text(b"\xff")
