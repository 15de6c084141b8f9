"""One writer per session: whoever has the lock of a session's file writes to it, everybody else reads.

The lock is the operating system's and ends with its process, however that dies. What stands in the file only tells
people who holds it: process, boot and time.
"""

import fcntl
import json
import os
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from decode_core.config import ConfigError, make_private
from decode_core.store.faults import StoreError, StoreFault

_ATTEMPTS = 3
"""Who only looks at a lock has it for some microseconds: one that is taken is tried again before that is believed."""
_PAUSE_S = 0.01

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True)
class Holder:
    """Who has a session. None where the file does not tell."""

    pid: int | None = None
    since: datetime | None = None

    def __str__(self) -> str:
        who = "another process" if self.pid is None else f"process {self.pid}"
        return who if self.since is None else f"{who} since {self.since:%Y-%m-%d %H:%M} UTC"


class Holding:
    """A session that this process may write to, until `release`."""

    def __init__(self, descriptor: int, path: Path) -> None:
        self._descriptor: int | None = descriptor
        self._path = path

    def __enter__(self) -> "Holding":
        return self

    def __exit__(self, *fault: object) -> None:
        self.release()

    def release(self) -> None:
        """Give the session back; calling it again does nothing."""
        if self._descriptor is not None:
            # removed while it is still locked, so that nobody's fresh lock loses its name
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None


def hold(folder: Path, session_id: str) -> Holding:
    """Take the session for this process.

    Raises StoreError: HELD, with the holder's name, where another one has it; UNREACHABLE where no lock can be made.
    """
    path = _lock_file(folder, session_id)
    try:
        make_private(path.parent)
        for attempt in range(_ATTEMPTS):
            if attempt:
                time.sleep(_PAUSE_S)
            descriptor = _lock(path)
            if descriptor is not None:
                return Holding(descriptor, path)
        holder = _holder_at(path)
    except (OSError, ConfigError) as error:
        sentence = f"the session {session_id} cannot be locked at {path} ({error}); check its folder"
        raise StoreError(StoreFault.UNREACHABLE, sentence) from error
    sentence = (
        f"the session {session_id} is open in {holder}; close it there, or work on a copy: "
        f"`decode sessions fork {session_id}`"
    )
    raise StoreError(StoreFault.HELD, sentence)


def held_sessions(folder: Path) -> dict[str, Holder]:
    """The sessions that some process has now, with who has each."""
    try:
        ids = [file.stem for file in (folder / "held").iterdir() if file.suffix == ".lock"]
    except OSError:
        return {}
    return {session_id: holder for session_id in ids if (holder := holder_of(folder, session_id)) is not None}


def holder_of(folder: Path, session_id: str) -> Holder | None:
    """Who has the session now, None where nobody has."""
    try:
        descriptor = os.open(_lock_file(folder, session_id), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    except OSError:
        return Holder()
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read(descriptor)
    finally:
        os.close(descriptor)
    return None


def _lock(path: Path) -> int | None:
    """The descriptor that has the lock, None where it cannot be had now."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # given back between our opening and our locking, the file that we locked has no name any more
        if _is_still(path, descriptor):
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, _describe_us(), 0)
            return descriptor
    except BlockingIOError:
        pass  # somebody has it
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


def _holder_at(path: Path) -> Holder:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return Holder()
    try:
        return _read(descriptor)
    finally:
        os.close(descriptor)


def _lock_file(folder: Path, session_id: str) -> Path:
    if not session_id or not all(sign.isalnum() or sign in "-_" for sign in session_id):
        raise StoreError(StoreFault.UNFIT, f"{session_id!r} cannot be the id of a session; use letters and digits")
    return folder / "held" / f"{session_id}.lock"


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(follow_symlinks=False), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _describe_us() -> bytes:
    since = datetime.now(UTC).isoformat(timespec="seconds")
    return json.dumps({"pid": os.getpid(), "boot": _boot(), "since": since}).encode()


def _boot() -> str:
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _read(descriptor: int) -> Holder:
    try:
        data = json.loads(os.pread(descriptor, 4096, 0))
        return Holder(int(data["pid"]), datetime.fromisoformat(data["since"]))
    except (ValueError, KeyError, TypeError, OSError):
        return Holder()
