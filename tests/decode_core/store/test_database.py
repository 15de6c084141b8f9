"""The database file: private, sound after faults, refused untouched where it is newer, foreign or damaged."""

import multiprocessing
import os
import sqlite3
import stat
from multiprocessing.synchronize import Event as ProcessEvent
from pathlib import Path

import pytest

from decode_core.store.database import Database, Durability, store_path
from decode_core.store.faults import StoreError, StoreFault
from decode_core.store.records import Records
from decode_core.store.schema import APPLICATION_ID, MIGRATIONS, VERSION
from decode_core.store.sessions import Sessions
from stored import store_session


def test_files_and_folders_are_the_owners_alone() -> None:
    before = os.umask(0)
    try:
        database = Database.open()
        store_session(database)
        for file in store_path().parent.rglob("*"):
            assert stat.S_IMODE(file.stat().st_mode) == (0o700 if file.is_dir() else 0o600), file
        assert stat.S_IMODE(store_path().parent.stat().st_mode) == 0o700
        database.close()
    finally:
        os.umask(before)


def test_a_file_that_others_may_read_is_closed_to_them() -> None:
    Database.open().close()
    store_path().chmod(0o644)
    Database.open().close()
    assert stat.S_IMODE(store_path().stat().st_mode) == 0o600


def test_the_journal_is_a_write_ahead_log_and_a_commit_for_the_disk_is_synced(database: Database) -> None:
    with database.read() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (1,)
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
    with database.write(Durability.DISK) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    with database.write() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (1,)


def test_what_is_raised_in_a_transaction_takes_all_of_it_back(database: Database) -> None:
    store_session(database)
    with pytest.raises(RuntimeError), database.write() as connection:
        connection.execute("DELETE FROM sessions")
        raise RuntimeError
    assert [info.id for info in Sessions(database).recent()] == ["s1"]


def bytes_of_store() -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(store_path().parent.iterdir()) if file.is_file()}


def test_a_newer_database_is_refused_untouched(database: Database) -> None:
    store_session(database)
    with database.write() as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    database.close()
    before = bytes_of_store()
    with pytest.raises(StoreError, match="newer decode") as raised:
        Database.open()
    assert raised.value.fault is StoreFault.NEWER
    assert bytes_of_store() == before


def test_the_database_of_another_program_is_refused_untouched() -> None:
    store_path().parent.mkdir(parents=True)
    other = sqlite3.connect(store_path())
    other.execute("CREATE TABLE bookmarks (url TEXT)")
    other.commit()
    other.close()
    before = store_path().read_bytes()
    with pytest.raises(StoreError, match="another program"):
        Database.open()
    assert store_path().read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database at all" * 300, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_database_is_refused_untouched(content: bytes) -> None:
    store_path().parent.mkdir(parents=True)
    store_path().write_bytes(content)
    with pytest.raises(StoreError) as raised:
        Database.open()
    assert raised.value.fault in (StoreFault.DAMAGED, StoreFault.UNREACHABLE)
    assert store_path().read_bytes() == content


def test_a_folder_in_the_place_of_the_file_is_told() -> None:
    store_path().mkdir(parents=True)
    with pytest.raises(StoreError) as raised:
        Database.open()
    assert raised.value.fault is StoreFault.UNREACHABLE
    assert str(store_path()) in str(raised.value)


def test_a_file_in_the_place_of_the_folder_is_told() -> None:
    store_path().parent.parent.mkdir(parents=True, exist_ok=True)
    store_path().parent.write_text("in the way")
    with pytest.raises(StoreError, match="is not a folder") as raised:
        Database.open()
    assert raised.value.fault is StoreFault.UNREACHABLE


def test_a_full_disk_is_told_and_what_was_written_stays(database: Database) -> None:
    kept = store_session(database)
    with database.read() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
    big = kept[2].model_copy(update={"seq": 99, "text": "x" * 200_000})
    with pytest.raises(StoreError, match="full") as raised:
        Records(database).append("s1", big)
    assert raised.value.fault is StoreFault.FULL
    assert list(Records(database).events("s1").events) == kept
    Records(database).append("s1", kept[2].model_copy(update={"seq": 100, "text": "small"}))


def test_a_store_that_cannot_be_written_can_be_read(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = store_session(database)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    reading = Database.open()
    assert not reading.writable
    assert list(Records(reading).events("s1").events) == kept
    with pytest.raises(StoreError) as raised:
        Records(reading).append("s1", kept[2].model_copy(update={"seq": 99}))
    assert raised.value.fault is StoreFault.READ_ONLY
    reading.close()


def test_an_old_store_that_cannot_be_updated_says_so(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    database.close()
    raw = sqlite3.connect(store_path())
    raw.execute("PRAGMA user_version = 0")
    raw.close()
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(StoreError, match="older decode") as raised:
        Database.open()
    assert raised.value.fault is StoreFault.READ_ONLY


def test_a_database_that_another_process_keeps_is_told_as_busy(database: Database) -> None:
    store_session(database)
    context = multiprocessing.get_context("spawn")
    locked, done = context.Event(), context.Event()
    other = context.Process(target=keep_locked, args=(store_path(), locked, done))
    other.start()
    try:
        assert locked.wait(30)
        waiting = Database.open(busy_timeout_s=0.01)
        assert len(Sessions(waiting).recent()) == 1  # readers do not wait
        with pytest.raises(StoreError, match="busy") as raised:
            Sessions(waiting).rename("s1", "new")
        assert raised.value.fault is StoreFault.BUSY
        waiting.close()
    finally:
        done.set()
        other.join(30)
    Sessions(database).rename("s1", "new")


def keep_locked(path: Path, locked: ProcessEvent, done: ProcessEvent) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    locked.set()
    done.wait(30)
    connection.execute("ROLLBACK")
    connection.close()


def test_processes_that_make_the_store_at_once_all_get_it() -> None:
    context = multiprocessing.get_context("spawn")
    with context.Pool(4) as pool:
        made = pool.map(make_session, [f"s{number}" for number in range(8)])
    assert made == [None] * 8
    database = Database.open()
    assert {info.id for info in Sessions(database).recent()} == {f"s{number}" for number in range(8)}
    database.close()


def make_session(session_id: str) -> str | None:
    try:
        database = Database.open()
        store_session(database, session_id)
        database.close()
    except StoreError as error:
        return str(error)
    return None


def test_a_migration_that_fails_leaves_the_old_state(monkeypatch: pytest.MonkeyPatch, database: Database) -> None:
    kept = store_session(database)
    database.close()
    broken = (*MIGRATIONS, ("CREATE TABLE extra (x)", "CREATE TABLE extra (x)"))
    with monkeypatch.context() as tomorrow:
        for module in ("schema", "database"):
            tomorrow.setattr(f"decode_core.store.{module}.VERSION", VERSION + 1)
        tomorrow.setattr("decode_core.store.schema.MIGRATIONS", broken)
        with pytest.raises(StoreError):
            Database.open()
    again = Database.open()
    assert list(Records(again).events("s1").events) == kept
    with again.read() as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    again.close()


def test_an_older_database_is_brought_up_to_date(monkeypatch: pytest.MonkeyPatch, database: Database) -> None:
    kept = store_session(database)
    database.close()
    more = (*MIGRATIONS, ("CREATE TABLE extra (x)",))
    for module in ("schema", "database"):
        monkeypatch.setattr(f"decode_core.store.{module}.VERSION", VERSION + 1)
    monkeypatch.setattr("decode_core.store.schema.MIGRATIONS", more)
    updated = Database.open()
    assert list(Records(updated).events("s1").events) == kept
    with updated.read() as connection:
        assert connection.execute("SELECT count(*) FROM extra").fetchone() == (0,)
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION + 1,)
    updated.close()
