"""Shift+Tab on the work screen (keys.md §2): from anywhere, never past a question, never by surprise."""

from pathlib import Path

import pytest

from decode_core.events import ModeChanged
from decode_core.permissions.modes import PermissionMode
from decode_ui.screens.confirm import ConfirmScreen
from decode_ui.testing import Workbench
from fake_session import FakeSession
from work_screen import run

DEFAULT, EDIT, PLAN, BYPASS = (
    PermissionMode.DEFAULT,
    PermissionMode.EDIT,
    PermissionMode.PLAN,
    PermissionMode.BYPASS,
)


@pytest.mark.parametrize(
    "place", ["prompt", "transcript", "agents", "changes", "todo", "plan", "permissions", "find-text"]
)
def test_it_cycles_from_wherever_the_focus_is_and_moves_no_focus(tmp_path: Path, place: str) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        if place == "find-text":
            await bench.press("ctrl+f")
        else:
            bench.work.query_one(f"#{place}").focus()
            await bench.idle()
        await bench.press("shift+tab", "shift+tab")
        assert session.mode is PLAN
        assert bench.work.focused is not None and bench.work.focused.id == place

    run(steps, tmp_path, (150, 40))


def test_every_change_is_one_line_in_the_chat_and_one_in_the_log(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("shift+tab")
        assert bench.screen.count("mode default → edit") == 1
        assert bench.screen.count("mode  default → edit") == 1
        assert " EDIT " in bench.screen.splitlines()[-1]

    run(steps, tmp_path, (150, 40))


def test_while_a_turn_runs_loosening_settles_and_the_chip_says_so(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        await bench.press("shift+tab")
        assert session.mode is DEFAULT
        assert "EDIT…" in bench.screen
        await bench.advance(0.5)
        assert session.mode is EDIT
        assert "EDIT…" not in bench.screen

    run(steps, tmp_path)


def test_stepping_over_edit_on_the_way_to_plan_never_lets_an_edit_through(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        await bench.press("shift+tab", "shift+tab")
        assert session.mode is PLAN
        await bench.advance(5)
        assert [event.to_mode for event in bench.all_of(ModeChanged)] == [PLAN]

    run(steps, tmp_path)


def test_a_mode_that_settles_never_answers_a_question_that_comes_meanwhile(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        await bench.press("shift+tab")
        asked = session.ask()
        await bench.advance(5)
        assert session.mode is DEFAULT
        assert asked.answered is None
        assert "EDIT…" not in bench.screen

    run(steps, tmp_path)


@pytest.mark.parametrize("command", ["/mode edit", "/mode bypass"])
def test_neither_key_nor_command_changes_the_mode_past_a_question(tmp_path: Path, command: str) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        asked = session.ask()
        await bench.open_question()
        await bench.press("ctrl+o", "shift+tab")
        assert "answer the waiting question first" in bench.screen
        await bench.send(command)
        assert session.mode is DEFAULT
        assert asked.answered is None

    run(steps, tmp_path)


@pytest.mark.parametrize(("key", "mode"), [("y", BYPASS), ("n", DEFAULT), ("escape", DEFAULT), ("enter", DEFAULT)])
def test_the_first_bypass_asks_and_whatever_is_no_yes_goes_on_to_default(
    tmp_path: Path, key: str, mode: PermissionMode
) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("shift+tab", "shift+tab", "shift+tab")
        assert session.mode is PLAN
        assert isinstance(bench.app.screen, ConfirmScreen)
        await bench.press(key)
        assert session.mode is mode
        assert ("BYPASS !" in bench.screen) is (mode is BYPASS)

    run(steps, tmp_path)


def test_bypass_asks_once_a_session(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("shift+tab", "shift+tab", "shift+tab", "y")
        await bench.press("shift+tab", "shift+tab", "shift+tab", "shift+tab")
        assert session.mode is BYPASS

    run(steps, tmp_path)


def test_a_yes_to_bypass_does_not_answer_a_question_that_came_behind_the_warning(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        await bench.press("shift+tab", "shift+tab", "shift+tab")
        asked = session.ask()
        await bench.idle()
        await bench.press("y")
        assert session.mode is PLAN
        assert asked.answered is None

    run(steps, tmp_path)


@pytest.mark.parametrize("key", ["shift+tab", "ctrl+t", "ctrl+p", "ctrl+q", "ctrl+f", "f1"])
def test_keys_of_the_work_screen_are_dead_under_a_dialog(tmp_path: Path, key: str) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        asked = session.ask()
        await bench.open_question()
        dialog = bench.app.screen
        await bench.press(key)
        assert bench.app.screen is dialog
        assert session.mode is DEFAULT
        assert asked.answered is None
        assert bench.app.is_running

    run(steps, tmp_path)


def test_a_click_on_the_chip_lists_the_modes_and_changes_none(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.pilot.click("#footer", offset=(3, 0))
        await bench.idle()
        assert "runs everything that no rule stops" in bench.screen
        assert session.mode is DEFAULT

    run(steps, tmp_path)
