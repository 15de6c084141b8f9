"""Progress of a plan by its to-do items (plan-mode.md §2: each item may name a step)."""

import pytest

from decode_core.events import Plan, PlanStep, TodoItem, TodoStatus
from decode_core.plan_mode.progress import StepState, is_carried_out, step_state, steps_done

STEPS = tuple(PlanStep(number=number, text=f"step {number}", line=number) for number in (1, 2, 3))
OPEN, RUNS, DONE, GONE = TodoStatus.PENDING, TodoStatus.IN_PROGRESS, TodoStatus.COMPLETED, TodoStatus.CANCELLED


def plan(*approved: int) -> Plan:
    return Plan(version=1, title="", text="", steps=STEPS, approved=approved)


def items(*pairs: tuple[int | None, TodoStatus]) -> tuple[TodoItem, ...]:
    return tuple(TodoItem(id=str(n), content="x", status=status, step=step) for n, (step, status) in enumerate(pairs))


@pytest.mark.parametrize(
    ("statuses", "state"),
    [
        ((), StepState.OPEN),
        ((OPEN,), StepState.OPEN),
        ((OPEN, GONE), StepState.OPEN),
        ((RUNS,), StepState.RUNNING),
        ((DONE, OPEN), StepState.RUNNING),
        ((DONE,), StepState.DONE),
        ((DONE, GONE), StepState.DONE),
        ((GONE, GONE), StepState.DROPPED),
    ],
)
def test_a_step_is_where_its_items_are(statuses: tuple[TodoStatus, ...], state: StepState) -> None:
    others = [(2, DONE), (None, DONE)]
    todos = items(*((1, status) for status in statuses), *others)
    assert step_state(plan(1, 2), 1, todos) is state


def test_a_step_that_was_not_approved_is_refused_whatever_the_list_says() -> None:
    assert step_state(plan(1), 2, items((2, DONE))) is StepState.REFUSED
    assert step_state(plan(1).model_copy(update={"approved": None}), 2, ()) is StepState.OPEN


def test_a_plan_is_carried_out_when_every_approved_step_is_done_or_dropped() -> None:
    assert steps_done(plan(1, 2), items((1, DONE), (2, RUNS), (3, DONE))) == 1
    assert not is_carried_out(plan(1, 2), items((1, DONE), (2, RUNS)))
    assert is_carried_out(plan(1, 2), items((1, DONE), (2, GONE)))
    assert not is_carried_out(plan(1, 2), ())
    assert not is_carried_out(plan(), ())
