"""An answer that streams costs only its open block, and ends as if it had come whole."""

from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st
from textual.strip import Strip

from decode_ui.transcript.entry import AnswerEntry
from decode_ui.transcript.render import Painter
from decode_ui.transcript.streaming import MAX_OPEN_LINES, LiveAnswer

BLOCKS = st.sampled_from(
    [
        "# Title",
        "Some prose with `code` and **bold** words that wrap.",
        "- one\n- two\n  - three",
        "1. one\n2. two",
        "```python\nx = 1\n\ny = 2\n```",
        "~~~\n```\n~~~",
        "> quoted\n> twice",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "---",
        "漢字 and é \x1b[31m",
        "line\r\nend",
    ]
)
MARKDOWN = st.lists(BLOCKS, max_size=8).map("\n\n".join)
WIDTH = 30


def render(markdown: str) -> list[Strip]:
    return Painter().markdown(markdown, WIDTH)


def chunks(text: str, cuts: list[int]) -> list[str]:
    edges = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    return [text[a:b] for a, b in pairwise(edges)]


def shown(strips: list[Strip]) -> list[str]:
    return [strip.text.rstrip() for strip in strips]


@settings(max_examples=80, deadline=None)
@given(
    st.one_of(MARKDOWN, st.text(alphabet="a`~#->|1. \n\r*[](", max_size=80)), st.lists(st.integers(0, 999), max_size=12)
)
def test_streamed_and_ended_equals_rendered_whole(markdown: str, cuts: list[int]) -> None:
    live = LiveAnswer()
    for chunk in chunks(markdown, cuts):
        live.feed(chunk)
        for strip in live.strips(render, WIDTH):
            assert strip.cell_length == WIDTH
    assert live.source == markdown
    assert Painter().paint(AnswerEntry(live.source), WIDTH) == Painter().paint(AnswerEntry(markdown), WIDTH)


@settings(max_examples=50, deadline=None)
@given(MARKDOWN, st.lists(st.integers(0, 999), max_size=12))
def test_ordinary_blocks_look_the_same_already_while_they_stream(markdown: str, cuts: list[int]) -> None:
    live = LiveAnswer()
    for chunk in chunks(markdown + "\n", cuts):
        live.feed(chunk)
        live.strips(render, WIDTH)
    assert shown(live.strips(render, WIDTH)) == shown(render(markdown))


@settings(max_examples=50, deadline=None)
@given(MARKDOWN, st.lists(st.integers(0, 999), max_size=12))
def test_how_it_was_cut_does_not_show(markdown: str, cuts: list[int]) -> None:
    one, other = LiveAnswer(), LiveAnswer()
    one.feed(markdown)
    for chunk in chunks(markdown, cuts):
        other.feed(chunk)
        other.strips(render, WIDTH)
    assert shown(one.strips(render, WIDTH)) == shown(other.strips(render, WIDTH))


def test_finished_blocks_are_drawn_once() -> None:
    live = LiveAnswer()
    for number in range(200):
        live.feed(f"paragraph {number}\n\n")
        before = live.renders
        live.strips(render, WIDTH)
        assert live.renders - before <= 2


@pytest.mark.parametrize(
    ("start", "line"),
    [
        ("```python\n", "x = {n}\n"),
        ("", "- item {n}\n"),
        ("", "words {n}\n"),
        ("| a | b |\n|---|---|\n", "| {n} | x |\n"),
    ],
)
def test_a_block_that_stays_open_is_cut_by_lines(start: str, line: str) -> None:
    live = LiveAnswer()
    live.feed(start)
    longest = 0

    def draw(markdown: str) -> list[Strip]:
        nonlocal longest
        longest = max(longest, markdown.count("\n"))
        return render(markdown)

    for number in range(150):
        live.feed(line.replace("{n}", str(number)))
        rows = live.strips(draw, WIDTH)
    assert longest <= MAX_OPEN_LINES + 2
    assert "149" in " ".join(shown(rows[-3:]))


def test_code_looks_the_same_when_its_fence_is_cut() -> None:
    live = LiveAnswer()
    markdown = "```\n" + "".join(f"line {n}\n" for n in range(200)) + "```\n"
    for line in markdown.splitlines(keepends=True):
        live.feed(line)
        live.strips(render, WIDTH)
    assert shown(live.strips(render, WIDTH)) == shown(render(markdown))


def test_a_blank_line_before_an_indented_line_is_no_end() -> None:
    live = LiveAnswer()
    live.feed("- one\n\n    still one\n\nnext")
    assert shown(live.strips(render, WIDTH)) == [" • one", "   still one", "", "next"]


def test_another_width_draws_everything_again() -> None:
    live = LiveAnswer()
    live.feed("one two three\n\nfour five six\n\nx")
    live.strips(render, WIDTH)
    live.redraw()
    rows = live.strips(lambda markdown: Painter().markdown(markdown, 10), 10)
    assert shown(rows) == ["one two", "three", "", "four five", "six", "", "x"]
