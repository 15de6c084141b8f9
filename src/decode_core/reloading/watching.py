"""Watches files and folders of decode's own in a thread of its own, and says when what is there has changed.

Editors save in many ways: rename over, truncate and write, by temporary files. So a notification only makes the
watcher look; what counts is a fingerprint of the files that matter, taken once they hold still. One save is one call,
whatever happened around it. Folders may come and go: the nearest one that exists is watched, never a whole tree.
"""

import logging
import os
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

logger = logging.getLogger(__name__)

STEP_MS = 60
"""Changes that follow each other this closely are one; also how often the thread looks whether it should stop."""
GATHER_MS = 150
"""Changes are gathered no longer than this."""
CHECK_MS = 1_000
"""How often folders are looked for that are not there yet, and files where notifications do not work."""
SETTLE_S = 0.03
"""Files must be the same twice, this long apart."""

_MAX_SETTLING = 20
_JOIN_S = 5.0

FileState = tuple[int, int, int, int] | None


@dataclass(frozen=True)
class Subject:
    """Something to watch.

    `folders` names the folders whose direct entries matter; those that are missing are waited for. `fingerprint` tells
    two states apart and never raises. `on_change` is called on the watcher's thread after a change. `seen` is the
    fingerprint of what was loaded already: a change since then is not missed.
    """

    folders: Callable[[], Iterable[Path]]
    fingerprint: Callable[[], Hashable]
    on_change: Callable[[], object]
    seen: Hashable = None


def file_state(path: Path) -> FileState:
    """What tells two versions of a file apart, links followed; None where nothing stands."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def folder_state(folder: Path, counts: Callable[[str], bool]) -> Hashable:
    """The states of a folder's entries whose names count; None where it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if counts(entry.name))
    except (OSError, ValueError):
        return None
    return tuple((name, file_state(folder / name)) for name in names)


class Watcher:
    """Watches subjects from `start` to `stop`. Subjects may be added at any time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subjects: list[_Watched] = []
        self._stopping = threading.Event()
        self._renew = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, subject: Subject) -> None:
        """Watch one more subject."""
        with self._lock:
            self._subjects.append(_Watched(subject, subject.seen))
        self._renew.set()

    def start(self) -> None:
        """Begin. The library is imported in the thread."""
        self._thread = threading.Thread(target=self._run, name="decode-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End, and wait for the thread; no subject is called afterwards."""
        self._stopping.set()
        self._renew.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(_JOIN_S)

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                self._renew.clear()
                folders = self._folders()
                self._look()
                looked = False
                for changed in self._notifications(folders):
                    if self._renew.is_set() or self._folders() != folders:
                        break
                    if changed or not looked:
                        # once in any case: something may have changed before the notifications began
                        self._look()
                        looked = True
        except Exception:
            logger.exception("files are no longer watched; changes count when decode is opened again")

    def _notifications(self, folders: "_Folders") -> Iterator[bool]:
        """Yields True when something may have changed, and False each second, when folders may have come."""
        from watchfiles import watch

        paths = [path for path, _ in folders]
        targets = [str(folder) for watched in self._each() for folder in watched.subject.folders()]
        try:
            for changes in watch(
                *paths,
                watch_filter=None,
                debounce=GATHER_MS,
                step=STEP_MS,
                stop_event=self._renew,
                rust_timeout=CHECK_MS,
                yield_on_timeout=True,
                raise_interrupt=False,
                recursive=False,
                ignore_permission_denied=True,
            ):
                yield any(_matters(path, targets) for _, path in changes)
        except OSError as error:
            # a folder that went away just now, or no notifications to be had: then files are looked at each second
            logger.info("no notifications about files (%s); looking each second", error)
            self._renew.wait(CHECK_MS / 1000)
            yield True

    def _folders(self) -> "_Folders":
        """The existing folders to watch, each with its identity: another folder of the same name is another one."""
        found: dict[str, tuple[int, int]] = {}
        for watched in self._each():
            for folder in watched.subject.folders():
                for place in _chain(folder):
                    with suppress(OSError):  # gone since it was found
                        status = place.stat()
                        found[str(place)] = (status.st_dev, status.st_ino)
        return tuple(sorted(found.items()))

    def _look(self) -> None:
        for watched in self._each():
            if self._stopping.is_set():
                return
            if watched.subject.fingerprint() == watched.seen:
                continue
            now = self._settled(watched.subject)
            if now == watched.seen:
                continue
            watched.seen = now
            try:
                watched.subject.on_change()
            except Exception:
                logger.exception("a change of files could not be taken over")

    def _settled(self, subject: Subject) -> Hashable:
        """The fingerprint once it is the same twice."""
        now = subject.fingerprint()
        for _ in range(_MAX_SETTLING):
            if self._stopping.wait(SETTLE_S):
                break
            before, now = now, subject.fingerprint()
            if now == before:
                break
        return now

    def _each(self) -> "list[_Watched]":
        with self._lock:
            return list(self._subjects)


@dataclass
class _Watched:
    subject: Subject
    seen: Hashable


_Folders = tuple[tuple[str, tuple[int, int]], ...]


def _chain(folder: Path) -> Iterator[Path]:
    """The nearest folder that exists at or above `folder`, and the one above it, where a rename would show."""
    for place in (folder, *folder.parents):
        if _is_folder(place):
            yield place
            if place.parent != place and _is_folder(place.parent):
                yield place.parent
            return


def _matters(path: str, targets: Iterable[str]) -> bool:
    """Whether a change is one of an entry of a target, or of a folder on the way to one."""
    folder = path.rpartition(os.sep)[0]
    return any(folder == target or target == path or target.startswith(f"{path}{os.sep}") for target in targets)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
