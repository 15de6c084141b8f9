"""The session's record of events, and how they reach front ends.

Events are appended from any thread: stamped, kept (all but the shown-only ones), then delivered in order on the loop
of the session's owner. A store will stand behind `append`; the contract is already its own: what is kept is written
before anybody sees it.
"""

import asyncio
import itertools
import threading
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar

from decode_core.events import SHOWN_ONLY, EventBase

E = TypeVar("E", bound=EventBase)
Callback = Callable[[EventBase], object]
Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The time of an event."""
    return datetime.now(UTC)


class EventLog:
    """Stamps, keeps and delivers the events of one session."""

    def __init__(self, session_id: str, loop: asyncio.AbstractEventLoop, clock: Clock = utc_now) -> None:
        self.session_id = session_id
        self.turn_id: str | None = None
        self.agent_path: tuple[str, ...] = ()
        self._clock = clock
        self._loop = loop
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._kept: list[EventBase] = []
        self._outbox: deque[EventBase] = deque()
        self._woken = False
        self._callbacks: dict[int, Callback] = {}
        self._keys = itertools.count()

    @property
    def kept(self) -> tuple[EventBase, ...]:
        """Every stored event so far, in order."""
        with self._lock:
            return tuple(self._kept)

    def append(self, event: E) -> E:
        """Stamp and keep `event`, and deliver it. May be called from any thread; never blocks on a front end."""
        with self._lock:
            stamped = event.model_copy(
                update={
                    "seq": next(self._numbers),
                    "ts": self._clock(),
                    "session_id": self.session_id,
                    "turn_id": event.turn_id or self.turn_id,
                    "agent_path": event.agent_path or self.agent_path,
                }
            )
            if not isinstance(stamped, SHOWN_ONLY):
                self._kept.append(stamped)
            self._outbox.append(stamped)
            wake = not self._woken
            self._woken = True
        if wake:
            try:
                self._loop.call_soon_threadsafe(self._deliver)
            except RuntimeError:
                # the owner's loop is gone: what is kept stays kept, there is nobody left to show it to
                self._woken = False
        return stamped

    def subscribe(self, callback: Callback) -> Callable[[], None]:
        """Call `callback` with every event from now on, on the owner's loop; returns how to stop that."""
        key = next(self._keys)
        self._callbacks[key] = callback
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
