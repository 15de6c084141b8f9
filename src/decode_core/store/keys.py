"""From the id of a session to the key of its row."""

import sqlite3

from decode_core.store.faults import StoreError, StoreFault


def session_key(connection: sqlite3.Connection, session_id: str) -> int:
    """The key of a session's row. Raises NO_SUCH_SESSION."""
    row = connection.execute("SELECT key FROM sessions WHERE id = ?", [session_id]).fetchone()
    if row is None:
        raise no_such(session_id)
    return int(row[0])


def no_such(session_id: str) -> StoreError:
    """The error for an id that is not there."""
    sentence = f"there is no session {session_id!r}; decode sessions list shows those that there are"
    return StoreError(StoreFault.NO_SUCH_SESSION, sentence)


def no_session_in(workspace: str) -> StoreError:
    """The error for a workspace without sessions."""
    return StoreError(StoreFault.NO_SUCH_SESSION, f"there is no session in {workspace} yet; start one with `decode`")
