"""The record of decisions as a chain (permissions.md §10): verdicts, answers and changes of the mode, none of which can
be changed or taken out without a trace.

Each record has the SHA-256 of the digest before it and its own line. The number of records and the last digest stand
in a file of their own, so that a tail that was cut off is missed. This finds accidents and careless hands; whoever can
act as the same user can write the whole chain anew.
"""

import hashlib
import json
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from decode_core.config import ConfigError, make_private
from decode_core.events import DecisionAnswered, EventBase, ModeChanged, PermissionDecided
from decode_core.store.database import Database
from decode_core.store.keys import session_key

logger = logging.getLogger(__name__)

AUDITED = (PermissionDecided, DecisionAnswered, ModeChanged)
"""The events that are records of decisions."""
AUDITED_TYPES = ("permission_decided", "decision_answered", "mode_changed")

START = "0" * 64
"""What the first record of a session follows."""


@dataclass(frozen=True)
class Head:
    """How many records a session has and the digest of the last one."""

    records: int = 0
    digest: str = START


@dataclass(frozen=True)
class Verified:
    """How many records were looked at, and what is wrong with them, one sentence each."""

    records: int
    faults: tuple[str, ...] = ()


def chain(connection: sqlite3.Connection, key: int, event_key: int, event: EventBase, line: str) -> Head | None:
    """Append an event to the chain of its session, inside the transaction that writes it; None for other events."""
    if not isinstance(event, AUDITED):
        return None
    before = _last(connection, key)
    head = Head(before.records + 1, _digest(before.digest, line))
    connection.execute("INSERT INTO audit VALUES (?, ?, ?, ?)", [event_key, key, head.records, head.digest])
    return head


def note_head(folder: Path, session_id: str, head: Head) -> None:
    """Note the head of a session's chain apart from the chain.

    A fault is logged: the record itself is written by then, and `verify` tells that its head is not noted.
    """
    file = head_file(folder, session_id)
    content = json.dumps({"records": head.records, "digest": head.digest}).encode()
    try:
        with _private(file) as descriptor:
            os.pwrite(descriptor, content, 0)
            os.ftruncate(descriptor, len(content))
    except (OSError, ConfigError) as error:
        logger.error("the head of the record of decisions cannot be noted in %s: %s", file, error)


def head_file(folder: Path, session_id: str) -> Path:
    """Where the head of a session's chain stands, below the folder of the store."""
    return folder / "audit" / f"{session_id}.head"


def verify(database: Database, session_id: str) -> Verified:
    """Look for records that were changed, taken out, put in, or cut off. Raises StoreError."""
    query = f"""
        SELECT e.seq, e.body, a.number, a.digest FROM events e LEFT JOIN audit a ON a.event = e.key
        WHERE e.session = ? AND e.type IN {AUDITED_TYPES} ORDER BY e.seq
    """  # noqa: S608
    faults: list[str] = []
    before = Head()
    with database.read() as connection:
        key = session_key(connection, session_id)
        rows = connection.execute(query, [key]).fetchall()
        chained = int(connection.execute("SELECT count(*) FROM audit WHERE session = ?", [key]).fetchone()[0])
    digests = {0: START}
    for seq, body, number, digest in rows:
        if number is None:
            faults.append(f"event {seq} is not in the chain: it was put in or its link was taken out")
            continue
        if number != before.records + 1:
            faults.append(f"between the records {before.records} and {number} records are missing")
        elif digest != _digest(before.digest, body):
            faults.append(f"record {number} (event {seq}) was changed")
        before = Head(number, digest)
        digests[number] = digest
    if chained > len(digests) - 1:
        faults.append(f"{chained - len(digests) + 1} records of the chain have lost their events")
    return Verified(len(rows), (*faults, *_against(_noted(database.path.parent, session_id), before, digests)))


def _against(noted: Head | None, last: Head, digests: dict[int, str]) -> Iterator[str]:
    """Hold the chain against the head that was noted apart. More records than noted is what a kill leaves behind."""
    if noted is None:
        if last.records:
            yield "the head that was noted apart is missing or unreadable: a cut tail cannot be found"
    elif noted.records > last.records:
        yield f"the tail is cut off: {noted.records} records were noted, {last.records} are there"
    elif digests.get(noted.records) != noted.digest:
        yield f"record {noted.records} is not the one that was noted apart"


def _last(connection: sqlite3.Connection, key: int) -> Head:
    query = "SELECT number, digest FROM audit WHERE session = ? ORDER BY number DESC LIMIT 1"
    row = connection.execute(query, [key]).fetchone()
    return Head(*row) if row else Head()


def _digest(before: str, line: str) -> str:
    return hashlib.sha256(f"{before}\n{line}".encode()).hexdigest()


def _noted(folder: Path, session_id: str) -> Head | None:
    try:
        data = json.loads(head_file(folder, session_id).read_bytes())
        return Head(int(data["records"]), str(data["digest"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


@contextmanager
def _private(file: Path) -> Iterator[int]:
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except FileNotFoundError:
        make_private(file.parent)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
