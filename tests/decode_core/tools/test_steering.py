"""todo_write, ask_user and sleep: the rules of plan-mode.md §1."""

import pytest

from decode_core.events import CallOutcome, TodoStatus
from decode_core.tools.spec import Limits, UserAnswer
from tool_bench import Bench


def item(name: str, status: str = "pending", **more: object) -> dict[str, object]:
    return {"id": name, "content": f"do {name}", "status": status, **more}


def test_the_list_is_replaced_as_a_whole(bench: Bench) -> None:
    bench.call("todo_write", items=[item("a"), item("b")])
    result = bench.call("todo_write", items=[item("b", "completed", active_form="doing b", step=2)])
    assert (result.outcome, result.summary) == (CallOutcome.OK, "1 of 1")
    assert [(each.id, each.status, each.step) for each in bench.person.todos] == [("b", TodoStatus.COMPLETED, 2)]
    bench.call("todo_write", items=[])
    assert bench.person.todos == ()


@pytest.mark.parametrize(
    ("items", "says"),
    [
        ([item("a", "in_progress"), item("b", "in_progress")], "Only one item may be in progress, not 2: a, b."),
        ([item("a"), item("a")], "Two items have the id 'a'"),
        ([{"id": "a", "content": " "}], "An item has no content"),
    ],
)
def test_a_list_against_the_rules_fails_and_the_old_one_stays(
    bench: Bench, items: list[dict[str, object]], says: str
) -> None:
    bench.call("todo_write", items=[item("old")])
    result = bench.call("todo_write", items=items)
    assert result.outcome is CallOutcome.FAILED
    assert says in result.text
    assert [each.id for each in bench.person.todos] == ["old"]


@pytest.mark.parametrize(
    ("approved", "step", "hint"),
    [
        ((1, 3), 3, ""),
        ((1, 3), 2, " No approved step has the number 2: the approved steps are 1, 3."),
        (None, 1, " No approved step has the number 1: no plan is approved."),
        ((1,), None, ""),
    ],
)
def test_an_item_may_name_a_step_and_a_strange_one_is_told(
    bench: Bench, approved: tuple[int, ...] | None, step: int | None, hint: str
) -> None:
    bench.person.steps = approved
    result = bench.call("todo_write", items=[item("a", step=step)])
    assert result.text == f"The list has 1 items, 0 of them done.{hint}"
    assert len(bench.person.todos) == 1


def test_sleep_is_clamped_and_says_so(bench: Bench) -> None:
    bench.limits = Limits(sleep_max_s=0)
    assert bench.call("sleep", seconds=5).text == "Waited 0 s (clamped from 5 s, the most is 0 s)."
    assert bench.call("sleep", seconds=0).text == "Waited 0 s."


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf"), float("-inf")])
def test_sleep_refuses_what_is_no_time(bench: Bench, seconds: float) -> None:
    assert bench.call("sleep", seconds=seconds).outcome is CallOutcome.FAILED


def test_a_question_without_any_way_to_answer_is_not_put(bench: Bench) -> None:
    assert bench.call("ask_user", question="?", allow_free_text=False).outcome is CallOutcome.FAILED
    assert bench.person.asked == []


@pytest.mark.parametrize(
    ("reply", "outcome", "text"),
    [
        (UserAnswer(("b",), "because"), CallOutcome.OK, "The person chose: b\nThe person wrote: because"),
        (UserAnswer(declined=True), CallOutcome.OK, "The person does not want to answer"),
        (UserAnswer(nobody=True), CallOutcome.FAILED, "Nobody can answer here"),
    ],
)
def test_the_answer_is_told_as_it_was_given(bench: Bench, reply: UserAnswer, outcome: CallOutcome, text: str) -> None:
    bench.person.reply = reply
    result = bench.call("ask_user", question="?", options=[" a ", "b", "a"])
    assert (result.outcome, bench.person.asked) == (outcome, [("?", ("a", "b"))])
    assert text in result.text
