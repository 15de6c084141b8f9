"""The chain of decisions: edits, removals, insertions and a cut tail are found, everything else verifies."""

import stat

import pytest

from decode_core.permissions.modes import PermissionMode
from decode_core.store.audit import START, Head, head_file, note_head, verify
from decode_core.store.database import Database
from decode_core.store.fork import fork
from decode_core.store.records import Records
from decode_core.store.sessions import Sessions
from stored import conversation, mode_changed, stamped, store_session

# events of the stored session that are records: 6 verdict, 7 answer, 12 and 13 modes


@pytest.fixture(autouse=True)
def session(database: Database) -> None:
    changes = [mode_changed(PermissionMode.EDIT), mode_changed(PermissionMode.PLAN)]
    store_session(database, events=[*conversation(), *changes])


def test_a_record_that_nobody_touched_is_whole(database: Database) -> None:
    assert verify(database, "s1") == verify(database, "s1")
    assert (verify(database, "s1").records, verify(database, "s1").faults) == (4, ())
    copy = fork(database, "s1", 9)
    assert (verify(database, copy.id).records, verify(database, copy.id).faults) == (2, ())
    Records(database).append("s1", *stamped([mode_changed(PermissionMode.DEFAULT)], first=20))
    assert (verify(database, "s1").records, verify(database, "s1").faults) == (5, ())


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (
            "UPDATE events SET body = replace(body, '\"ask\"', '\"allow\"') WHERE seq = 6",
            "record 1 (event 6) was changed",
        ),
        ("UPDATE events SET body = replace(body, 'once', 'denied') WHERE seq = 7", "record 2 (event 7) was changed"),
        ("DELETE FROM events WHERE seq = 6", "records are missing"),
        ("DELETE FROM events WHERE seq = 7", "records are missing"),
        ("DELETE FROM events WHERE seq = 13", "the tail is cut off: 4 records were noted, 3 are there"),
        ("DELETE FROM events WHERE seq > 5", "the tail is cut off: 4 records were noted, 0 are there"),
        ("DELETE FROM audit WHERE number = 4", "event 13 is not in the chain"),
        (
            "INSERT INTO events (session, seq, type, body) SELECT session, 99, type, body FROM events WHERE seq = 6",
            "event 99 is not in the chain",
        ),
        ("UPDATE audit SET digest = 'x' WHERE number = 3", "record 3 (event 12) was changed"),
    ],
)
def test_what_was_done_to_it_is_found(database: Database, change: str, found: str) -> None:
    with database.write() as connection:
        assert connection.execute(change).rowcount
    faults = verify(database, "s1").faults
    assert any(found in fault for fault in faults), faults


def test_a_tail_that_is_cut_with_its_links_is_found_by_the_head(database: Database) -> None:
    with database.write() as connection:
        connection.execute("DELETE FROM events WHERE seq = 13")
        connection.execute("DELETE FROM audit WHERE number = 4")
    assert verify(database, "s1").faults == ("the tail is cut off: 4 records were noted, 3 are there",)


def test_a_kill_between_the_record_and_its_head_is_no_fault(database: Database) -> None:
    with database.read() as connection:
        digest = connection.execute("SELECT digest FROM audit WHERE number = 3").fetchone()[0]
    note_head(database.path.parent, "s1", Head(3, digest))
    assert verify(database, "s1").faults == ()


@pytest.mark.parametrize("content", [None, b"", b"{}", b'{"records": "x", "digest": 1}'])
def test_a_head_that_is_gone_is_told(database: Database, content: bytes | None) -> None:
    file = head_file(database.path.parent, "s1")
    file.unlink() if content is None else file.write_bytes(content)
    (fault,) = verify(database, "s1").faults
    assert "a cut tail cannot be found" in fault


def test_another_head_is_told(database: Database) -> None:
    note_head(database.path.parent, "s1", Head(4, START))
    assert verify(database, "s1").faults == ("record 4 is not the one that was noted apart",)


def test_the_head_is_private_and_goes_with_its_session(database: Database) -> None:
    file = head_file(database.path.parent, "s1")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    Sessions(database).delete("s1")
    assert not file.exists()


def test_a_head_that_cannot_be_noted_does_not_lose_the_record(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    file = head_file(database.path.parent, "s1")
    file.unlink()
    file.mkdir()
    Records(database).append("s1", *stamped([mode_changed(PermissionMode.DEFAULT)], first=20))
    assert len(Records(database).events("s1").events) == 14
    assert "cannot be noted" in caplog.text
