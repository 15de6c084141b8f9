"""The agents panel on the work screen, as tests drive it."""

import functools
from collections.abc import Awaitable, Callable
from pathlib import Path

from decode_core.config import config_dir, make_private
from decode_ui.agents.desk import CHECK_S, DRAFT_S
from decode_ui.testing import Workbench
from fake_session import FakeSession
from work_screen import run

SIZES = [(120, 36), (80, 24)]


def text(name: str = "release", prompt: str = "Cut releases.", more: str = "") -> str:
    return f"---\n# cuts releases\nname: {name}\ndescription: d\nmode: edit\ntools: [read, bash]\n{more}---\n{prompt}\n"


def own(name: str = "release") -> Path:
    return make_private(config_dir() / "agents") / f"{name}.md"


class Panel:
    """What a person does with the panel."""

    def __init__(self, bench: Workbench, session: FakeSession) -> None:
        self.bench = bench
        self.session = session
        self.press = bench.press
        self.write = bench.write

    @property
    def screen(self) -> str:
        return self.bench.screen

    @property
    def text(self) -> str:
        document = self.bench.work.agents.open
        assert document is not None
        return document.text

    async def list(self, name: str | None = None) -> None:
        """To the list, and to an agent in it."""
        await self.press("ctrl+o", "a")
        if name is not None:
            pane = self.bench.work.agents_list
            pane.go_to(next(entry.path for entry in pane.entries if entry.path.stem == name))
            await self.bench.idle()

    async def open(self, name: str) -> None:
        """Into the editor of an agent."""
        await self.list(name)
        await self.press("enter")
        await self.until(lambda: self.at == "editor" and self.bench.work.agents.reading is not None)

    async def end(self) -> None:
        """To the end of the text."""
        field = self.bench.work.agent_text
        assert field is not None
        field.move_cursor(field.document.end)
        await self.bench.idle()

    @property
    def at(self) -> str | None:
        focused = self.bench.work.focused
        return focused.id if focused is not None else None

    async def until(self, condition: Callable[[], bool]) -> None:
        await self.bench.until(condition)

    async def checked(self) -> None:
        """The text is checked when no key came for a moment."""
        self.bench.work.agents.reading = None
        await self.bench.advance(CHECK_S + 0.01)
        await self.until(lambda: self.bench.work.agents.reading is not None)

    async def kept(self) -> None:
        """The draft is on the disk."""
        await self.bench.advance(DRAFT_S + 0.01)
        await self.bench.work.agents.flush()

    async def changed_outside(self, path: Path, content: str | None) -> None:
        """Another program wrote the file, and the watcher saw it."""
        change = path.unlink if content is None else functools.partial(path.write_text, content)
        change()
        await self.session.agents.reload()
        await self.bench.idle()
        await self.bench.app.workers.wait_for_complete(
            [worker for worker in self.bench.app.workers if worker.group == "agents"]
        )
        await self.bench.idle()


def panel(workspace: Path, steps: Callable[[Panel], Awaitable[None]], size: tuple[int, int] = (150, 40)) -> None:
    async def play(bench: Workbench, session: FakeSession) -> None:
        await steps(Panel(bench, session))

    run(play, workspace, size)
