"""Resumed sessions: what they were is what they are, also after decode was killed at any point of a turn."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from decode_core import open_session
from decode_core.call_progress import MAY_HAVE_RUN
from decode_core.events import (
    AssistantMessage,
    CallOutcome,
    DecisionAnswered,
    DecisionRequested,
    EventBase,
    NoticeRaised,
    Plan,
    PlanProposed,
    QuestionKind,
    SessionOpened,
    TodoChanged,
    TodoItem,
    ToolCallFinished,
    TurnEnd,
    TurnFinished,
    TurnStarted,
    UsageUpdated,
)
from decode_core.permissions.modes import PermissionMode
from decode_core.resuming import restored, take_up
from decode_core.session import Session
from decode_core.store.database import Database
from decode_core.store.faults import StoreError, StoreFault
from decode_core.store.holding import hold
from decode_core.store.records import Records
from decode_core.store.sessions import Sessions
from decode_core.workspace import WorkspaceError
from sessions import Played, play
from stored import conversation, mode_changed, store_session


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "README.md").write_text("hello\n")
    return folder.resolve()


FIRST = """
- text: "Noted."
  calls:
    - {tool: todo_write, args: {items: [{id: "1", content: Look, status: in_progress}]}}
    - {tool: read, args: {path: README.md}}
  usage: {input: 100, output: 10}
- text: "It says hello."
  usage: {input: 50, output: 5}
"""

SECOND = """
- expect:
    results: []
  text: "Going on."
  usage: {input: 7, output: 3}
"""


def again(workspace: Path, responses: str, **options: Any) -> Played:
    """Resume the latest session of the workspace with another script, and send one prompt."""
    return play(workspace, responses, resumed=take_up(None, workspace), prompts=["and now?"], **options)


def test_a_session_goes_on_as_it_was_left(workspace: Path) -> None:
    first = play(workspace, FIRST, mode=PermissionMode.EDIT)
    second = again(workspace, SECOND)
    kept = [event for event in first.events if event.seq and not type(event).__name__.endswith("Delta")]
    assert second.events[: len(kept)] == kept
    assert second.mode is PermissionMode.EDIT
    assert second.of(SessionOpened)[-1].resumed
    assert (
        second.of(UsageUpdated)[-1].model_dump() | {"seq": 0}
        == second.of(UsageUpdated)[-1]
        .model_copy(update={"seq": 0, "requests": 3, "input_tokens": 157, "output_tokens": 18})
        .model_dump()
    )
    assert [event.turn_id for event in second.of(TurnStarted)] == ["t1", "t2"]
    assert [event.seq for event in second.events] == sorted({event.seq for event in second.events})
    assert second.end.end is TurnEnd.COMPLETED
    database = Database.open()
    (info,) = Sessions(database).recent()
    assert info.turns == 2
    stored = [event for event in second.events if not type(event).__name__.endswith("Delta")]
    assert list(Records(database).events(info.id).events) == stored
    database.close()


def test_the_model_knows_what_was_said_before(workspace: Path) -> None:
    play(workspace, "- text: one\n", prompts=["first prompt"])
    again(workspace, "- text: two\n")
    database = Database.open()
    (info,) = Sessions(database).recent()
    bodies = [message.body for message in Records(database).messages(info.id)]
    database.close()
    assert len(bodies) == 4
    for body, words in zip(bodies, ("first prompt", '"one"', "and now?", '"two"'), strict=True):
        assert words in body


def opened(workspace: Path, look: Callable[[Session], Any]) -> Any:
    """Resume the latest session by the library and return what `look` sees in it."""

    async def main() -> Any:
        database = Database.open()
        info = Sessions(database).latest(str(workspace))
        database.close()
        async with open_session(resume=info.id[:8], model="offline") as session:
            return look(session)

    return asyncio.run(main())


def test_todos_plan_agent_mode_and_usage_are_restored(workspace: Path) -> None:
    todo = TodoItem(id="1", content="Look")
    plan = Plan(version=2, title="A plan", text="1. x")
    usage = UsageUpdated(requests=4, input_tokens=9, output_tokens=2, cost=0.5)
    database = Database.open()
    opened_plan = SessionOpened(workspace=str(workspace), agent="plan", mode=PermissionMode.PLAN, model="offline")
    events: list[EventBase] = [
        opened_plan,
        *conversation()[1:],
        TodoChanged(items=(todo,)),
        PlanProposed(plan=plan),
        usage,
    ]
    store_session(database, "abcdefghij", events, str(workspace))
    database.close()
    seen = opened(workspace, lambda s: (s.id, s.agent.name, s.mode, s.todos, s.plan, s.usage and s.usage.cost))
    assert seen == ("abcdefghij", "plan", PermissionMode.PLAN, (todo,), plan, 0.5)


@pytest.mark.parametrize(
    ("left_in", "goes_on_in"),
    [
        (PermissionMode.DEFAULT, PermissionMode.DEFAULT),
        (PermissionMode.EDIT, PermissionMode.EDIT),
        (PermissionMode.PLAN, PermissionMode.PLAN),
        (PermissionMode.DONT_ASK, PermissionMode.DONT_ASK),
        (PermissionMode.BYPASS, PermissionMode.DEFAULT),
    ],
)
def test_the_mode_is_restored_but_bypass_never(
    workspace: Path, left_in: PermissionMode, goes_on_in: PermissionMode
) -> None:
    database = Database.open()
    store_session(database, events=[*conversation(), mode_changed(left_in)], workspace=str(workspace))
    database.close()
    assert opened(workspace, lambda session: session.mode) is goes_on_in


@pytest.mark.parametrize(
    ("left_in", "headless"),
    [(PermissionMode.PLAN, PermissionMode.PLAN), (PermissionMode.EDIT, PermissionMode.DONT_ASK)],
)
def test_without_a_person_only_plan_is_taken_over(
    workspace: Path, left_in: PermissionMode, headless: PermissionMode
) -> None:
    play(workspace, "- text: one\n", mode=left_in)
    played = again(workspace, "- text: two\n", headless_modes=True, interactive=False)
    assert played.mode is headless


def test_an_agent_that_is_gone_gives_way_and_the_person_is_told(workspace: Path) -> None:
    gone = SessionOpened(workspace="/ws", agent="vanished", mode=PermissionMode.EDIT, model="x")
    database = Database.open()
    store_session(database, events=[gone, *conversation()[1:]], workspace=str(workspace))
    database.close()
    agent, notices = opened(
        workspace, lambda s: (s.agent.name, [e.text for e in s.events if isinstance(e, NoticeRaised)])
    )
    assert agent == "build"
    assert any("vanished" in text for text in notices)


def test_a_session_of_another_process_can_only_be_read(workspace: Path) -> None:
    play(workspace, "- text: one\n")
    database = Database.open()
    (info,) = Sessions(database).recent()
    before = Records(database).events(info.id).events
    with hold(database.path.parent, info.id):
        played = again(workspace, "- text: two\n")
    assert played.end.end is TurnEnd.FAILED
    assert f"process {os.getpid()}" in played.end.reason
    assert played.end.undelivered == ("and now?",)
    assert any("Reading only" in notice.text for notice in played.of(NoticeRaised))
    assert Records(database).events(info.id).events == before
    database.close()


def test_what_cannot_be_resumed_is_told(workspace: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError) as raised:
        take_up(None, workspace)
    assert raised.value.fault is StoreFault.NO_SUCH_SESSION
    database = Database.open()
    store_session(database, "here", workspace=str(workspace))
    store_session(database, "gone", workspace=str(tmp_path / "gone"))
    with pytest.raises(StoreError, match="no session 'nothing'"):
        take_up("nothing", None)
    with pytest.raises(WorkspaceError, match="does not exist"):
        take_up("gone", None)
    with pytest.raises(WorkspaceError, match="belongs to"):
        take_up("here", tmp_path)
    # nothing that failed keeps a session
    hold(database.path.parent, "here").release()
    hold(database.path.parent, "gone").release()
    database.close()


def test_a_library_call_that_fails_gives_the_session_back(workspace: Path) -> None:
    play(workspace, "- text: one\n")

    async def fail(session_id: str) -> None:
        async with open_session(resume=session_id, agent="nobody"):
            pass

    database = Database.open()
    (info,) = Sessions(database).recent()
    with pytest.raises(Exception, match="nobody"):
        asyncio.run(fail(info.id))
    hold(database.path.parent, info.id).release()
    database.close()


def test_a_call_that_was_let_through_and_has_no_end_may_have_run_and_is_not_run_again(workspace: Path) -> None:
    """core.md §3 and §6: reported, never silently repeated."""
    database = Database.open()
    store_session(database, events=conversation()[:7], workspace=str(workspace))
    database.close()
    played = again(workspace, "- text: two\n")
    (finished,) = played.of(ToolCallFinished)
    assert (finished.call_id, finished.outcome, finished.text) == ("c1", CallOutcome.FAILED, MAY_HAVE_RUN)
    assert [(turn.end, turn.turn_id) for turn in played.of(TurnFinished)] == [
        (TurnEnd.CANCELLED, "t1"),
        (TurnEnd.COMPLETED, "t2"),
    ]


def test_a_turn_that_was_killed_with_an_open_question_counts_as_suspended(workspace: Path) -> None:
    database = Database.open()
    question = DecisionRequested(id="q1", kind=QuestionKind.PERMISSION, call_id="c1")
    store_session(database, events=[*conversation()[:6], question], workspace=str(workspace))
    database.close()
    events, suspended = opened(workspace, lambda session: (session.events, session.suspended))
    assert suspended
    (end,) = Played(list(events)).of(TurnFinished)
    assert (end.end, end.turn_id) == (TurnEnd.SUSPENDED, "t1")
    assert not Played(list(events)).of(DecisionAnswered)


@pytest.mark.skipif(sys.platform == "darwin", reason="names of files are always Unicode there")
def test_a_folder_whose_name_is_no_unicode_has_sessions_too(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/w\xff"))
    folder.mkdir()
    play(folder, "- text: one\n", scripts=tmp_path)
    played = play(folder, "- text: two\n", scripts=tmp_path, resumed=take_up(None, folder))
    assert [message.text for message in played.of(AssistantMessage)] == ["one", "two"]
    assert not played.of(NoticeRaised)


def test_a_state_folds_from_any_beginning_of_a_session() -> None:
    events = conversation()
    for count in range(len(events) + 1):
        state = restored(events[:count])
        unfinished = [call for call in state.calls.by_id.values() if call.finished is None]
        assert len(unfinished) == (1 if 5 <= count <= 7 else 0)
        assert state.calls.any_waits == (count == 6)
