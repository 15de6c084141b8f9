"""Palette and help: every action is there with its key, runs from there, or says where it acts (keys.md §7.6, §14)."""

from pathlib import Path

import pytest

from decode_core.events import TodoChanged, TodoItem, TodoStatus
from decode_ui.actions import OUTSIDE_TEXT, WORK, Action
from decode_ui.keys.keymap import Keymap
from decode_ui.screens.choices import HERE, help_items, palette_items
from decode_ui.testing import Workbench
from fake_session import FakeSession
from work_screen import run

EVERY = {action.id: action for table in (WORK, OUTSIDE_TEXT, *HERE.values()) for action in table}


@pytest.mark.parametrize("action", EVERY.values(), ids=EVERY)
def test_every_action_of_the_work_screen_stands_in_the_palette_with_its_key(action: Action) -> None:
    rows = [item for focus in HERE for item in palette_items(Keymap(), focus)]
    mine = [item for item in rows if action.help in (item.note + item.disabled_because)]
    assert any(item.note.startswith(action.sign) or action.help in item.note for item in mine)


@pytest.mark.parametrize("action", EVERY.values(), ids=EVERY)
def test_every_action_of_the_work_screen_has_a_line_in_help(action: Action) -> None:
    assert any(item.note == action.help for focus in HERE for item in help_items(focus, Keymap()))


@pytest.mark.parametrize("focus", HERE)
def test_what_belongs_elsewhere_is_dim_and_says_where_it_acts(focus: str) -> None:
    items = palette_items(Keymap(), focus)
    assert len({item.key for item in items}) == len(items)
    for item in items:
        assert bool(item.disabled_because) == (item.group == "elsewhere")
        if item.disabled_because:
            assert " · in the " in item.disabled_because


@pytest.mark.parametrize("opened_by", ["ctrl+p", "f1"])
def test_an_action_of_the_pane_in_focus_runs_there(tmp_path: Path, opened_by: str) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.emit(TodoChanged(items=(TodoItem(id="1", content="look", status=TodoStatus.PENDING),)))
        await bench.press("ctrl+t", opened_by)
        await bench.write("copy this row")
        await bench.press("enter")
        assert bench.app.clipboard == "look"

    run(steps, tmp_path)


def test_an_action_that_belongs_elsewhere_cannot_be_taken(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("ctrl+p")
        await bench.write("copy a code block")
        await bench.press("enter")
        assert len(bench.app.screen_stack) == 3
        assert "in the chat" in bench.screen

    run(steps, tmp_path)
