"""What every list pane does: its filter, its cursor, its letters (keys.md §7.3 and §6.1 no. 5)."""

from pathlib import Path

import pytest

from decode_core.events import TodoChanged, TodoItem, TodoStatus
from decode_ui.panes.list_pane import NO_MATCH, ListPane
from decode_ui.testing import Workbench
from fake_session import FakeSession
from work_screen import run

ITEMS = ("read the parser", "write tests", "run the tests", "Tidy up [bold]x[/]\x1b")


def rows(bench: Workbench, name: str = "todo") -> list[str]:
    """What the list shows."""
    return [str(option.prompt) for option in bench.work.query_one(f"#{name}", ListPane).options]


async def at_todo(bench: Workbench, session: FakeSession) -> None:
    """Fill the to-do list and go there."""
    items = [TodoItem(id=str(n), content=text, status=TodoStatus.PENDING) for n, text in enumerate(ITEMS)]
    session.emit(TodoChanged(items=tuple(items)))
    await bench.idle()
    await bench.press("ctrl+t")


@pytest.mark.parametrize("size", [(150, 40), (120, 36), (80, 24), (60, 20)])
def test_a_slash_filters_while_one_types_at_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await at_todo(bench, session)
        await bench.press("slash")
        await bench.write("TEST")
        assert rows(bench) == ["/ TEST▏", "○ write tests", "○ run the tests"]
        assert "/ TEST▏" in bench.screen
        await bench.press("backspace", "backspace", "backspace", "backspace")
        assert len(rows(bench)) == 1 + len(ITEMS)
        assert bench.work.prompt.text == ""

    run(steps, tmp_path, size)


def test_enter_goes_to_the_list_where_letters_act_again(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await at_todo(bench, session)
        await bench.press("slash")
        await bench.write("the j")
        assert NO_MATCH in rows(bench)
        await bench.press("backspace", "enter")
        pane = bench.work.query_one("#todo", ListPane)
        assert rows(bench) == ["/ the ", "○ read the parser", "○ run the tests"]
        assert pane.row is not None and pane.row.key == "0"
        await bench.press("j", "c")
        assert pane.row.key == "2"
        assert bench.app.clipboard == "run the tests"

    run(steps, tmp_path)


@pytest.mark.parametrize("size", [(150, 40), (80, 24)])
@pytest.mark.parametrize("enter_first", [True, False])
def test_esc_clears_the_filter_first_and_then_goes_back(
    tmp_path: Path, size: tuple[int, int], enter_first: bool
) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        await at_todo(bench, session)
        await bench.press("slash", "t", *(["enter"] if enter_first else []))
        await bench.press("escape")
        assert len(rows(bench)) == len(ITEMS)
        assert bench.work.focused is not None and bench.work.focused.id == "todo"
        await bench.press("escape")
        assert bench.work.focused is bench.work.prompt
        assert session.cancels == 0

    run(steps, tmp_path, size)


def test_a_filter_holds_when_rows_come_and_the_cursor_stays_on_its_item(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await at_todo(bench, session)
        await bench.press("slash", "t", "e", "s", "t", "enter", "down")
        pane = bench.work.query_one("#todo", ListPane)
        more = [
            TodoItem(id=f"new {n}", content=text, status=TodoStatus.PENDING) for n, text in enumerate(("test", "x"))
        ]
        items = [TodoItem(id=str(n), content=text, status=TodoStatus.PENDING) for n, text in enumerate(ITEMS)]
        session.emit(TodoChanged(items=(*more, *items)))
        await bench.idle()
        assert rows(bench) == ["/ test", "○ test", "○ write tests", "○ run the tests"]
        assert pane.row is not None and pane.row.key == "2"
        assert "3 match" in bench.screen

    run(steps, tmp_path)


def test_what_is_pasted_is_one_inert_line_and_acts_on_nothing(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await at_todo(bench, session)
        await bench.paste("x")
        assert len(rows(bench)) == len(ITEMS)
        await bench.press("slash")
        await bench.paste("[bold]x\x1b[2J\nsecond")
        assert rows(bench)[0] == "/ [bold]x␛[2J▏"

    run(steps, tmp_path)


def test_a_heading_stays_over_the_rows_that_match(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("ctrl+o", "a", "slash")
        await bench.write("explore")
        shown = rows(bench, "agents")
        assert shown[0] == "/ explore▏"
        assert shown[1] == "built-in"
        assert len(shown) == 3

    run(steps, tmp_path, (150, 40))


def test_every_list_has_the_filter_in_its_keys(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        for pane in bench.work.query(ListPane):
            pane.focus()
            await bench.idle()
            await bench.press("slash")
            assert pane.is_typing_filter
            await bench.press("escape")
            assert not pane.is_typing_filter

    run(steps, tmp_path, (150, 40))
