"""Questions on the work screen: the guard, setting aside, the queue (keys.md §5)."""

from pathlib import Path

import pytest

from decode_core.decisions import Allow, Deny
from decode_ui.screens.ask import AskScreen
from decode_ui.testing import Workbench
from decode_ui.widgets.prompt import Prompt
from decode_ui.widgets.question_bar import QuestionBar
from fake_session import FakeSession
from work_screen import run


def bar(bench: Workbench) -> QuestionBar:
    return bench.work.query_one(QuestionBar)


def test_a_question_opens_only_when_the_keyboard_was_quiet(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("x")
        session.ask()
        await bench.question()
        assert bar(bench).display
        assert not isinstance(bench.app.screen, AskScreen)
        await bench.advance(0.5)
        await bench.write("y")
        await bench.advance(0.5)
        assert not isinstance(bench.app.screen, AskScreen)
        await bench.advance(0.3)
        assert isinstance(bench.app.screen, AskScreen)
        assert not bar(bench).display

    run(steps, tmp_path)


def test_nothing_typed_for_the_prompt_answers_and_the_draft_is_whole(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("my answer: ")
        asked = session.ask()
        await bench.question()
        await bench.advance(0.7)
        assert isinstance(bench.app.screen, AskScreen)
        await bench.write("yes a ")
        await bench.press("enter", "escape")
        assert asked.answered is None
        assert bench.work.query_one(Prompt).text == "my answer: yes a "
        await bench.advance(0.4)
        await bench.press("y")
        await bench.idle()
        assert asked.answered is not None and asked.answered.answer == Allow.once()
        assert bench.work.query_one(Prompt).text == "my answer: yes a "
        assert bench.work.focused is bench.work.query_one(Prompt)

    run(steps, tmp_path)


def test_a_paste_never_answers(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        asked = session.ask()
        await bench.open_question()
        await bench.paste("y")
        assert asked.answered is None

    run(steps, tmp_path)


@pytest.mark.parametrize("way", ["enter", "jump", "click", "escape"])
def test_a_question_set_aside_waits_in_the_bar_until_it_is_wanted(tmp_path: Path, way: str) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        asked = session.ask()
        await bench.open_question()
        await bench.press("ctrl+o")
        await bench.advance(60)
        assert not isinstance(bench.app.screen, AskScreen)
        assert "1 question waits · edit src/client.py" in bench.screen
        match way:
            case "enter":
                await bench.press("enter")
            case "jump":
                await bench.press("ctrl+o", "q")
            case "click":
                await bench.pilot.click(QuestionBar)
                await bench.idle()
            case _:
                await bench.press("escape")
                assert "esc again stops" in bench.screen
                await bench.press("enter")
        assert isinstance(bench.app.screen, AskScreen)
        assert asked.answered is None

    run(steps, tmp_path)


def test_enter_with_text_steers_and_answers_nothing(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        asked = session.ask()
        await bench.open_question()
        await bench.press("ctrl+o")
        await bench.send("y")
        assert session.steered == ["y"]
        assert asked.answered is None

    run(steps, tmp_path)


def test_questions_come_one_at_a_time_each_with_its_own_guard(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        first, second = session.ask(), session.ask()
        await bench.open_question()
        assert "1 of 2" in bench.screen
        await bench.press("n")
        await bench.idle()
        assert first.answered is not None and first.answered.answer == Deny()
        await bench.press("n")
        assert second.answered is None
        await bench.open_question(2)
        await bench.press("y")
        await bench.idle()
        assert second.answered is not None and second.answered.answer == Allow.once()
        assert not bar(bench).display

    run(steps, tmp_path)


def test_a_question_that_is_withdrawn_takes_its_dialog_along(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        asked = session.ask()
        await bench.open_question()
        asked.task.cancel()
        await bench.idle()
        session.finish()
        await bench.idle()
        assert not isinstance(bench.app.screen, AskScreen)
        assert not bar(bench).display

    run(steps, tmp_path)


def test_a_terminal_too_small_keeps_the_question_waiting(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        asked = session.ask()
        await bench.question()
        await bench.advance(5)
        assert not isinstance(bench.app.screen, AskScreen)
        assert "enlarge" in bench.screen
        await bench.pilot.resize_terminal(80, 24)
        await bench.advance(5)
        assert isinstance(bench.app.screen, AskScreen)
        assert asked.answered is None

    run(steps, tmp_path, (38, 11))


def test_no_dialog_opens_over_another_screen(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("f1")
        session.ask()
        await bench.question()
        await bench.advance(5)
        assert not isinstance(bench.app.screen, AskScreen)
        await bench.press("escape")
        await bench.advance(1)
        assert isinstance(bench.app.screen, AskScreen)

    run(steps, tmp_path)
