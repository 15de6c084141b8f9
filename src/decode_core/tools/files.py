"""Files by directory handles: regular files only, no link followed, and only while the frozen facts still hold.

A tool acts on the real path that was judged (permissions.md §7). Each of its folders is opened inside the one before it
without following links, so that nothing that changes between verdict and act can lead elsewhere.
"""

import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from decode_core.permissions.path_facts import MAX_DIGEST_BYTES
from decode_core.permissions.request import PathFact

MAX_FILE_BYTES = MAX_DIGEST_BYTES
"""Larger files are neither read nor changed by file tools."""


class FileProblem(Exception):  # noqa: N818 - a problem to tell, in the words of the tools' results
    """A file cannot be used. The message is one sentence with a way out, for the model and the person."""


@dataclass(frozen=True)
class Snapshot:
    """The bytes of a file, their SHA-256, and the facts of the very file they were read from."""

    data: bytes
    digest: str
    info: os.stat_result


def digest_of(data: bytes) -> str:
    """SHA-256 of `data`, as the facts of a request and the memory of files hold it."""
    return hashlib.sha256(data).hexdigest()


def read_snapshot(fact: PathFact) -> Snapshot:
    """Read a whole file. Raises FileProblem: missing, no regular file, too large, unreadable, or not the judged one."""
    if not fact.exists:
        raise FileProblem(f"{fact.given} does not exist.")
    with _told(fact, "read"), _parent(fact) as (folder, name):
        file = _open_regular(fact, folder, name)
        try:
            info = os.fstat(file)
            if (info.st_dev, info.st_ino) != (fact.device, fact.inode):
                raise FileProblem(_changed(fact))
            if info.st_size > MAX_FILE_BYTES:
                size = f"{info.st_size / 2**20:,.0f} MB"
                raise FileProblem(
                    f"{fact.given} has {size}, more than the {MAX_FILE_BYTES // 2**20} MB that file tools take; "
                    "find the place with grep."
                )
            data = _read_all(file)
        finally:
            os.close(file)
    if len(data) > MAX_FILE_BYTES:
        raise FileProblem(f"{fact.given} grows while it is read; find the place with grep.")
    digest = digest_of(data)
    if fact.digest is not None and fact.digest != digest:
        raise FileProblem(_changed(fact))
    return Snapshot(data, digest, info)


def create_file(fact: PathFact, data: bytes) -> None:
    """Make a new file with `data`, and the folders it needs. Raises FileProblem, also where it has come to exist."""
    with _told(fact, "created"), _parent(fact, make=True) as (folder, name):
        if _exists(folder, name):
            raise FileProblem(_changed(fact))
        temporary = _write_temporary(folder, data, like=None)
        try:
            _rename_to_free(folder, temporary, name)
        except BaseException:
            os.unlink(temporary, dir_fd=folder)
            raise
        _sync_folder(folder)


def replace_file(fact: PathFact, before: Snapshot, data: bytes) -> None:
    """Put `data` in the place of `before`, all or nothing; mode bits and owner stay.

    Raises FileProblem where the file is not the one that `before` was read from, or may not be written.
    """
    with _told(fact, "changed"), _parent(fact) as (folder, name):
        _check_unchanged(fact, folder, name, before)
        # renaming over a file ignores its own mode bits: a file that is closed to writing is to stay as it is
        os.close(os.open(name, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder))
        temporary = _write_temporary(folder, data, like=before.info)
        try:
            _check_unchanged(fact, folder, name, before)
            os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            os.unlink(temporary, dir_fd=folder)
            raise
        _sync_folder(folder)


@contextmanager
def open_target(fact: PathFact) -> Iterator[int]:
    """The judged folder or regular file as a descriptor for reading. Raises FileProblem."""
    if not fact.exists:
        raise FileProblem(f"{fact.given} does not exist.")
    with _told(fact, "read"), _parent(fact) as (folder, name):
        if fact.is_file:
            target = _open_regular(fact, folder, name)
        else:
            mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
            if not stat.S_ISDIR(mode) and not stat.S_ISLNK(mode):
                raise FileProblem(f"{fact.given} is {kind_of(mode)}; name a folder or a regular file.")
            target = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        info = os.fstat(target)
        if (info.st_dev, info.st_ino) != (fact.device, fact.inode):
            raise FileProblem(_changed(fact))
        yield target
    finally:
        os.close(target)


def names_beside(fact: PathFact) -> list[str]:
    """Names in the folder of the real path, at most 10,000 and sorted; none where it cannot be listed."""
    try:
        with _parent(fact) as (folder, _):
            handle = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
            try:
                return sorted(os.listdir(handle)[:10_000])  # noqa: PTH208 - by handle, which a Path is not
            finally:
                os.close(handle)
    except OSError:
        return []


def kind_of(mode: int) -> str:
    """What a file is that is no regular one, in words: "a folder", "a FIFO"."""
    for is_kind, name in _KINDS:
        if is_kind(mode):
            return name
    return "no regular file"


@contextmanager
def _parent(fact: PathFact, *, make: bool = False) -> Iterator[tuple[int, str]]:
    """The folder of the real path as a handle, and the last name; missing folders are made where `make` says so."""
    parts = fact.real.parts
    folder = os.open(parts[0], _FOLDER)
    try:
        for name in parts[1:-1]:
            try:
                below = os.open(name, _FOLDER, dir_fd=folder)
            except FileNotFoundError:
                if not make:
                    raise
                os.mkdir(name, dir_fd=folder)
                below = os.open(name, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = below
        yield folder, parts[-1] if len(parts) > 1 else "."
    finally:
        os.close(folder)


def _open_regular(fact: PathFact, folder: int, name: str) -> int:
    # looked at first: opening a device can already do something, and opening a FIFO would wait
    mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    if stat.S_ISLNK(mode):
        raise FileProblem(_changed(fact))
    if not stat.S_ISREG(mode):
        raise FileProblem(_not_regular(fact, mode))
    file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    if not stat.S_ISREG(mode := os.fstat(file).st_mode):
        os.close(file)
        raise FileProblem(_not_regular(fact, mode))
    return file


def _read_all(file: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while size <= MAX_FILE_BYTES and (chunk := os.read(file, 1 << 20)):
        chunks.append(chunk)
        size += len(chunk)
    return b"".join(chunks)


def _write_temporary(folder: int, data: bytes, *, like: os.stat_result | None) -> str:
    """Write and sync a new file beside the target; returns its name. `like` gives mode bits and owner."""
    name = f".decode-{secrets.token_hex(8)}.tmp"
    mode = 0o666 if like is None else 0o600
    file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=folder)
    try:
        if like is not None:
            own = os.fstat(file)
            if (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid):
                os.fchown(file, like.st_uid, like.st_gid)
            os.fchmod(file, stat.S_IMODE(like.st_mode))
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]
        os.fsync(file)
    except BaseException:
        os.unlink(name, dir_fd=folder)
        raise
    finally:
        os.close(file)
    return name


def _rename_to_free(folder: int, temporary: str, name: str) -> None:
    """Rename without replacing anything; raises FileExistsError where the name is taken."""
    try:
        os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        # such a file system has no way to rename without replacing; the check before is all that can be had
        if _exists(folder, name):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        return
    os.unlink(temporary, dir_fd=folder)


def _exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _check_unchanged(fact: PathFact, folder: int, name: str, before: Snapshot) -> None:
    now = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if _identity(now) != _identity(before.info):
        raise FileProblem(_changed(fact))


def _identity(info: os.stat_result) -> tuple[int, ...]:
    return (info.st_dev, info.st_ino, info.st_mode, info.st_size, info.st_mtime_ns, info.st_ctime_ns)


def _sync_folder(folder: int) -> None:
    handle = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
    try:
        os.fsync(handle)
    except OSError as error:
        # some network file systems cannot sync a folder; the file itself is synced
        if error.errno != errno.EINVAL:
            raise
    finally:
        os.close(handle)


@contextmanager
def _told(fact: PathFact, verb: str) -> Iterator[None]:
    """Turn whatever the system says into one sentence."""
    try:
        yield
    except FileNotFoundError:
        raise FileProblem(_changed(fact)) from None
    except (FileExistsError, NotADirectoryError) as error:
        raise FileProblem(_changed(fact) if fact.exists else _in_the_way(fact, error)) from None
    except PermissionError as error:
        raise FileProblem(
            f"{fact.given} cannot be {verb} ({error.strerror}); the person has to change its permissions first."
        ) from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise FileProblem(_changed(fact)) from None
        raise FileProblem(f"{fact.given} cannot be {verb}: {error.strerror}.") from None


def _in_the_way(fact: PathFact, error: OSError) -> str:
    if isinstance(error, FileExistsError):
        return _changed(fact)
    return f"{fact.given} cannot be created: part of its path is a file or has become a link; choose another path."


def _changed(fact: PathFact) -> str:
    return f"{fact.given} changed after this call was checked; read it again and repeat the call."


def _not_regular(fact: PathFact, mode: int) -> str:
    way_out = "list it with glob" if stat.S_ISDIR(mode) else "file tools take regular files only"
    return f"{fact.given} is {kind_of(mode)}; {way_out}."


# O_PATH needs no right to list a folder, only to pass through it
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NO_HARD_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK})
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISLNK, "a link"),
)
