"""How SQLite's faults become one sentence with a way out."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from decode_core.store.faults import StoreError, StoreFault


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn every fault of SQLite on the database at `path` into a StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        raise from_sqlite(error, path) from error


def from_sqlite(error: sqlite3.Error, path: Path) -> StoreError:
    """The StoreError for a fault of SQLite."""
    # the low byte is the primary code (https://www.sqlite.org/rescode.html); the rest refines it
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    fault, sentence = _SENTENCES.get(code, _OTHER)
    return StoreError(fault, sentence.format(path=path, error=error))


_OTHER = (StoreFault.UNREACHABLE, "the session store {path} failed ({error}); check the disk and its permissions")
_SENTENCES = {
    sqlite3.SQLITE_BUSY: (
        StoreFault.BUSY,
        "the session store {path} is busy; another decode is writing to it, try again in a moment",
    ),
    sqlite3.SQLITE_LOCKED: (
        StoreFault.BUSY,
        "the session store {path} is busy; another decode is writing to it, try again in a moment",
    ),
    sqlite3.SQLITE_READONLY: (
        StoreFault.READ_ONLY,
        "the session store {path} cannot be written; make it and its folder writable",
    ),
    sqlite3.SQLITE_FULL: (
        StoreFault.FULL,
        "the disk that holds the session store {path} is full; make room on it",
    ),
    sqlite3.SQLITE_CORRUPT: (
        StoreFault.DAMAGED,
        "the session store {path} is damaged; export what is readable with `decode sessions export`, "
        "then move the file away",
    ),
    sqlite3.SQLITE_NOTADB: (
        StoreFault.DAMAGED,
        "{path} is not a session store of decode; move the file away and start again",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        StoreFault.UNREACHABLE,
        "the session store {path} cannot be opened; check that its folder exists and is yours",
    ),
    sqlite3.SQLITE_IOERR: (
        StoreFault.UNREACHABLE,
        "the disk that holds the session store {path} reports an error ({error}); check the disk",
    ),
}
