"""Files that survive a crash: whole files by temporary file and rename, appends that reach the disk."""

import os
import tempfile
from pathlib import Path, PurePosixPath

from decode_core.plans.errors import JournalCollisionError, PlanError

_NEW_FILE_MODE = 0o644


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file as a whole, keeping its mode; a reader sees the old or the new bytes, never half of either.

    Raises PlanError when the place is a link, or cannot be written.
    """
    if path.is_symlink():
        raise PlanError(f"{path} is a link; decode does not write through it")
    half = ""
    try:
        mode = path.stat().st_mode & 0o777 if path.exists() else _NEW_FILE_MODE
        descriptor, half = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        Path(half).replace(path)
        sync_folder(path.parent)
    except OSError as error:
        if half:
            Path(half).unlink(missing_ok=True)
        raise PlanError(f"{path} could not be written: {error.strerror or error}") from None


def append_durably(path: Path, data: bytes, *, expected_size: int) -> int:
    """Append to a file that has exactly `expected_size` bytes, on disk when this returns; give its new size.

    Raises JournalCollisionError when somebody changed the file meanwhile, PlanError when it cannot be written; a
    half-written line is taken back.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, _NEW_FILE_MODE)
    except OSError as error:
        raise PlanError(f"{path} could not be opened: {error.strerror}") from None
    try:
        size = os.fstat(descriptor).st_size
        if size != expected_size:
            raise JournalCollisionError(
                f"{path.name} has {size} bytes instead of {expected_size}: another program wrote to it without the "
                "lock; run the command again"
            )
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)
        except OSError as error:
            os.ftruncate(descriptor, expected_size)
            raise PlanError(f"{path} could not be written: {error.strerror}") from None
    finally:
        os.close(descriptor)
    if expected_size == 0:
        sync_folder(path.parent)
    return expected_size + len(data)


def truncate_durably(path: Path, size: int) -> None:
    """Cut a file to `size` bytes, on disk when this returns. Raises PlanError."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_NOFOLLOW)
        try:
            os.ftruncate(descriptor, size)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise PlanError(f"{path} could not be mended: {error.strerror}") from None


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder survive a crash."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_if_there(path: Path) -> bytes | None:
    """The bytes of a regular file; None where there is none. Raises PlanError for one that cannot be read."""
    try:
        if not path.exists():
            return None
        if not path.is_file():
            raise PlanError(f"{path} is no regular file")
        return path.read_bytes()
    except OSError as error:
        raise PlanError(f"{path} could not be read: {error.strerror}") from None


def file_inside(text: str, *folders: Path) -> Path | None:
    """The existing file that a relative path names in the first of `folders` that has it, links followed.

    None for an absolute path, one with `..`, and one whose real place lies outside of the folder.
    """
    parts = PurePosixPath(text)
    if not text or "\0" in text or parts.is_absolute() or ".." in parts.parts:
        return None
    for folder in folders:
        try:
            real = (folder / text).resolve(strict=True)
            if real.is_file() and folder.resolve() in real.parents:
                return real
        except (OSError, RuntimeError):
            continue
    return None
