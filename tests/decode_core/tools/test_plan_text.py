"""Which steps a plan has (plan-mode.md §2)."""

import pytest
from hypothesis import given, settings, strategies as st

from decode_core.tools.plan_text import MAX_STEP_CHARS, plan_steps

CASES: list[tuple[str, str, list[tuple[int, str]]]] = [
    ("items under Steps", "# Rename\n\n## Steps\n1. one\n2. two\n\n## Checks\n- no step\n", [(3, "one"), (4, "two")]),
    ("items under Plan", "## Plan\n- one\n* two\n+ three\n", [(1, "one"), (2, "two"), (3, "three")]),
    ("nested items belong to their step", "## Steps\n- one\n  - detail\n    - more\n- two\n", [(1, "one"), (4, "two")]),
    ("sections under Plan", "# Plan\n\n## First\ntext\n- no step\n\n## Second\n", [(2, "First"), (6, "Second")]),
    ("sections under Steps", "## Steps\n### A\n- x\n### B\n", [(1, "A"), (3, "B")]),
    ("Steps wins over Plan", "# Plan\n## Context\n- no step\n## Steps\n- one\n## Checks\n- no step", [(4, "one")]),
    ("an empty Steps gives way to Plan", "## Steps\n\n## Plan\n- one\n", [(3, "one")]),
    ("a heading in capitals, emphasis, with a colon", "### **STEPS**:\n1) one\n", [(1, "one")]),
    ("a numbered heading", "## 2. Steps\n- one\n", [(1, "one")]),
    ("a step on several lines", "## Steps\n1. one that\n   goes on\n2. two\n", [(1, "one that goes on"), (3, "two")]),
    ("what follows a blank line is no part of it", "## Steps\n- one\n\n  detail\n- two\n", [(1, "one"), (4, "two")]),
    ("code is no step", "## Steps\n```\n- no step\n## Plan\n```\n- one\n", [(5, "one")]),
    ("a longer fence", "## Steps\n````\n```\n- no step\n````\n- one\n", [(5, "one")]),
    ("a fence that is never closed", "## Steps\n- one\n~~~\n- no step\n", [(1, "one")]),
    ("check boxes", "## Steps\n- [ ] one\n- [x] two\n", [(1, "one"), (2, "two")]),
    ("indented items", "## Steps\n  - one\n  - two\n", [(1, "one"), (2, "two")]),
    ("without a heading it is one step", "Do this\n- and\n- that\n", [(0, "Do this")]),
    ("a title names the one step", "\n# Rename the flag\nwords\n", [(1, "Rename the flag")]),
    ("a heading that only begins so is another", "# Plan: rename\n- no step\n", [(0, "Plan: rename")]),
    ("line ends of Windows", "## Steps\r\n- one\r\n- two\r\n", [(1, "one"), (2, "two")]),
    ("no text", " \n\n", []),
]


@pytest.mark.parametrize(("name", "text", "steps"), CASES, ids=[case[0] for case in CASES])
def test_steps_are_found(name: str, text: str, steps: list[tuple[int, str]]) -> None:
    assert [(step.line, step.text) for step in plan_steps(text)] == steps
    assert [step.number for step in plan_steps(text)] == list(range(1, len(steps) + 1))


def test_a_very_long_step_is_cut() -> None:
    (step,) = plan_steps("## Steps\n- " + "word " * 5_000)
    assert len(step.text) == MAX_STEP_CHARS
    assert step.text.endswith("…")


PIECES = ["## Steps\n", "# Plan\n", "- a\n", "  - b\n", "1. c\n", "```\n", "\n", "text\n", "#\n", "### d\n", "- \n"]


@settings(deadline=None)
@given(st.one_of(st.lists(st.sampled_from(PIECES), max_size=20).map("".join), st.text(max_size=60)))
def test_any_text_has_steps_in_order_each_on_a_line_of_its_own(text: str) -> None:
    steps = plan_steps(text)
    lines = [step.line for step in steps]
    assert lines == sorted(set(lines))
    assert all(0 <= line < len(text.split("\n")) for line in lines)
    assert all(step.text.strip() and "\n" not in step.text for step in steps)
    assert bool(steps) == any(line.strip() for line in text.split("\n"))
