"""The folder where a session keeps full outputs of its commands, and the removal of those that others left behind.

A folder is locked while its session lives, so that a session that waits for days keeps its outputs; a crash gives the
lock back. Nothing outside `data_dir()/spill` is ever touched, and no link is followed.
"""

import fcntl
import logging
import os
import shutil
import stat
import time
from dataclasses import dataclass
from pathlib import Path

from decode_core.config import data_dir, make_private

logger = logging.getLogger(__name__)

MAX_AGE_S = 24 * 60 * 60
"""Folders of sessions that are gone are kept this long, in seconds since anything was last put into them."""


@dataclass(frozen=True)
class Spill:
    """The folder of one session (0700)."""

    folder: Path
    lock: int | None
    """Descriptor that holds the folder's lock; None where the file system knows no locks."""

    def remove(self) -> None:
        """Remove the folder and what is in it, and give the lock back."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.release()

    def release(self) -> None:
        """Give the lock back and leave the folder to a resume; forgotten, it is removed after a day."""
        if self.lock is not None:
            os.close(self.lock)


def spill_root() -> Path:
    """The folder of all spill folders."""
    return data_dir() / "spill"


def open_spill(session_id: str) -> Spill:
    """Make and lock the folder of a session. Raises ConfigError where it cannot be made."""
    folder = make_private(spill_root() / session_id)
    return Spill(folder.resolve(), _lock(folder))


def remove_abandoned(root: Path, *, now: float | None = None) -> list[str]:
    """Remove folders below `root` that nobody has locked or filled for a day; return their names.

    Faults are logged, never raised: what cannot be removed today can be tomorrow. `now` in seconds since the epoch.
    """
    oldest = (time.time() if now is None else now) - MAX_AGE_S
    removed: list[str] = []
    try:
        base = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        logger.debug("no spill folders to tidy: %s", error)
        return removed
    try:
        with os.scandir(base) as entries:
            names = sorted(entry.name for entry in entries)
        for name in names:
            try:
                if _remove_if_abandoned(base, name, oldest):
                    removed.append(name)
            except OSError as error:
                logger.info("the spill folder %s stays: %s", name, error)
    finally:
        os.close(base)
    return removed


def _remove_if_abandoned(base: int, name: str, oldest: float) -> bool:
    info = os.stat(name, dir_fd=base, follow_symlinks=False)
    if not stat.S_ISDIR(info.st_mode) or info.st_uid != os.getuid() or info.st_mtime > oldest:
        return False
    folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=base)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with os.scandir(folder) as entries:
            newest = max((entry.stat(follow_symlinks=False).st_mtime for entry in entries), default=0.0)
        if newest > oldest:
            return False
        # walks by descriptors and unlinks links instead of following them
        shutil.rmtree(name, dir_fd=base)
    except BlockingIOError:
        return False  # its session lives
    finally:
        os.close(folder)
    return True


def _lock(folder: Path) -> int | None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        logger.info("%s cannot be locked: %s", folder, error)
        os.close(descriptor)
        return None
    return descriptor
