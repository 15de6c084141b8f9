"""A profile as a command line of bubblewrap (Linux). Pure."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from decode_core.permissions.sandbox.profile import Access, Profile

EMPTY_FILE = Path("/dev/null")
"""What stands in the place of a hidden file."""


def bubblewrap_arguments(
    profile: Profile, *, start: Path, files: frozenset[Path] = frozenset(), private: Path | None = None
) -> list[str]:
    """The arguments that stand between `bwrap` and the command.

    `start` is the folder in which the command begins. `files` are those of the hidden places that are no folders.
    `private` is the folder that stands for the first private one; without it they are empty and in memory.
    """
    arguments = [
        "--unshare-user",
        "--unshare-pid",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
        *([] if profile.network else ["--unshare-net"]),
        "--cap-drop",
        "ALL",
        "--new-session",
        "--die-with-parent",
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
    ]
    arguments += _mounts(profile, files, private)
    return [*arguments, "--chdir", str(start)]


def packed(arguments: Sequence[str]) -> bytes:
    """Arguments as bubblewrap reads them from a descriptor (`--args`): they may be many."""
    return b"".join(os.fsencode(argument) + b"\0" for argument in arguments)


def _mounts(profile: Profile, files: frozenset[Path], private: Path | None) -> Iterator[str]:
    closed: list[Path] = []
    for path, access in profile.in_order():
        match access:
            case Access.READ:
                yield from ("--ro-bind", str(path), str(path))
            case Access.WRITE:
                yield from ("--bind", str(path), str(path))
            case Access.PRIVATE if private is not None:
                yield from ("--bind", str(private), str(path))
                private = None
            case Access.PRIVATE:
                yield from ("--perms", "1777", "--tmpfs", str(path))
            case Access.HIDDEN if path in files:
                yield from ("--ro-bind", str(EMPTY_FILE), str(path))
            case Access.HIDDEN:
                yield from ("--tmpfs", str(path))
                closed.append(path)
    # only now: places below them had to be mounted first
    for path in closed:
        yield from ("--remount-ro", str(path))
