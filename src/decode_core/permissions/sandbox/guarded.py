"""Finds the protected resources of a workspace, which no command changes (permissions.md §7 and §11). I/O.

The whole tree is looked at before each command; a folder that has not changed since is not read again. Names that must
not come to be are those of the roots: what stands deeper steers nobody who opens the workspace.
"""

import os
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from decode_core.permissions.protected import PROTECTED_WRITES
from decode_core.permissions.sandbox.profile import Guarded

MAX_FOLDERS = 1_500
"""Folders of one workspace that are looked at; what lies deeper in a larger one is left to the gate alone."""
MAX_MODULES = 200

SKIPPED_FOLDERS = frozenset(
    {"node_modules", ".venv", "venv", "__pycache__", ".mypy_cache", ".tox", ".nox", ".cache", "target", "dist", "build"}
)
"""Folders that tools fill with other people's projects: their settings steer nothing here."""

GIT_READ_ONLY = ("config", "config.worktree", "hooks", "info")
"""What git runs or obeys. The rest of `.git` stays writable, so that committing works."""
GIT_ABSENT = ("hooks", "info", "commondir", "config.worktree")
"""What must not come to be in a `.git` folder: each of it may make git run something."""
GIT_SHARED = ("objects", "refs", "logs")
"""What a commit in a linked work tree writes in the repository that the tree belongs to."""

_SETTLED_NS = 100_000_000
"""A folder that changed less than this before it was read may change again without a new time stamp."""

_NAMES = {name.casefold() for name in PROTECTED_WRITES}


class GuardedFinder:
    """Looks at one workspace again and again."""

    def __init__(self, roots: Iterable[Path]) -> None:
        self._roots = tuple(roots)
        self._seen: dict[str, _Folder] = {}

    def find(self) -> Guarded:
        """The protected resources that there are now, and the names that must not come to be."""
        found = _Found()
        kept: dict[str, _Folder] = {}
        for root in self._roots:
            for name in (*PROTECTED_WRITES, ".git"):
                if not os.path.lexists(root / name):
                    found.absent.append(root / name)
        waiting = deque(str(root) for root in self._roots)
        while waiting and len(kept) < MAX_FOLDERS:
            here = waiting.popleft()
            if here in kept or (folder := self._look(here)) is None:
                continue
            kept[here] = folder
            for name in folder.names:
                _note(Path(here) / name, self._roots, found)
            waiting.extend(f"{here}/{name}" for name in folder.below)
        self._seen = kept
        return found.guarded()

    def _look(self, here: str) -> "_Folder | None":
        try:
            changed = os.stat(here, follow_symlinks=False).st_mtime_ns  # noqa: PTH116 - one call for many folders
            seen = self._seen.get(here)
            if seen is not None and seen.changed_ns == changed and seen.read_ns - changed > _SETTLED_NS:
                return seen
            with os.scandir(here) as entries:
                names, below = _sort(entries)
        except OSError:
            return None
        return _Folder(changed, time.time_ns(), tuple(names), tuple(below))


@dataclass(frozen=True)
class _Folder:
    changed_ns: int
    read_ns: int
    names: tuple[str, ...]
    """Protected names in it."""
    below: tuple[str, ...]
    """Folders to go on with."""


@dataclass
class _Found:
    read_only: list[Path] = field(default_factory=list)
    pinned: list[Path] = field(default_factory=list)
    absent: list[Path] = field(default_factory=list)
    shared: list[Path] = field(default_factory=list)
    links: list[Path] = field(default_factory=list)

    def guarded(self) -> Guarded:
        return Guarded(
            tuple(self.read_only), tuple(self.pinned), tuple(self.absent), tuple(self.shared), tuple(self.links)
        )


def _sort(entries: "Iterable[os.DirEntry[str]]") -> tuple[list[str], list[str]]:
    names: list[str] = []
    below: list[str] = []
    for entry in entries:
        folded = entry.name.casefold()
        if folded in _NAMES or folded in (".git", ".github"):
            names.append(entry.name)
        elif entry.is_dir(follow_symlinks=False) and entry.name not in SKIPPED_FOLDERS:
            below.append(entry.name)
    return names, below


def _note(path: Path, roots: tuple[Path, ...], found: _Found) -> None:
    if path.is_symlink():
        found.links.append(path)
        real = Path(os.path.realpath(path))
        if real.exists() and any(root in real.parents for root in roots):
            found.read_only.append(real)
        return
    match path.name.casefold():
        case ".git" if path.is_dir():
            _note_repository(path, found)
        case ".git":
            found.read_only.append(path)
            _note_linked_tree(path, found)
        case ".github":
            if (path / "workflows").is_dir():
                found.pinned.append(path)
                found.read_only.append(path / "workflows")
        case _:
            found.read_only.append(path)


def _note_repository(folder: Path, found: _Found) -> None:
    """The parts of a `.git` folder, and of the submodules' repositories in it."""
    waiting = [folder]
    looked = 0
    while waiting and looked < MAX_MODULES:
        git = waiting.pop()
        looked += 1
        found.pinned.append(git)
        found.read_only += [git / name for name in GIT_READ_ONLY if (git / name).exists()]
        found.absent += [git / name for name in GIT_ABSENT if not os.path.lexists(git / name)]
        if (git / "objects" / "info").is_dir():
            found.pinned.append(git / "objects")
            found.read_only.append(git / "objects" / "info")
        if (git / "modules").is_dir():
            found.pinned.append(git / "modules")
            waiting += _repositories_below(git / "modules")


def _repositories_below(modules: Path) -> list[Path]:
    """Repositories below `modules`: a submodule's name may hold slashes."""
    found: list[Path] = []
    waiting = [modules]
    looked = 0
    while waiting and looked < MAX_MODULES:
        looked += 1
        here = waiting.pop()
        for each in here.iterdir():
            if each.is_symlink() or not each.is_dir():
                continue
            if (each / "HEAD").exists():
                found.append(each)
            else:
                waiting.append(each)
    return found


def _note_linked_tree(marker: Path, found: _Found) -> None:
    """What a commit in a linked work tree writes in the repository that knows this tree by its path."""
    try:
        git = Path(os.path.realpath(marker.parent / marker.read_text("utf-8")[:4_096].removeprefix("gitdir:").strip()))
        back = Path(os.path.realpath((git / "gitdir").read_text("utf-8")[:4_096].strip()))
        common = Path(os.path.realpath(git / (git / "commondir").read_text("utf-8")[:4_096].strip()))
    except (OSError, ValueError):
        return
    if back != marker or git.parent != common / "worktrees" or not common.is_dir():
        return
    found.shared += [git, *(common / name for name in GIT_SHARED if (common / name).is_dir())]
    steering = [git / "commondir", git / "gitdir", git / "config.worktree", common / "objects" / "info"]
    found.read_only += [path for path in steering if path.exists()]
