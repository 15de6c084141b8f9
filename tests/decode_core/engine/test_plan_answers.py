"""What an answer to a plan does to the mode: only approved steps lead out of plan mode (plan-mode.md §1)."""

from pathlib import Path

import pytest

from decode_core.decisions import Allow, Answer, AnswerResult, PlanReview
from decode_core.events import DecisionRequested, PlanDecided, ToolCallFinished
from decode_core.permissions.modes import PermissionMode
from decode_core.session import Session
from sessions import Played, play

SCRIPT = """
- calls: [{tool: exit_plan_mode, args: {plan: "## Steps\\n1. one\\n2. two"}}]
- calls: [{tool: write, args: {path: b.txt, content: x}}]
- text: ok
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    return folder


def reviewed(workspace: Path, answer: PlanReview) -> Played:
    return play(workspace, SCRIPT, mode=PermissionMode.PLAN, answer=lambda question, session: answer)


@pytest.mark.parametrize("word", ["approve", "approve_ask"])
@pytest.mark.parametrize("approved", [(), (7,)])
def test_a_plan_with_every_step_refused_does_not_leave_plan_mode(
    workspace: Path, word: str, approved: tuple[int, ...]
) -> None:
    played = reviewed(workspace, PlanReview(word, approved=approved))
    assert played.mode is PermissionMode.PLAN
    assert played.of(PlanDecided)[0].plan.approved == ()
    assert "Plan mode stays on" in played.of(ToolCallFinished)[0].text
    assert played.calls == [("exit_plan_mode", "ok"), ("write", "denied")]
    assert not (workspace / "b.txt").exists()


def test_one_approved_step_is_enough(workspace: Path) -> None:
    played = reviewed(workspace, PlanReview("approve", approved=(2,)))
    assert played.mode is PermissionMode.EDIT
    assert played.of(PlanDecided)[0].plan.approved == (2,)
    assert played.calls[1] == ("write", "ok")


def test_a_text_that_was_emptied_leaves_the_proposed_one(workspace: Path) -> None:
    plan = reviewed(workspace, PlanReview("approve", text=" \n")).of(PlanDecided)[0].plan
    assert plan.approved == (1, 2)
    assert "one" in plan.text


def test_an_approval_meant_for_a_call_does_not_fit_and_the_review_goes_on_waiting(workspace: Path) -> None:
    results: list[AnswerResult] = []

    def answer(question: DecisionRequested, session: Session) -> Answer:
        results.append(session.answer(question.id, Allow.once()))
        return PlanReview("reject")

    played = play(workspace, SCRIPT, mode=PermissionMode.PLAN, answer=answer)
    assert results == [AnswerResult.UNFIT]
    assert played.mode is PermissionMode.PLAN
