"""Keeps the draft of the prompt while it is written, so that it survives a crash (ui.md, keys.md §11)."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from decode_core.session import Session
from decode_ui.clock import Alarm, Clock

DRAFT_S = 0.5
"""A draft is written at most this often, in a thread; so much typing at most a crash costs."""


class DraftKeeper:
    """Writes the latest draft; `run` starts a worker, `on_kept` hears whether the store took it."""

    def __init__(
        self,
        session: Session,
        clock: Clock,
        run: Callable[[Coroutine[Any, Any, None]], object],
        on_kept: Callable[[bool], None],
    ) -> None:
        self._session = session
        self._clock = clock
        self._run = run
        self._on_kept = on_kept
        self._alarm: Alarm | None = None
        self._latest = self._written = ""
        self._writing = False

    def stands(self, text: str) -> None:
        """This draft came from the store, and needs no writing."""
        self._latest = self._written = text

    def changed(self, text: str) -> None:
        """The draft is another one; it is written once the keyboard had its time."""
        self._latest = text
        if self._alarm is None and not self._writing and text != self._written:
            self._alarm = self._clock.after(DRAFT_S, self._start)

    def keep_last(self, text: str) -> None:
        """Write the draft now: the screen goes away."""
        if self._alarm is not None:
            self._alarm.stop()
        # a write that is under way takes this text, too, so that it cannot undo what is written here
        self._latest = text
        self._session.keep_draft(text)

    def _start(self) -> None:
        self._run(self._write())

    async def _write(self) -> None:
        self._alarm, self._writing = None, True
        try:
            kept = await asyncio.to_thread(self._write_latest)
        finally:
            self._writing = False
        self._on_kept(kept)
        self.changed(self._latest)

    def _write_latest(self) -> bool:
        text = self._latest
        kept = self._session.keep_draft(text)
        # a draft that was refused is tried again with the next change, not for ever
        self._written = text
        return kept
