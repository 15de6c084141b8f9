"""Forks: a session copied up to a point, to go on from there in another way."""

import sqlite3
import uuid
from datetime import UTC, datetime

from decode_core.store.audit import note_head
from decode_core.store.database import Database
from decode_core.store.faults import StoreError, StoreFault
from decode_core.store.keys import session_key
from decode_core.store.records import Records, insert_event
from decode_core.store.sessions import SessionInfo, Sessions, clean_title


def fork(database: Database, session_id: str, at: int | None = None, *, new_id: str | None = None) -> SessionInfo:
    """Copy a session up to the event `at`, all of it by default; return the copy.

    A fork at a prompt ends before it, so that it can be written anew; at anything else it ends after it. The model's
    history is cut at the same place. Raises StoreError: NO_SUCH_SESSION, UNFIT for an event that is not there or
    leaves nothing, EXISTS for an id that is taken.
    """
    source = Sessions(database).find(session_id)
    if at is None:
        last = source.last_seq
    else:
        with database.read() as connection:
            last = _last_kept(connection, source.id, at)
    events = Records(database).events(source.id).events
    copy = new_id or uuid.uuid4().hex[:12]
    records = Records(database)
    with database.write() as connection:
        records.create_in(connection, copy, source.workspace, created=datetime.now(UTC))
        key = session_key(connection, copy)
        connection.execute(
            "UPDATE sessions SET title = ?, forked_from = ?, forked_at = ? WHERE key = ?",
            [clean_title(f"{source.title} (fork)"), source.id, last, key],
        )
        kept = [event.model_copy(update={"session_id": copy}) for event in events if event.seq <= last]
        heads = [head for event in kept if (head := insert_event(connection, key, event)) is not None]
        connection.execute(
            "INSERT INTO messages (session, number, after_seq, body) SELECT ?, number, after_seq, body "
            "FROM messages WHERE session = ? AND (after_seq < ? OR ?) ORDER BY number",
            [key, session_key(connection, source.id), last, at is None],
        )
        # a copy is new, however old what it holds
        connection.execute("UPDATE sessions SET changed = created WHERE key = ?", [key])
    if heads:
        note_head(database.path.parent, copy, heads[-1])
    return Sessions(database).find(copy)


def _last_kept(connection: sqlite3.Connection, session_id: str, at: int) -> int:
    key = session_key(connection, session_id)
    row = connection.execute("SELECT type FROM events WHERE session = ? AND seq = ?", [key, at]).fetchone()
    if row is None:
        sentence = f"the session {session_id} has no event {at}; decode sessions show {session_id} tells the numbers"
        raise StoreError(StoreFault.UNFIT, sentence)
    if row[0] != "turn_started":
        return at
    before = connection.execute("SELECT max(seq) FROM events WHERE session = ? AND seq < ?", [key, at]).fetchone()[0]
    if before is None:
        raise StoreError(StoreFault.UNFIT, "nothing stands before this prompt; start a new session instead")
    return int(before)
