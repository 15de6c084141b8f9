"""How far an approved plan is, step by step, as the to-do list tells it (plan-mode.md §2). Pure."""

from enum import StrEnum

from decode_core.event_values import Plan, TodoItem, TodoStatus


class StepState(StrEnum):
    """Where one step of a plan stands."""

    REFUSED = "refused"
    """The person did not approve it."""
    OPEN = "open"
    RUNNING = "running"
    DONE = "done"
    DROPPED = "dropped"
    """Every to-do item of it was cancelled."""


def step_state(plan: Plan, number: int, todos: tuple[TodoItem, ...]) -> StepState:
    """Where step `number` stands. A step is done once every item that names it is, cancelled ones left out."""
    if plan.approved is not None and number not in plan.approved:
        return StepState.REFUSED
    states = {item.status for item in todos if item.step == number}
    if TodoStatus.IN_PROGRESS in states:
        return StepState.RUNNING
    match states - {TodoStatus.CANCELLED}:
        case left if left == {TodoStatus.COMPLETED}:
            return StepState.DONE
        case left if TodoStatus.COMPLETED in left:
            return StepState.RUNNING
        case left if not left and states:
            return StepState.DROPPED
        case _:
            return StepState.OPEN


def steps_done(plan: Plan, todos: tuple[TodoItem, ...]) -> int:
    """How many approved steps are done."""
    return sum(step_state(plan, number, todos) is StepState.DONE for number in plan.approved or ())


def is_carried_out(plan: Plan, todos: tuple[TodoItem, ...]) -> bool:
    """Whether nothing approved is left to do; a plan of which the to-do list says nothing is not."""
    finished = (StepState.DONE, StepState.DROPPED)
    return bool(plan.approved) and all(step_state(plan, number, todos) in finished for number in plan.approved or ())
