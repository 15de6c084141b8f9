"""enter_plan_mode and exit_plan_mode: what they ask of the session and what they tell the model."""

import pytest

from decode_core.engine.offline.plan_review import read_review
from decode_core.engine.offline.plan_text import Verdict
from decode_core.events import CallOutcome, PlanStep
from decode_core.permissions.modes import ToolKind
from decode_core.tools.registry import builtin_registry
from decode_core.tools.spec import PlanAnswer, ToolResult
from tool_bench import Bench

PLAN = "# Rename\n\n## Steps\n1. one\n2. two\n"
ONE = PlanStep(number=1, text="one", line=3)
TWO = PlanStep(number=2, text="two", line=4)


def reviewed(bench: Bench, answer: PlanAnswer) -> ToolResult:
    bench.person.plan_mode = True
    bench.person.answer = answer
    return bench.call("exit_plan_mode", plan=PLAN, title=" Rename ")


def test_entering_sets_the_mode_and_names_the_way_out(bench: Bench) -> None:
    result = bench.call("enter_plan_mode")
    assert bench.person.plan_mode
    assert result.outcome is CallOutcome.OK
    assert "exit_plan_mode" in result.text


def test_entering_twice_is_no_fault(bench: Bench) -> None:
    bench.person.plan_mode = True
    result = bench.call("enter_plan_mode")
    assert result.outcome is CallOutcome.OK
    assert "already" in result.text


def test_the_tools_are_control_tools_and_only_one_asks_the_person() -> None:
    enter, leave = builtin_registry().get("enter_plan_mode"), builtin_registry().get("exit_plan_mode")
    assert enter is not None
    assert leave is not None
    assert (enter.kind, enter.asks_person) == (ToolKind.CONTROL, False)
    assert (leave.kind, leave.asks_person) == (ToolKind.CONTROL, True)


def test_outside_plan_mode_nobody_is_asked(bench: Bench) -> None:
    result = bench.call("exit_plan_mode", plan=PLAN)
    assert result.outcome is CallOutcome.FAILED
    assert "not in plan mode" in result.text
    assert bench.person.reviewed == []


def test_a_blank_plan_is_not_shown(bench: Bench) -> None:
    bench.person.plan_mode = True
    assert bench.call("exit_plan_mode", plan=" \n ").outcome is CallOutcome.FAILED
    assert bench.person.reviewed == []


def test_the_person_sees_the_plan_as_it_is(bench: Bench) -> None:
    reviewed(bench, PlanAnswer("approve", text=PLAN, approved=(ONE, TWO)))
    assert bench.person.reviewed == [("c1", PLAN, "Rename")]


def test_nobody_to_answer_is_a_failed_result(bench: Bench) -> None:
    result = reviewed(bench, PlanAnswer("nobody"))
    assert result.outcome is CallOutcome.FAILED
    assert result.text.startswith("Nobody can review the plan here")


def test_an_approved_plan_is_told_so(bench: Bench) -> None:
    result = reviewed(bench, PlanAnswer("approve", text=PLAN, approved=(ONE, TWO)))
    assert result.text == "The plan is approved. Carry it out now."
    assert (result.summary, result.ends_turn) == ("approved", False)


def test_approval_with_asking_says_that_edits_are_asked_for(bench: Bench) -> None:
    result = reviewed(bench, PlanAnswer("approve_ask", text=PLAN, approved=(ONE, TWO)))
    assert result.text == "The plan is approved. Carry it out now. The person wants to be asked before each edit."


def test_an_edited_plan_comes_with_its_text(bench: Bench) -> None:
    result = reviewed(bench, PlanAnswer("approve", text="# Other\n- x", approved=(ONE,)))
    assert result.text.endswith("The person edited it; this text holds:\n\n# Other\n- x")


def test_a_switch_of_the_agent_is_passed_on(bench: Bench) -> None:
    result = reviewed(bench, PlanAnswer("approve", text=PLAN, message="The agent build carries it out from here."))
    assert "The agent build carries it out from here." in result.text


def test_an_approval_in_part_lists_both_kinds_of_steps(bench: Bench) -> None:
    result = reviewed(bench, PlanAnswer("approve", text=PLAN, approved=(ONE,), refused=(TWO,), note="mind the tests"))
    assert result.text.split("\n\n") == [
        "The plan is approved in part. Carry it out now.",
        "Approved steps:\n1. one",
        "Refused steps, leave them out:\n2. two",
        "Comments:\n- On the whole plan: mind the tests",
    ]
    assert result.summary == "1 of 2 steps approved"
    assert result.detail == {"answer": "approve", "approved": [1], "refused": [2]}


def test_approving_no_step_approves_nothing(bench: Bench) -> None:
    result = reviewed(bench, PlanAnswer("approve", text=PLAN, refused=(ONE, TWO)))
    assert "Do none of them" in result.text
    assert "approved" not in result.text
    assert result.summary == "no step approved"


def test_a_plan_that_is_sent_back_carries_every_comment_with_its_line(bench: Bench) -> None:
    answer = PlanAnswer("refine", note="shorter", comments=(("1.  one", "not this\nbut that"), ("2. two", "why?")))
    result = reviewed(bench, answer)
    assert result.outcome is CallOutcome.OK
    assert result.text == (
        "The person sent the plan back. Plan mode stays on; present a new plan with exit_plan_mode.\n\n"
        "Comments:\n- On the whole plan: shorter\n- On “1. one”: not this\n  but that\n- On “2. two”: why?"
    )
    assert (result.summary, result.ends_turn) == ("sent back", False)


def test_a_plan_sent_back_without_a_word_says_so(bench: Bench) -> None:
    assert "without a comment" in reviewed(bench, PlanAnswer("refine")).text


def test_a_plan_that_is_sent_back_names_the_steps_that_were_not_ticked_and_the_text_to_go_on_from(
    bench: Bench,
) -> None:
    result = reviewed(bench, PlanAnswer("refine", text="# Mine", refused=(TWO,), note="no"))
    assert result.text.split("\n\n")[1:] == [
        "The person edited it; go on from this text:",
        "# Mine",
        "Steps that the person would not approve as they stand:\n2. two",
        "Comments:\n- On the whole plan: no",
    ]


def test_comments_on_a_rejected_plan_are_told(bench: Bench) -> None:
    text = reviewed(bench, PlanAnswer("reject", note="not now", comments=(("1. one", "risky"),))).text
    assert text.endswith("The person says: not now\n\nComments:\n- On “1. one”: risky")


def test_a_rejected_plan_ends_the_turn(bench: Bench) -> None:
    result = reviewed(bench, PlanAnswer("reject", note="not now"))
    assert result.ends_turn
    assert result.outcome is CallOutcome.OK
    assert result.text == "The plan was rejected. Plan mode stays on; stop here. The person says: not now"


@pytest.mark.parametrize(
    ("answer", "verdict", "steps"),
    [
        (PlanAnswer("approve", text=PLAN, approved=(ONE, TWO)), Verdict.APPROVED, ("one", "two")),
        (PlanAnswer("approve_ask", text=PLAN, approved=(ONE, TWO)), Verdict.APPROVED, ("one", "two")),
        (PlanAnswer("approve", text=PLAN, approved=(TWO,), refused=(ONE,)), Verdict.APPROVED, ("two",)),
        (PlanAnswer("approve", text=PLAN, refused=(ONE, TWO)), Verdict.REFINE, None),
        (PlanAnswer("refine", comments=(("1. one", "no"),)), Verdict.REFINE, None),
        (PlanAnswer("refine"), Verdict.REFINE, None),
        (PlanAnswer("reject"), Verdict.REJECTED, None),
    ],
)
def test_a_reader_by_rules_understands_every_answer(
    bench: Bench, answer: PlanAnswer, verdict: Verdict, steps: tuple[str, ...] | None
) -> None:
    review = read_review(reviewed(bench, answer).text, ("one", "two"))
    assert review.verdict is verdict
    if steps is not None:
        assert review.steps == steps
