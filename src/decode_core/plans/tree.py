"""What git says about the repository of a plan. Repository configuration is hostile: no hook or monitor of it runs."""

import hashlib
import stat
from dataclasses import dataclass
from pathlib import Path

from decode_core.git import GitError, run_git

_NONE = "none"
_MARK_LENGTH = 32
_CHUNK = 1 << 20


@dataclass(frozen=True)
class TreeMark:
    """The state of a checkout, as a read-only delegate must leave it."""

    mark: str
    """The publisher's: 32 hex digits over HEAD and the status lines, or `none` without git."""
    contents: str
    """Ours: 32 hex digits over what the changed files hold, the plan's own folder left out; `none` without git."""


@dataclass(frozen=True)
class Repository:
    """The folder that holds `.dwp`; it may be in no git repository at all."""

    root: Path

    @property
    def has_git(self) -> bool:
        """Whether the folder is in a git work tree."""
        return self._git("rev-parse", "--is-inside-work-tree") == "true"

    def ignores(self, path: Path) -> bool:
        """Whether git leaves a path out of its status."""
        return self._raw("check-ignore", "--quiet", "--", str(path)) is not None

    def fingerprint(self) -> dict[str, str]:
        """Commit and short status for a task's start. The status is stripped at both ends, as the publisher's is."""
        if not self.has_git:
            return {"revision": _NONE, "dirty": _NONE}
        dirty = self._git("status", "--porcelain")
        return {"revision": self._git("rev-parse", "HEAD") or _NONE, "dirty": _NONE if dirty is None else dirty}

    def read_only_mark(self) -> TreeMark:
        """The mark of the tree as it is now."""
        head, status = self._git("rev-parse", "HEAD"), self._git("status", "--porcelain=v1", "-uall")
        if status is None:
            return TreeMark(_NONE, _NONE)
        digest = hashlib.sha256()
        for name, content in self.changed_files():
            digest.update(f"{name}\0{content}\0".encode(errors="surrogateescape"))
        return TreeMark(publishers_mark(head or _NONE, status), digest.hexdigest()[:_MARK_LENGTH])

    def whole_tree(self) -> str:
        """A digest of HEAD and of every changed or untracked file; `none` without git."""
        if not self.has_git:
            return _NONE
        digest = hashlib.sha256((self._git("rev-parse", "HEAD") or _NONE).encode())
        for name, content in self.changed_files():
            digest.update(f"\0{name}\0{content}".encode(errors="surrogateescape"))
        return digest.hexdigest()

    def changed_files(self) -> list[tuple[str, str]]:
        """(path, content digest) of every changed and untracked file outside `.dwp`, by path."""
        raw = self._raw("status", "--porcelain=v1", "-uall", "-z") or b""
        names: set[str] = set()
        fields = iter(raw.decode("utf-8", errors="surrogateescape").split("\0"))
        for entry in fields:
            if len(entry) > 3:
                names.add(entry[3:])
                if entry[0] in "RC":
                    # a rename carries its old name in a field of its own
                    names.add(next(fields, ""))
        prefix = self._git("rev-parse", "--show-prefix") or ""
        own = f"{prefix}.dwp/"
        base = Path(self._git("rev-parse", "--show-toplevel") or self.root)
        return [(name, file_digest(base / name)) for name in sorted(names - {""}) if not name.startswith(own)]

    def holds_worktree(self, path: Path) -> bool:
        """Whether a folder exists and is a work tree of this repository, other than the plan's own checkout."""
        ours = self._git("rev-parse", "--path-format=absolute", "--git-common-dir")
        if ours is None or not path.is_dir():
            return False
        there = Repository(path)
        same = there._git("rev-parse", "--path-format=absolute", "--git-common-dir")
        top = there._git("rev-parse", "--show-toplevel")
        own_top = self._git("rev-parse", "--show-toplevel")
        return same == ours and top is not None and top != own_top and Path(top) == path.resolve()

    def _git(self, *words: str) -> str | None:
        raw = self._raw(*words)
        return None if raw is None else raw.decode("utf-8", errors="replace").strip()

    def _raw(self, *words: str) -> bytes | None:
        try:
            return run_git(self.root, *words)
        except GitError:
            return None


def publishers_mark(head: str, status: str) -> str:
    """The mark of a tree as the publisher computes it, from the commit and the status lines, stripped at both ends."""
    return hashlib.sha256(f"{head}\n{status}".encode()).hexdigest()[:_MARK_LENGTH]


def file_digest(path: Path) -> str:
    """SHA-256 of a file; a link is named by its target and never followed, a folder or a missing file by a word."""
    try:
        kind = path.lstat().st_mode
        if stat.S_ISLNK(kind):
            return f"link:{path.readlink()}"
        if not stat.S_ISREG(kind):
            return "folder" if stat.S_ISDIR(kind) else "special"
        digest = hashlib.sha256()
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
        return f"{digest.hexdigest()}{':x' if kind & stat.S_IXUSR else ''}"
    except FileNotFoundError:
        return "missing"
    except OSError:
        return "unreadable"
