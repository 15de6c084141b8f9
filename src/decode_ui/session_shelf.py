"""The stored sessions, as the picker needs them. Every function may wait for the disk: call them in a thread."""

from dataclasses import dataclass, field
from pathlib import Path

from decode_core.events import AssistantMessage, DecisionRequested, TurnStarted
from decode_core.store.database import Database, store_path
from decode_core.store.export import export, form_of, write_export
from decode_core.store.fork import fork
from decode_core.store.holding import held_sessions
from decode_core.store.records import Records
from decode_core.store.sessions import SessionInfo, Sessions

MAX_READ = 5_000
"""Sessions whose titles are filtered at once; what was said in older ones is found by its words."""
MAX_HITS = 50


@dataclass(frozen=True)
class Shelf:
    """The latest sessions, and who has those that are open in another process."""

    sessions: tuple[SessionInfo, ...] = ()
    held: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Preview:
    """What a session was about: the last prompt, the last answer, and the question that waits."""

    session_id: str
    prompt: str = ""
    answer: str = ""
    question: DecisionRequested | None = None


def read_shelf() -> Shelf:
    """The sessions, the one that changed last first; none where there is no store. Raises StoreError."""
    if not store_path().exists():
        return Shelf()
    database = Database.open()
    try:
        holders = held_sessions(database.path.parent)
        held = {key: f"process {holder.pid}" if holder.pid else "another process" for key, holder in holders.items()}
        return Shelf(tuple(Sessions(database).recent(limit=MAX_READ)), held)
    finally:
        database.close()


def search_shelf(words: str) -> list[tuple[SessionInfo, str]]:
    """Sessions in which these words were said, each once, with the text around them. Raises StoreError."""
    database = Database.open()
    try:
        hits = Sessions(database).search(words, limit=MAX_HITS)
    finally:
        database.close()
    found = {hit.session.id: (hit.session, hit.excerpt) for hit in reversed(hits)}
    return list(found.values())[::-1]


def read_preview(session: SessionInfo) -> Preview:
    """Look into a session. Raises StoreError."""
    database = Database.open()
    try:
        records = Records(database)
        prompt, answer = records.latest(session.id, TurnStarted), records.latest(session.id, AssistantMessage)
        asked = records.latest(session.id, DecisionRequested) if session.question else None
    finally:
        database.close()
    return Preview(session.id, prompt.prompt if prompt else "", answer.text if answer else "", asked)


def rename_session(session_id: str, title: str) -> None:
    """Give it another title. Raises StoreError."""
    database = Database.open()
    try:
        Sessions(database).rename(session_id, title)
    finally:
        database.close()


def fork_session(session_id: str) -> SessionInfo:
    """Copy it whole. Raises StoreError."""
    database = Database.open()
    try:
        return fork(database, session_id)
    finally:
        database.close()


def export_session(session: SessionInfo, file: Path) -> None:
    """Write it to `file`, in the form that its name asks for. Raises StoreError."""
    database = Database.open()
    try:
        write_export(export(Records(database), session, form_of(file)), file)
    finally:
        database.close()


def delete_session(session_id: str) -> None:
    """Remove it for good. Raises StoreError, HELD where a process has it open."""
    database = Database.open()
    try:
        Sessions(database).delete(session_id)
    finally:
        database.close()
