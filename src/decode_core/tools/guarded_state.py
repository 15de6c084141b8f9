"""The protected resources before and after a command: compared by digest, and put back (permissions.md §11).

The sandbox already keeps commands from changing them. This finds what slipped through, and what somebody else changed
meanwhile: nothing is lost, since the changed version is kept aside.
"""

import hashlib
import logging
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from decode_core.permissions.sandbox.profile import Guarded

logger = logging.getLogger(__name__)

MAX_ENTRIES = 2_000
"""Files below protected folders that are compared."""
PLAN_RECORDS = Path(".dwp/plans")
"""Not compared: other processes record in them while a command runs, and putting old records back would lose what was
recorded. They are read-only to commands all the same, and their own hash chain shows an edited line."""
PROJECT_FOLDER = ".decode"
"""Of it only that it is there is compared: people save agents and rules in it while a command runs, and putting those
back would lose them. Commands find it read-only, and what loosens anything in it is asked about whoever wrote it."""
MAX_KEPT_BYTES = 1_000_000
"""Larger files are compared, but not kept: only told."""


@dataclass(frozen=True)
class Entry:
    """One file, folder or link; `digest` of a file's bytes or a link's target."""

    kind: int
    mode: int
    digest: str = ""
    data: bytes | None = None


@dataclass(frozen=True)
class _Signature:
    """What changes with every write: the time of change cannot be set by anybody."""

    inode: int
    size: int
    changed_ns: int
    mode: int


@dataclass(frozen=True)
class Difference:
    """One protected path that is no longer what it was."""

    path: Path
    came: bool
    """It was not there before."""
    restored: bool
    kept_as: Path | None = None
    """Where the changed version lies."""


State = dict[Path, Entry | None]
"""Every protected path; None: it is not there."""


class GuardedState:
    """Reads the state again and again; a file that was not touched is not read twice."""

    def __init__(self) -> None:
        self._seen: dict[Path, tuple[_Signature, Entry]] = {}

    def read(self, guarded: Guarded) -> State:
        """The state of all that is protected; what does not exist and links count as well."""
        seen, self._seen = self._seen, {}
        state: State = {}
        for path in (*guarded.read_only, *guarded.absent, *guarded.links):
            for each in _with_contents(path):
                if len(state) >= MAX_ENTRIES:
                    return state
                state[each] = self._entry(each, seen)
        return state

    def _entry(self, path: Path, seen: "dict[Path, tuple[_Signature, Entry]]") -> Entry | None:
        try:
            info = path.lstat()
        except OSError:
            return None
        kind = stat.S_IFMT(info.st_mode)
        # a folder changes with every name in it: those are entries of their own
        size, changed = (0, 0) if stat.S_ISDIR(info.st_mode) else (info.st_size, info.st_ctime_ns)
        signature = _Signature(info.st_ino, size, changed, info.st_mode)
        before = seen.get(path)
        entry = before[1] if before is not None and before[0] == signature else _read(path, kind, info)
        self._seen[path] = (signature, entry)
        return entry


def put_back(before: State, after: State, aside: Path) -> list[Difference]:
    """Make the world as it was before, and say what was different. Changed versions go into the folder `aside`."""
    changed = [path for path in sorted({*before, *after}) if _differs(before.get(path), after.get(path))]
    found: list[Difference] = []
    moved: list[Path] = []
    for path in changed:
        if any(each in path.parents for each in moved):
            continue  # it went away with a folder that was not there before
        was, now = before.get(path), after.get(path)
        if was is not None and now is not None and was.kind == now.kind == stat.S_IFDIR:
            found.append(Difference(path, came=False, restored=_set_mode(path, was.mode)))
            continue
        kept = _keep_aside(path, aside) if now is not None else None
        if was is None:
            moved.append(path)
            found.append(Difference(path, came=True, restored=not os.path.lexists(path), kept_as=kept))
        else:
            found.append(Difference(path, came=False, restored=_restore(path, was), kept_as=kept))
    return found


def _differs(before: Entry | None, after: Entry | None) -> bool:
    if before is None or after is None:
        return before is not after
    return (before.kind, before.mode, before.digest) != (after.kind, after.mode, after.digest)


def _with_contents(path: Path) -> Iterator[Path]:
    yield path
    if path.is_dir() and not path.is_symlink() and path.name != PROJECT_FOLDER:
        for folder, folders, files in os.walk(path):
            if folder == str(path) and path.name == PLAN_RECORDS.parent.name and PLAN_RECORDS.name in folders:
                folders.remove(PLAN_RECORDS.name)
            yield from (Path(folder) / name for name in (*folders, *files))


def _read(path: Path, kind: int, info: os.stat_result) -> Entry:
    mode = stat.S_IMODE(info.st_mode)
    try:
        if kind == stat.S_IFLNK:
            data = os.fsencode(path.readlink())
        elif kind == stat.S_IFREG:
            data = path.read_bytes() if info.st_size <= MAX_KEPT_BYTES else b""
            if not data and info.st_size:
                with path.open("rb") as file:
                    return Entry(kind, mode, hashlib.file_digest(file, "sha256").hexdigest())
        else:
            return Entry(kind, mode)
    except OSError as error:
        return Entry(kind, mode, f"unreadable: {error.errno}")
    return Entry(kind, mode, hashlib.sha256(data).hexdigest(), data)


def _keep_aside(path: Path, aside: Path) -> Path | None:
    """Move the changed version away. None: it stays where it is."""
    try:
        aside.mkdir(mode=0o700, exist_ok=True)
        names: Iterable[Path] = (aside / f"{number}-{path.name.lstrip('.') or 'x'}" for number in range(1_000))
        target = next(name for name in names if not os.path.lexists(name))
        shutil.move(path, target)
    except (OSError, shutil.Error, StopIteration) as error:
        logger.warning("%s was changed and cannot be moved away: %s", path, error)
        return None
    return target


def _set_mode(folder: Path, mode: int) -> bool:
    try:
        folder.chmod(mode)
    except OSError as error:
        logger.warning("the rights of %s were changed and cannot be put back: %s", folder, error)
        return False
    return True


def _restore(path: Path, entry: Entry) -> bool:
    if os.path.lexists(path):
        return False
    try:
        if entry.kind == stat.S_IFDIR:
            path.mkdir(mode=entry.mode)
        elif entry.data is None:
            return False
        elif entry.kind == stat.S_IFLNK:
            path.symlink_to(os.fsdecode(entry.data))
        else:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, entry.mode)
            with os.fdopen(descriptor, "wb") as file:
                os.fchmod(file.fileno(), entry.mode)
                file.write(entry.data)
    except OSError as error:
        logger.warning("%s was changed and cannot be put back: %s", path, error)
        return False
    return True
