"""Panes on the work screen: real events in, keys, focus, jump mode, sizes (keys.md §3, §4, §7.3, §10)."""

from pathlib import Path
from typing import Any

import pytest

from decode_core.events import (
    AssistantMessage,
    CallOutcome,
    DecisionAnswered,
    PermissionDecided,
    Plan,
    PlanDecided,
    PlanProposed,
    PlanStep,
    QuestionKind,
    TextDelta,
    TodoChanged,
    TodoItem,
    TodoStatus,
    ToolCallFinished,
    ToolCallProgress,
    ToolCallStarted,
    TurnEnd,
    UsageUpdated,
)
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome, ToolKind
from decode_ui.screens.reader import ReaderScreen
from decode_ui.testing import Workbench
from decode_ui.transcript.entry import AnswerEntry, UserEntry
from decode_ui.widgets.prompt import Prompt
from fake_session import FakeSession
from work_screen import run

PANES = ["agents", "changes", "todo", "plan", "permissions"]


def verdict(
    outcome: PermissionOutcome, tool: str = "edit", subject: str = "src/client.py", **fields: Any
) -> PermissionDecided:
    """A record of the gate."""
    kind = ToolKind.FILE_EDIT if tool == "edit" else ToolKind.READ_ONLY
    defaults: dict[str, Any] = {
        "call_id": "call-1",
        "by": DecidedBy.MODE,
        "mode": PermissionMode.DEFAULT,
        "reason": "Because.",
    }
    return PermissionDecided(
        tool=tool,
        kind=kind,
        effective_kind=kind,
        subject=subject,
        outcome=outcome,
        **{**defaults, **fields},
    )


def edited(path: str = "src/client.py", added: int = 3, removed: int = 1) -> ToolCallFinished:
    """The end of an edit."""
    detail = {"path": path, "before": "a\n", "after": "b\n", "added": added, "removed": removed}
    return ToolCallFinished(call_id="call-1", tool="edit", outcome=CallOutcome.OK, summary="+3 −1", detail=detail)


def at(bench: Workbench) -> str | None:
    """The id of what has focus."""
    return bench.work.focused.id if bench.work.focused is not None else None


def test_no_pane_is_ever_blank(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        for text in (
            "the agent lists its steps here",
            "/plan asks for one",
            "no calls yet",
            "no changes in this session",
        ):
            assert text in bench.screen

    run(steps, tmp_path, (150, 40))


def test_panes_show_what_happened(tmp_path: Path) -> None:
    steps_of_plan = tuple(PlanStep(number=n, text=f"step {n}", line=n) for n in (1, 2, 3))
    plan = Plan(version=2, title="Retries", text="1\n2\n3", steps=steps_of_plan)

    async def steps(bench: Workbench, session: FakeSession) -> None:
        items = (
            TodoItem(id="a", content="find", status=TodoStatus.COMPLETED, step=1),
            TodoItem(id="b", content="cover", status=TodoStatus.IN_PROGRESS, active_form="covering", step=2),
        )
        decided = plan.model_copy(update={"approved": (1, 2, 3)})
        session._state.propose_plan(plan)
        session._state.decide_plan(PlanDecided(plan=decided, answer="approve"))
        session._state.set_todos(items)
        session.emit(
            ToolCallStarted(call_id="call-1", tool="edit", subject="src/client.py"),
            verdict(PermissionOutcome.ASK, question_id="q1"),
            DecisionAnswered(id="q1", kind=QuestionKind.PERMISSION, call_id="call-1", answer="once", waited_ms=2_100),
            verdict(PermissionOutcome.ALLOW, by=DecidedBy.HUMAN, question_id="q1"),
            edited(),
            verdict(PermissionOutcome.DENY, subject="notes.md", by=DecidedBy.PLAN_CEILING, call_id="call-2"),
        )
        await bench.idle()
        screen = bench.screen
        assert "✓ find" in screen and "▸ covering  step 2" in screen and "1 of 2" in screen
        assert "Plan · v2 approved" in screen and "Retries" in screen and "1 of 3" in screen and "▸ 2 step 2" in screen
        assert "└ you: once · 2.1 s" in screen
        assert "└ plan changes nothing" in screen
        assert "src/client.py +3 −1" in screen and "1 file  +3 −1" in screen
        assert "asked you: allowed once" in screen

    run(steps, tmp_path, (150, 40))


def test_the_footer_leaves_out_what_is_not_known(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        assert bench.screen.splitlines()[-1].endswith("build · offline (no network)")
        usage = UsageUpdated(
            requests=1, input_tokens=1, output_tokens=1, context_tokens=42, context_window=100, cost=0.12
        )
        session.emit(usage)
        await bench.idle()
        assert "42 %" in bench.screen.splitlines()[-1] and "$0.12" in bench.screen.splitlines()[-1]

    run(steps, tmp_path)


def test_text_and_output_stream_into_the_chat_and_the_end_replaces_them(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        session.emit(TextDelta(text="Hel"), TextDelta(text="lo"))
        await bench.advance(0.1)
        assert "Hello" in bench.screen
        session.emit(AssistantMessage(text="Hello **you**"))
        session.emit(ToolCallStarted(call_id="call-2", tool="bash", subject="make"))
        session.emit(ToolCallProgress(call_id="call-2", text="compiling\n"))
        await bench.advance(0.1)
        assert "Hello you" in bench.screen and "compiling" in bench.screen

    run(steps, tmp_path)


def test_text_waits_for_the_keyboard_but_not_for_long(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        await bench.idle()
        session.emit(TextDelta(text="streamed"))
        await bench.idle()
        for _ in range(6):
            bench.app.guard.key_pressed()
            await bench.advance(0.03)
        assert "streamed" not in bench.screen
        for _ in range(6):
            bench.app.guard.key_pressed()
            await bench.advance(0.03)
        assert "streamed" in bench.screen

    run(steps, tmp_path)


@pytest.mark.parametrize(
    ("end", "shown"),
    [
        (TurnEnd.CANCELLED, "stopped"),
        (TurnEnd.FAILED, "the server said no"),
        (TurnEnd.LIMIT, "the server said no"),
    ],
)
def test_a_turn_that_did_not_complete_says_why_and_what_to_do(tmp_path: Path, end: TurnEnd, shown: str) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        session.finish(end, reason="the server said no", hint="try /model")
        await bench.idle()
        assert shown in bench.screen
        assert ("try /model" in bench.screen) is (end is not TurnEnd.CANCELLED)

    run(steps, tmp_path)


def test_tab_goes_forward_through_the_panes_in_reading_order(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        seen = []
        for _ in range(7):
            await bench.press("tab")
            seen.append(at(bench))
        assert seen == ["agents", "changes", "transcript", "todo", "plan", "permissions", "prompt"]

    run(steps, tmp_path, (150, 40))


@pytest.mark.parametrize("size", [(150, 40), (120, 36), (80, 24), (60, 20)])
@pytest.mark.parametrize(("letter", "pane"), zip("aftpl", PANES, strict=True))
def test_every_pane_is_reached_by_its_letter_at_every_size(
    tmp_path: Path, size: tuple[int, int], letter: str, pane: str
) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("draft ")
        await bench.press("ctrl+o", letter)
        assert at(bench) == pane
        widget = bench.work.query_one(f"#{pane}")
        assert widget.region.height >= 3 and widget.region.width >= 30
        assert bench.work.query_one(Prompt).region.height >= 1
        await bench.press("escape", "escape")
        assert at(bench) == "prompt"
        assert bench.work.query_one(Prompt).text == "draft "

    run(steps, tmp_path, size)


def test_in_jump_mode_any_other_key_closes_the_strip_and_is_not_typed(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("ctrl+o", "x")
        assert not bench.work.jump.display
        assert at(bench) == "prompt" and bench.work.query_one(Prompt).text == ""
        await bench.press("ctrl+o", "l", "ctrl+o", "ctrl+o")
        assert at(bench) == "prompt"

    run(steps, tmp_path)


def test_a_capital_hides_a_pane_and_its_letter_shows_it_again(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("ctrl+o", "P")
        assert not bench.work.query_one("#plan").display
        assert at(bench) == "prompt"
        await bench.press("ctrl+o", "p")
        assert bench.work.query_one("#plan").display
        assert at(bench) == "plan"

    run(steps, tmp_path, (150, 40))


def test_zoom_fills_the_body_and_esc_undoes_it(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("ctrl+o", "l", "z")
        assert bench.work.query_one("#permissions").region.width == 150
        assert not bench.work.query_one("#agents").display
        await bench.press("escape")
        assert bench.work.query_one("#agents").display and bench.work.query_one("#todo").display

    run(steps, tmp_path, (150, 40))


def test_tasks_go_round_from_to_do_over_plan_back_to_the_prompt(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        seen = []
        for _ in range(3):
            await bench.press("ctrl+t")
            seen.append(at(bench))
        assert seen == ["todo", "plan", "prompt"]

    run(steps, tmp_path, (80, 24))


def test_typing_in_a_list_never_leaks_into_the_prompt(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("ctrl+o", "l", "q", "x")
        assert bench.work.query_one(Prompt).text == ""
        assert "no such key here" in bench.screen

    run(steps, tmp_path, (150, 40))


@pytest.mark.parametrize(("key", "flashes"), [("e", True), ("Q", True), ("u", False), ("z", False)])
def test_a_letter_without_a_meaning_in_the_chat_says_so(tmp_path: Path, key: str, flashes: bool) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin("go")
        await bench.press("ctrl+o", "c", key)
        assert ("no such key here" in bench.screen) is flashes
        assert bench.work.query_one(Prompt).text == ""

    run(steps, tmp_path)


def test_u_uses_an_agent_and_the_chat_and_footer_say_so(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        names = list(session.catalog.agents)
        await bench.press("ctrl+o", "a", "end", "u")
        assert session.agent.name == names[-1]
        assert f"agent {names[-1]} · mode" in bench.screen
        assert names[-1] in bench.screen.splitlines()[-1]

    run(steps, tmp_path, (150, 40))


def test_enter_on_a_record_explains_the_verdict(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.emit(verdict(PermissionOutcome.DENY, reason="Mode default says so."))
        await bench.press("ctrl+o", "l", "enter")
        assert isinstance(bench.app.screen, ReaderScreen)
        assert "Mode default says so." in bench.screen
        await bench.press("escape")
        assert at(bench) == "permissions"

    run(steps, tmp_path)


def test_the_log_keeps_its_cursor_on_the_record_when_others_come(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.emit(verdict(PermissionOutcome.ALLOW, subject="one"), verdict(PermissionOutcome.ALLOW, subject="two"))
        await bench.press("ctrl+o", "l", "down")
        pane = bench.work.query_one("#permissions")
        here = pane.row.text  # type: ignore[attr-defined]
        session.emit(verdict(PermissionOutcome.ALLOW, subject="three"))
        await bench.idle()
        assert pane.row.text == here  # type: ignore[attr-defined]

    run(steps, tmp_path)


def test_a_resize_keeps_focus_and_draft(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("half a thought")
        for size in ((80, 24), (60, 20), (30, 8), (120, 36), (150, 40)):
            await bench.pilot.resize_terminal(*size)
            await bench.idle()
            assert bench.work.query_one(Prompt).text == "half a thought"
            assert at(bench) == "prompt"
            assert "DEFAULT" in bench.screen

    run(steps, tmp_path, (150, 40))


def test_five_thousand_entries_are_a_handful_of_widgets_and_a_key_draws_none_of_them(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        transcript = bench.work.transcript
        transcript.extend([UserEntry(f"q {n}") if n % 2 else AnswerEntry(f"- a\n- {n}") for n in range(5_000)])
        for n in range(1_000):
            session.emit(verdict(PermissionOutcome.ALLOW, subject=f"file {n}"))
        await bench.idle()
        assert len(list(bench.app.screen.walk_children())) <= 150
        before = transcript.renders
        await bench.write("hello")
        assert transcript.renders == before

    run(steps, tmp_path, (150, 40))


def test_hostile_text_is_inert_in_every_pane(tmp_path: Path) -> None:
    evil = "[@click=app.bell]x[/]\x1b[2J\u202e[bold]"

    async def steps(bench: Workbench, session: FakeSession) -> None:
        plan = Plan(version=1, title=evil, text=evil, steps=(PlanStep(number=1, text=evil, line=0),))
        items = (TodoItem(id="1", content=evil, active_form=evil, status=TodoStatus.IN_PROGRESS),)
        session.begin(evil)
        session.emit(
            PlanProposed(plan=plan),
            TodoChanged(items=items),
            verdict(PermissionOutcome.DENY, tool=evil, subject=evil, reason=evil),
            edited(evil),
        )
        session.ask({"tool": evil, "subject": evil, "reason": evil})
        await bench.idle()
        screen = bench.screen
        assert "\x1b" not in screen and "\u202e" not in screen
        assert screen.count("[@click=app.bell]") >= 5

    run(steps, tmp_path, (150, 40))


def test_items_with_the_same_id_are_all_shown(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        items = tuple(TodoItem(id="1", content=text, status=TodoStatus.PENDING) for text in ("one", "two", "three"))
        session.emit(TodoChanged(items=items))
        await bench.idle()
        for text in ("one", "two", "three", "0 of 3"):
            assert text in bench.screen

    run(steps, tmp_path, (150, 40))
