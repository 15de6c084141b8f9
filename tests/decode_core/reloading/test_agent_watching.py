"""From a save in another program to the session (catalog.md §4): the real watcher, one reload with the last content."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from decode_core.config import config_dir, make_private
from decode_core.events import CatalogReloaded
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.session import Session
from decode_core.workspace import Workspace


def text(prompt: str, name: str = "x") -> str:
    return f"---\nname: {name}\ndescription: d\ntools: [read]\nmode: default\n---\n{prompt}\n"


def rename_over(file: Path) -> None:
    temporary = file.with_name(".x.md.tmp")
    temporary.write_text(text("new"))
    temporary.replace(file)


def truncate_and_write(file: Path) -> None:
    with file.open("w") as opened:
        opened.flush()
        opened.write(text("new"))


def like_vim(file: Path) -> None:
    (file.parent / "4913").write_text("")
    (file.parent / "4913").unlink()
    file.rename(file.with_name("x.md~"))
    file.write_text(text("new"))
    file.with_name("x.md~").unlink()


def like_emacs(file: Path) -> None:
    lock = file.with_name(".#x.md")
    lock.symlink_to("me@here.1:1")
    file.with_name("#x.md#").write_text(text("autosaved"))
    file.rename(file.with_name("x.md~"))
    file.write_text(text("new"))
    file.with_name("#x.md#").unlink()
    lock.unlink()


class Watched:
    """A session that follows its files, and the reloads that it tells."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.folder = config_dir() / "agents"
        self._happened = asyncio.Event()
        session.subscribe(lambda _: self._happened.set())

    @property
    def reloads(self) -> list[CatalogReloaded]:
        return [event for event in self.session.events if isinstance(event, CatalogReloaded)]

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(30):
            while not condition():
                await self._happened.wait()
                self._happened.clear()

    async def until_agent(self, name: str) -> None:
        """Wait until an agent that is written now has arrived: whatever was saved before it has, too."""
        (self.folder / f"{name}.md").write_text(text("marker", name))
        await self.until(lambda: name in self.session.catalog.agents)


def watched(workspace: Path, steps: "Callable[[Watched], object]") -> None:
    async def play() -> None:
        (make_private(config_dir() / "agents") / "x.md").write_text(text("old"))
        session = new_session(survey(Workspace.open(workspace)), SessionOptions(agent="x", model="offline"))
        session.watch_files()
        try:
            bench = Watched(session)
            await bench.until_agent("begun")
            await steps(bench)  # type: ignore[misc]
        finally:
            await session.close()

    asyncio.run(play())


@pytest.mark.parametrize("save", [rename_over, truncate_and_write, like_vim, like_emacs])
def test_a_save_is_one_reload_with_the_final_content(tmp_path: Path, save: Callable[[Path], None]) -> None:
    async def steps(bench: Watched) -> None:
        before = len(bench.reloads)
        save(bench.folder / "x.md")
        await bench.until(lambda: bench.session.agent.prompt == "new\n")
        await bench.until_agent("marker")
        assert [event.changed for event in bench.reloads[before:]] == [("x",), ()]

    watched(tmp_path, steps)


def test_a_folder_that_goes_and_comes_back(tmp_path: Path) -> None:
    async def steps(bench: Watched) -> None:
        shutil.move(bench.folder, tmp_path / "away")
        await bench.until(lambda: "x" not in bench.session.catalog.agents)
        assert bench.session.agent.prompt == "old\n"
        shutil.move(tmp_path / "away", bench.folder)
        await bench.until(lambda: "x" in bench.session.catalog.agents)
        await bench.until_agent("later")

    watched(tmp_path, steps)
