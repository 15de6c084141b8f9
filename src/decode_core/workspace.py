"""The workspace: the folder a session works in, and what a path means in it."""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


class WorkspaceError(Exception):
    """The workspace cannot be used. The message is one sentence for the person."""


@dataclass(frozen=True)
class Workspace:
    """A workspace root (absolute, links resolved) and the folders that were added to it."""

    root: Path
    added: tuple[Path, ...] = ()
    readable: tuple[Path, ...] = ()
    """Folders outside that the session itself fills for reading, such as that of full command outputs."""

    @classmethod
    def open(cls, directory: Path | None = None, *, search_git: bool = True) -> "Workspace":
        """Return the workspace for `directory`: itself if given, else the enclosing git root, else the current folder.

        Raises WorkspaceError when it does not exist, is no folder, or cannot be listed.
        """
        start = Path.cwd() if directory is None else directory
        try:
            root = start.resolve(strict=True)
        except (OSError, RuntimeError):
            raise WorkspaceError(f"{start} does not exist or cannot be reached; name an existing folder") from None
        if not root.is_dir():
            raise WorkspaceError(f"{start} is not a folder; name the folder that holds the project")
        if directory is None and search_git:
            root = git_root(root) or root
        if not os.access(root, os.R_OK | os.X_OK):
            raise WorkspaceError(f"{root} cannot be read; change its permissions or name another folder")
        return cls(root)

    def absolute(self, text: str, *, start: Path | None = None) -> Path:
        """The absolute path that `text` names, `~` expanded and `..` folded, links *not* followed.

        `start` is the folder that a relative path counts from (default: the root).
        """
        path = Path(os.path.expanduser(text)) if text.startswith("~") else Path(text)  # noqa: PTH111 - keeps ~user
        return Path(os.path.normpath((start or self.root) / path))

    def holds(self, real: Path) -> bool:
        """Whether a real path lies in the root or in an added folder."""
        return lies_in(str(real), self._held)

    def relative(self, path: Path) -> str:
        """`path` for people and rules: POSIX, relative to the root where it lies below it, else absolute."""
        text, above = path.as_posix(), self._held[0]
        if text.startswith(above):
            return text[len(above) :] or "."
        return "." if f"{text}/" == above else text

    @cached_property
    def _held(self) -> tuple[str, ...]:
        return with_slashes((self.root, *self.added))


def lies_in(path: str, folders: tuple[str, ...]) -> bool:
    """Whether an absolute path is one of `folders` (made by `with_slashes`) or lies in one; no link is looked at.

    By text: of the facts of a call, walking up the parents took most of the time.
    """
    return f"{path}/".startswith(folders)


def with_slashes(folders: Iterable[Path]) -> tuple[str, ...]:
    """Folders as `lies_in` takes them."""
    return tuple(f"{str(folder).rstrip('/')}/" for folder in folders)


def git_root(start: Path) -> Path | None:
    """The nearest folder at or above `start` that holds `.git`, read without starting git."""
    for folder in (start, *start.parents):
        if (folder / ".git").exists():
            return folder
    return None


def git_branch(root: Path) -> str | None:
    """The branch of the repository at `root`, read from `HEAD` as text: no process is started in a folder.

    A detached head gives the first 8 characters of its commit; None where there is no readable repository.
    """
    try:
        marker = root / ".git"
        if marker.is_file():
            first = _beginning(marker).splitlines()[0]
            marker = (root / first.removeprefix("gitdir:").strip()).resolve()
        head = _beginning(marker / "HEAD").strip()
    except (OSError, IndexError, ValueError):
        return None
    if head.startswith("ref:"):
        return head.removeprefix("ref:").strip().removeprefix("refs/heads/") or None
    return head[:8] or None


def _beginning(file: Path) -> str:
    """The beginning of a regular file as text. Raises OSError: a pipe of that name would be waited for, for ever."""
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("it is no regular file")
        return opened.read(4096).decode("utf-8", errors="replace")
