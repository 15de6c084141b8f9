"""What can stand at a place of an agent's front matter (catalog.md §6: completion of tool names and modes)."""

import pytest
from hypothesis import given, strategies as st

from decode_ui.agents.completion import completion, front_matter_end

TOOLS = ["read", "grep", "edit", "web_fetch", "bash", "enter_plan_mode", "exit_plan_mode"]


def words(*lines: str) -> tuple[str, ...]:
    """Completions at the end of the last of these lines, which stand below the fence."""
    found = completion(["---", *lines, "---", "text"], len(lines), len(lines[-1]), TOOLS)
    return () if found is None else found.words


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["tools: [re"], ("read",)),
        (["tools: [read, e"], ("edit", "exit_plan_mode", "enter_plan_mode")),
        (["tools: [read"], ()),
        (["tools: ["], ()),
        (["tools:", "  - we"], ("web_fetch",)),
        (["mode: d"], ("default", "dont_ask")),
        (["mode: default x"], ()),
        (["subagent: o"], ("only",)),
        (["de"], ("deny: ", "description: ")),
        (["deny: []", "de"], ("description: ",)),
        (["description: re"], ()),
        (['allow: ["ba'], ("bash",)),
        (['allow: ["bash(ma'], ()),
        (['allow: ["bash(make *)", "re'], ("read",)),
        (["deny:", "  - we"], ("web_fetch",)),
        (["tools: [read]  # re"], ()),
        (["model: o"], ()),
    ],
)
def test_the_word_before_the_cursor(lines: list[str], expected: tuple[str, ...]) -> None:
    assert words(*lines) == expected


def test_nothing_is_completed_in_the_prompt_in_a_word_or_without_front_matter() -> None:
    assert completion(["---", "mode: x", "---", "re"], 3, 2, TOOLS) is None
    assert completion(["---", "tools: [read]", "---"], 1, 10, TOOLS) is None
    assert completion(["tools: [re"], 0, 10, TOOLS) is None


def test_what_is_missing_of_the_first_word() -> None:
    found = completion(["---", "mode: pl", "---"], 1, 8, TOOLS)
    assert found is not None
    assert (found.typed, found.rest) == ("pl", "an")


@given(st.lists(st.text("-: ae[]\"'#(tools", max_size=12), max_size=6), st.integers(0, 6), st.integers(0, 12))
def test_no_text_raises(lines: list[str], row: int, column: int) -> None:
    row = min(row, max(len(lines) - 1, 0))
    if lines:
        completion(lines, row, min(column, len(lines[row])), TOOLS)
    assert 0 <= front_matter_end(lines) <= len(lines)
