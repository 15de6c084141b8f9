"""enter_plan_mode and exit_plan_mode in real sessions: who leaves plan mode, when, into what (plan-mode.md §1)."""

import asyncio
from pathlib import Path

import pytest

from decode_core.decisions import Answer, AnswerResult, Deny, PlanReview
from decode_core.events import (
    AgentSelected,
    DecisionAnswered,
    DecisionRequested,
    EventBase,
    ModeCause,
    ModeChanged,
    NoticeRaised,
    PermissionDecided,
    PlanComment,
    PlanDecided,
    PlanProposed,
    QuestionKind,
    ToolCallFinished,
    TurnEnd,
    TurnFinished,
)
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.permissions.modes import PermissionMode
from decode_core.session import Session
from decode_core.workspace import Workspace
from sessions import Answerer, Played, play, write_script

PLAN, EDIT, DEFAULT = PermissionMode.PLAN, PermissionMode.EDIT, PermissionMode.DEFAULT
PROPOSE = '- calls: [{tool: exit_plan_mode, args: {title: T, plan: "## Steps\\n1. one\\n2. two"}}]'
WRITE = "- calls: [{tool: write, args: {path: b.txt, content: x}}]"
END = "- text: ok"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    return folder


def says(review: Answer) -> Answerer:
    """Answer every review with `review`, and refuse everything else."""
    return lambda question, session: review if question.kind is QuestionKind.PLAN_REVIEW else Deny()


def changes(played: Played) -> list[tuple[str, str, str]]:
    return [(event.from_mode.value, event.to_mode.value, event.cause.value) for event in played.of(ModeChanged)]


@pytest.mark.parametrize("mode", [DEFAULT, EDIT, PermissionMode.BYPASS])
def test_entering_sets_plan_from_any_mode_and_the_one_before_is_remembered(
    workspace: Path, mode: PermissionMode
) -> None:
    remembered: list[PermissionMode | None] = []

    def look(event: EventBase, session: Session) -> None:
        if isinstance(event, ModeChanged):
            remembered.append(session.mode_before_plan)

    script = f"- calls: [{{tool: enter_plan_mode}}]\n{WRITE}\n{END}"
    played = play(workspace, script, mode=mode, hook=look)
    assert changes(played) == [(mode.value, "plan", "enter_plan_mode")]
    assert remembered == [mode]
    assert "exit_plan_mode" in played.of(ToolCallFinished)[0].text
    assert played.calls == [("enter_plan_mode", "ok"), ("write", "denied")]


@pytest.mark.parametrize("mode", [DEFAULT, EDIT, PermissionMode.BYPASS])
def test_outside_plan_the_call_fails_says_so_and_raises_no_mode(workspace: Path, mode: PermissionMode) -> None:
    played = play(workspace, f"{PROPOSE}\n{END}", mode=mode, answer=says(PlanReview("approve")))
    assert played.calls == [("exit_plan_mode", "failed")]
    assert "not in plan mode" in played.of(ToolCallFinished)[0].text
    assert not [event for event in played.events if isinstance(event, DecisionRequested | PlanProposed | ModeChanged)]
    assert played.mode is mode
    assert played.verdicts == [("exit_plan_mode", "ask")]  # the verdict comes first, and is recorded


def test_in_dont_ask_the_call_is_denied(workspace: Path) -> None:
    played = play(workspace, f"{PROPOSE}\n{END}", mode=PermissionMode.DONT_ASK, answer=says(PlanReview("approve")))
    assert played.verdicts == [("exit_plan_mode", "deny")]
    assert played.calls == [("exit_plan_mode", "denied")]
    assert "dontAsk mode" in played.of(PermissionDecided)[0].reason


@pytest.mark.parametrize("on_ask", ["deny", "fail"])
def test_without_a_person_the_call_fails_and_no_rule_for_asks_stands_before_it(workspace: Path, on_ask: str) -> None:
    from decode_core.engine.clearance import OnAsk

    played = play(workspace, f"{PROPOSE}\n{END}", mode=PLAN, interactive=False, on_ask=OnAsk(on_ask))
    assert played.calls == [("exit_plan_mode", "failed")]
    assert "Nobody can review the plan here" in played.of(ToolCallFinished)[0].text
    assert played.mode is PLAN
    assert played.end.end is TurnEnd.COMPLETED


@pytest.mark.parametrize(("answer", "mode"), [("approve", EDIT), ("approve_ask", DEFAULT)])
def test_an_approval_sets_its_mode_before_the_next_call_is_judged(
    workspace: Path, answer: str, mode: PermissionMode
) -> None:
    played = play(workspace, f"{PROPOSE}\n{WRITE}\n{END}", mode=PLAN, answer=says(PlanReview(answer)), interactive=True)
    assert changes(played) == [("plan", mode.value, "exit_plan_mode")]
    assert played.verdicts[1] == ("write", "allow" if mode is EDIT else "ask")


def test_from_bypass_over_plan_an_approval_leads_to_edit_and_not_back_to_bypass(workspace: Path) -> None:
    script = f"- calls: [{{tool: enter_plan_mode}}]\n{PROPOSE}\n{END}"
    played = play(workspace, script, mode=PermissionMode.BYPASS, answer=says(PlanReview("approve")))
    assert played.mode is EDIT


@pytest.mark.parametrize("now", [DEFAULT, PermissionMode.DONT_ASK, EDIT])
def test_a_mode_that_changed_while_the_plan_was_read_stays_and_the_person_is_told(
    workspace: Path, now: PermissionMode
) -> None:
    def answer(question: DecisionRequested, session: Session) -> Answer:
        session.set_mode(now)
        return PlanReview("approve")

    played = play(workspace, f"{PROPOSE}\n{END}", mode=PLAN, answer=answer)
    assert played.mode is now
    assert changes(played) == [("plan", now.value, "api")]
    assert f"The mode was changed to {now} while the plan was read; it stays." in [
        event.text for event in played.of(NoticeRaised)
    ]


@pytest.mark.parametrize("review", [PlanReview("refine", note="no"), PlanReview("refine"), PlanReview("reject")])
def test_no_refusal_claims_plan_mode_where_it_was_left_meanwhile(workspace: Path, review: PlanReview) -> None:
    def answer(question: DecisionRequested, session: Session) -> Answer:
        session.set_mode(DEFAULT)
        return review

    told = play(workspace, f"{PROPOSE}\n{END}", mode=PLAN, answer=answer).of(ToolCallFinished)[0].text
    assert "stays on" not in told
    assert "nothing of the plan is approved" in told


def test_a_rejection_keeps_plan_for_the_next_turn_and_ends_this_one_after_the_model_was_told(workspace: Path) -> None:
    """peers.md case 34: footer and enforcement agree after a rejection."""
    told = "- expect: {results: [{tool: exit_plan_mode, contains: rejected}]}\n  text: sorry"
    script = f"{PROPOSE}\n{told}\n{WRITE}\n{END}"
    played = play(workspace, script, mode=PLAN, prompts=["go", "on", "just do it"], answer=says(PlanReview("reject")))
    ends = [event.end for event in played.of(TurnFinished)]
    assert ends == [TurnEnd.CANCELLED, TurnEnd.COMPLETED, TurnEnd.COMPLETED]
    assert played.verdicts[-1] == ("write", "deny")
    assert played.mode is PLAN
    assert not (workspace / "b.txt").exists()


def test_a_denied_review_leaves_the_plan_waiting_and_the_mode(workspace: Path) -> None:
    played = play(workspace, f"{PROPOSE}\n{END}", mode=PLAN, answer=says(Deny(stop_turn=True)))
    assert played.of(PlanDecided) == []
    assert played.mode is PLAN
    assert played.end.end is TurnEnd.CANCELLED


def test_a_review_that_is_approved_twice_approves_once(workspace: Path) -> None:
    results: list[AnswerResult] = []

    def answer(question: DecisionRequested, session: Session) -> Answer | None:
        results.extend(session.answer(question.id, PlanReview("approve")) for _ in range(3))
        return None

    played = play(workspace, f"{PROPOSE}\n{END}", mode=PLAN, answer=answer)
    assert results == [AnswerResult.TAKEN, AnswerResult.LATE, AnswerResult.LATE]
    assert len(played.of(PlanDecided)) == len(played.of(ModeChanged)) == 1


def test_comments_note_and_edits_stand_in_the_record_and_reach_the_model(workspace: Path) -> None:
    mine = "## Steps\n1. one\n2. two, but small"
    review = PlanReview("refine", note="smaller", comments=(("2. two", "split it"),), text=mine)
    played = play(workspace, f"{PROPOSE}\n{END}", mode=PLAN, answer=says(review))
    (decided,) = played.of(PlanDecided)
    assert (decided.note, decided.comments) == ("smaller", (PlanComment(quoted="2. two", text="split it"),))
    assert (decided.plan.text, decided.plan.approved) == (mine, None)
    told = played.of(ToolCallFinished)[0].text
    assert f"go on from this text:\n\n{mine}" in told
    assert "On “2. two”: split it" in told


def test_versions_count_up_and_an_edited_approval_counts_its_own_steps(workspace: Path) -> None:
    answers = iter([PlanReview("refine"), PlanReview("approve", approved=(3,), text="## Steps\n1. a\n2. b\n3. c")])
    played = play(workspace, f"{PROPOSE}\n{PROPOSE}\n{END}", mode=PLAN, answer=lambda question, session: next(answers))
    assert [event.plan.version for event in played.of(PlanProposed)] == [1, 2]
    last = played.of(PlanDecided)[-1].plan
    assert (last.version, last.approved, [step.text for step in last.steps]) == (2, (3,), ["a", "b", "c"])
    assert "Approved steps:\n3. c" in played.of(ToolCallFinished)[-1].text


@pytest.mark.parametrize(("before", "after"), [(None, "build"), ("explore", "build"), ("build", "build")])
def test_an_agent_that_cannot_write_hands_back_in_mode_edit_and_says_so(
    workspace: Path, before: str | None, after: str
) -> None:
    def hook(event: EventBase, session: Session) -> None:
        if isinstance(event, TurnFinished) and event.turn_id == "t1":
            session.select_agent("plan")

    script = f"{END}\n{PROPOSE}\n{WRITE}\n{END}" if before else f"{PROPOSE}\n{WRITE}\n{END}"
    played = play(
        workspace,
        script,
        agent=before or "plan",
        prompts=["hello", "plan it"] if before else ["plan it"],
        hook=hook if before else None,
        answer=says(PlanReview("approve")),
    )
    assert played.of(AgentSelected)[-1].agent == after
    assert (played.mode, played.calls[-1]) == (EDIT, ("write", "ok"))
    assert changes(played)[-1] == ("plan", "edit", ModeCause.EXIT_PLAN_MODE.value)
    told = next(event.text for event in played.of(ToolCallFinished) if event.tool == "exit_plan_mode")
    assert f"The agent {after} carries it out from here." in told


def test_a_cancelled_review_is_recorded_as_withdrawn_and_approves_nothing(workspace: Path) -> None:
    """Esc on the turn while the review waits; the plan stays a version that nobody decided."""

    async def main() -> tuple[list[EventBase], PermissionMode]:
        model = write_script(workspace.parent, f"{PROPOSE}\n{WRITE}\n{END}")
        session = new_session(survey(Workspace.open(workspace)), SessionOptions(model=model, mode=PLAN))
        events: list[EventBase] = []
        try:
            async for event in session.send("go"):
                events.append(event)
                if isinstance(event, DecisionRequested):
                    cancelling = asyncio.ensure_future(session.cancel())
            await cancelling
            return events, session.mode
        finally:
            await session.close()

    events, mode = asyncio.run(main())
    assert mode is PLAN
    assert [event.answer for event in events if isinstance(event, DecisionAnswered)] == ["withdrawn"]
    assert not [event for event in events if isinstance(event, PlanDecided | ModeChanged)]
    assert not (workspace / "b.txt").exists()


def test_an_approved_plan_is_written_into_the_project_and_a_refused_one_is_not(workspace: Path) -> None:
    answers = iter([PlanReview("refine"), PlanReview("approve", approved=(2,))])
    played = play(workspace, f"{PROPOSE}\n{PROPOSE}\n{END}", mode=PLAN, answer=lambda question, session: next(answers))
    first, last = played.of(PlanDecided)
    assert first.file == ""
    assert [file.relative_to(workspace).as_posix() for file in (workspace / ".decode").rglob("*.md")] == [last.file]
    assert "approved_steps:\n- 2\n" in (workspace / last.file).read_text()


def test_an_untrusted_folder_gets_no_file_and_the_approval_holds(workspace: Path) -> None:
    (workspace / ".decode").mkdir()
    (workspace / ".decode" / "settings.json").write_text('{"permissions": {"allow": ["bash(make)"]}}')
    played = play(workspace, f"{PROPOSE}\n{END}", mode=PLAN, answer=says(PlanReview("approve")))
    assert (played.mode, played.of(PlanDecided)[0].file) == (EDIT, "")
    assert [entry.name for entry in (workspace / ".decode").iterdir()] == ["settings.json"]


def test_a_file_that_cannot_be_written_is_told_and_the_approval_holds(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (workspace / ".decode").mkdir()
    (workspace / ".decode" / "plans").symlink_to(tmp_path / "elsewhere")
    played = play(workspace, f"{PROPOSE}\n{END}", mode=PLAN, answer=says(PlanReview("approve")))
    assert played.mode is EDIT
    assert "The approved plan was not written to .decode/plans" in played.of(NoticeRaised)[-1].text
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_step_of_the_to_do_list_that_nobody_approved_is_told_to_the_model(workspace: Path) -> None:
    todo = "- calls: [{tool: todo_write, args: {items: [{id: a, content: x, step: 2}]}}]"
    review = PlanReview("approve", approved=(1,))
    told = play(workspace, f"{PROPOSE}\n{todo}\n{END}", mode=PLAN, answer=says(review)).of(ToolCallFinished)[-1].text
    assert told == "The list has 1 items, 0 of them done. No approved step has the number 2: the approved steps are 1."
