"""The session picker as a picture."""

from datetime import timedelta
from pathlib import Path

import pytest

from decode_core.events import DecisionRequested, EventBase, QuestionKind
from decode_core.store.database import Database
from decode_ui.screens import session_picker
from decode_ui.testing import Workbench
from pictures import Matches, picture
from stored import BEGUN, conversation, store_session


@pytest.mark.parametrize("size", [(150, 40), (80, 24)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_sessions(
    own_home: Path, monkeypatch: pytest.MonkeyPatch, matches_picture: Matches, size: tuple[int, int]
) -> None:
    async def steps(bench: Workbench) -> None:
        monkeypatch.setattr(session_picker, "utc_now", lambda: BEGUN + timedelta(hours=2))
        asked = DecisionRequested(
            id="q1", kind=QuestionKind.PERMISSION, call_id="c1", payload={"tool": "bash", "subject": "rm build/a.o"}
        )
        waiting: list[EventBase] = [*conversation("Tidy up the build folder", "I tidy.")[:6], asked]
        database = Database.open()
        store_session(database, "4f1c09aa7e21", conversation("Write the docs of the client"), "/home/ada/docs")
        store_session(database, "0b7d13cc5a90", workspace="/home/ada/client")
        store_session(database, "9e52d8f01b37", waiting, "/home/ada/client")
        database.close()
        await bench.send("/sessions")
        await bench.until(lambda: "Tidy up" in bench.screen, "the sessions")
        await bench.press("down", "down")
        await bench.until(lambda: "rm build/a.o" in bench.screen, "the preview")

    assert matches_picture(picture(own_home, steps, size))
