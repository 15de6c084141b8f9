"""A session whose store fails: nothing is lost, the person is told, and no call runs without its record."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from decode_core.decisions import Allow, Answer
from decode_core.events import (
    DecisionRequested,
    EventBase,
    NoticeRaised,
    PermissionDecided,
    ToolCallFinished,
    TurnEnd,
    TurnStarted,
)
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome
from decode_core.session import Session
from decode_core.store.database import Database, store_path
from decode_core.store.faults import StoreError, StoreFault
from decode_core.store.lines import StoredMessage
from decode_core.store.records import Records
from decode_core.store.session_record import RETRY_S, SessionRecord
from decode_core.store.sessions import Sessions
from sessions import play
from stored import conversation, stamped

WRITES = """
- text: "I write."
  calls:
    - {tool: write, args: {path: a.txt, content: "one"}}
- text: "Done."
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    return folder


def test_what_was_decided_stands_in_the_store_before_the_tool_runs(workspace: Path) -> None:
    seen: list[list[str]] = []

    def look(event: EventBase, session: object) -> None:
        if isinstance(event, PermissionDecided):
            database = Database.open()
            info = Sessions(database).recent()[0]
            seen.append([type(e).__name__ for e in Records(database).events(info.id).events])
            database.close()

    play(workspace, WRITES, hook=look)
    assert seen
    assert all("PermissionDecided" in names for names in seen)


def test_without_a_record_no_call_runs_and_the_turn_goes_on(workspace: Path) -> None:
    store_path().parent.mkdir(parents=True)
    store_path().write_bytes(b"no database" * 500)
    played = play(workspace, WRITES, mode=PermissionMode.BYPASS)
    assert not (workspace / "a.txt").exists()
    assert played.calls == [("write", "denied")]
    last = played.of(PermissionDecided)[-1]
    assert (last.outcome, last.by) == (PermissionOutcome.DENY, DecidedBy.POLICY)
    assert "record of the decision cannot be written" in last.reason
    told = [notice.text for notice in played.of(NoticeRaised) if "not being stored" in notice.text]
    assert len(told) == 1
    assert "is not a session store of decode" in told[0]
    assert played.end.end is TurnEnd.COMPLETED
    assert store_path().read_bytes() == b"no database" * 500


class Clock:
    """Seconds that move by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def failing(monkeypatch: pytest.MonkeyPatch) -> list[StoreError | None]:
    """Let writes of events fail while the returned list holds an error."""
    fault: list[StoreError | None] = [None]
    append = Records.append

    def maybe(self: Records, session_id: str, *events: EventBase) -> None:
        if fault[0] is not None:
            raise fault[0]
        append(self, session_id, *events)

    monkeypatch.setattr(Records, "append", maybe)
    return fault


def stored_events(session_id: str = "s1") -> Sequence[EventBase]:
    database = Database.open()
    events = Records(database).events(session_id).events
    database.close()
    return events


def test_what_could_not_be_written_is_written_when_it_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    fault, clock = failing(monkeypatch), Clock()
    record = SessionRecord("s1", "/ws", clock=clock)
    events = stamped(conversation())
    assert [record.write(event) for event in events[:3]] == [None] * 3
    fault[0] = StoreError(StoreFault.FULL, "the disk is full")
    assert [record.write(event) for event in events[3:6]] == ["the disk is full"] * 3
    assert record.put_messages(0, [StoredMessage("a", 1), StoredMessage("b", 2)]) == "the disk is full"
    assert record.put_messages(1, [StoredMessage("c", 3)]) == "the disk is full"
    fault[0] = None
    assert record.write(events[6]) == "the disk is full"  # not tried again at once
    clock.now += RETRY_S
    assert record.write(events[7]) is None
    record.close()
    assert list(stored_events()) == events[:8]
    database = Database.open()
    assert Records(database).messages("s1") == [StoredMessage("a", 1), StoredMessage("c", 3)]
    database.close()


def test_what_waits_is_written_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    fault = failing(monkeypatch)
    record = SessionRecord("s1", "/ws", clock=Clock())
    events = stamped(conversation())
    fault[0] = StoreError(StoreFault.BUSY, "busy")
    for event in events:
        record.write(event)
    fault[0] = None
    record.close()
    record.close()
    assert list(stored_events()) == events


def test_what_comes_after_the_end_counts_as_not_written() -> None:
    record = SessionRecord("s1", "/ws")
    events = stamped(conversation())
    record.write(events[0])
    record.close()
    assert record.write(events[1]) == "the session was closed"
    assert not store_path().exists()


def test_a_session_without_a_prompt_makes_no_store(workspace: Path) -> None:
    record = SessionRecord("s1", "/ws")
    for event in stamped(conversation())[:1]:
        record.write(event)
    record.put_messages(0, [])
    record.close()
    play(workspace, WRITES, prompts=[])
    assert not store_path().exists()


def test_the_person_hears_of_a_store_that_works_again(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("decode_core.store.session_record.RETRY_S", 0.0)
    fault = failing(monkeypatch)

    def full_for_a_while(event: EventBase, session: object) -> None:
        if isinstance(event, TurnStarted):
            fault[0] = StoreError(StoreFault.FULL, "the disk is full") if event.turn_id == "t1" else None

    played = play(workspace, "- text: one\n- text: two\n", prompts=["a", "b"], hook=full_for_a_while)
    texts = [notice.text for notice in played.of(NoticeRaised)]
    assert texts == [
        "This session is not being stored: the disk is full.",
        "The session is stored again, nothing is missing.",
    ]
    kept = [event for event in played.events if not type(event).__name__.endswith("Delta")]
    assert list(stored_events(played.events[0].session_id)) == kept


BATCH = """
- text: "I look and write."
  calls:
    - {tool: read, args: {path: README.md}}
    - {tool: write, args: {path: a.txt, content: "one"}}
- text: "Done."
"""


def test_before_a_question_opens_its_response_and_the_results_of_its_batch_are_stored(workspace: Path) -> None:
    (workspace / "README.md").write_text("hello\n")
    found: list[tuple[str, list[str]]] = []

    def answer(question: DecisionRequested, session: Session) -> Answer:
        # another connection sees what another process would find after a kill
        database = Database.open()
        last = Records(database).messages(session.id)[-1].body
        finished = [e.tool for e in Records(database).events(session.id).events if isinstance(e, ToolCallFinished)]
        database.close()
        found.append((last, finished))
        return Allow.once()

    play(workspace, BATCH, answer=answer)
    ((last, finished),) = found
    assert json.loads(last)["kind"] == "response"
    assert "a.txt" in last
    assert finished == ["read"]
