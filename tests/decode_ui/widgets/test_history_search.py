"""Ctrl+R: older prompts, filtered while one types (keys.md §7.1)."""

from pathlib import Path

import pytest

from decode_ui.testing import Workbench
from decode_ui.widgets.completion_list import CompletionList
from decode_ui.widgets.history_search import MOST, NONE
from fake_session import FakeSession
from work_screen import run

BEFORE = ["fix the parser", "list the files", "fix the lexer", "a\x1b[2Jb\nsecond line"]


def rows(bench: Workbench) -> list[str]:
    older = bench.work.query_one("#older", CompletionList)
    return [str(option.prompt) for option in older.options] if older.display else []


async def opened(bench: Workbench) -> None:
    bench.work.prompt.recall(list(BEFORE), "")
    await bench.write("draft")
    await bench.press("ctrl+r")


def test_it_shows_older_prompts_the_latest_next_to_the_field_and_inert(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await opened(bench)
        assert rows(bench) == [*BEFORE[:3], "a␛[2Jb␊second line"]
        assert "history ›" in bench.screen
        await bench.press("enter")
        assert bench.work.prompt.text == "a␛[2Jb\nsecond line"

    run(steps, tmp_path)


def test_typing_filters_ctrl_r_goes_to_the_older_and_enter_takes_without_sending(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await opened(bench)
        await bench.write("FIX the")
        assert rows(bench) == ["fix the parser", "fix the lexer"]
        await bench.press("ctrl+r", "enter")
        assert bench.work.prompt.text == "fix the parser"
        assert bench.work.focused is bench.work.prompt
        assert session.sent == []

    run(steps, tmp_path)


@pytest.mark.parametrize("typed", ["", "lexer", "nothing like it"])
def test_esc_goes_back_to_the_draft_and_stops_no_turn(tmp_path: Path, typed: str) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        await opened(bench)
        await bench.write(typed)
        await bench.press("escape")
        assert bench.work.prompt.text == "draft"
        assert bench.work.focused is bench.work.prompt
        assert rows(bench) == []
        assert session.cancels == 0

    run(steps, tmp_path)


def test_what_is_not_there_is_said_and_enter_takes_nothing(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await opened(bench)
        await bench.write("nothing like it")
        assert rows(bench) == [NONE]
        await bench.press("enter")
        assert "history ›" in bench.screen

    run(steps, tmp_path)


def test_a_long_history_is_cut_with_a_count(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        bench.work.prompt.recall([f"prompt {number}" for number in range(1_000)], "")
        await bench.press("ctrl+r")
        assert len(rows(bench)) == MOST
        assert "950 more" in bench.screen
        await bench.write("797")
        await bench.press("enter")
        assert bench.work.prompt.text == "prompt 797"

    run(steps, tmp_path)


def test_a_prompt_that_was_pasted_with_a_slash_comes_back_as_plain_text(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.paste("/quit")
        await bench.press("enter")
        session.finish()
        await bench.press("ctrl+r", "enter", "enter")
        assert session.sent == ["/quit", " /quit"]
        assert bench.app.is_running

    run(steps, tmp_path)
