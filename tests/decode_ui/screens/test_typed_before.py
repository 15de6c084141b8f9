"""The prompts and the draft of earlier sessions in the same workspace."""

import asyncio
from pathlib import Path

import pytest

from decode_core.store.database import Database, store_path
from decode_core.store.faults import StoreError, StoreFault
from decode_core.store.prompts import Prompts
from decode_ui.draft_keeper import DRAFT_S
from decode_ui.testing import Workbench, workbench


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    return folder.resolve()


async def recalled(bench: Workbench, prompts: int) -> None:
    """Wait until the store has been read."""
    await bench.until(lambda: len(bench.work.prompt._history) >= prompts, "the history")


def test_prompts_of_the_last_session_come_back_by_arrow(workspace: Path) -> None:
    async def main() -> None:
        async with workbench(workspace, session_id="one") as bench:
            await bench.send("list the files")
            await bench.send("thanks")
        async with workbench(workspace, session_id="two") as bench:
            await recalled(bench, 2)
            await bench.press("up")
            assert bench.work.prompt.text == "thanks"
            await bench.press("up")
            assert bench.work.prompt.text == "list the files"
            await bench.press("down", "down")
            assert bench.work.prompt.text == ""

    asyncio.run(main())


def test_a_draft_that_was_left_stands_in_the_prompt_again_and_a_sent_one_does_not(workspace: Path) -> None:
    async def left_with(text: str) -> str:
        async with workbench(workspace) as bench:
            await bench.until(lambda: bench.work._left_prompt is not None, "the store to be read")
            await bench.idle()
            found = bench.work.prompt.text
            bench.work.prompt.put(text)
        return found

    async def main() -> list[str]:
        return [await left_with("half a thought"), await left_with(""), await left_with("x")]

    assert asyncio.run(main()) == ["", "half a thought", ""]


def test_what_was_typed_meanwhile_is_not_overwritten_by_a_draft(workspace: Path) -> None:
    database = Database.open()
    Prompts(database).keep_draft(str(workspace), "old draft")
    Prompts(database).remember(str(workspace), "old prompt")
    database.close()

    async def main() -> str:
        async with workbench(workspace) as bench:
            await recalled(bench, 1)
            bench.work.prompt.put("typed")
            bench.work.prompt.recall(["older"], "old draft")
            return bench.work.prompt.text

    assert asyncio.run(main()) == "typed"


def test_looking_makes_no_store(workspace: Path) -> None:
    async def main() -> None:
        async with workbench(workspace) as bench:
            await bench.idle()

    asyncio.run(main())
    assert not store_path().exists()


def test_a_draft_is_in_the_store_while_it_is_written(workspace: Path) -> None:
    """ui.md: drafts survive a crash; nothing is closed or left here before the store is looked at."""

    async def main() -> None:
        async with workbench(workspace) as bench:
            await bench.until(lambda: bench.work._left_prompt is not None, "the store to be read")
            await bench.write("half a thought")
            await bench.advance(DRAFT_S)
            await bench.until(lambda: kept_draft(workspace) == "half a thought", "the draft in the store")
            await bench.press("enter")
            await bench.advance(DRAFT_S)
            await bench.until(lambda: kept_draft(workspace) == "", "a sent prompt is no draft any more")

    asyncio.run(main())


def kept_draft(workspace: Path) -> str:
    """What another process would find."""
    if not store_path().exists():
        return ""
    database = Database.open()
    try:
        return Prompts(database).draft(str(workspace))
    finally:
        database.close()


def test_a_draft_that_cannot_be_kept_is_told_at_the_prompt_until_it_is(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """keys.md §11: draft store not writable: "draft not saved"."""
    full = StoreError(StoreFault.FULL, "the disk is full")

    def refuse(self: Prompts, workspace: str, text: str) -> None:
        raise full

    async def main() -> None:
        async with workbench(workspace) as bench:
            await bench.until(lambda: bench.work._left_prompt is not None, "the store to be read")
            with monkeypatch.context() as broken:
                broken.setattr(Prompts, "keep_draft", refuse)
                await bench.write("a")
                await bench.advance(DRAFT_S)
                await bench.until(lambda: "draft not saved" in bench.screen, "the word")
            await bench.write("b")
            await bench.advance(DRAFT_S)
            await bench.until(lambda: "draft not saved" not in bench.screen, "its end")

    asyncio.run(main())
