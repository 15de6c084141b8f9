"""The session picker by keyboard alone: keys.md §7.4, and its states of §11."""

from pathlib import Path

import pytest
from textual.widgets import Input

from decode_core.events import DecisionRequested, EventBase, QuestionKind, SessionOpened
from decode_core.permissions.modes import PermissionMode
from decode_core.store.database import Database, store_path
from decode_core.store.holding import hold
from decode_core.store.sessions import Sessions
from decode_ui import session_shelf
from decode_ui.screens.session_picker import QUIET_S, SessionPicker
from decode_ui.testing import Workbench
from fake_session import FakeSession
from stored import conversation, store_session
from work_screen import Steps, run

SIZES = [(150, 40), (120, 36), (80, 24), (60, 20)]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    return folder.resolve()


def opened(workspace: Path) -> SessionOpened:
    return SessionOpened(workspace=str(workspace), agent="build", mode=PermissionMode.DEFAULT, model="offline")


def fill(workspace: Path) -> None:
    """Three sessions: two here, one of which waits for an answer, and one elsewhere."""
    database = Database.open()
    here: list[EventBase] = [opened(workspace), *conversation("Rename the flag", "I renamed it.")[1:]]
    store_session(database, "first", here, str(workspace))
    asked = DecisionRequested(
        id="q1", kind=QuestionKind.PERMISSION, call_id="c1", payload={"tool": "bash", "subject": "rm build/a.o"}
    )
    waiting: list[EventBase] = [*conversation("Tidy up", "I tidy.")[:6], asked]
    store_session(database, "second", waiting, str(workspace))
    store_session(database, "third", conversation("Write the docs"), "/elsewhere/docs")
    database.close()


async def picker(bench: Workbench) -> SessionPicker:
    """Open it as a person does, and wait until the sessions are there."""
    await bench.send("/sessions")
    await bench.until(lambda: isinstance(bench.app.screen, SessionPicker), "the picker")
    shown = bench.app.screen
    assert isinstance(shown, SessionPicker)
    await bench.until(lambda: shown._shelf is not None, "the sessions")
    return shown


def with_sessions(steps: Steps, workspace: Path, size: tuple[int, int] = (120, 36)) -> None:
    fill(workspace)
    run(steps, workspace, size)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_it_shows_what_there_is_at_every_size(workspace: Path, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await picker(bench)
        for words in ("in this folder", "elsewhere", "Rename the flag", "Tidy up", "Write the docs"):
            assert words in bench.screen
        assert "where" in bench.screen

    with_sessions(steps, workspace, size)


def test_a_question_that_waits_is_seen_in_the_row_and_in_the_preview(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        shown = await picker(bench)
        assert "? waits for you" in bench.screen
        while shown.marked is None or shown.marked.id != "second":
            await bench.press("down")
        await bench.until(lambda: "bash rm build/a.o" in bench.screen, "the preview")

    with_sessions(steps, workspace)


def test_typing_filters_and_finds_what_was_said(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await picker(bench)
        await bench.write("docs")
        assert "Write the docs" in bench.screen
        assert "Tidy up" not in bench.screen
        await bench.press(*["backspace"] * 4)
        await bench.write("tidy.")
        await bench.advance(QUIET_S)
        await bench.until(lambda: "said in" in bench.screen or "Tidy up" in bench.screen, "a hit")
        await bench.press(*["backspace"] * 5)
        await bench.write("zebra")
        assert "nothing matches · esc" in bench.screen
        await bench.press("enter")
        assert isinstance(bench.app.screen, SessionPicker), "there is nothing to open"

    with_sessions(steps, workspace)


def test_escape_closes_it_and_nothing_has_changed(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await picker(bench)
        await bench.press("escape")
        assert bench.app.screen is bench.work
        assert bench.app.next_session is None

    with_sessions(steps, workspace)


def test_enter_takes_the_marked_session_up_and_leaves_this_one(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        shown = await picker(bench)
        marked = shown.marked
        assert marked is not None
        await bench.press("enter")
        await bench.until(lambda: bench.app.next_session is not None, "the next session")
        taken = bench.app.next_session
        assert taken is not None
        assert taken.id == marked.id
        taken.give_back()

    with_sessions(steps, workspace)


def test_a_letter_acts_in_the_list_only_and_a_rename_is_kept(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        shown = await picker(bench)
        await bench.press("r")
        assert shown.query_one(Input).value == "r", "in the filter a letter is a letter"
        await bench.press("backspace", "tab")
        assert "r rename · f fork · e export · x delete…" in bench.screen
        marked = shown.marked
        assert marked is not None
        await bench.press("r")
        await bench.press("ctrl+u")
        await bench.write("Another name")
        await bench.press("enter")
        await bench.until(lambda: "Another name" in bench.screen, "the new title")
        database = Database.open()
        assert Sessions(database).find(marked.id).title == "Another name"
        database.close()

    with_sessions(steps, workspace)


def test_a_fork_is_marked_when_it_is_there(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        shown = await picker(bench)
        await bench.press("tab", "f")
        await bench.until(lambda: "(fork)" in bench.screen, "the copy")
        assert shown.marked is not None
        assert shown.marked.title.endswith("(fork)")

    with_sessions(steps, workspace)


def test_an_export_goes_to_the_file_that_is_named(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await picker(bench)
        await bench.press("tab", "e", "ctrl+u")
        await bench.write("out.html")
        await bench.press("enter")
        await bench.until(lambda: "exported to" in bench.screen, "the export")
        assert (workspace / "out.html").read_text().startswith("<!doctype html>")

    with_sessions(steps, workspace)


def test_a_deletion_is_confirmed_first(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        shown = await picker(bench)
        marked = shown.marked
        assert marked is not None
        await bench.press("tab", "x")
        assert "for good?" in bench.screen
        await bench.press("n")
        assert len(session_shelf.read_shelf().sessions) == 3
        await bench.press("x", "y")
        await bench.until(lambda: len(session_shelf.read_shelf().sessions) == 2, "the deletion")
        await bench.until(lambda: "deleted" in bench.screen, "the word")

    with_sessions(steps, workspace)


def test_a_session_that_is_open_elsewhere_says_so_and_is_not_deleted(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await picker(bench)
        assert "open in process" in bench.screen
        await bench.press("tab", "x", "y")
        await bench.until(
            lambda: "is open in" in bench.screen.splitlines()[-1] or "close it there" in bench.screen, "why"
        )
        assert len(session_shelf.read_shelf().sessions) == 3

    fill(workspace)
    folder = store_path().parent
    with hold(folder, "first"), hold(folder, "second"):
        run(steps, workspace)


def test_without_sessions_it_says_so(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await picker(bench)
        assert "no sessions yet · esc" in bench.screen

    run(steps, workspace)


def test_a_store_that_cannot_be_read_is_a_sentence_in_the_list(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await picker(bench)
        assert "is not a session store" in bench.screen

    store_path().parent.mkdir(parents=True, mode=0o700)
    store_path().write_bytes(b"no database at all, but longer than the header of one " * 10)
    run(steps, workspace)


def test_hostile_titles_are_harmless(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await picker(bench)
        assert "[red]" in bench.screen
        assert "\x1b" not in bench.screen

    database = Database.open()
    store_session(database, "bad", conversation("\x1b[31m[red]\u202eevil"), str(workspace))
    database.close()
    run(steps, workspace)


def test_jump_mode_has_a_letter_for_it_and_a_running_turn_is_not_left(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("ctrl+o", "s")
        await bench.until(lambda: isinstance(bench.app.screen, SessionPicker), "the picker")
        shown = bench.app.screen
        assert isinstance(shown, SessionPicker)
        await bench.until(lambda: shown._shelf is not None, "the sessions")
        session.begin()
        await bench.press("enter")
        await bench.idle()
        assert "stop it first" in bench.screen
        assert bench.app.next_session is None

    with_sessions(steps, workspace)
