"""Toasts: an error until Esc, what was done for a moment, three at most, never over the prompt (keys.md §13)."""

from pathlib import Path

import pytest

from decode_core.events import NoticeLevel
from decode_ui.screens.reader import ReaderScreen
from decode_ui.testing import Workbench
from decode_ui.widgets.toasts import DONE_S, MOST, ToastKind, Toasts
from fake_session import FakeSession
from work_screen import run


def shown(bench: Workbench) -> list[str]:
    toasts = bench.work.query_one(Toasts)
    top = bench.screen.splitlines()[toasts.region.y : toasts.region.bottom]
    return [line[toasts.region.x : toasts.region.right].strip() for line in top] if toasts.display else []


@pytest.mark.parametrize("size", [(150, 40), (80, 24), (60, 20)])
def test_an_error_stands_above_the_prompt_until_esc(tmp_path: Path, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("draft")
        session.raise_notice(NoticeLevel.ERROR, "[bold]the disk is full[/]\x1b" + "x" * 200)
        await bench.idle()
        await bench.advance(10 * DONE_S)
        (line,) = shown(bench)
        assert line.startswith("✗ [bold]the disk is full[/]␛x") and line.endswith("…  esc")
        assert bench.work.query_one(Toasts).region.bottom <= bench.work.query_one("#prompt-frame").region.y
        await bench.press("escape")
        assert shown(bench) == []
        assert bench.work.prompt.text == "draft"
        assert "esc again clears" not in bench.screen

    run(steps, tmp_path, size)


def test_what_was_done_goes_by_itself_and_a_fourth_pushes_the_first_out(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        toasts = bench.work.query_one(Toasts)
        for number in range(MOST + 1):
            toasts.add(ToastKind.DONE, f"done {number}")
            await bench.advance(1)
        assert shown(bench) == ["✓ done 1", "✓ done 2", "✓ done 3"]
        await bench.advance(DONE_S)
        assert shown(bench) == []

    run(steps, tmp_path)


@pytest.mark.parametrize("level", [NoticeLevel.INFO, NoticeLevel.WARNING])
def test_lesser_notices_make_no_noise_and_all_are_kept(tmp_path: Path, level: NoticeLevel) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.raise_notice(level, "something [b]small[/]", "a way out")
        session.raise_notice(NoticeLevel.ERROR, "something large")
        await bench.idle()
        assert shown(bench) == ["✗ something large  esc"]
        await bench.press("escape")
        await bench.send("/notices")
        assert isinstance(bench.app.screen, ReaderScreen)
        for text in ("something [b]small[/]", "a way out", "something large"):
            assert text in bench.screen

    run(steps, tmp_path)
