"""Panes are resized, hidden and zoomed by keyboard, and stay so for this workspace and size (keys.md §4)."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from decode_ui.app import DecodeApp
from decode_ui.pane_sizes import PaneMemory, PaneSizes
from decode_ui.testing import FrozenClock, Workbench
from fake_session import FakeSession
from work_screen import run

WIDE, MIDDLE, NARROW = (150, 40), (120, 36), (80, 24)


def box(bench: Workbench, name: str) -> tuple[int, int]:
    region = bench.work.query_one(f"#{name}").region
    return region.width, region.height


@pytest.mark.parametrize(
    ("letter", "column", "key", "by"),
    [
        ("a", "left", "left", -4),
        ("l", "right", "right", 4),
        ("c", "right", "right", -4),
        ("i", "right", "left", 4),
    ],
)
def test_arrows_widen_and_narrow_the_column_of_the_pane_and_the_strip_stays(
    tmp_path: Path, letter: str, column: str, key: str, by: int
) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        before = box(bench, column)[0]
        await bench.press("ctrl+o", letter, "ctrl+o", key, key)
        assert box(bench, column)[0] == before + 2 * by
        assert bench.work.jump.display
        await bench.press("escape")
        assert not bench.work.jump.display
        await bench.press("ctrl+o", "equals_sign", "escape")
        assert box(bench, column)[0] == before

    run(steps, tmp_path, WIDE)


@pytest.mark.parametrize(
    ("letter", "pane", "key", "by"),
    [("a", "agents", "up", 2), ("f", "agents", "up", -2), ("t", "todo", "up", 2), ("l", "plan", "down", 2)],
)
def test_arrows_change_heights(tmp_path: Path, letter: str, pane: str, key: str, by: int) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        before = box(bench, pane)[1]
        await bench.press("ctrl+o", letter, "ctrl+o", key)
        assert box(bench, pane)[1] == before + by

    run(steps, tmp_path, WIDE)


def test_no_number_of_presses_pushes_the_chat_or_a_pane_out(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("ctrl+o", "t", "ctrl+o", *["right"] * 6, *["up"] * 12, "escape")
        await bench.press("ctrl+o", "a", "ctrl+o", *["right"] * 6, *["up"] * 14)
        assert box(bench, "middle")[0] >= 50
        assert box(bench, "permissions")[1] >= 3 and box(bench, "changes")[1] >= 3

    run(steps, tmp_path, WIDE)


@pytest.mark.parametrize("size", [NARROW, (60, 20)])
def test_where_one_pane_fills_the_body_there_is_nothing_to_resize(tmp_path: Path, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        for letter in "ac":
            await bench.press("ctrl+o", letter, "ctrl+o", "right", "up")
            assert "nothing to resize here" in bench.screen
            await bench.press("escape")

    run(steps, tmp_path, size)


def play(
    folder: Path, memory: PaneMemory, size: tuple[int, int], steps: Callable[[Workbench], Awaitable[None]]
) -> None:
    async def main() -> None:
        clock = FrozenClock()
        session = FakeSession.open(folder, clock.utc)
        app = DecodeApp(session, clock=clock, memory=memory)
        app.animation_level = "none"
        async with app.run_test(size=size) as pilot:
            bench = Workbench(app, pilot, clock)
            await bench.idle()
            await steps(bench)
            await app.workers.wait_for_complete()
        await session.close()

    asyncio.run(main())


def test_sizes_and_hidden_panes_come_back_in_the_same_size_class_alone(tmp_path: Path) -> None:
    file = tmp_path / "panes.json"
    found: list[tuple[int, bool]] = []

    async def change(bench: Workbench) -> None:
        await bench.press("ctrl+o", "l", "ctrl+o", "left", "escape", "ctrl+o", "P")

    async def look(bench: Workbench) -> None:
        found.append((box(bench, "right")[0], bool(bench.work.query_one("#plan").display)))

    play(tmp_path, PaneMemory(file), WIDE, change)
    for size in (WIDE, MIDDLE):
        play(tmp_path, PaneMemory(file), size, look)
    assert found == [(34, False), (38, True)]


def test_a_resize_of_the_terminal_takes_the_sizes_of_its_class(tmp_path: Path) -> None:
    memory = PaneMemory()
    memory.put("middle", PaneSizes().with_width("right", 50))
    seen: list[int] = []

    async def steps(bench: Workbench) -> None:
        for size in (WIDE, MIDDLE, NARROW, WIDE):
            await bench.pilot.resize_terminal(*size)
            await bench.idle()
            if size is NARROW:
                await bench.press("ctrl+o", "t")
                assert box(bench, "todo")[0] == 80
                await bench.press("escape")
            else:
                seen.append(box(bench, "right")[0])

    play(tmp_path, memory, WIDE, steps)
    assert seen == [38, 50, 38]
