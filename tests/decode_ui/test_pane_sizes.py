"""Sizes and visibility of panes: what fits, and what is kept (keys.md §4)."""

import json
import stat
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from decode_ui.pane_sizes import (
    COLUMNS,
    LEAST_CHAT,
    LEAST_HEIGHT,
    LEAST_WIDTH,
    TALL,
    PaneMemory,
    PaneSizes,
    fitted_heights,
    fitted_widths,
    memory_file,
)

CELLS = st.integers(LEAST_WIDTH, 500)


@given(st.dictionaries(st.sampled_from(COLUMNS), CELLS), st.integers(100, 300))
def test_the_chat_keeps_its_least_whatever_is_asked_for(wanted: dict[str, int], room: int) -> None:
    usual = {"left": 34, "right": 38} if room >= 140 else {"right": 38}
    widths = {**usual, **fitted_widths(wanted, usual, room)}
    assert all(width >= LEAST_WIDTH for width in widths.values())
    assert room - sum(widths.values()) >= min(LEAST_CHAT, room - 2 * LEAST_WIDTH - 38)


@given(st.dictionaries(st.sampled_from(TALL), st.integers(LEAST_HEIGHT, 500)), st.integers(18, 100))
def test_no_pane_of_a_column_is_pushed_out(wanted: dict[str, int], room: int) -> None:
    panes = ("todo", "plan", "permissions")
    heights = fitted_heights(wanted, panes, room)
    assert set(heights) == set(wanted) & set(panes)
    assert sum(heights.get(pane, LEAST_HEIGHT) for pane in panes) <= room


def test_sizes_are_kept_by_class_of_the_terminal_and_by_workspace(tmp_path: Path) -> None:
    file = memory_file(tmp_path / "state", Path("/repo"))
    memory = PaneMemory(file)
    memory.put("wide", PaneSizes(frozenset({"plan"})).with_width("left", 42).with_height("todo", 7))
    memory.put("middle", PaneSizes().with_width("right", 30))
    memory.save()
    again = PaneMemory(file)
    assert again.of("wide") == memory.of("wide")
    assert again.of("middle").widths == {"right": 30}
    assert again.of("narrow") == PaneSizes()
    assert memory_file(tmp_path / "state", Path("/other")) != file
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    again.reset("wide")
    again.save()
    assert PaneMemory(file).of("wide") == PaneSizes()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"wide": 7}',
        '{"wide": {"hidden": "plan", "widths": [1], "heights": {"todo": "tall"}}}',
        '{"wide": {"hidden": [1, null], "widths": {"left": -5, "right": 1e9, "x": 40}, "heights": {"todo": true}}}',
    ],
)
def test_what_makes_no_sense_is_passed_over(tmp_path: Path, text: str) -> None:
    file = tmp_path / "panes.json"
    file.write_text(text)
    assert PaneMemory(file).of("wide") == PaneSizes()


def test_what_cannot_be_kept_stops_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    memory = PaneMemory(tmp_path / "file" / "panes.json")
    memory.put("wide", PaneSizes(frozenset({"plan"})))
    with caplog.at_level("INFO"):
        memory.save()
    assert "not kept" in caplog.text


def test_nothing_is_written_where_nothing_changed(tmp_path: Path) -> None:
    file = tmp_path / "panes.json"
    PaneMemory(file).save()
    assert not file.exists()
    memory = PaneMemory(file)
    memory.put("wide", PaneSizes(frozenset({"plan"})))
    memory.save()
    assert json.loads(file.read_text())["wide"]["hidden"] == ["plan"]
