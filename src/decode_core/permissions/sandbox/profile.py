"""What a command may see, read and write in the sandbox (permissions.md §11). Pure."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from pathlib import Path

from decode_core.permissions.sandbox.places import SOCKET_VARIABLES


class ProfileKind(StrEnum):
    """How narrow the sandbox is."""

    WORKSPACE = "workspace"
    """A command may write to the workspace, its own temporary folder and caches."""
    READ_ONLY = "read-only"
    """A proven call: it writes nowhere and reaches no network."""


class Access(Enum):
    """What a command may do with a place and everything below it, unless a deeper place says otherwise."""

    READ = "read"
    WRITE = "write"
    PRIVATE = "private"
    """A folder of its own, empty at first."""
    HIDDEN = "hidden"
    """An empty folder, or an empty file, that cannot be written."""


@dataclass(frozen=True)
class Host:
    """What a profile has to know of the machine. All paths are absolute with links followed, and exist."""

    home: Path
    other_homes: tuple[Path, ...] = ()
    credentials: tuple[Path, ...] = ()
    own_hidden: tuple[Path, ...] = ()
    """decode's own data and state: other sessions, logs, grants."""
    own_settings: tuple[Path, ...] = ()
    """decode's own settings: readable, never writable."""
    caches: tuple[Path, ...] = ()
    temporary: tuple[Path, ...] = ()
    sockets: tuple[Path, ...] = ()
    """Unix sockets, and folders that hold little else."""


@dataclass(frozen=True)
class Guarded:
    """The protected resources of the workspace (permissions.md §7) at the moment when a command starts."""

    read_only: tuple[Path, ...] = ()
    """They exist: no command changes, moves or removes them."""
    pinned: tuple[Path, ...] = ()
    """Folders above them that stay writable and cannot be moved or removed, such as `.git`."""
    absent: tuple[Path, ...] = ()
    """They do not exist. A command that makes one is ended (docs/decisions/0012)."""
    shared: tuple[Path, ...] = ()
    """Outside, but what a commit in a linked work tree writes: parts of the repository that it belongs to."""
    links: tuple[Path, ...] = ()
    """Protected names that are links: a mount would follow them, so they are only compared afterwards."""


@dataclass(frozen=True)
class Limits:
    """What one command may use up."""

    processes: int = 4_096
    memory_kib: int = 0
    """Private memory of one process; 0: no limit."""


@dataclass(frozen=True)
class Profile:
    """A sandbox, ready to be turned into a command line for one mechanism."""

    kind: ProfileKind
    places: Mapping[Path, Access]
    network: bool
    pinned: tuple[Path, ...] = ()
    absent: tuple[Path, ...] = ()
    """Names that do not exist and must not come to be."""
    limits: Limits = Limits()

    def access(self, path: Path) -> Access:
        """What holds for a place: what is said of it, or of the nearest folder above it."""
        return next((self.places[each] for each in (path, *path.parents) if each in self.places), Access.READ)

    def in_order(self) -> list[tuple[Path, Access]]:
        """The places, those above others first: the deepest one counts."""
        return sorted(self.places.items(), key=lambda item: (len(item[0].parts), item[0]))


def workspace_profile(
    host: Host,
    roots: Iterable[Path],
    guarded: Guarded,
    *,
    writable: Iterable[Path] = (),
    network: bool = True,
    limits: Limits = Limits(),
) -> Profile:
    """The profile of commands that are not proven. `writable` are further folders that the person named."""
    places: dict[Path, Access] = {}
    places |= dict.fromkeys(host.caches, Access.WRITE)
    places |= _hidden(host)
    places |= dict.fromkeys(writable, Access.WRITE)
    places |= dict.fromkeys(roots, Access.WRITE)
    places |= dict.fromkeys(host.own_hidden, Access.HIDDEN)
    places |= dict.fromkeys((*guarded.shared, *guarded.pinned), Access.WRITE)
    places |= dict.fromkeys((*host.own_settings, *guarded.read_only), Access.READ)
    return Profile(ProfileKind.WORKSPACE, places, network, guarded.pinned, guarded.absent, limits)


def read_only_profile(host: Host, roots: Iterable[Path], *, limits: Limits = Limits()) -> Profile:
    """The profile of proven calls: what they may not need is not there, and nothing can be written or reached."""
    places = _hidden(host) | dict.fromkeys(roots, Access.READ) | dict.fromkeys(host.own_hidden, Access.HIDDEN)
    return Profile(ProfileKind.READ_ONLY, places, network=False, limits=limits)


def sandboxed_environment(environment: Mapping[str, str], profile: Profile) -> dict[str, str]:
    """`environment` without variables that lead to a hidden place or a socket; temporary files go to `/tmp`."""
    kept = {
        name: value
        for name, value in environment.items()
        if name not in SOCKET_VARIABLES and not value.startswith("unix:") and not _leads_to_hidden(value, profile)
    }
    private = [path for path, access in profile.in_order() if access is Access.PRIVATE]
    if private:
        kept |= {name: str(private[0]) for name in ("TMPDIR", "TEMP", "TMP") if name in kept}
    return kept


def _hidden(host: Host) -> dict[Path, Access]:
    places = dict.fromkeys(host.temporary, Access.PRIVATE)
    places |= dict.fromkeys(host.other_homes, Access.HIDDEN)
    # the home may lie among the others, as below /home
    places |= {host.home: Access.READ} if any(each in host.home.parents for each in places) else {}
    return places | dict.fromkeys((*host.credentials, *host.sockets), Access.HIDDEN)


def _leads_to_hidden(value: str, profile: Profile) -> bool:
    # several paths in one value, as in PATH, stay: a program that is not there is looked for elsewhere
    if os.pathsep in value or not value.startswith("/"):
        return False
    return profile.access(Path(value)) is Access.HIDDEN
