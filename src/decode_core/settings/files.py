"""Where settings files stand, and how they are read: regular files of bounded size, never anything that blocks."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

from decode_core.config import config_dir
from decode_core.settings.jsontext import MAX_BYTES

PROJECT_FOLDER = ".decode"
FILE_NAME = "settings.json"


ReadFile = Callable[[Path], bytes | None]
"""Gives the bytes of a settings file, None where nothing stands; raises SettingsReadError."""


class SettingsReadError(Exception):
    """A file is there and cannot be read. The message is one sentence."""


def user_settings_file() -> Path:
    """The person's own settings."""
    return config_dir() / FILE_NAME


def project_settings_file(root: Path) -> Path:
    """The settings of the project at `root`."""
    return root / PROJECT_FOLDER / FILE_NAME


def is_project_file(file: Path) -> bool:
    """Whether `file` is a project's settings file, by its folder's name."""
    return file.parent.name == PROJECT_FOLDER


def read_settings_file(file: Path) -> bytes | None:
    """The bytes of `file`, at most one more than `jsontext.MAX_BYTES`; None where nothing stands.

    A link is followed; one that leads nowhere is an error, because whatever it held would be lost without a word.
    Raises SettingsReadError.
    """
    try:
        # O_NONBLOCK: a repository may hold a named pipe of this name, which would wait for ever
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        if file.is_symlink():
            raise SettingsReadError("the file is a link that leads nowhere; mend or delete the link") from None
        return None
    except OSError as error:
        raise SettingsReadError(_cannot_read(error)) from None
    except ValueError:
        raise SettingsReadError("the file's name holds a character that no file name can hold") from None
    try:
        return read_regular(descriptor)[0]
    except OSError as error:
        raise SettingsReadError(_cannot_read(error)) from None


def read_regular(descriptor: int) -> tuple[bytes, int]:
    """Bytes (at most one more than `jsontext.MAX_BYTES`) and mode bits of an open file, which is closed.

    Raises OSError, also for what is not a regular file.
    """
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as opened:
            return opened.read(MAX_BYTES + 1), stat.S_IMODE(status.st_mode)
    finally:
        os.close(descriptor)


def _cannot_read(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return "the file is a link that leads in a circle; mend or delete the link"
    return f"the file cannot be read ({error.strerror}); mend or delete it"
