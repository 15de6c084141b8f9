"""The mouse works and is never needed; copying by Ctrl+C (keys.md §8, §6.2 no. 1)."""

from pathlib import Path

import pytest

from decode_core.events import CallOutcome, ToolCallFinished
from decode_core.permissions.modes import PermissionMode
from decode_ui.panes.list_pane import ListPane
from decode_ui.screens.reader import ReaderScreen
from decode_ui.testing import Workbench
from decode_ui.widgets.mode_footer import ModeFooter
from fake_session import FakeSession
from work_screen import run


@pytest.mark.parametrize("size", [(150, 40), (80, 24), (60, 20)])
def test_footer_labels_are_buttons_and_none_of_them_cycles_the_mode(tmp_path: Path, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        footer = bench.work.query_one(ModeFooter)
        line = bench.screen.splitlines()[-1]
        assert len(footer._line.buttons) >= 2
        for start, end, does in footer._line.buttons:
            assert line[1 + start : 1 + end].strip() == line[1 + start : 1 + end]
            await bench.pilot.click("#footer", offset=(1 + start, 0))
            await bench.idle()
            opened = len(bench.app.screen_stack) > 2 or bench.work.jump.display or does == "tasks"
            assert opened, does
            assert session.mode is PermissionMode.DEFAULT
            await bench.press("escape", "escape")

    run(steps, tmp_path, size)


def test_a_click_puts_the_cursor_and_a_double_click_opens(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        detail = {"path": "a.py", "before": "a\n", "after": "b\n", "added": 1, "removed": 1}
        for name in ("a.py", "b.py"):
            session.emit(
                ToolCallFinished(call_id=name, tool="edit", outcome=CallOutcome.OK, detail={**detail, "path": name})
            )
        await bench.idle()
        pane = bench.work.query_one("#changes", ListPane)
        await bench.pilot.click("#changes", offset=(4, 2))
        await bench.idle()
        assert pane.row is not None and pane.row.key == "b.py"
        assert bench.work.focused is pane and len(bench.app.screen_stack) == 2
        await bench.pilot.click("#changes", offset=(4, 2), times=2)
        await bench.idle()
        assert isinstance(bench.app.screen, ReaderScreen)

    run(steps, tmp_path, (150, 40))


@pytest.mark.parametrize("size", [(150, 40), (60, 20)])
def test_entries_of_the_strip_are_buttons(tmp_path: Path, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        for letter, pane in (("t", "todo"), ("l", "permissions"), ("c", "transcript")):
            await bench.press("ctrl+o")
            start, _, row = bench.work.jump._places[letter]
            await bench.pilot.click("#jump", offset=(1 + start, row))
            await bench.idle()
            assert bench.work.focused is not None and bench.work.focused.id == pane
            await bench.press("escape")

    run(steps, tmp_path, size)


def test_selected_text_is_copied_the_selection_goes_and_the_draft_stays(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        await bench.write("keep this")
        await bench.press("shift+left", "shift+left", "shift+left", "shift+left", "ctrl+c")
        assert bench.app.clipboard == "this"
        assert (bench.work.prompt.text, bench.work.prompt.selected_text) == ("keep this", "")
        assert session.cancels == 0
        await bench.advance(1)
        await bench.press("ctrl+c")
        assert bench.work.prompt.text == ""
        assert session.cancels == 0

    run(steps, tmp_path)


def test_text_that_the_mouse_selected_in_the_chat_is_copied(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin("copy me please")
        await bench.idle()
        rows = bench.screen.splitlines()
        y = next(number for number, row in enumerate(rows) if "› copy me please" in row)
        x = rows[y].index("copy me")
        await bench.pilot.mouse_down(offset=(x, y))
        await bench.pilot.hover(offset=(x + 7, y))
        await bench.pilot.mouse_up(offset=(x + 7, y))
        await bench.press("ctrl+c")
        assert bench.app.clipboard.strip() == "copy me"
        assert session.cancels == 0

    run(steps, tmp_path)
