"""What the agents' side panel looks like in each of its states (catalog.md §6), at 150×40 and 80×24."""

import asyncio
import functools
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from decode_ui.agents.desk import CHECK_S
from decode_ui.testing import FrozenClock, Workbench, on_session
from fake_session import FakeSession
from payments import repository

Matches = Callable[[str], bool]
SIZES = [pytest.param((w, h), id=f"{w}x{h}") for w, h in ((150, 40), (80, 24))]

RELEASE = """\
---
name: release
description: Cuts a release and writes the notes
mode: edit
tools: [read, glob, grep, edit, bash, todo_write]
allow: ["bash(make *)"]
deny: ["bash(git push *)"]
---
You cut releases of this project.

1. Read `CHANGELOG.md` and the commits since the last tag.
2. Sort them into **Added**, Changed, Fixed.

Never push, never tag without being asked.
"""


class Panel:
    """The panel of a session in the example repository, with the agent `release` in it."""

    def __init__(self, bench: Workbench, session: FakeSession, file: Path) -> None:
        self.bench = bench
        self.session = session
        self.file = file

    async def open(self) -> None:
        """Into the editor of `release`."""
        await self.list()
        await self.bench.press("enter")
        await self.bench.until(lambda: self.bench.work.agents.reading is not None)
        await self.bench.until(lambda: getattr(self.bench.work.focused, "id", "") == "editor")

    async def list(self) -> None:
        """To `release` in the list."""
        await self.bench.press("ctrl+o", "a")
        self.bench.work.agents_list.go_to(self.file)

    async def type(self, text: str, row: int, column: int) -> None:
        """Type at a place, and wait until it was checked."""
        field = self.bench.work.agent_text
        assert field is not None
        field.move_cursor((row, column))
        await self.bench.write(text)
        self.bench.work.agents.reading = None
        await self.bench.advance(CHECK_S + 0.01)
        await self.bench.until(lambda: self.bench.work.agents.reading is not None)

    async def changed_outside(self, text: str) -> None:
        """Another program wrote the file."""
        write = functools.partial(self.file.write_text, text)
        write()
        await self.session.agents.reload()
        await self.bench.work.agents.look_at_disk()
        await self.bench.idle()


def picture(home: Path, size: tuple[int, int], steps: Callable[[Panel], Awaitable[None]], text: str = RELEASE) -> str:
    root = repository(home)
    file = root / ".decode" / "agents" / "release.md"
    file.parent.mkdir(parents=True)

    async def play() -> str:
        clock = FrozenClock()
        session = FakeSession.open(root, clock.utc)
        # what was not there when the folder was opened is the person's own, as if it was made here
        file.write_text(text)
        await session.agents.reload()
        await session.agents.take(tuple(session.catalog.held.values()))
        async with on_session(session, size=size, clock=clock) as bench:
            await steps(Panel(bench, session, file))
            # a bar that came moves the text below it one frame later
            await bench.idle()
            await bench.idle()
            return await bench.picture()

    return asyncio.run(play())


@pytest.mark.parametrize("size", SIZES)
def test_an_agent_in_the_editor(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(it: Panel) -> None:
        await it.open()

    assert matches_picture(picture(own_home, size, steps))


@pytest.mark.parametrize("size", SIZES)
def test_a_fault_while_typing(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(it: Panel) -> None:
        await it.open()
        await it.type("gerp, ", 4, 20)

    assert matches_picture(picture(own_home, size, steps))


@pytest.mark.parametrize("size", SIZES)
def test_a_word_that_can_be_completed(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(it: Panel) -> None:
        await it.open()
        await it.type(", we", 4, 48)

    assert matches_picture(picture(own_home, size, steps))


@pytest.mark.parametrize("size", SIZES)
def test_a_broken_agent_in_the_list(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(it: Panel) -> None:
        await it.changed_outside(RELEASE.replace("mode: edit", "mode: edti"))
        await it.list()

    assert matches_picture(picture(own_home, size, steps))


@pytest.mark.parametrize("size", SIZES)
def test_a_text_whose_file_changed_underneath(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(it: Panel) -> None:
        await it.open()
        await it.type("Ask before you tag. ", 8, 0)
        await it.changed_outside(RELEASE.replace("Fixed", "Fixed, Removed"))

    assert matches_picture(picture(own_home, size, steps))


@pytest.mark.parametrize("size", SIZES)
def test_the_name_of_a_new_agent(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(it: Panel) -> None:
        await it.list()
        await it.bench.press("n")
        await it.bench.write("release")

    assert matches_picture(picture(own_home, size, steps))


@pytest.mark.parametrize("size", SIZES)
def test_a_question_about_a_change_from_outside(
    own_home: Path, matches_picture: Matches, size: tuple[int, int]
) -> None:
    async def steps(it: Panel) -> None:
        await it.changed_outside(
            RELEASE.replace("tools: [", "tools: [web_fetch, ").replace('deny: ["bash(git push *)"]\n', "")
        )
        await it.bench.open_question()

    assert matches_picture(picture(own_home, size, steps))


def test_the_editor_at_a_middle_width(own_home: Path, matches_picture: Matches) -> None:
    async def steps(it: Panel) -> None:
        await it.open()

    assert matches_picture(picture(own_home, (120, 36), steps))
