"""Writing agents' files at the person's word: atomic, never over a change that they have not seen (catalog.md §6).

What the person writes is theirs: it is trusted as it stands, without a question. It goes to a file of the person's or
of the project's; the built-in agents are never written to.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from decode_core.catalog.definition import Layer
from decode_core.catalog.frontmatter import MAX_BYTES
from decode_core.settings.replace import PRIVATE, SHARED, SettingsWriteError, replace_file
from decode_core.trust.content import AGENTS_FOLDER
from decode_core.trust.storing import stamp_change, trust_stamp


class AgentFileError(Exception):
    """Nothing was written or removed. The message is one sentence for the person."""


class ChangedUnderneath(AgentFileError):  # noqa: N818 - named for what happened
    """The file holds something else than the person has seen."""


@dataclass(frozen=True)
class AgentFile:
    """Where an agent's file lies, or is to lie. `root` is the workspace, for a file of the project."""

    path: Path
    layer: Layer
    root: Path

    @property
    def is_writable(self) -> bool:
        """Whether the layer is one that the person writes to."""
        return self.layer is not Layer.BUILTIN


def read_agent_file(path: Path) -> bytes | None:
    """The bytes of a file, at most one more than an agent may have; None where there is none.

    Raises AgentFileError where something else stands there.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise AgentFileError(f"{path} cannot be read ({error.strerror}); check its rights") from error
    try:
        with os.fdopen(descriptor, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise AgentFileError(f"{path} cannot be read ({error.strerror}); an agent is a regular file") from error


def save_agent_file(file: AgentFile, data: bytes, seen: bytes | None) -> None:
    """Write `data` over `seen`, what the person last saw there (None: no file).

    Raises ChangedUnderneath if it holds something else by now, AgentFileError if it cannot be written.
    """

    def edit(present: bytes | None) -> bytes:
        if present != seen:
            raise ChangedUnderneath(f"{file.path} was changed by another program meanwhile")
        return data

    target = _target(file)
    if len(data) > MAX_BYTES:
        raise AgentFileError(f"{file.path} was not changed: it would be larger than {MAX_BYTES >> 10} KiB")
    try:
        if file.layer is Layer.PROJECT:
            target.parent.mkdir(parents=True, exist_ok=True)
            stamp = trust_stamp(file.root, _name(file))
            replace_file(target, edit, new_mode=SHARED, before_write=stamp)
        else:
            replace_file(target, edit, new_mode=PRIVATE)
    except SettingsWriteError as error:
        raise AgentFileError(str(error)) from error
    except OSError as error:
        raise AgentFileError(f"{file.path} was not changed ({error.strerror}); check its folder") from error


def delete_agent_file(file: AgentFile, seen: bytes | None) -> None:
    """Remove a file that still holds what the person saw. Raises as `save_agent_file` does."""
    target = _target(file)
    if read_agent_file(target) != seen:
        raise ChangedUnderneath(f"{file.path} was changed by another program meanwhile")
    try:
        if file.layer is Layer.PROJECT:
            stamp_change(file.root, _name(file), seen, None)
        target.unlink(missing_ok=True)
    except SettingsWriteError as error:
        raise AgentFileError(str(error)) from error
    except OSError as error:
        raise AgentFileError(f"{file.path} was not removed ({error.strerror}); check its folder") from error


def _name(file: AgentFile) -> str:
    return f"{AGENTS_FOLDER}/{file.path.name}"


def _target(file: AgentFile) -> Path:
    """The file to write to. Links of the person's own are followed; a project's lead nowhere that is safe to write."""
    if not file.is_writable:
        raise AgentFileError(f"{file.path} is built in; duplicate it, and change the copy")
    if file.layer is Layer.USER:
        return Path(os.path.realpath(file.path))
    for place in (file.root / ".decode", file.path.parent, file.path):
        if place.is_symlink():
            raise AgentFileError(f"{file.path} was not changed: {place} is a link; replace it by what it leads to")
    return file.path
