"""Sessions as rows: list, find, rename, delete, search. What happened in them is in `records`."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from decode_core.store.audit import head_file
from decode_core.store.database import Database
from decode_core.store.faults import StoreError, StoreFault
from decode_core.store.holding import Holding, hold
from decode_core.store.keys import no_session_in, no_such
from decode_core.store.lines import storable

MAX_TITLE = 200
"""Characters of a title."""


@dataclass(frozen=True)
class SessionInfo:
    """What a list says of a session. Times are UTC; `agent`, `mode` and `model` are the latest ones."""

    id: str
    title: str
    workspace: str
    agent: str
    mode: str
    model: str
    created: datetime
    changed: datetime
    turns: int
    last_seq: int
    forked_from: str | None = None
    forked_at: int | None = None
    question: str | None = None
    """The id of the question that waits for the person."""


@dataclass(frozen=True)
class Hit:
    """Where a search found something: the session, the event, and the text around it with the words in «»."""

    session: SessionInfo
    seq: int
    type: str
    excerpt: str


class Sessions:
    """The sessions of a database. Every method raises StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def recent(self, workspace: str | None = None, *, limit: int | None = None) -> list[SessionInfo]:
        """All sessions, or those of a workspace, the one that changed last first."""
        where = "" if workspace is None else "WHERE workspace = ?"
        given: list[Any] = [*([] if workspace is None else [storable(workspace)]), -1 if limit is None else limit]
        query = f"SELECT {COLUMNS} FROM sessions {where} ORDER BY changed DESC, key DESC LIMIT ?"  # noqa: S608
        with self._database.read() as connection:
            return [_info(row) for row in connection.execute(query, given)]

    def find(self, text: str) -> SessionInfo:
        """The session with this id, or the only one whose id begins like this. Raises NO_SUCH_SESSION."""
        query = f"SELECT {COLUMNS} FROM sessions WHERE id >= ?1 AND id < ?1 || char(1114111) ORDER BY id LIMIT 3"  # noqa: S608
        with self._database.read() as connection:
            found = [_info(row) for row in connection.execute(query, [storable(text)])] if text else []
        exact = [info for info in found if info.id == text]
        if exact or len(found) == 1:
            return (exact or found)[0]
        if found:
            sentence = f"several sessions begin with {text!r}; give more of the id (decode sessions list)"
        else:
            sentence = f"there is no session {text!r}; decode sessions list shows those that there are"
        raise StoreError(StoreFault.NO_SUCH_SESSION, sentence)

    def latest(self, workspace: str) -> SessionInfo:
        """The session of a workspace that changed last. Raises NO_SUCH_SESSION."""
        found = self.recent(workspace, limit=1)
        if not found:
            raise no_session_in(workspace)
        return found[0]

    def search(self, words: str, *, workspace: str | None = None, limit: int = 50) -> list[Hit]:
        """Where prompts, answers, subjects of calls, plans and notices hold all of `words`, the best fit first.

        Case and accents are ignored, a word also matches its longer forms. There is no query language: every sign
        that is no letter or digit parts words.
        """
        query = _query(words)
        if not query:
            return []
        columns = ", ".join(f"s.{column.strip()}" for column in COLUMNS.split(","))
        inside = "" if workspace is None else "AND s.workspace = ?2"
        text = f"""
            SELECT e.seq, e.type, snippet(texts, 0, '«', '»', '…', 16), {columns}
            FROM texts JOIN events e ON e.key = texts.rowid JOIN sessions s ON s.key = e.session
            WHERE texts MATCH ?1 {inside} ORDER BY texts.rank LIMIT ?3
        """  # noqa: S608
        with self._database.read() as connection:
            rows = connection.execute(text, [query, workspace and storable(workspace), limit])
            return [Hit(_info(row[3:]), row[0], row[1], row[2]) for row in rows]

    def rename(self, session_id: str, title: str) -> None:
        """Give a session another title, cut to 200 characters; one without text is refused."""
        words = clean_title(title)
        if not words:
            raise StoreError(StoreFault.UNFIT, "the title is empty; give the session a name")
        with self._database.write() as connection:
            done = connection.execute("UPDATE sessions SET title = ? WHERE id = ?", [words, session_id])
            _must_have_changed(done, session_id)

    def delete(self, session_id: str) -> None:
        """Remove a session with all that it holds. Raises HELD where a process has it open."""
        with self.holding(session_id):
            with self._database.write() as connection:
                row = connection.execute("SELECT key FROM sessions WHERE id = ?", [session_id]).fetchone()
                if row is None:
                    raise no_such(session_id)
                connection.execute("DELETE FROM texts WHERE rowid IN (SELECT key FROM events WHERE session = ?)", row)
                connection.execute("DELETE FROM sessions WHERE key = ?", row)
            head_file(self._database.path.parent, session_id).unlink(missing_ok=True)
            self._database.forget_deleted()

    def holding(self, session_id: str) -> Holding:
        """Take a session for this process; give it back with `release`, or as a context. Raises HELD."""
        return hold(self._database.path.parent, session_id)


def clean_title(text: str) -> str:
    """A text as a title: its words on one line, cut to 200 characters."""
    line = storable(" ".join(text[: 8 * MAX_TITLE].split()).replace("\0", ""))
    return line if len(line) <= MAX_TITLE else line[: MAX_TITLE - 1] + "…"


COLUMNS = (
    "id, title, workspace, agent, mode, model, created, changed, turns, last_seq, forked_from, forked_at, question"
)


def _info(row: tuple[Any, ...]) -> SessionInfo:
    session_id, title, workspace, agent, mode, model, created, changed, *rest = row
    times = datetime.fromisoformat(created), datetime.fromisoformat(changed)
    return SessionInfo(session_id, title, workspace, agent, mode, model, *times, *rest)


def _query(words: str) -> str:
    """Every word as a quoted prefix; nothing that was typed reaches the query language of FTS5."""
    parted = "".join(sign if sign.isalnum() else " " for sign in words[:1000]).split()
    return " ".join(f'"{word}"*' for word in parted[:20])


def _must_have_changed(done: sqlite3.Cursor, session_id: str) -> None:
    if done.rowcount == 0:
        raise no_such(session_id)
