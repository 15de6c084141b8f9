"""Looks at one path of a call and freezes what is found. I/O."""

import hashlib
import os
import stat
import sysconfig
from functools import cache
from pathlib import Path

from decode_core.permissions.request import PathFact
from decode_core.workspace import Workspace, lies_in, with_slashes

MAX_DIGEST_BYTES = 64 * 1024 * 1024
"""Larger files are told apart by device, inode, size and time alone."""


def path_fact(text: str, workspace: Workspace, *, with_digest: bool, start: Path | None = None) -> PathFact:
    """Look at one path, as seen from `start` (default: the root).

    Raises OSError, ValueError or RuntimeError when it cannot be resolved.
    """
    lexical = workspace.absolute(text, start=start)
    # the text as given, not the folded one: `link/../x` leads elsewhere than `x`
    unfolded = Path(os.path.expanduser(text)) if text.startswith("~") else Path(text)  # noqa: PTH111 - keeps ~user
    real = Path(os.path.realpath((start or workspace.root) / unfolded))
    try:
        info = os.stat(real)  # noqa: PTH116 - one call for all facts
    except (FileNotFoundError, NotADirectoryError):
        info = None
    regular = info is not None and stat.S_ISREG(info.st_mode)
    return PathFact(
        given=text,
        lexical=lexical,
        real=real,
        relative=workspace.relative(lexical),
        real_relative=workspace.relative(real),
        inside=workspace.holds(real),
        free_to_read=lies_in(str(real), (*_free_folders(), *with_slashes(workspace.readable))),
        exists=info is not None,
        is_file=regular,
        device=info.st_dev if info else None,
        inode=info.st_ino if info else None,
        digest=_digest(real, info) if with_digest and regular and info else None,
    )


@cache
def free_roots() -> tuple[Path, ...]:
    """Folders outside every workspace that may be read unasked: the interpreter's library and public headers."""
    paths = sysconfig.get_paths()
    library = (paths.get(key) for key in ("stdlib", "platstdlib", "purelib", "platlib"))
    return (Path("/usr/include"), Path("/usr/share/doc"), *(Path(path).resolve() for path in library if path))


@cache
def _free_folders() -> tuple[str, ...]:
    return with_slashes(free_roots())


def _digest(path: Path, info: os.stat_result) -> str | None:
    if info.st_size > MAX_DIGEST_BYTES:
        return f"size:{info.st_size}:mtime:{info.st_mtime_ns}"
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
