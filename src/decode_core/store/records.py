"""What happened in a session: its events and the messages of its model, written one by one and read back.

Every write is committed when the call returns; what that promises stands in `database`.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from pydantic import ValidationError

from decode_core.events import (
    AgentSelected,
    DecisionAnswered,
    DecisionRequested,
    Event,
    EventBase,
    ModeChanged,
    ModelChanged,
    SessionOpened,
    TurnFinished,
    TurnStarted,
    parse_event,
)
from decode_core.store.audit import Head, chain, note_head
from decode_core.store.database import Database, Durability
from decode_core.store.faults import StoreError, StoreFault
from decode_core.store.keys import session_key
from decode_core.store.lines import StoredMessage, line_of, searchable, storable
from decode_core.store.sessions import clean_title

E = TypeVar("E", bound=EventBase)

ON_DISK = (DecisionRequested, DecisionAnswered, TurnFinished)
"""Events that stand on the disk before anybody sees them, with everything before them: a question may wait for days."""


@dataclass(frozen=True)
class StoredEvents:
    """The events of a session that can be read, in order, and how many cannot."""

    events: tuple[Event, ...]
    unreadable: int = 0


class Records:
    """Events and messages of the sessions of a database. Every method raises StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, session_id: str, workspace: str, *, created: datetime | None = None) -> None:
        """Make an empty session. Raises EXISTS."""
        with self._database.write() as connection:
            self.create_in(connection, session_id, workspace, created=created or datetime.now(UTC))

    def create_in(self, connection: sqlite3.Connection, session_id: str, workspace: str, *, created: datetime) -> None:
        """Make an empty session inside a transaction. Raises EXISTS."""
        now = created.isoformat()
        try:
            connection.execute(
                "INSERT INTO sessions (id, workspace, created, changed) VALUES (?, ?, ?, ?)",
                [session_id, storable(workspace), now, now],
            )
        except sqlite3.IntegrityError:
            sentence = f"there is a session {session_id!r} already; give another id"
            raise StoreError(StoreFault.EXISTS, sentence) from None

    def append(self, session_id: str, *events: EventBase) -> None:
        """Write events, all or none, and return when they count."""
        on_disk = any(isinstance(event, ON_DISK) for event in events)
        with self._database.write(Durability.DISK if on_disk else Durability.PROCESS) as connection:
            key = session_key(connection, session_id)
            heads = [insert_event(connection, key, event) for event in events]
        if last := [head for head in heads if head is not None]:
            note_head(self._database.path.parent, session_id, last[-1])

    def put_messages(self, session_id: str, start: int, messages: Sequence[StoredMessage]) -> None:
        """Write messages of the model as number `start` (from 0) and on; what stood there and behind it goes."""
        with self._database.write() as connection:
            key = session_key(connection, session_id)
            connection.execute("DELETE FROM messages WHERE session = ? AND number >= ?", [key, start])
            connection.executemany(
                "INSERT INTO messages (session, number, after_seq, body) VALUES (?, ?, ?, ?)",
                [(key, start + place, message.after_seq, message.body) for place, message in enumerate(messages)],
            )

    def messages(self, session_id: str) -> list[StoredMessage]:
        """The messages of the model as they were put, in order."""
        query = "SELECT body, after_seq FROM messages WHERE session = ? ORDER BY number"
        with self._database.read() as connection:
            key = session_key(connection, session_id)
            return [StoredMessage(*row) for row in connection.execute(query, [key])]

    def events(self, session_id: str) -> StoredEvents:
        """The events of a session. Where the file is damaged, those that are readable."""
        read: list[Event] = []
        unreadable = 0
        for line in self._lines(session_id):
            try:
                if line is not None:
                    read.append(parse_event(line))
                    continue
            except ValidationError:
                pass  # a line that is no event is counted like one that cannot be read
            unreadable += 1
        return StoredEvents(tuple(read), unreadable)

    def latest(self, session_id: str, kind: type[E]) -> E | None:
        """The last event of a kind, None where there is none that can be read."""
        name = kind.model_fields["type"].default
        query = "SELECT body FROM events WHERE session = ? AND type = ? ORDER BY seq DESC LIMIT 1"
        with self._database.read() as connection:
            row = connection.execute(query, [session_key(connection, session_id), name]).fetchone()
        try:
            event = parse_event(row[0]) if row else None
        except ValidationError:
            return None
        return event if isinstance(event, kind) else None

    def _lines(self, session_id: str) -> Iterator[str | None]:
        """The lines of the events; None for one that cannot be read."""
        with self._database.read() as connection:
            key = session_key(connection, session_id)
            try:
                yield from [
                    line
                    for (line,) in connection.execute("SELECT body FROM events WHERE session = ? ORDER BY seq", [key])
                ]
                return
            except (sqlite3.DatabaseError, UnicodeDecodeError):
                pass  # a damaged page: what lies on others is read below, event by event
            for event_key in _event_keys(connection, key):
                try:
                    row = connection.execute("SELECT body FROM events WHERE key = ?", [event_key]).fetchone()
                    yield row[0] if row else None
                except (sqlite3.DatabaseError, UnicodeDecodeError):
                    yield None


def insert_event(connection: sqlite3.Connection, key: int, event: EventBase) -> Head | None:
    """Write one event inside a transaction, with what a search and a list say of it.

    Returns the new head of the chain of decisions where it is one; it has to be noted after the commit.
    """
    line = line_of(event)
    made = connection.execute(
        "INSERT INTO events (session, seq, type, body) VALUES (?, ?, ?, ?)",
        [key, event.seq, getattr(event, "type", ""), line],
    ).lastrowid
    assert made is not None  # noqa: S101 - an INSERT into a table with a row id gives one
    if text := searchable(event):
        connection.execute("INSERT INTO texts (rowid, body) VALUES (?, ?)", [made, text])
    connection.execute(
        "UPDATE sessions SET changed = ?, last_seq = ? WHERE key = ?", [event.ts.isoformat(), event.seq, key]
    )
    match event:
        case TurnStarted(prompt=prompt):
            connection.execute(
                "UPDATE sessions SET turns = turns + 1, title = CASE title WHEN '' THEN ? ELSE title END WHERE key = ?",
                [clean_title(prompt), key],
            )
        case SessionOpened(agent=agent, mode=mode, model=model):
            connection.execute(
                "UPDATE sessions SET agent = ?, mode = ?, model = ? WHERE key = ?",
                [storable(agent), mode, storable(model), key],
            )
        case AgentSelected(agent=agent):
            connection.execute("UPDATE sessions SET agent = ? WHERE key = ?", [storable(agent), key])
        case ModeChanged(to_mode=mode):
            connection.execute("UPDATE sessions SET mode = ? WHERE key = ?", [mode, key])
        case ModelChanged(model=model):
            connection.execute("UPDATE sessions SET model = ? WHERE key = ?", [storable(model), key])
        case DecisionRequested(id=question, call_id=str()):
            connection.execute("UPDATE sessions SET question = ? WHERE key = ?", [question, key])
        case DecisionAnswered(id=question):
            connection.execute("UPDATE sessions SET question = NULL WHERE key = ? AND question = ?", [key, question])
        case _:
            pass
    return chain(connection, key, made, event, line)


def _event_keys(connection: sqlite3.Connection, key: int) -> list[int]:
    """The keys of a session's events from the index alone, which lies on other pages than the events."""
    found: list[int] = []  # filled one by one: what was read before the damage is kept
    try:
        for (event_key,) in connection.execute("SELECT key FROM events WHERE session = ? ORDER BY seq", [key]):
            found.append(event_key)
    except sqlite3.DatabaseError:
        if not found:
            raise
    return found
