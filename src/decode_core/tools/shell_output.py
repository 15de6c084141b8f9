"""The output of a command: its beginning and its end in memory, all of it in a private file once it is long."""

import codecs
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

MAX_SPILL_BYTES = 20_000_000
"""So much of one output is kept in a file; the rest is counted."""

MAX_PENDING_CHARS = 8_192
"""Live output that waits to be shown is cut to its newest part."""


@dataclass(frozen=True)
class OutputText:
    """What is told of an output: `text`, and where all of it lies if `text` leaves something out."""

    text: str
    spilled_to: Path | None = None
    note: str = ""
    """One sentence on what is missing and where it is; empty where nothing is."""


class Output:
    """Collects bytes in constant memory; `close` it when the command is over."""

    def __init__(self, folder: Path, max_bytes: int, max_lines: int) -> None:
        self._folder = folder
        self._room = max_bytes // 2
        self._max_lines = max_lines
        self._head = bytearray()
        self._tail = bytearray()
        self._total = 0
        self._spilled = 0
        self._spill: int | None = None
        self._path: Path | None = None
        self._spill_problem = ""
        self._live = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._pending = ""
        self._skipped = False

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes."""
        fits = self._total + len(chunk) <= 2 * self._room
        if not fits and self._path is None and not self._spill_problem:
            self._begin_spill()
        self._total += len(chunk)
        if self._spill is not None:
            self._write(chunk)
        free = self._room - len(self._head)
        self._head += chunk[:free]
        self._tail += chunk[free:] if free > 0 else chunk
        if len(self._tail) > 2 * self._room:
            del self._tail[: -self._room]
        self._pending += self._live.decode(chunk)
        if len(self._pending) > MAX_PENDING_CHARS:
            self._pending = self._pending[-MAX_PENDING_CHARS:]
            self._skipped = True

    def take_live(self) -> str:
        """The text since the last call, for showing while the command runs; a sign says that some was skipped."""
        text = f"…\n{self._pending}" if self._skipped else self._pending
        self._pending, self._skipped = "", False
        return text

    def close(self) -> None:
        """Close the file of the full output, if there is one."""
        if self._spill is not None:
            os.close(self._spill)
            self._spill = None

    def result(self) -> OutputText:
        """The beginning and the end as text, invalid UTF-8 replaced, and a note where something is left out."""
        if self._total <= 2 * self._room:
            whole = (self._head + self._tail).decode("utf-8", "replace")
            lines = whole.split("\n")
            if len(lines) - (lines[-1] == "") <= self._max_lines:
                return OutputText(whole)
            if self._path is None and not self._spill_problem:
                self._begin_spill()
                self.close()
            return self._shortened(whole, whole)
        # a cut character or line at the seam would be noise: both parts end at line ends where they can
        head = bytes(self._head)
        head = head[: head.rfind(b"\n") + 1] or head
        tail = bytes(self._tail[-self._room :])
        tail = tail[tail.find(b"\n") + 1 :] if b"\n" in tail[:-1] else tail
        return self._shortened(head.decode("utf-8", "replace"), tail.decode("utf-8", "replace"))

    def _shortened(self, head: str, tail: str) -> OutputText:
        half = max(self._max_lines // 2, 1)
        first = head.split("\n")[:half]
        last = tail.removesuffix("\n").split("\n")[-half:]
        where = self._where()
        seam = f"… ({self._total:,} bytes in all; the middle is left out) …"
        text = "\n".join(["\n".join(first).rstrip("\n"), seam, "\n".join(last)])
        note = f"The output has {self._total:,} bytes; its middle is left out here. {where}"
        return OutputText(text, spilled_to=self._path, note=note)

    def _where(self) -> str:
        if self._path is None:
            return f"The whole could not be kept ({self._spill_problem})."
        if self._spilled < self._total:
            return f"The first {self._spilled:,} bytes of it are in {self._path}."
        return f"The whole is in {self._path}; read it there."

    def _begin_spill(self) -> None:
        path = self._folder / f"bash-{secrets.token_hex(6)}.txt"
        try:
            self._spill = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as error:
            self._spill_problem = error.strerror or "no reason given"
            return
        self._path = path
        self._write(bytes(self._head + self._tail))

    def _write(self, data: bytes) -> None:
        if self._spill is None:
            return
        rest = memoryview(data)[: MAX_SPILL_BYTES - self._spilled]
        try:
            while rest:
                written = os.write(self._spill, rest)
                self._spilled += written
                rest = rest[written:]
        except OSError as error:
            self._spill_problem = error.strerror or "no reason given"
            self.close()
