"""The evidence cache (`evidence.jsonl`): a gate need not run again in exactly the same world.

The cache is no authority: an entry counts only together with the journal's own event. Without git nothing is reused,
since the world cannot be compared.
"""

import hashlib
import os
import platform
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from decode_core.plans.canonical import NotJsonError, canonical_bytes, hex_digest, parse_object
from decode_core.plans.commands import GateCommand
from decode_core.plans.contract import Task
from decode_core.plans.events import GateRun
from decode_core.plans.standing import Standing
from decode_core.plans.tree import Repository, file_digest

CACHE_FILE = "evidence.jsonl"

_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TZ", "VIRTUAL_ENV", "PYTHONPATH", "HOME", "SHELL")
_NO_GIT = "none"
_GLOB = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class CacheEntry:
    """A gate run and the world it ran in."""

    task: str
    criterion: str
    fingerprint: str
    seq: int
    exit_code: int
    log: str
    ts: str

    def line(self) -> bytes:
        """The entry as a line of the cache."""
        return canonical_bytes(self.__dict__) + b"\n"


def world_fingerprint(task: Task, command: GateCommand, root: Path, selection: str | None) -> str | None:
    """A digest of all a gate's result may hang on: command, environment, interpreter, surface, whole tree.

    None where there is no git.
    """
    tree = Repository(root).whole_tree()
    if tree == _NO_GIT:
        return None
    world = {
        "command": command.text,
        "shell": command.argv is None,
        "cwd": root.name,
        "environment": {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
        "interpreter": platform.python_version(),
        "platform": platform.platform(),
        "selection": selection,
        "surface": {entry: surface_digest(root, entry) for entry in task.touched_surface},
        "tree": tree,
    }
    try:
        return hex_digest(canonical_bytes(world))
    except ValueError:
        return None


def surface_digest(root: Path, entry: str) -> str:
    """A digest of a file, a folder, or what a glob names. Links are named, never followed; nothing outside is read."""
    pure = PurePosixPath(entry)
    if pure.is_absolute() or ".." in pure.parts or "\0" in entry:
        return "outside"
    places = _matches(root, entry) if _GLOB.search(entry) else [root / entry]
    digest = hashlib.sha256()
    for place in places:
        for file in _files(root, place):
            digest.update(f"{file.relative_to(root)}\0{file_digest(file)}\0".encode(errors="surrogateescape"))
    return digest.hexdigest()


def find_reusable(
    cache: bytes, standing: Standing, task: str, criterion: str | None, fingerprint: str
) -> tuple[CacheEntry, GateRun] | None:
    """The latest run in the same world that still counts for the task, with its journal event; failed runs, too."""
    start = standing.start(task)
    if start is None:
        return None
    for entry in reversed(read_cache(cache)):
        if entry.task != task or criterion not in (None, entry.criterion) or entry.fingerprint != fingerprint:
            continue
        floor = standing.floor(task, entry.criterion)
        for run in reversed(standing.runs(task, entry.criterion)):
            if run.seq == entry.seq and run.exit_code == entry.exit_code and floor is not None and run.seq >= floor:
                return entry, run
    return None


def read_cache(data: bytes) -> list[CacheEntry]:
    """The entries of a cache; lines that are none are passed over, since nothing hangs on them."""
    return [entry for line in data.splitlines() if (entry := _entry(line)) is not None]


def _entry(line: bytes) -> CacheEntry | None:
    try:
        match parse_object(line):
            case {
                "task": str() as task,
                "criterion": str() as criterion,
                "fingerprint": str() as fingerprint,
                "seq": int() as seq,
                "exit_code": int() as exit_code,
                "log": str() as log,
                "ts": str() as ts,
            }:
                return CacheEntry(task, criterion, fingerprint, seq, exit_code, log, ts)
    except NotJsonError:
        # a crash can tear a line of the cache, and the gate then simply runs
        return None
    return None


def _matches(root: Path, pattern: str) -> list[Path]:
    real = root.resolve()
    try:
        found = sorted(root.glob(pattern))
    except (ValueError, NotImplementedError):
        # no pattern of this library: it names nothing, today as tomorrow
        return []
    return [place for place in found if real in place.parent.resolve().parents or place.parent.resolve() == real]


def _files(root: Path, place: Path) -> Iterable[Path]:
    if place.is_symlink() or not place.is_dir():
        yield place
        return
    if root.resolve() not in (place.resolve(), *place.resolve().parents):
        return
    for folder, folders, files in os.walk(place):
        folders[:] = sorted(name for name in folders if name not in (".git", ".dwp"))
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        for name in sorted([*files, *links]):
            yield Path(folder) / name
