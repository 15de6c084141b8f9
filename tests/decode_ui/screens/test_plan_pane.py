"""The plan beside the chat: its state, what Enter, v and w do, and the plan on the whole screen (keys.md §7.3)."""

from pathlib import Path

import pytest

from decode_core.decisions import PlanReview
from decode_core.events import (
    Plan,
    PlanComment,
    PlanDecided,
    QuestionKind,
    TodoItem,
    TodoStatus,
    ToolCallStarted,
)
from decode_core.permissions.modes import PermissionMode
from decode_core.tools.plan_text import plan_steps
from decode_ui.screens.plan_reader import PlanReaderScreen
from decode_ui.screens.plan_review import PlanReviewScreen
from decode_ui.screens.plan_versions import PlanVersionsScreen
from decode_ui.testing import Workbench
from fake_session import FakeSession
from work_screen import run

TEXT = "## Steps\n1. one\n2. two\n3. three"


def plan(number: int = 1, text: str = TEXT, approved: tuple[int, ...] | None = None) -> Plan:
    return Plan(version=number, title="Retries", text=text, steps=plan_steps(text), approved=approved)


def decided(session: FakeSession, answer: str, number: int = 1, approved: tuple[int, ...] | None = None) -> None:
    session._state.propose_plan(plan(number))
    comments = (PlanComment(quoted="2. two", text="mind the tests"),)
    event = PlanDecided(plan=plan(number, approved=approved), answer=answer, note="be quick", comments=comments)
    session._state.decide_plan(event)


@pytest.mark.parametrize(
    ("answer", "approved", "title"),
    [
        ("", None, "Plan · v1 not decided"),
        ("refine", None, "Plan · v1 sent back"),
        ("reject", None, "Plan · v1 rejected"),
        ("approve", (1, 2, 3), "Plan · v1 approved"),
        ("approve_ask", (1, 2, 3), "Plan · v1 approved"),
        ("approve", (1, 3), "Plan · v1 2 of 3 approved"),
    ],
)
def test_the_title_says_what_became_of_the_plan(
    tmp_path: Path, answer: str, approved: tuple[int, ...] | None, title: str
) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        if answer:
            decided(session, answer, approved=approved)
        else:
            session._state.propose_plan(plan())
        await bench.idle()
        assert title in bench.screen

    run(steps, tmp_path, (150, 40))


def test_progress_follows_the_to_do_list(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        decided(session, "approve", approved=(1, 2))
        session._state.set_todos(
            (
                TodoItem(id="a", content="x", status=TodoStatus.COMPLETED, step=1),
                TodoItem(id="b", content="y", status=TodoStatus.IN_PROGRESS, step=2),
            )
        )
        await bench.idle()
        for words in ("✓ 1 one", "▸ 2 two", "– 3 three", "1 of 2"):
            assert words in bench.screen

    run(steps, tmp_path, (150, 40))


def test_a_rejected_replacement_leaves_the_approved_plan_in_the_pane(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        decided(session, "approve", approved=(1, 2, 3))
        decided(session, "reject", number=2)
        await bench.idle()
        assert "Plan · v1 approved" in bench.screen

    run(steps, tmp_path, (150, 40))


def test_enter_reads_a_decided_plan_with_what_was_said_and_finds_words_in_it(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        decided(session, "approve", approved=(1, 3))
        await bench.press("ctrl+o", "p", "enter")
        assert isinstance(bench.app.screen, PlanReaderScreen)
        for words in ("version 1 · 2 of 3 approved", "☐ 2  two  (not approved)", "┃ you: mind the tests", "be quick"):
            assert words in bench.screen
        await bench.press("slash", "t", "h", "r", "enter")
        assert bench.app.screen.page.view.line == 3
        await bench.press("escape")
        assert isinstance(bench.app.screen, PlanReaderScreen)
        await bench.press("w")
        await bench.until(lambda: "step 1  one" in bench.screen)
        assert "Work plan · not written yet" in bench.screen
        assert "step 3  three" in bench.screen
        assert "step 2" not in bench.screen
        await bench.press("escape", "v")
        assert "there is one version only" in bench.screen
        await bench.press("escape")
        assert len(bench.app.screen_stack) == 2

    run(steps, tmp_path, (150, 40))


def test_v_compares_versions_and_says_where_there_is_nothing_to_compare(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("ctrl+o", "p", "v")
        assert "no plan yet · /plan asks for one" in bench.screen
        decided(session, "refine")
        await bench.press("v")
        assert "there is one version only" in bench.screen
        session._state.propose_plan(plan(2, TEXT + "\n4. four"))
        await bench.press("v")
        assert isinstance(bench.app.screen, PlanVersionsScreen)
        assert "+ 4. four" in bench.screen

    run(steps, tmp_path, (150, 40))


def test_enter_opens_the_review_that_was_set_aside(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session._state.propose_plan(plan())
        session.ask({"plan": plan().model_dump(mode="json")}, QuestionKind.PLAN_REVIEW)
        await bench.open_question()
        await bench.press("j", "space", "escape")
        assert bench.app.screen is bench.work
        await bench.press("ctrl+o", "p", "enter")
        assert isinstance(bench.app.screen, PlanReviewScreen)
        assert "approve 2 of 3" in bench.screen

    run(steps, tmp_path, (150, 40))


def test_enter_on_a_to_do_shows_the_call_that_brought_it_there(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        for call, status in (
            ("t1", TodoStatus.PENDING),
            ("t2", TodoStatus.IN_PROGRESS),
            ("t3", TodoStatus.IN_PROGRESS),
        ):
            session.emit(ToolCallStarted(call_id=call, tool="todo_write"))
            session._state.set_todos((TodoItem(id="a", content="x", status=status),))
        await bench.press("ctrl+t", "enter")
        assert bench.work.focused is bench.work.transcript
        cursor = bench.work.transcript.cursor
        assert cursor is not None
        assert bench.work.transcript.entries[cursor] == bench.work.transcript.call("t2")

    run(steps, tmp_path, (150, 40))


def test_the_step_that_runs_is_kept_in_view(tmp_path: Path) -> None:
    text = "## Steps\n" + "\n".join(f"{number}. step {number}" for number in range(1, 61))
    long = Plan(version=1, title="Long", text=text, steps=plan_steps(text), approved=tuple(range(1, 61)))

    async def steps(bench: Workbench, session: FakeSession) -> None:
        session._state.propose_plan(long)
        session._state.decide_plan(PlanDecided(plan=long, answer="approve"))
        session._state.set_todos((TodoItem(id="a", content="x", status=TodoStatus.IN_PROGRESS, step=50),))
        await bench.idle()
        assert "▸ 50 step 50" in bench.screen

    run(steps, tmp_path, (150, 40))


def test_after_a_rejection_footer_and_mode_say_plan(tmp_path: Path) -> None:
    """peers.md case 34: what the footer says is what the gate does."""

    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.set_mode("plan", "key")
        session._state.propose_plan(plan())
        asked = session.ask({"plan": plan().model_dump(mode="json")}, QuestionKind.PLAN_REVIEW)
        await bench.open_question()
        await bench.press("x", "y", "y")
        assert asked.answered is not None
        assert asked.answered.answer == PlanReview("reject")
        assert " PLAN " in bench.screen.splitlines()[-1]
        assert session.mode is PermissionMode.PLAN

    run(steps, tmp_path, (150, 40))


def test_a_review_can_be_left_for_good_without_approving(tmp_path: Path) -> None:
    """peers.md case 36: set it aside, go on, and stop the turn by Esc; plan mode stays, the plan is not decided."""

    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.set_mode("plan", "key")
        session.begin()
        session._state.propose_plan(plan())
        session.ask({"plan": plan().model_dump(mode="json")}, QuestionKind.PLAN_REVIEW)
        await bench.open_question()
        await bench.press("escape", "escape")
        assert "a question waits" in bench.screen
        await bench.press("escape")
        assert session.cancels == 1
        assert session.mode is PermissionMode.PLAN
        assert "Plan · v1 not decided" in bench.screen

    run(steps, tmp_path, (150, 40))
