"""What can go wrong with the store. Kept apart from `sqlite_faults`, so that to know of it does not import SQLite."""

from enum import StrEnum


class StoreFault(StrEnum):
    """The kinds of faults."""

    NEWER = "newer"
    """The database was written by a newer decode; it is not touched."""
    BUSY = "busy"
    READ_ONLY = "read_only"
    FULL = "full"
    DAMAGED = "damaged"
    UNREACHABLE = "unreachable"
    """The file or its folder cannot be opened, or the disk reports errors."""
    HELD = "held"
    """Another process has the session."""
    NO_SUCH_SESSION = "no_such_session"
    EXISTS = "exists"
    """A session with this id is there already."""
    NOT_EXPORTED = "not_exported"
    UNFIT = "unfit"
    """The request makes no sense, such as a fork at an event that is not there."""


class StoreError(Exception):
    """The store cannot do what was asked. The message is one sentence for the person; nothing was changed."""

    def __init__(self, fault: StoreFault, sentence: str) -> None:
        super().__init__(sentence)
        self.fault = fault
