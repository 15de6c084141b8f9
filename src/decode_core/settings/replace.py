"""Replacing a file as a whole, or not at all: locked, atomic, never through a link (permissions.md §3.2).

The new bytes go to a temporary file in the same folder, reach the disk, and take the name by rename; a process that is
killed leaves the old file or the new one, never a part. The folder is held by a descriptor meanwhile, so that nobody
can swap it for a link between check and write.
"""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from decode_core.config import ConfigError, data_dir, make_private
from decode_core.settings.files import is_project_file, read_regular
from decode_core.settings.jsontext import MAX_BYTES

LOCK_TIMEOUT_S = 10.0

PRIVATE = 0o600
SHARED = 0o666
"""Mode of a new file that others may read, less what the process's umask takes away."""

_ATTEMPTS = 3
_log = logging.getLogger(__name__)


class SettingsWriteError(Exception):
    """Nothing was written. The message is one sentence for the person."""


BeforeWrite = Callable[[bytes | None, bytes], object]
"""Told what stands in a file and what will, just before it is written and while it is locked; may raise."""


def replace_file(
    file: Path,
    edit: Callable[[bytes | None], bytes | None],
    *,
    new_mode: int,
    before_write: BeforeWrite | None = None,
) -> bool:
    """Replace the bytes of `file` by what `edit` makes of them; True if anything was written.

    `edit` gets None for a missing file and returns None to leave it alone; it may run again when somebody else changed
    the file meanwhile. Missing folders are made. An existing file keeps its mode bits, a new one gets `new_mode`.
    Raises SettingsWriteError; what `edit` and `before_write` raise passes through, and nothing is written.
    """
    with _locked(file), _folder(file) as folder:
        for _ in range(_ATTEMPTS):
            before, mode = _read(file, folder)
            after = edit(before)
            if after is None or after == before:
                return False
            if len(after) > MAX_BYTES:
                raise SettingsWriteError(f"{file} was not changed: it would be larger than {MAX_BYTES >> 10} KiB")
            if before_write is not None:
                before_write(before, after)
            if _swap(file, folder, before, after, new_mode if mode is None else mode):
                return True
    raise SettingsWriteError(f"{file} was not changed: another program keeps writing it; try again")


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    # imported here: they cost more than reading all settings, and most runs write none
    import hashlib

    from filelock import FileLock, Timeout

    name = hashlib.sha256(os.fsencode(os.path.realpath(file))).hexdigest()[:32]
    try:
        lock = FileLock(make_private(data_dir() / "locks") / f"{name}.lock", timeout=LOCK_TIMEOUT_S, mode=PRIVATE)
        lock.acquire()
    except Timeout:
        raise SettingsWriteError(f"{file} was not changed: another decode is writing it; try again") from None
    except ConfigError as error:
        raise SettingsWriteError(f"{file} was not changed: {error}") from error
    except OSError as error:
        raise SettingsWriteError(f"{file} was not changed: it cannot be locked ({error.strerror})") from error
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _folder(file: Path) -> Iterator[int]:
    folder = file.parent
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    if is_project_file(file):
        # a repository may carry `.decode` as a link to a folder of the person's
        flags |= os.O_NOFOLLOW
    try:
        if is_project_file(file):
            with suppress(FileExistsError):
                folder.mkdir()
        else:
            make_private(folder)
        descriptor = os.open(folder, flags)
    except ConfigError as error:
        raise SettingsWriteError(f"{file} was not changed: {error}") from error
    except OSError as error:
        if folder.is_symlink():
            raise SettingsWriteError(f"{file} was not changed: {folder} is a link; replace it by a folder") from error
        raise _not_changed(file, error) from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _read(file: Path, folder: int) -> tuple[bytes | None, int | None]:
    """Bytes and mode bits of the file as it stands, (None, None) where nothing does."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        return read_regular(os.open(file.name, flags, dir_fd=folder))
    except FileNotFoundError:
        return None, None
    except OSError as error:
        if file.is_symlink():
            raise SettingsWriteError(f"{file} was not changed: it is a link; change the file it leads to") from error
        raise _not_changed(file, error) from error


def _swap(file: Path, folder: int, before: bytes | None, after: bytes, mode: int) -> bool:
    """Put `after` in the place of `before`; False if the file holds something else by now."""
    temporary = f".{file.name}.{os.urandom(6).hex()}.tmp"
    renamed = False
    try:
        _write(temporary, folder, after, mode, keep_mode=before is not None)
        if _read(file, folder)[0] != before:
            return False
        os.rename(temporary, file.name, src_dir_fd=folder, dst_dir_fd=folder)
        renamed = True
    except OSError as error:
        raise _not_changed(file, error) from error
    finally:
        if not renamed:
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=folder)
    try:
        os.fsync(folder)
    except OSError as error:
        _log.warning("%s is written, but its folder cannot be flushed to disk (%s)", file, error.strerror)
    return True


def _write(name: str, folder: int, data: bytes, mode: int, *, keep_mode: bool) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    # while it is being written a file is never more open than it will be
    descriptor = os.open(name, flags, mode if not keep_mode else mode & PRIVATE, dir_fd=folder)
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(data)
        opened.flush()
        if keep_mode:
            os.fchmod(descriptor, mode)
        os.fsync(descriptor)


def _not_changed(file: Path, error: OSError) -> SettingsWriteError:
    return SettingsWriteError(f"{file} was not changed ({error.strerror}); check the permissions and free space there")
