"""Colours of an agent's file: YAML above the closing fence, Markdown below."""

import pytest
from hypothesis import given, strategies as st

from decode_ui.agents.highlight import Colours

FILE = [
    "---",
    'allow: ["bash(make *)"]  # why',
    "tools:",
    "  - read",
    "---",
    "# Heading",
    "- run `make test` with **care**",
    "```",
    "name: x",
    "```",
    "2. done",
]


@pytest.mark.parametrize(
    ("row", "parts"),
    [
        (0, [("---", "quiet")]),
        (1, [("allow", "key"), ("[", "sign"), ('"bash(make *)"', "string"), ("]", "sign"), ("# why", "quiet")]),
        (2, [("tools", "key")]),
        (3, [("  -", "sign")]),
        (4, [("---", "quiet")]),
        (5, [("# Heading", "heading")]),
        (6, [("-", "sign"), ("`make test`", "code"), ("**care**", "key")]),
        (8, [("name: x", "code")]),
        (10, [("2.", "sign")]),
    ],
)
def test_each_kind_of_line(row: int, parts: list[tuple[str, str]]) -> None:
    found = Colours(FILE).spans(row)
    assert [(FILE[row][span.start : span.end], span.kind) for span in found] == parts


def test_without_front_matter_everything_is_markdown() -> None:
    assert [span.kind for span in Colours(["# x", "name: y"]).spans(0)] == ["heading"]
    assert Colours(["# x", "name: y"]).spans(1) == []


@given(st.lists(st.text(max_size=30), max_size=8), st.integers(0, 9))
def test_spans_are_in_order_and_inside_the_line(lines: list[str], row: int) -> None:
    at = 0
    for span in Colours(lines).spans(row):
        assert at <= span.start <= span.end <= len(lines[row])
        at = span.end
