"""When the dialogs of questions are loaded, and what waits for them (design.md §4, keys.md §5)."""

import subprocess
import sys
from pathlib import Path

import pytest
from textual.geometry import Size

from decode_ui.screens.ask import AskScreen
from decode_ui.screens.question_desk import fits
from decode_ui.testing import Workbench
from fake_session import FakeSession
from work_screen import run

PROBE = """
import sys
import decode_ui.app
dialogs = {"decode_ui.screens.dialogs", "decode_ui.screens.ask", "decode_ui.screens.question"}
assert not dialogs & set(sys.modules), dialogs & set(sys.modules)
"""


def test_no_dialog_is_loaded_on_the_way_to_the_first_frame() -> None:
    subprocess.run([sys.executable, "-c", PROBE], check=True)


@pytest.mark.parametrize(("size", "enough"), [((40, 12), True), ((39, 12), False), ((40, 11), False), ((0, 0), False)])
def test_a_dialog_opens_in_40_by_12_cells_and_no_smaller(size: tuple[int, int], enough: bool) -> None:
    assert fits(Size(*size)) is enough


def test_a_question_under_another_screen_wakes_nothing_until_that_screen_is_closed(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("f1")
        session.ask()
        await bench.question()
        await bench.advance(5)
        assert list(bench.clock.due(600)) == []
        await bench.press("escape")
        await bench.advance(1)
        assert isinstance(bench.app.screen, AskScreen)

    run(steps, tmp_path)


def test_a_question_under_the_jump_strip_wakes_nothing_until_the_strip_is_closed(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("ctrl+o")
        session.ask()
        await bench.question()
        await bench.advance(5)
        assert list(bench.clock.due(600)) == []
        await bench.press("escape")
        await bench.advance(1)
        assert isinstance(bench.app.screen, AskScreen)

    run(steps, tmp_path)
