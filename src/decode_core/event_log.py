"""The session's record of events, and how they reach front ends.

Events are appended from any thread: stamped, kept (all but the shown-only ones), then delivered in order on the loop
of the session's owner. What is kept is written to the store before anybody sees it; where that fails it is kept in
memory, the person is told, and `fault` says why, so that no call runs on a decision without a record.
"""

import asyncio
import contextvars
import itertools
import threading
from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TypeVar

from decode_core.events import SHOWN_ONLY, EventBase, NoticeLevel, NoticeRaised

E = TypeVar("E", bound=EventBase)
Callback = Callable[[EventBase], object]
Clock = Callable[[], datetime]
Write = Callable[[EventBase], str | None]
"""Writes an event for good; returns why that cannot be done, None where everything so far is written."""


def utc_now() -> datetime:
    """The time of an event."""
    return datetime.now(UTC)


class EventLog:
    """Stamps, keeps and delivers the events of one session; goes on from those `before`, where it is resumed."""

    def __init__(
        self,
        session_id: str,
        loop: asyncio.AbstractEventLoop,
        clock: Clock = utc_now,
        *,
        write: Write | None = None,
        before: Sequence[EventBase] = (),
    ) -> None:
        self.session_id = session_id
        self.turn_id: str | None = None
        self.agent_path: tuple[str, ...] = ()
        self._clock = clock
        self._loop = loop
        self._write = write
        self._fault: str | None = None
        self._last_seq = before[-1].seq if before else 0
        self._lock = threading.Lock()
        self._kept: list[EventBase] = list(before)
        self._outbox: deque[EventBase] = deque()
        self._woken = False
        self._callbacks: dict[int, Callback] = {}
        self._keys = itertools.count()

    @property
    def kept(self) -> tuple[EventBase, ...]:
        """Every stored event so far, in order."""
        with self._lock:
            return tuple(self._kept)

    @property
    def last_seq(self) -> int:
        """The number of the last event, the shown-only ones included."""
        return self._last_seq

    @property
    def fault(self) -> str | None:
        """Why something that was kept is not written, None where everything is."""
        return self._fault

    def append(self, event: E) -> E:
        """Stamp and keep `event`, and deliver it. May be called from any thread; never blocks on a front end."""
        with self._lock:
            self._last_seq += 1
            stamped = event.model_copy(
                update={
                    "seq": self._last_seq,
                    "ts": self._clock(),
                    "session_id": self.session_id,
                    "turn_id": event.turn_id or self.turn_id,
                    "agent_path": event.agent_path or self.agent_path,
                }
            )
            if not isinstance(stamped, SHOWN_ONLY):
                self._kept.append(stamped)
                before, self._fault = self._fault, self._write(stamped) if self._write is not None else None
                told = _told(before, self._fault)
            else:
                told = None
            self._outbox.append(stamped)
            wake = not self._woken
            self._woken = True
        if wake:
            try:
                self._loop.call_soon_threadsafe(self._deliver)
            except RuntimeError:
                # the owner's loop is gone: what is kept stays kept, there is nobody left to show it to
                self._woken = False
        if told is not None:
            self.append(told)
        return stamped

    def subscribe(self, callback: Callback) -> Callable[[], None]:
        """Call `callback` with every event from now on, on the owner's loop; returns how to stop that.

        It runs in the context of this call, whichever thread an event comes from: an interface finds its application.
        """
        key = next(self._keys)
        context = contextvars.copy_context()
        self._callbacks[key] = lambda event: context.run(callback, event)
        return lambda: self._callbacks.pop(key, None) and None

    def _deliver(self) -> None:
        with self._lock:
            batch, self._outbox = self._outbox, deque()
            self._woken = False
        for event in batch:
            for callback in tuple(self._callbacks.values()):
                try:
                    callback(event)
                except Exception as error:
                    # one that fails is reported like any callback of the loop; the others still hear of everything
                    told = {"message": "a subscriber of the session raised", "exception": error}
                    self._loop.call_exception_handler(told)


def _told(before: str | None, now: str | None) -> NoticeRaised | None:
    """What the person hears when writing begins to fail, and when it works again."""
    if now is not None and before is None:
        hint = "nothing is lost while decode runs; calls do not run until it is mended"
        return NoticeRaised(level=NoticeLevel.ERROR, text=f"This session is not being stored: {now}.", hint=hint)
    if now is None and before is not None:
        return NoticeRaised(level=NoticeLevel.INFO, text="The session is stored again, nothing is missing.")
    return None
