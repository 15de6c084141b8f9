"""Encodings and line ends as pure functions, and the figures of a change."""

import difflib

import pytest
from hypothesis import given, settings, strategies as st

from decode_core.tools.line_counts import MAX_EDITS, count_lines_changed
from decode_core.tools.texts import Encoding, FileText, decode, encode, fit_line_ends, unix_ends

TEXT = st.text(st.characters(codec="utf-8"), max_size=60)


@settings(deadline=None)
@given(text=TEXT, encoding=st.sampled_from(Encoding))
def test_what_was_decoded_is_encoded_to_the_same_bytes(text: str, encoding: Encoding) -> None:
    try:
        data = encode(text, encoding)
    except ValueError:
        assert encoding is Encoding.LATIN_1
        return
    found = decode(data)
    if found is not None:
        assert encode(found.text, found.encoding) == data
    if encoding not in (Encoding.LATIN_1, Encoding.UTF_8):
        assert found == FileText(text, encoding)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_text_that_gives_them_back_or_binary(data: bytes) -> None:
    found = decode(data)
    assert found is None or encode(found.text, found.encoding) == data


MIXED = st.lists(st.tuples(st.sampled_from(["a", "b", "", "cc"]), st.sampled_from(["\n", "\r\n"])), max_size=8).map(
    lambda rows: "".join(line + end for line, end in rows)
)


@settings(deadline=None)
@given(MIXED)
def test_a_text_fitted_to_itself_is_itself(text: str) -> None:
    assert fit_line_ends(text, unix_ends(text)) == text


@settings(deadline=None)
@given(before=MIXED, after=MIXED.map(unix_ends))
def test_fitting_changes_line_ends_alone(before: str, after: str) -> None:
    fitted = fit_line_ends(before, after)
    assert unix_ends(fitted) == after
    ends = {line.endswith("\r") for line in before.split("\n")[:-1]} or {False}
    assert {line.endswith("\r") for line in fitted.split("\n")[:-1]} <= ends


@pytest.mark.parametrize(
    ("before", "after", "counts"),
    [
        (None, "", (0, 0)),
        (None, "a\nb\n", (2, 0)),
        (None, "a", (1, 0)),
        ("a\n", "", (0, 1)),
        ("a\nb\nc\n", "a\nx\nc\n", (1, 1)),
        ("a\nb\n", "b\na\n", (1, 1)),
        ("a\n", "a", (1, 1)),
        ("a\n", "a\r\n", (1, 1)),
        ("a\x0bb\n", "a\x0bc\n", (1, 1)),
        ("same\n" * 50, "same\n" * 40, (0, 10)),
        ("".join(f"{n}\n" for n in range(5_000)), "".join(f"x{n}\n" for n in range(4_000)), (4_000, 5_000)),
    ],
)
def test_added_and_removed_lines_are_counted(before: str | None, after: str, counts: tuple[int, int]) -> None:
    assert count_lines_changed(before, after) == counts


LINES = st.lists(st.sampled_from("abc"), max_size=12)


@settings(deadline=None)
@given(old=LINES, new=LINES)
def test_counts_are_the_least_there_can_be(old: list[str], new: list[str]) -> None:
    before, after = ("".join(f"{line}\n" for line in lines) for lines in (old, new))
    added, removed = count_lines_changed(before, after)
    assert len(old) - removed == len(new) - added
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    assert len(new) - added >= sum(block.size for block in matcher.get_matching_blocks())


def test_beyond_the_limit_moved_lines_do_not_count() -> None:
    old = [f"{number}\n" for number in range(2 * MAX_EDITS)]
    assert count_lines_changed("".join(old), "".join(reversed(old))) == (0, 0)
