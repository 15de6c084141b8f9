"""The database file: where it lies, how it is opened, and the transactions on it.

What a commit promises. The journal is a write-ahead log with `synchronous = NORMAL`: what was committed survives the
death of the program at any moment, `kill -9` included; after a power cut or a crash of the operating system the
database is sound, but the commits of the last moments may be missing. Where that is not enough, as before a question to
the person, a transaction is `Durability.DISK`: it returns when the disk has it and everything before it.
"""

import os
import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path

from decode_core.config import ConfigError, data_dir, make_private
from decode_core.store.faults import StoreError, StoreFault
from decode_core.store.schema import VERSION, check_version, migrate
from decode_core.store.sqlite_faults import translated

FILE_NAME = "sessions.db"
BUSY_TIMEOUT_S = 5.0
"""How long a transaction waits for that of another process; one of ours takes about a tenth of a millisecond."""

_PRIVATE_MODE = 0o600


class Durability(Enum):
    """When a transaction returns."""

    PROCESS = "NORMAL"
    """When it survives the death of this process."""
    DISK = "FULL"
    """When it survives a power cut; costs a write to the disk, some milliseconds."""


def store_path() -> Path:
    """The database of the person who runs the program."""
    return data_dir() / FILE_NAME


class Database:
    """One connection for the whole process. All methods may be called from any thread; transactions take turns."""

    def __init__(self, path: Path, connection: sqlite3.Connection, *, writable: bool) -> None:
        self.path = path
        self.writable = writable
        """False where the disk or the file forbids writing; reading works."""
        self._connection = connection
        self._lock = threading.RLock()
        self._durability = Durability.PROCESS

    @classmethod
    def open(cls, path: Path | None = None, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> "Database":
        """Open the database, making or updating it where needed.

        Raises StoreError; a database that is newer, foreign or damaged is left as it is.
        """
        path = path or store_path()
        try:
            folder = make_private(path.parent)
        except ConfigError as error:
            raise StoreError(StoreFault.UNREACHABLE, str(error)) from error
        writable = _may_write(path, folder)
        if writable:
            _make_file(path)
        with translated(path):
            connection = _connect(path, busy_timeout_s, writable=writable)
            try:
                _prepare(connection, path, writable=writable)
            except BaseException:
                connection.close()
                raise
        return cls(path, connection, writable=writable)

    def close(self) -> None:
        """Close the connection; calling it again does nothing."""
        with self._lock, translated(self.path):
            self._connection.close()

    @contextmanager
    def write(self, durability: Durability = Durability.PROCESS) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it is committed at the end, or nothing where anything is raised. Raises StoreError."""
        with self._lock, translated(self.path):
            self._set(durability)
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                # a full disk ends the transaction by itself
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A view of one moment. Raises StoreError."""
        with self._lock, translated(self.path):
            if self._connection.in_transaction:
                yield self._connection
                return
            self._connection.execute("BEGIN")
            try:
                yield self._connection
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def forget_deleted(self) -> None:
        """See to it that deleted text stands neither in the search index nor in the journal any more."""
        with self.write(Durability.DISK) as connection:
            connection.execute("INSERT INTO texts (texts) VALUES ('optimize')")
        with self._lock, translated(self.path):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _set(self, durability: Durability) -> None:
        if self._durability is not durability:
            self._connection.execute(f"PRAGMA synchronous = {durability.value}")
            self._durability = durability


def _may_write(path: Path, folder: Path) -> bool:
    return os.access(folder, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


def _make_file(path: Path) -> None:
    """Make the file before SQLite would, which gives it and its journals our mode bits."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _PRIVATE_MODE))
        info = path.stat()
        if info.st_uid == os.getuid() and stat.S_IMODE(info.st_mode) & 0o077:
            path.chmod(_PRIVATE_MODE)
    except OSError as error:
        sentence = f"the session store {path} cannot be opened ({error.strerror}); check its folder"
        raise StoreError(StoreFault.UNREACHABLE, sentence) from error


def _connect(path: Path, busy_timeout_s: float, *, writable: bool) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.as_uri()}?mode={'rw' if writable else 'ro'}",
        uri=True,
        timeout=busy_timeout_s,
        isolation_level=None,  # transactions are begun and ended here, by name
        check_same_thread=False,  # guarded by our lock
        cached_statements=64,
    )


def _prepare(connection: sqlite3.Connection, path: Path, *, writable: bool) -> None:
    # before anything is written: a newer or foreign file is not touched, not even its journal mode
    version = check_version(connection, path)
    connection.execute("PRAGMA foreign_keys = ON")
    # a damaged or prepared file may not run functions from its schema (https://www.sqlite.org/security.html)
    connection.execute("PRAGMA trusted_schema = OFF")
    if not writable:
        if version != VERSION:
            sentence = f"the session store {path} is of an older decode and cannot be updated; make it writable"
            raise StoreError(StoreFault.READ_ONLY, sentence)
        return
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA secure_delete = ON")
    migrate(connection, path)
