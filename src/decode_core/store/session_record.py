"""The record of the session that is open: every event and message goes through here to the disk.

Nothing is opened before the first prompt, which keeps SQLite off the way to the first frame and sessions without a
prompt out of the list. What could not be written is kept and written with the next event that can be.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from decode_core.events import EventBase, ShellLineStarted, TurnStarted
from decode_core.store.faults import StoreError
from decode_core.store.lines import StoredMessage, storable

if TYPE_CHECKING:
    from decode_core.store.database import Database
    from decode_core.store.holding import Holding
    from decode_core.store.prompts import Prompts

logger = logging.getLogger(__name__)

RETRY_S = 2.0
"""A store that failed is tried again after this time, not at every event: a busy one is waited for each time."""
BUSY_TIMEOUT_S = 1.0


class SessionRecord:
    """Writes one session. Thread-safe; nothing of it raises StoreError: a fault is a sentence."""

    def __init__(
        self,
        session_id: str,
        workspace: str,
        *,
        resumed: "tuple[Database, Holding] | None" = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session_id = session_id
        self._workspace = storable(workspace)
        self._clock = clock
        self._lock = threading.Lock()
        self._database: Database | None = None
        self._holding: Holding | None = None
        if resumed is not None:
            self._database, self._holding = resumed
        self._stands = resumed is not None
        """Whether the session has its row."""
        self._wanted = self._stands
        self._pending: list[EventBase] = []
        self._messages: list[StoredMessage] = []
        self._messages_from: int | None = None
        """Number of the first message that waits, None where none does; an empty list takes messages away."""
        self._fault: str | None = None
        self._failed_at = float("-inf")
        self._closed = False

    @property
    def fault(self) -> str | None:
        """Why something that happened is not on the disk, None where everything is."""
        return self._fault

    def write(self, event: EventBase) -> str | None:
        """Write an event, and what waits before it; return why that cannot be done, None where it is written.

        Events before the first prompt, or the first line of the person's own, wait for it.
        """
        with self._lock:
            self._pending.append(event)
            if isinstance(event, TurnStarted | ShellLineStarted):
                self._wanted = True
            return self._flush()

    def put_messages(self, start: int, messages: Sequence[StoredMessage]) -> str | None:
        """Write messages of the model as number `start` and on, in place of what stood there; faults as for `write`."""
        with self._lock:
            if self._messages_from is None or start < self._messages_from:
                self._messages_from, self._messages = start, list(messages)
            else:
                self._messages[start - self._messages_from :] = messages
            return self._flush()

    def typed(self) -> tuple[list[str], str]:
        """The prompts that were sent in this workspace, the latest last, and the draft; makes no store."""
        from decode_core.store.database import store_path
        from decode_core.store.prompts import Prompts

        with self._lock:
            try:
                if self._closed or (self._database is None and not store_path().exists()):
                    return [], ""
                prompts = Prompts(self._opened())
                return prompts.history(self._workspace), prompts.draft(self._workspace)
            except StoreError as error:
                logger.warning("the prompts of %s cannot be read: %s", self._workspace, error)
                return [], ""

    def remember(self, prompt: str) -> None:
        """Put a prompt into the history of the workspace, if the store takes it."""
        self._note(lambda prompts: prompts.remember(self._workspace, prompt))

    def keep_draft(self, text: str) -> bool:
        """Keep what is in the prompt for the next time; whether the store took it. An empty text removes what was kept.

        May be called from any thread.
        """
        from decode_core.store.database import store_path

        if not text.strip() and not store_path().exists():
            return True
        return self._note(lambda prompts: prompts.keep_draft(self._workspace, text))

    def keep_answer(self, question_id: str, text: str) -> None:
        """Keep what was begun of an answer to a question, if the store takes it; an empty text removes it."""
        self._note(lambda prompts: prompts.keep_draft(self._place_of(question_id), text))

    def kept_answer(self, question_id: str) -> str:
        """What was begun of an answer, empty where nothing was."""
        from decode_core.store.prompts import Prompts

        with self._lock:
            try:
                return "" if self._closed else Prompts(self._opened()).draft(self._place_of(question_id))
            except StoreError as error:
                logger.warning("what was begun of an answer cannot be read: %s", error)
                return ""

    def _place_of(self, question_id: str) -> str:
        # drafts of prompts stand under the absolute path of their workspace: never under such a name
        return f"question {question_id} of {self._session_id}"

    def _note(self, change: "Callable[[Prompts], None]") -> bool:
        from decode_core.store.prompts import Prompts

        with self._lock:
            try:
                if not self._closed:
                    change(Prompts(self._opened()))
            except StoreError as error:
                # a convenience: what the session itself must not lose has its own notice
                logger.warning("what was typed in %s is not kept: %s", self._workspace, error)
                return False
            return True

    def close(self) -> None:
        """Write what waits, give the session back and close the store; calling it again does nothing."""
        with self._lock:
            if self._closed:
                return
            self._failed_at = float("-inf")
            if self._pending or self._messages_from is not None:
                self._flush()
            self._closed = True
            if self._fault is not None:
                logger.error("the session %s is not wholly stored: %s", self._session_id, self._fault)
            if self._holding is not None:
                self._holding.release()
            if self._database is not None:
                self._database.close()

    def _flush(self) -> str | None:
        if self._closed:
            return "the session was closed"
        if not self._wanted:
            return None
        if self._fault is not None and self._clock() - self._failed_at < RETRY_S:
            return self._fault
        try:
            self._write_all(self._opened())
        except StoreError as error:
            self._fault, self._failed_at = str(error), self._clock()
        except Exception as error:
            # a fault of ours must neither end the session nor let calls run without a record
            logger.exception("the session %s cannot be written", self._session_id)
            self._fault, self._failed_at = f"unexpected {type(error).__name__}: {error}", self._clock()
        else:
            self._fault = None
        return self._fault

    def _opened(self) -> "Database":
        if self._database is None:
            from decode_core.store.database import Database

            self._database = Database.open(busy_timeout_s=BUSY_TIMEOUT_S)
        return self._database

    def _write_all(self, database: "Database") -> None:
        from decode_core.store.holding import hold
        from decode_core.store.records import Records

        records = Records(database)
        if self._holding is None:
            self._holding = hold(database.path.parent, self._session_id)
        if not self._stands:
            records.create(self._session_id, self._workspace, created=self._pending[0].ts if self._pending else None)
            self._stands = True
        if self._pending:
            records.append(self._session_id, *self._pending)
            self._pending.clear()
        if self._messages_from is not None:
            records.put_messages(self._session_id, self._messages_from, self._messages)
            self._messages_from, self._messages = None, []
