"""Events and messages: what was acknowledged is there, also after kill -9, on damaged pages, with hostile text."""

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from decode_core.events import (
    AssistantMessage,
    CallOutcome,
    EventBase,
    NoticeLevel,
    NoticeRaised,
    ToolCallFinished,
    TurnStarted,
)
from decode_core.store.database import Database
from decode_core.store.faults import StoreError, StoreFault
from decode_core.store.lines import StoredMessage
from decode_core.store.records import Records
from decode_core.store.sessions import Sessions
from stored import conversation, damage, stamped, store_session


def test_events_come_back_as_they_were(database: Database) -> None:
    kept = store_session(database)
    store_session(database, "other")
    stored = Records(database).events("s1")
    assert list(stored.events) == kept
    assert stored.unreadable == 0


@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100, deadline=None)
def test_any_text_can_be_stored_and_comes_back(database: Database, text: str) -> None:
    records = Records(database)
    if not Sessions(database).recent():
        records.create("s1", "/ws")
    seq = Sessions(database).find("s1").last_seq + 1
    (event,) = stamped([ToolCallFinished(call_id="c", tool="bash", outcome=CallOutcome.OK, text=text)], first=seq)
    (prompt,) = stamped([TurnStarted(prompt=text)], first=seq + 1)
    records.append("s1", event, prompt)
    back, _ = records.events("s1").events[-2:]
    assert back == event


def test_half_a_surrogate_pair_is_stored_as_a_question_mark(database: Database) -> None:
    records = Records(database)
    records.create("s1", "/ws")
    broken = ToolCallFinished(
        call_id="c", tool="read", outcome=CallOutcome.OK, text="a\udcffb", detail={"path\udc80": ["x\udc81"]}
    )
    records.append("s1", *stamped([broken, TurnStarted(prompt="p\udcff")]))
    first, second = records.events("s1").events
    assert isinstance(first, ToolCallFinished)
    assert (first.text, first.detail) == ("a?b", {"path?": ["x?"]})
    assert isinstance(second, TurnStarted)
    assert second.prompt == "p?"


def test_a_batch_is_written_whole_or_not_at_all(database: Database) -> None:
    kept = store_session(database)
    twice = stamped([AssistantMessage(text="new"), AssistantMessage(text="old number")], first=20)
    twice[1] = twice[1].model_copy(update={"seq": 1})
    with pytest.raises(StoreError):
        Records(database).append("s1", *twice)
    assert list(Records(database).events("s1").events) == kept


def test_an_id_is_given_once(database: Database) -> None:
    Records(database).create("s1", "/ws")
    with pytest.raises(StoreError) as raised:
        Records(database).create("s1", "/ws")
    assert raised.value.fault is StoreFault.EXISTS


def test_what_is_asked_of_no_session_is_told(database: Database) -> None:
    records = Records(database)
    for ask in (
        lambda: records.append("none", *stamped([TurnStarted(prompt="x")])),
        lambda: records.put_messages("none", 0, [StoredMessage("{}", 0)]),
        lambda: records.messages("none"),
        lambda: records.events("none"),
    ):
        with pytest.raises(StoreError) as raised:
            ask()
        assert raised.value.fault is StoreFault.NO_SUCH_SESSION


@pytest.mark.parametrize(
    ("start", "bodies", "left"),
    [(0, ["x"], ["x"]), (2, ["x", "y"], ["a", "b", "x", "y"]), (3, ["x"], ["a", "b", "c", "x"]), (1, [], ["a"])],
)
def test_messages_are_put_from_a_number_on(database: Database, start: int, bodies: list[str], left: list[str]) -> None:
    records = Records(database)
    records.create("s1", "/ws")
    records.put_messages("s1", 0, [StoredMessage(body, 2) for body in ("a", "b", "c")])
    records.put_messages("s1", start, [StoredMessage(body, 5) for body in bodies])
    assert [message.body for message in records.messages("s1")] == left


def test_a_line_that_is_no_event_is_counted_and_the_others_are_read(database: Database) -> None:
    kept = store_session(database)
    with database.write() as connection:
        connection.execute('UPDATE events SET body = \'{"type": "of_tomorrow"}\' WHERE seq = 3')
        connection.execute("UPDATE events SET body = 'half a li' WHERE seq = 5")
    stored = Records(database).events("s1")
    assert [event.seq for event in stored.events] == [1, 2, 4, 6, 7, 8, 9, 10, 11]
    assert stored.unreadable == 2
    assert all(event in kept for event in stored.events)


def test_of_a_damaged_file_everything_is_read_that_lies_on_sound_pages(database: Database) -> None:
    events: list[EventBase] = [NoticeRaised(level=NoticeLevel.INFO, text=f"{n} " * 300) for n in range(200)]
    kept = store_session(database, events=events)
    with database.write() as connection:
        page = connection.execute(
            "SELECT pageno FROM dbstat WHERE name = 'events' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1 OFFSET 20"
        ).fetchone()[0]
    database.close()
    damage(database.path, page)
    again = Database.open()
    stored = Records(again).events("s1")
    assert 0 < stored.unreadable < 20
    assert len(stored.events) + stored.unreadable == len(kept)
    assert all(event in kept for event in stored.events)
    again.close()


WRITER = """
    import sys
    from decode_core.store.database import Database
    from decode_core.store.lines import StoredMessage
    from decode_core.store.records import Records
    from stored import conversation, stamped

    records = Records(Database.open())
    records.create("s1", "/ws")
    for number, event in enumerate(stamped(conversation() * 40)):
        records.put_messages("s1", number, [StoredMessage(f'{{"number": {number}}}', number)])
        records.append("s1", event)
        print(event.seq, flush=True)
"""


@pytest.mark.parametrize("boundary", [1, 2, 7, 11, 40, 173])
def test_after_kill_9_no_acknowledged_event_is_missing(boundary: int, tmp_path: Path) -> None:
    """The program dies right after it acknowledged an event, wherever it is then."""
    tests = Path(__file__).parents[2]
    program = tmp_path / "writer.py"
    program.write_text(textwrap.dedent(WRITER), encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(program)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tests)},
    ) as writer:
        assert writer.stdout is not None
        acknowledged = 0
        for line in writer.stdout:
            acknowledged = int(line)
            if acknowledged >= boundary:
                os.kill(writer.pid, signal.SIGKILL)
                break
        acknowledged = max([acknowledged, *(int(line) for line in writer.stdout if line.endswith("\n"))])
    assert writer.returncode == -signal.SIGKILL
    database = Database.open()
    stored = Records(database).events("s1")
    wanted = stamped(conversation() * 40)
    # one more may have been committed when the program died before it could say so
    assert len(stored.events) in (acknowledged, acknowledged + 1)
    assert list(stored.events) == wanted[: len(stored.events)]
    messages = [json.loads(message.body)["number"] for message in Records(database).messages("s1")]
    assert messages == list(range(len(messages)))
    assert len(messages) >= acknowledged
    with database.read() as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    Records(database).append("s1", *stamped([AssistantMessage(text="on it goes")], first=1000))
    database.close()
