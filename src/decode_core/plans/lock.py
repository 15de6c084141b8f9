"""The lock that lets one writer into a plan: `.ledger.lock/owner.json`, as the publisher's writers take it.

Two walls. A kernel lock on the plan folder keeps our own writers apart and dies with its process. The lock folder,
made by `mkdir`, keeps the publisher's writers and ours apart. It is broken when its owner is dead, or when it is older
than 900 s and its owner cannot be looked at; never while the owner lives on this machine, however old it is: a gate
may run longer than that.
"""

import fcntl
import os
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from decode_core.plans.canonical import NotJsonError, parse_object, pretty_bytes
from decode_core.plans.errors import PlanError

LOCK_FOLDER = ".ledger.lock"

STALE_AFTER_S = 900
"""Seconds after which the publisher takes a lock over."""

OWNER_GRACE_S = 2.0
"""Seconds in which a writer between `mkdir` and its owner file is not disturbed."""

DEFAULT_WAIT_S = 5.0
"""Seconds to wait for a lock; longer than the grace, so that a writer's crash is got over."""

_POLL_S = 0.05


class LockedError(PlanError):
    """Another writer holds the plan."""


@dataclass(frozen=True)
class Clock:
    """The clock a lock reads; tests give their own."""

    now: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep


@dataclass
class PlanLock:
    """A lock that is held. `refresh` keeps it fresh during long work, so that the publisher does not steal it."""

    folder: Path
    identity: str
    clock: Clock = field(default_factory=Clock)

    def refresh(self) -> None:
        """Write the owner anew, with the present time. Raises PlanError when the lock was taken away."""
        owner = _owner_of(self.folder)
        if owner is None or owner.get("pid") != os.getpid():
            raise PlanError("the plan's lock was broken by another writer; nothing more is written")
        self.write_owner()

    def write_owner(self) -> None:
        """Put the owner file in place as a whole: a reader never sees half of it."""
        now = self.clock.now()
        owner = {
            "identity": self.identity,
            "pid": os.getpid(),
            "ts": datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "epoch_ts": now,
            "host": socket.gethostname(),
        }
        half = self.folder / f".owner.{os.getpid()}"
        half.write_bytes(pretty_bytes(owner))
        half.replace(self.folder / "owner.json")


@contextmanager
def hold_lock(
    plan: Path, identity: str, *, force: bool = False, wait_s: float = DEFAULT_WAIT_S, clock: Clock | None = None
) -> Iterator[PlanLock]:
    """Hold the plan folder's lock; wait up to `wait_s` seconds for it.

    `force` breaks the lock folder of a living owner, but never a kernel lock: that writer is one of ours, and alive.
    Raises LockedError with the owner's name.
    """
    clock = clock or Clock()
    deadline = clock.now() + wait_s
    try:
        descriptor = os.open(plan, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise PlanError(f"{plan} could not be opened: {error.strerror}") from None
    try:
        _wait(lambda: _take_kernel_lock(descriptor), deadline, clock, plan)
        lock = PlanLock(plan / LOCK_FOLDER, identity, clock)
        _wait(lambda: _make_folder(lock, force=force), deadline, clock, plan)
        try:
            lock.write_owner()
            yield lock
        finally:
            # somebody who forced the lock owns it now
            if (_owner_of(lock.folder) or {"pid": os.getpid()}).get("pid") == os.getpid():
                shutil.rmtree(lock.folder, ignore_errors=True)
    finally:
        os.close(descriptor)


def _wait(attempt: Callable[[], bool], deadline: float, clock: Clock, plan: Path) -> None:
    while not attempt():
        if clock.now() >= deadline:
            owner = _owner_of(plan / LOCK_FOLDER) or {}
            who = f"{owner.get('identity', 'another writer')} (process {owner.get('pid', 'unknown')})"
            raise LockedError(f"the plan is held by {who}; try again when it is done, or break its lock with --force")
        clock.sleep(_POLL_S)


def _take_kernel_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _make_folder(lock: PlanLock, *, force: bool) -> bool:
    if _made(lock.folder):
        return True
    if not force and not _is_stale(lock.folder, lock.clock.now()):
        return False
    _break(lock.folder)
    return _made(lock.folder)


def _made(folder: Path) -> bool:
    try:
        folder.mkdir()
    except FileExistsError:
        return False
    except OSError as error:
        raise PlanError(f"{folder} could not be made: {error.strerror}") from None
    return True


def _break(folder: Path) -> None:
    """Move the folder away first: of two that break it, one does, and neither removes a fresh one piece by piece."""
    grave = folder.with_name(f"{LOCK_FOLDER}.broken.{os.getpid()}")
    shutil.rmtree(grave, ignore_errors=True)
    with suppress(FileNotFoundError):
        folder.rename(grave)
    if grave.is_symlink() or not grave.is_dir():
        grave.unlink(missing_ok=True)
    shutil.rmtree(grave, ignore_errors=True)


def _is_stale(folder: Path, now: float) -> bool:
    owner = _owner_of(folder)
    if owner is None:
        try:
            return now - folder.lstat().st_mtime >= OWNER_GRACE_S
        except FileNotFoundError:
            return True
    pid, here = owner.get("pid"), owner.get("host") in (None, socket.gethostname())
    if here and isinstance(pid, int) and not isinstance(pid, bool):
        return not _lives(pid)
    written = owner.get("epoch_ts")
    return not isinstance(written, int | float) or now - written > STALE_AFTER_S


def _lives(pid: int) -> bool:
    if not 0 < pid < 2**31:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        # it is somebody else's, and alive
        return True
    return True


def _owner_of(folder: Path) -> dict[str, Any] | None:
    try:
        return parse_object((folder / "owner.json").read_bytes())
    except (OSError, NotJsonError):
        return None
