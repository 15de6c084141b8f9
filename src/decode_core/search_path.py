"""The folders of a search path whose programs may stand in for what the person means."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def trusted_path(path: str, holds: Callable[[Path], bool]) -> str:
    """The absolute folders of `path` outside temporary folders and outside what `holds` says yes to (a workspace)."""
    temporary = [Path(folder).resolve() for folder in ("/tmp", "/var/tmp", tempfile.gettempdir())]  # noqa: S108 - refused
    found: list[str] = []
    for part in path.split(os.pathsep):
        if part.startswith("/"):
            real = Path(part).resolve()
            if not holds(real) and not any(real == each or each in real.parents for each in temporary):
                found.append(part)
    return os.pathsep.join(found)
