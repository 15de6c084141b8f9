"""What changed between two versions of a plan, step by step."""

import pytest
from hypothesis import given, strategies as st

from decode_core.events import Plan
from decode_core.plan_mode.changes import step_changes
from decode_core.tools.plan_text import plan_steps


def plan(*steps: str, tail: str = "") -> Plan:
    text = "## Steps\n" + "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1)) + tail
    return Plan(version=1, title="", text=text, steps=plan_steps(text))


@pytest.mark.parametrize(
    ("older", "newer", "added", "changed", "removed"),
    [
        (["a one", "b two"], ["a one", "b two"], [], [], []),
        (["a one"], ["a one", "tests"], [2], [], []),
        (["rename the module", "tests"], ["tests"], [], [], ["rename the module"]),
        (["use it"], ["use it, twice"], [], [1], []),
        (["rename the module"], ["write docs 42"], [1], [], ["rename the module"]),
        (["a one", "b two"], ["b two", "a one"], [1], [], ["b two"]),
        ([], ["a"], [1], [], ["Steps"]),
    ],
)
def test_steps_are_added_changed_and_removed(
    older: list[str], newer: list[str], added: list[int], changed: list[int], removed: list[str]
) -> None:
    changes = step_changes(plan(*older), plan(*newer))
    assert [step.number for step in changes.added] == added
    assert [step.number for step in changes.changed] == changed
    assert [step.text for step in changes.removed] == removed


def test_other_words_around_the_same_steps_are_no_change_of_steps() -> None:
    changes = step_changes(plan("a"), plan("a", tail="\n\n## Risk\nNone"))
    assert (changes.added, changes.changed, changes.removed, changes.same_text) == ((), (), (), False)
    assert step_changes(plan("a"), plan("a", tail="\n")).same_text


@given(st.lists(st.sampled_from(["read it", "write it", "tests", "docs"]), max_size=6), st.data())
def test_every_step_is_accounted_for_once(older: list[str], data: st.DataObject) -> None:
    newer = data.draw(st.lists(st.sampled_from(["read it", "write it now", "tests", "docs"]), max_size=6))
    before, after = plan(*older), plan(*newer)
    changes = step_changes(before, after)
    kept = len(after.steps) - len(changes.added)
    assert kept == len(before.steps) - len(changes.removed)
