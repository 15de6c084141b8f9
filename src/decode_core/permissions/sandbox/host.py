"""Looks at the machine for what a sandbox has to hide or spare (permissions.md §11). I/O."""

import os
import pwd
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from decode_core.permissions.sandbox.places import CACHES, CREDENTIALS, SOCKET_FOLDERS, SOCKETS, TEMPORARY
from decode_core.permissions.sandbox.profile import Host

MAX_SOCKETS = 1_000
"""Sockets that are hidden one by one."""

_RUN = Path("/run")
_LISTED_SOCKETS = Path("/proc/net/unix")


@dataclass(frozen=True)
class OwnFolders:
    """Where decode keeps its own files."""

    settings: Path
    hidden: tuple[Path, ...]
    """Data, state and cache."""


def look_at_host(own: OwnFolders, home: Path | None = None) -> Host:
    """What there is now. Cheap enough to be asked before every command: sockets come and go."""
    home = Path(os.path.realpath(home or Path.home()))
    return Host(
        home=home,
        other_homes=tuple(_other_homes(home)),
        credentials=_existing(home, CREDENTIALS),
        own_hidden=_real(own.hidden),
        own_settings=_real([own.settings]),
        caches=_existing(home, CACHES),
        temporary=_temporary(),
        sockets=tuple(_sockets(home)),
    )


def hidden_files(paths: Iterable[Path]) -> frozenset[Path]:
    """Those of `paths` that are no folders, sockets included."""
    return frozenset(path for path in paths if not os.path.isdir(path))  # noqa: PTH112 - never raises


def _existing(home: Path, places: Iterable[str]) -> tuple[Path, ...]:
    return _real(home / place for place in places)


def _real(paths: Iterable[Path]) -> tuple[Path, ...]:
    """The paths that exist, links followed, each once."""
    return tuple(dict.fromkeys(Path(os.path.realpath(path)) for path in paths if os.path.exists(path)))  # noqa: PTH110 - never raises


def _other_homes(home: Path) -> Iterator[Path]:
    """Homes of other people, and the folder above them where there is one: nothing of it is anybody else's business."""
    above = Path("/Users" if sys.platform == "darwin" else "/home")
    if os.path.isdir(above):  # noqa: PTH112 - never raises
        yield Path(os.path.realpath(above))
    for entry in pwd.getpwall():
        # services have the root folder, /var/… and the like for a home
        person = entry.pw_uid == 0 or 1_000 <= entry.pw_uid < 60_000
        other = Path(os.path.realpath(entry.pw_dir))
        if person and len(other.parts) > 1 and other != home and other not in home.parents and os.path.isdir(other):  # noqa: PTH112
            yield other


def _temporary() -> tuple[Path, ...]:
    if sys.platform == "darwin":
        return _real([Path(tempfile.gettempdir())])
    return _real([*(Path(place) for place in TEMPORARY)])


def _sockets(home: Path) -> Iterator[Path]:
    if sys.platform != "linux":
        return  # sandbox-exec refuses sockets by their kind
    folders = _real(Path(place) for place in SOCKET_FOLDERS)
    yield from folders
    spared = (*folders, *_temporary())
    found = dict.fromkeys((*_real((home / place) for place in SOCKETS), *_listening(), *_in_run()))
    for number, path in enumerate(found):
        if number >= MAX_SOCKETS:
            return
        if not any(folder in path.parents for folder in spared) and _is_socket(path):
            yield path


def _listening() -> Iterator[Path]:
    """Sockets with a path that somebody in this network namespace holds open."""
    try:
        text = _LISTED_SOCKETS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return
    for line in text.splitlines()[1:]:
        path = line.split(None, 7)[7:]
        if path and path[0].startswith("/"):
            yield Path(os.path.realpath(path[0]))


def _in_run() -> Iterator[Path]:
    """Sockets in /run and one folder deeper: what is mounted from elsewhere is listed nowhere."""
    for folder in (_RUN, *(each for each in _entries(_RUN) if each.is_dir() and not each.is_symlink())):
        yield from (each for each in _entries(folder) if _is_socket(each))


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _is_socket(path: Path) -> bool:
    try:
        return stat.S_ISSOCK(path.lstat().st_mode)
    except OSError:
        return False
