"""The person's answer to a plan, read from the very words that exit_plan_mode gives the model."""

import asyncio
from types import SimpleNamespace
from typing import cast

import pytest

from decode_core.engine.offline.plan_review import read_review
from decode_core.engine.offline.plan_text import Review, Verdict
from decode_core.events import PlanStep
from decode_core.tools.planning import ExitPlanArgs, run_exit_plan_mode
from decode_core.tools.spec import PlanAnswer, ToolContext

PLANNED = ("Run `a`", "Run `b`", "Run `c`")
STEPS = tuple(PlanStep(number=number, text=text, line=number) for number, text in enumerate(PLANNED, start=1))
PROPOSED = "## Steps\n\n1. Run `a`\n2. Run `b`\n3. Run `c`\n"


def told(answer: PlanAnswer) -> str:
    """What the tool tells a model about `answer`."""

    class Control:
        def in_plan_mode(self) -> bool:
            return True

        async def review_plan(self, call_id: str, plan: str, title: str) -> PlanAnswer:
            return answer

    context = SimpleNamespace(control=Control(), call_id="1")
    return asyncio.run(run_exit_plan_mode(ExitPlanArgs(plan=PROPOSED, title="T"), cast("ToolContext", context))).text


@pytest.mark.parametrize("how", ["approve", "approve_ask"])
def test_an_approved_plan_is_done_whole(how: str) -> None:
    review = read_review(told(PlanAnswer(how, PROPOSED, STEPS)), PLANNED)
    assert review == Review(Verdict.APPROVED, PLANNED)


def test_of_a_plan_approved_in_part_only_that_is_done() -> None:
    answer = PlanAnswer("approve", PROPOSED, (STEPS[0], STEPS[2]), (STEPS[1],))
    assert read_review(told(answer), PLANNED) == Review(Verdict.APPROVED, ("Run `a`", "Run `c`"), numbers=(1, 3))


def test_an_edited_plan_is_done_as_it_was_edited() -> None:
    text = "## Steps\n\n1. Run `x`\n2. Run `b`\n\n## Checks\n\n- none\n"
    answer = PlanAnswer("approve", text, STEPS[:2], note="thanks")
    review = read_review(told(answer), PLANNED)
    assert review == Review(Verdict.APPROVED, ("Run `x`", "Run `b`"), ("thanks",))


def test_an_edited_plan_approved_in_part_is_done_as_listed() -> None:
    edited = (PlanStep(number=1, text="Run `x`", line=1), PlanStep(number=2, text="Run `y`", line=2))
    answer = PlanAnswer("approve", "## Steps\n\n1. Run `x`\n2. Run `y`\n", edited[1:], edited[:1])
    assert read_review(told(answer), PLANNED) == Review(Verdict.APPROVED, ("Run `y`",), numbers=(2,))


def test_comments_are_the_persons_words_alone() -> None:
    answer = PlanAnswer(
        "refine",
        PROPOSED,
        note="be brief\nand kind",
        comments=(("1. Run `a`", "use make"), ("2. Run `b`", "the word approved is fine: here")),
    )
    remarks = ("be brief\nand kind", "use make", "the word approved is fine: here")
    assert read_review(told(answer), PLANNED) == Review(Verdict.REFINE, remarks=remarks)


def test_without_a_comment_there_is_nothing_to_revise() -> None:
    assert read_review(told(PlanAnswer("refine", PROPOSED)), PLANNED) == Review(Verdict.REFINE)


def test_no_step_approved_is_sent_back() -> None:
    assert read_review(told(PlanAnswer("approve", PROPOSED, (), STEPS)), PLANNED) == Review(Verdict.REFINE)


def test_a_rejection_is_read() -> None:
    assert read_review(told(PlanAnswer("reject", note="approved? no")), PLANNED) == Review(Verdict.REJECTED)


@pytest.mark.parametrize("result", ["", "ok", "The plan is not approved.", "hm: approved"])
def test_an_unclear_answer_approves_nothing(result: str) -> None:
    assert read_review(result, PLANNED).verdict is Verdict.REFINE


def test_a_partial_approval_without_a_list_approves_nothing() -> None:
    assert read_review("The plan is approved in part. Carry it out now.", PLANNED) == Review(Verdict.APPROVED)
