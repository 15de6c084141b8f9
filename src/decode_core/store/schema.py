"""The tables of the store and how older databases are brought up to date.

The number of migrations that a database has seen is its `user_version`. A migration is never edited once released: a
change of the tables is a new one. All that are missing run in one transaction, so that a crash leaves the old state.
"""

import sqlite3
from pathlib import Path

from decode_core.store.faults import StoreError, StoreFault

APPLICATION_ID = 0x64656364
"""`decd`: marks the file as ours (`PRAGMA application_id`)."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        # `key` keeps events small; `id` is what people see. `agent`, `mode` and `model` are the latest ones.
        """CREATE TABLE sessions (
            key INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            title TEXT NOT NULL DEFAULT '',
            workspace TEXT NOT NULL,
            agent TEXT NOT NULL DEFAULT '',
            mode TEXT NOT NULL DEFAULT '',
            model TEXT NOT NULL DEFAULT '',
            created TEXT NOT NULL,
            changed TEXT NOT NULL,
            turns INTEGER NOT NULL DEFAULT 0,
            last_seq INTEGER NOT NULL DEFAULT 0,
            forked_from TEXT,
            forked_at INTEGER
        ) STRICT""",
        "CREATE INDEX sessions_by_change ON sessions (changed DESC)",
        "CREATE INDEX sessions_by_workspace ON sessions (workspace, changed DESC)",
        # one event as its line of JSON
        """CREATE TABLE events (
            key INTEGER PRIMARY KEY,
            session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
            seq INTEGER NOT NULL,
            type TEXT NOT NULL,
            body TEXT NOT NULL,
            UNIQUE (session, seq)
        ) STRICT""",
        # one message of the model's history; `after_seq` is the last event that stood before it was written
        """CREATE TABLE messages (
            key INTEGER PRIMARY KEY,
            session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            after_seq INTEGER NOT NULL,
            body TEXT NOT NULL,
            UNIQUE (session, number)
        ) STRICT""",
        # what can be searched: prompts, answers, subjects of calls and plans; rowid is the key of the event
        "CREATE VIRTUAL TABLE texts USING fts5 (body, tokenize = 'unicode61 remove_diacritics 2')",
        "CREATE TABLE drafts (workspace TEXT PRIMARY KEY, text TEXT NOT NULL, changed TEXT NOT NULL) STRICT",
        """CREATE TABLE prompts (
            key INTEGER PRIMARY KEY,
            workspace TEXT NOT NULL,
            text TEXT NOT NULL
        ) STRICT""",
        "CREATE INDEX prompts_by_workspace ON prompts (workspace, key)",
    ),
    (
        # the chain of the records of decisions, see `audit`; `number` counts them from 1 in each session
        """CREATE TABLE audit (
            event INTEGER PRIMARY KEY,
            session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            digest TEXT NOT NULL,
            UNIQUE (session, number)
        ) STRICT""",
    ),
    # the id of the question that waits for the person, for lists
    ("ALTER TABLE sessions ADD COLUMN question TEXT",),
)

VERSION = len(MIGRATIONS)


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the database up to date.

    Raises StoreError, and writes nothing, where it is newer than this program or belongs to another one.
    """
    if check_version(connection, path) == VERSION:
        return
    # two processes may come here at once: whoever has the lock looks again
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = check_version(connection, path)
        for migration in MIGRATIONS[version:]:
            for statement in migration:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def check_version(connection: sqlite3.Connection, path: Path) -> int:
    """The version of the database, 0 for an empty one. Raises StoreError for a newer or a foreign one."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    owner = int(connection.execute("PRAGMA application_id").fetchone()[0])
    tables = int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    if owner != APPLICATION_ID and (owner, version, tables) != (0, 0, 0):
        sentence = f"{path} belongs to another program; move it away or set XDG_DATA_HOME to another folder"
        raise StoreError(StoreFault.DAMAGED, sentence)
    if version > VERSION:
        sentence = (
            f"the session store {path} was written by a newer decode (version {version}, this one knows {VERSION}); "
            "install that one, or set XDG_DATA_HOME to another folder"
        )
        raise StoreError(StoreFault.NEWER, sentence)
    return version
