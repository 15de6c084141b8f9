"""What the person trusted: for each folder, by real path and owner, the digests of its content (permissions.md §9).

Kept in the person's data directory, open to them alone. Digests that were trusted once stay, so that a branch switched
to and back is not asked about again.
"""

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from decode_core.config import data_dir
from decode_core.settings.files import SettingsReadError, read_settings_file
from decode_core.settings.jsontext import parse_json_text
from decode_core.settings.replace import PRIVATE, SettingsWriteError, replace_file
from decode_core.trust.content import ContentFile, FolderContent

MAX_DIGESTS = 64
"""Digests kept for one folder; the oldest give way."""

_VERSION = 1
_HEX = frozenset("0123456789abcdef")


class TrustError(Exception):
    """Trust cannot be given, taken back or looked up. The message is one sentence with a way out."""


@dataclass(frozen=True)
class _Folder:
    owner: int
    digests: tuple[str, ...]


class TrustRecord:
    """The record in `file` (default: `trust/folders.json` in the data directory). Every call reads it anew."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = data_dir() / "trust" / "folders.json" if file is None else file

    def is_trusted(self, content: FolderContent) -> bool:
        """Whether just this content was trusted, in this folder, under this owner.

        Content that is empty has nothing to trust and is not. Raises TrustError when the record cannot be read: then
        nothing counts as trusted.
        """
        if content.is_empty or content.refused:
            return False
        folder = self._folders().get(_key(content.root))
        return folder is not None and folder.owner == content.owner and content.digest in folder.digests

    def knows(self, root: Path) -> bool:
        """Whether any content of the folder was trusted before. Raises TrustError."""
        return _key(root) in self._folders()

    def trust(self, content: FolderContent) -> None:
        """Trust just this content. Raises TrustError, also for content that nobody can vouch for."""
        if content.refused:
            raise TrustError(f"{content.root} cannot be trusted: {content.refused}")

        def add(folders: dict[str, _Folder]) -> None:
            known = folders.get(_key(content.root))
            before = known.digests if known is not None and known.owner == content.owner else ()
            kept = [digest for digest in before if digest != content.digest]
            folders[_key(content.root)] = _Folder(content.owner, (*kept, content.digest)[-MAX_DIGESTS:])

        self._change(add)
        self._keep(content)

    def last(self, content: FolderContent) -> FolderContent | None:
        """What was trusted last in the folder of `content`; None where that is not known any more.

        Only what the record itself vouches for. Raises TrustError when the record cannot be read.
        """
        known = self._folders().get(_key(content.root))
        if known is None or known.owner != content.owner:
            return None
        try:
            data = read_settings_file(self._kept_file(content.root))
            kept = None if data is None else FolderContent(content.root, content.owner, _kept_files(data))
        except (SettingsReadError, ValueError):
            return None  # it only serves to show a difference
        return kept if kept is not None and kept.digest in known.digests else None

    def revoke(self, root: Path) -> bool:
        """Forget everything that was trusted in the folder; False where nothing was. Raises TrustError."""
        found = False

        def drop(folders: dict[str, _Folder]) -> None:
            nonlocal found
            found = folders.pop(_key(root), None) is not None

        self._change(drop)
        self._kept_file(root).unlink(missing_ok=True)
        return found

    def _keep(self, content: FolderContent) -> None:
        """Keep the content itself, so that a later change can be shown; a large one is known by its digest only."""
        if any(file.data is None for file in content.files):
            return
        files = {file.name: b64encode(file.data or b"").decode() for file in content.files}
        text = json.dumps({"version": _VERSION, "files": files}).encode()
        with suppress(SettingsWriteError, UnicodeEncodeError):
            replace_file(self._kept_file(content.root), lambda _: text, new_mode=PRIVATE)

    def _kept_file(self, root: Path) -> Path:
        import hashlib

        return self.file.parent / f"{hashlib.sha256(_key(root).encode()).hexdigest()[:32]}.json"

    def _folders(self) -> dict[str, _Folder]:
        try:
            data = read_settings_file(self.file)
            return {} if data is None else _parsed(data)
        except (SettingsReadError, ValueError) as error:
            raise TrustError(self._unusable(error)) from error

    def _change(self, change: Callable[[dict[str, _Folder]], None]) -> None:
        def edit(data: bytes | None) -> bytes:
            try:
                folders = {} if data is None else _parsed(data)
            except ValueError as error:
                raise TrustError(self._unusable(error)) from error
            change(folders)
            shown = {key: {"owner": each.owner, "digests": list(each.digests)} for key, each in folders.items()}
            return json.dumps({"version": _VERSION, "folders": shown}, ensure_ascii=False, indent=1).encode() + b"\n"

        try:
            replace_file(self.file, edit, new_mode=PRIVATE)
        except SettingsWriteError as error:
            raise TrustError(f"the trust was not stored: {error}") from error

    def _unusable(self, error: Exception) -> str:
        return f"{self.file} cannot be used ({error}); delete it to start anew, and no folder is trusted"


def _key(root: Path) -> str:
    return os.fsencode(os.path.realpath(root)).decode("utf-8", errors="backslashreplace")


def _parsed(data: bytes) -> dict[str, _Folder]:
    """The record by folder. Raises ValueError."""
    value = parse_json_text(data).value
    folders: Any = value.get("folders")
    if value.get("version") != _VERSION or not isinstance(folders, dict):
        raise ValueError("it is of another version")
    return {key: _folder(entry) for key, entry in folders.items()}


def _kept_files(data: bytes) -> tuple[ContentFile, ...]:
    """The files of a kept content. Raises ValueError."""
    value = parse_json_text(data).value
    files: Any = value.get("files")
    if value.get("version") != _VERSION or not isinstance(files, dict):
        raise ValueError("it is of another version")
    return tuple(ContentFile(name, b64decode(text, validate=True)) for name, text in files.items())


def _folder(entry: Any) -> _Folder:
    match entry:
        case {"owner": int(owner), "digests": list(digests)} if all(map(_is_digest, digests)):
            return _Folder(owner, tuple(digests))
        case _:
            raise ValueError("it has a wrong shape")


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 64 and _HEX.issuperset(value)
