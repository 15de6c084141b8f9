"""Entering plan: `/plan [goal]`, and what still runs is listed and asked about (permissions.md §8, ui.md §2)."""

from pathlib import Path
from typing import Any

import pytest

from decode_core.engine.running_calls import RunningCall
from decode_core.events import Plan, QuestionKind
from decode_core.permissions.modes import PermissionMode, ToolKind
from decode_ui.screens.confirm import ConfirmScreen
from decode_ui.screens.plan_review import PlanReviewScreen
from decode_ui.testing import Workbench
from fake_session import FakeSession
from work_screen import run

MAKE = RunningCall("c1", "bash", "make \x1b[31mall", ToolKind.OTHER)
READ = RunningCall("c2", "read", "big.txt", ToolKind.READ_ONLY)


class Runs:
    """What a fake session says that it runs, and what it was told to stop."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *calls: RunningCall) -> None:
        self.calls = calls
        self.stopped: list[str] = []
        monkeypatch.setattr(FakeSession, "running_calls", property(lambda session: self.calls))
        monkeypatch.setattr(FakeSession, "stop_call", lambda session, call_id: self.stopped.append(call_id))


@pytest.mark.parametrize(("key", "stopped"), [("y", ["c1"]), ("n", []), ("escape", []), ("enter", [])])
def test_what_still_runs_is_listed_counted_and_stopped_on_a_clear_yes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, stopped: list[str]
) -> None:
    runs = Runs(monkeypatch, MAKE, READ)

    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        await bench.press("shift+tab", "shift+tab")
        assert session.mode is PermissionMode.PLAN
        await bench.advance(2)
        assert isinstance(bench.app.screen, ConfirmScreen)
        assert "Plan mode is on. Stop the command that still runs?" in bench.screen
        assert "bash  make ␛[31mall" in bench.screen
        assert "big.txt" not in bench.screen
        await bench.press(key)
        assert runs.stopped == stopped
        assert "1 command runs" in bench.screen

    run(steps, tmp_path, (150, 40))


def test_nobody_is_asked_when_nothing_runs_or_the_mode_went_on_or_it_ended_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = Runs(monkeypatch, READ)

    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        session.set_mode("plan", "key")
        await bench.advance(3)
        runs.calls = (MAKE,)
        session.set_mode("default", "key")
        session.set_mode("plan", "key")
        session.set_mode("default", "key")
        await bench.advance(3)
        session.set_mode("plan", "key")
        runs.calls = ()
        await bench.advance(3)
        assert not isinstance(bench.app.screen, ConfirmScreen)

    run(steps, tmp_path)


def test_the_question_waits_until_nobody_types(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs(monkeypatch, MAKE)

    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        await bench.press("shift+tab", "shift+tab")
        for _ in range(20):
            await bench.write("yes")
        assert not isinstance(bench.app.screen, ConfirmScreen)
        await bench.advance(3)
        assert isinstance(bench.app.screen, ConfirmScreen)
        assert runs.stopped == []
        assert bench.work.prompt.text == "yes" * 20

    run(steps, tmp_path)


def test_plan_with_a_goal_sets_the_mode_and_asks_for_a_plan(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send("/plan make retries a setting")
        assert session.mode is PermissionMode.PLAN
        assert session.sent == ["plan: make retries a setting"]

    run(steps, tmp_path)


def test_plan_without_a_goal_sets_the_mode_and_once_more_says_how_to_leave_it(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("shift+tab")
        await bench.send("/plan")
        assert (session.mode, session.sent) == (PermissionMode.PLAN, [])
        await bench.send("/plan")
        assert "plan mode is on · /mode edit leaves it" in bench.screen

    run(steps, tmp_path)


def test_plan_opens_a_review_that_waits_and_passes_no_question(tmp_path: Path) -> None:
    plan: dict[str, Any] = Plan(version=1, title="T", text="1. x").model_dump(mode="json")

    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.set_mode("plan", "key")
        session.ask({"plan": plan}, QuestionKind.PLAN_REVIEW)
        await bench.open_question()
        await bench.press("escape")
        await bench.send("/plan another goal")
        assert session.sent == []
        assert bench.work.prompt.text == "/plan another goal"
        await bench.press("ctrl+c")
        await bench.send("/plan")
        assert isinstance(bench.app.screen, PlanReviewScreen)

    run(steps, tmp_path)
