"""A session that was left with a question open, in the application: the question opens again, with whatever model."""

import asyncio
from pathlib import Path

import pytest

from decode_core.engine.clearance import OnAsk
from decode_core.events import TurnEnd, TurnFinished
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.permissions.modes import PermissionMode
from decode_core.resuming import take_up
from decode_ui.testing import FrozenClock, Workbench, on_session
from sessions import play, write_script

WRITE = '- calls: [{tool: write, args: {path: a.txt, content: "one"}}]\n- text: All done.\n'


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder with a session that waits for the answer to a question about a write."""
    folder = tmp_path / "ws"
    folder.mkdir()
    left = play(folder, WRITE, interactive=False, on_ask=OnAsk.SUSPEND, mode=PermissionMode.DEFAULT)
    assert left.end.end is TurnEnd.SUSPENDED
    return folder.resolve()


async def answer_yes(bench: Workbench) -> None:
    # the first request is that of the day before
    await bench.open_question(2)
    assert "a.txt" in bench.screen
    await bench.press("y")
    await bench.until(lambda: bench.all_of(TurnFinished)[-1].end is TurnEnd.COMPLETED, "the end of the turn")


def test_the_question_opens_again_and_its_answer_counts(workspace: Path) -> None:
    async def main() -> None:
        clock = FrozenClock()
        resumed = take_up(None, workspace)
        session = new_session(survey(resumed.workspace), SessionOptions(resumed=resumed, clock=clock.utc))
        async with on_session(session, clock=clock) as bench:
            await answer_yes(bench)
            assert "All done." in bench.screen

    asyncio.run(main())
    assert (workspace / "a.txt").read_text() == "one"


def test_a_model_that_is_gone_does_not_lose_the_question(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "script.yaml").unlink()

    async def main() -> None:
        clock = FrozenClock()
        resumed = take_up(None, workspace)
        session = new_session(survey(resumed.workspace), SessionOptions(resumed=resumed, clock=clock.utc))
        async with on_session(session, clock=clock) as bench:
            await bench.wait_for(TurnFinished, 2)
            assert session.suspended
            assert "its question waits" in bench.screen
            session.select_model(write_script(tmp_path, "- text: All done.\n"))
            await answer_yes(bench)

    asyncio.run(main())
    assert (workspace / "a.txt").read_text() == "one"
