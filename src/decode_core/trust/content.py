"""What a folder brings that would have effect: settings, agents, servers, and the scripts that these name.

`read_content` takes the very bytes that are loaded afterwards, so that nothing can be swapped between the look and the
load. Whatever stands in a file's place is part of the content, never an exception.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from decode_core.trust.scripts import script_names

SETTINGS_FILE = ".decode/settings.json"
SERVERS_FILE = ".mcp.json"
AGENTS_FOLDER = ".decode/agents"
WHOLE_FOLDERS = (".decode/hooks", ".decode/skills", ".decode/commands")
"""Folders of which every file counts, at any depth."""

MAX_FILES = 2_000
MAX_FILE_BYTES = 8 << 20
MAX_BYTES = 32 << 20
"""Limits of what can be vouched for; a folder beyond them stays untrusted."""

_FORMAT = b"decode folder content 1\0"


@dataclass(frozen=True)
class ContentFile:
    """One file: its path below the folder, in POSIX form, and its bytes, or why it has none."""

    name: str
    data: bytes | None
    problem: str = ""
    """Why it cannot be read, in a few words."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the bytes, or of why there are none."""
        import hashlib  # costs milliseconds, and most folders bring nothing

        body = self.problem.encode() if self.data is None else self.data
        return hashlib.sha256(body).hexdigest()


@dataclass(frozen=True)
class FolderContent:
    """Everything of a folder that would have effect, as it stood when it was read."""

    root: Path
    """The folder by its real path."""
    owner: int
    """User id of the folder's owner."""
    files: tuple[ContentFile, ...] = ()
    """By name."""
    refused: str = ""
    """Why this content cannot be trusted at all, as a clause; empty where it can."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the names and bytes of all files."""
        import hashlib

        total = hashlib.sha256(_FORMAT)
        for file in self.files:
            name, kind = os.fsencode(file.name), b"unreadable" if file.data is None else b"bytes"
            total.update(b"%d:%s %s %s\n" % (len(name), name, kind, file.digest.encode()))
        return total.hexdigest()

    @property
    def is_empty(self) -> bool:
        """Whether nothing of the folder would have effect, so that there is nothing to trust."""
        return not self.files and not self.refused

    def file(self, name: str) -> ContentFile | None:
        """The file of this name, None where there is none."""
        return next((file for file in self.files if file.name == name), None)

    def path(self, name: str) -> Path:
        """Where a file of this name stands."""
        return self.root / name

    def agents(self) -> tuple[ContentFile, ...]:
        """The files of agents, by name."""
        return tuple(file for file in self.files if file.name.startswith(f"{AGENTS_FOLDER}/"))

    def with_file(self, name: str, data: bytes | None) -> "FolderContent":
        """The same content with other bytes in one file; None leaves the file out."""
        others = [file for file in self.files if file.name != name]
        if data is not None:
            others.append(ContentFile(name, data))
        return replace(self, files=tuple(sorted(others, key=lambda file: os.fsencode(file.name))))


def read_content(root: Path) -> FolderContent:
    """Read what the folder brings. Never raises for what stands there; a folder that is gone is empty."""
    real = Path(os.path.realpath(root))
    try:
        owner = real.stat().st_uid
    except OSError:
        return FolderContent(real, -1)
    reading = _Reading(real)
    reading.take(SETTINGS_FILE)
    reading.take(SERVERS_FILE)
    for name in reading.names_in(AGENTS_FOLDER):
        if name.endswith(".md") and not name.startswith("."):
            reading.take(f"{AGENTS_FOLDER}/{name}")
    for folder in WHOLE_FOLDERS:
        reading.take_below(folder)
    for name in script_names(real, reading.data(SETTINGS_FILE), reading.data(SERVERS_FILE)):
        reading.take(name)
    files = tuple(sorted(reading.files.values(), key=lambda file: os.fsencode(file.name)))
    return FolderContent(real, owner, files, reading.refused)


class _Reading:
    """The work on one folder, within the limits."""

    def __init__(self, root: Path) -> None:
        self.files: dict[str, ContentFile] = {}
        self.refused = ""
        self._root = root
        self._bytes = 0

    def data(self, name: str) -> bytes | None:
        """The bytes of a file that was taken."""
        file = self.files.get(name)
        return None if file is None else file.data

    def take(self, name: str) -> None:
        """Read one file, unless nothing stands there."""
        if name in self.files or self.refused:
            return
        file = _read(self._root, name)
        if file is None:
            return
        self._bytes += len(file.data or b"")
        if len(self.files) >= MAX_FILES:
            self.refused = f"it holds more than {MAX_FILES:,} files of agents, hooks, skills and commands"
        elif len(file.data or b"") > MAX_FILE_BYTES:
            self.refused = f"{name} is larger than {MAX_FILE_BYTES >> 20} MiB"
        elif self._bytes > MAX_BYTES:
            self.refused = f"its files hold more than {MAX_BYTES >> 20} MiB"
        else:
            self.files[name] = file

    def take_below(self, folder: str) -> None:
        """Read every file below a folder."""
        for name, is_link in self._below(folder):
            if is_link:
                self.refused = self.refused or f"{name} is a link to a folder, and what lies behind it may change"
            else:
                self.take(name)

    def names_in(self, folder: str) -> list[str]:
        """The names in a folder, none where it cannot be listed: what cannot be listed is not loaded either."""
        try:
            return sorted(path.name for path in (self._root / folder).iterdir())
        except OSError:
            return []

    def _below(self, folder: str) -> Iterator[tuple[str, bool]]:
        """Names of files below `folder`, and of links to folders."""
        place = self._root / folder
        if place.is_symlink() and place.is_dir():
            yield folder, True
            return
        for here, folders, files in os.walk(place):
            below = Path(here).relative_to(self._root).as_posix()
            yield from ((f"{below}/{name}", False) for name in files)
            yield from ((f"{below}/{name}", True) for name in folders if (Path(here) / name).is_symlink())
            if self.refused:
                return


def _read(root: Path, name: str) -> ContentFile | None:
    """A file as a loader would read it, links followed; None where nothing stands."""
    path = root / name
    try:
        # O_NONBLOCK: a repository may hold a named pipe of this name, which would wait for ever
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return ContentFile(name, None, "a link that leads nowhere") if path.is_symlink() else None
    except OSError as error:
        return ContentFile(name, None, error.strerror or "unreadable")
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            return ContentFile(name, None, "it is a folder")
        if not stat.S_ISREG(mode):
            return ContentFile(name, None, "not a regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as opened:
            return ContentFile(name, opened.read(MAX_FILE_BYTES + 1))
    except OSError as error:
        return ContentFile(name, None, error.strerror or "unreadable")
    finally:
        os.close(descriptor)
