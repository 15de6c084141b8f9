"""Finding files beside the interface: one listing, renewed when it is old, not lost with a cancelled search."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from decode_core import file_search
from decode_core.file_search import FileIndex, index_of
from decode_core.workspace import Workspace
from decode_ui.file_finder import FRESH_S, FileFinder
from decode_ui.testing import FrozenClock


class Lister:
    """Stands for ripgrep: names its listings, and can be held up."""

    def __init__(self) -> None:
        self.count = 0
        self.threads: set[str] = set()
        self.go = threading.Event()
        self.go.set()

    async def __call__(self, workspace: Workspace) -> FileIndex:
        self.count += 1
        self.threads.add(threading.current_thread().name)
        await asyncio.to_thread(self.go.wait)
        return index_of([f"listing{self.count}.py"])


@pytest.fixture
def lister(monkeypatch: pytest.MonkeyPatch) -> Lister:
    lister = Lister()
    monkeypatch.setattr(file_search, "list_files", lister)
    return lister


def play(folder: Path, steps: Callable[[FileFinder, FrozenClock], Awaitable[None]]) -> None:
    async def main() -> None:
        clock = FrozenClock()
        finder = FileFinder(Workspace.open(folder), clock)
        try:
            await steps(finder, clock)
        finally:
            finder.stop()

    asyncio.run(main())


def test_names_are_listed_once_in_another_thread_and_anew_when_they_are_old(tmp_path: Path, lister: Lister) -> None:
    async def steps(finder: FileFinder, clock: FrozenClock) -> None:
        assert lister.count == 0
        for _ in range(3):
            assert (await finder.find("l", 5)).paths == ("listing1.py",)
        assert lister.count == 1
        assert lister.threads == {"decode-files"}
        list(clock.due(FRESH_S + 1))
        lister.go.clear()
        assert (await finder.find("l", 5)).paths == ("listing1.py",), "the old names answer meanwhile"
        lister.go.set()
        async with asyncio.timeout(20):
            while (await finder.find("l", 5)).paths == ("listing1.py",):  # noqa: ASYNC110 - another thread
                await asyncio.sleep(0.001)
        assert lister.count == 2

    play(tmp_path, steps)


def test_a_search_that_is_cancelled_does_not_lose_the_listing(tmp_path: Path, lister: Lister) -> None:
    async def steps(finder: FileFinder, clock: FrozenClock) -> None:
        lister.go.clear()
        first = asyncio.ensure_future(finder.find("l", 5))
        async with asyncio.timeout(20):
            while not lister.count:  # noqa: ASYNC110 - what is waited for happens in another thread
                await asyncio.sleep(0.001)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        lister.go.set()
        assert (await finder.find("l", 5)).paths == ("listing1.py",)
        assert lister.count == 1

    play(tmp_path, steps)


def test_nothing_is_started_before_the_first_search(tmp_path: Path, lister: Lister) -> None:
    before = set(threading.enumerate())

    async def steps(finder: FileFinder, clock: FrozenClock) -> None:
        assert set(threading.enumerate()) <= before

    play(tmp_path, steps)
