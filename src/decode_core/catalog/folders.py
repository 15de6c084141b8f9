"""Finds and reads agents' files. Whatever stands in their place is an error of that file, never an exception."""

import os
import stat
from collections.abc import Collection
from pathlib import Path

from decode_core.catalog.definition import CatalogError, Layer
from decode_core.catalog.frontmatter import MAX_BYTES
from decode_core.catalog.reading import Reading, read_agent


def agent_files(folder: Path) -> tuple[list[Path], list[CatalogError]]:
    """Everything named `*.md` in a folder, by path, and why the folder cannot be read; a missing folder is empty.

    Hidden names are left out: editors keep their locks and temporary files there (`.#build.md`).
    """
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries)
    except FileNotFoundError:
        return [], []
    except NotADirectoryError:
        return [], [CatalogError(folder, 1, 1, "", "it is not a folder", "agents are files in a folder of this name")]
    except OSError as error:
        return [], [CatalogError(folder, 1, 1, "", f"the folder cannot be read ({error.strerror})", "check its rights")]
    return [folder / name for name in names if is_agent_file(name)], []


def is_agent_file(name: str) -> bool:
    """Whether a file of this name is an agent's."""
    return name.endswith(".md") and not name.startswith(".")


class Readings:
    """What came of files that were read before, so that a file that holds the same bytes is not validated again.

    For one set of known tools. Files that are not asked for between two calls of `begin` are forgotten.
    """

    def __init__(self) -> None:
        self._before: dict[tuple[Path, Layer], tuple[bytes, Reading]] = {}
        self._now: dict[tuple[Path, Layer], tuple[bytes, Reading]] = {}

    def begin(self) -> None:
        """All files are read anew."""
        self._before, self._now = self._now, {}

    def read(self, path: Path, data: bytes, layer: Layer, known_tools: Collection[str]) -> Reading:
        """The reading of these bytes."""
        known = self._before.get((path, layer))
        reading = known[1] if known is not None and known[0] == data else read_agent(path, data, layer, known_tools)
        self._now[path, layer] = data, reading
        return reading


def read_file(path: Path, layer: Layer, known_tools: Collection[str], readings: Readings | None = None) -> Reading:
    """Read and validate one file. Never raises for what stands there."""
    try:
        return (readings or Readings()).read(path, _bytes(path), layer, known_tools)
    except FileNotFoundError:
        if path.is_symlink():
            return _unreadable(path, "the link leads nowhere", "mend or remove it")
        return _unreadable(path, "there is no such file", "check the path")
    except IsADirectoryError:
        return _unreadable(path, "it is a folder", "an agent is a file; rename the folder")
    except _NotRegularError:
        return _unreadable(path, "it is not a regular file", "an agent is a regular file; remove it")
    except OSError as error:
        return _unreadable(path, f"the file cannot be read ({error.strerror})", "check its rights")


def read_given(
    path: Path,
    data: bytes | None,
    problem: str,
    layer: Layer,
    known_tools: Collection[str],
    readings: Readings | None = None,
) -> Reading:
    """Validate bytes that were read before; None and a `problem` where the file could not be read."""
    if data is None:
        return _unreadable(path, f"the file cannot be read ({problem})", "check what stands there")
    return (readings or Readings()).read(path, data, layer, known_tools)


class _NotRegularError(OSError):
    pass


def _bytes(path: Path) -> bytes:
    """The file's bytes, or the first so many that show that it is too large."""
    # O_NONBLOCK and the check behind it: a pipe or a device that is named like an agent must not hang the program
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError
        if not stat.S_ISREG(mode):
            raise _NotRegularError
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(MAX_BYTES + 1)
    finally:
        os.close(descriptor)


def _unreadable(path: Path, problem: str, hint: str) -> Reading:
    return Reading(path.stem, errors=(CatalogError(path, 1, 1, "", problem, hint),))
