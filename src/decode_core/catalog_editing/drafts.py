"""Text of agents' files that was not saved yet: kept beside the sessions, so that quit and crash lose nothing.

One file a document, replaced as a whole; what cannot be read is passed over, never an error in the way of work.
"""

import base64
import hashlib
import json
import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from decode_core.catalog.definition import Layer
from decode_core.catalog_editing.files import AgentFile
from decode_core.config import data_dir
from decode_core.settings.replace import PRIVATE, SettingsWriteError, replace_file

logger = logging.getLogger(__name__)

MAX_BYTES = 2 * 1024 * 1024
"""A larger file in the folder is none of ours."""


@dataclass(frozen=True)
class AgentDraft:
    """An unsaved text, and the bytes that stood in its file when it was begun (None: no file)."""

    file: AgentFile
    text: str
    seen: bytes | None


class AgentDrafts:
    """The drafts in `folder` (default: `agent-drafts` in the data directory)."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = data_dir() / "agent-drafts" if folder is None else folder

    def of(self, root: Path) -> list[AgentDraft]:
        """The drafts of the person's own agents, and of those of the workspace at `root`; the oldest first."""
        drafts = [draft for draft in self._all() if draft.file.layer is Layer.USER or draft.file.root == root]
        return sorted(drafts, key=lambda draft: str(draft.file.path))

    def keep(self, draft: AgentDraft) -> str | None:
        """Keep a draft in place of the one of its file; returns why that cannot be done."""
        seen = None if draft.seen is None else base64.b64encode(draft.seen).decode()
        value = {
            "path": _text(draft.file.path),
            "layer": draft.file.layer,
            "root": _text(draft.file.root),
            "seen": seen,
            "text": draft.text,
        }
        try:
            replace_file(self._place(draft.file.path), lambda _: json.dumps(value).encode(), new_mode=PRIVATE)
        except SettingsWriteError as error:
            return str(error)
        return None

    def drop(self, path: Path) -> None:
        """Forget the draft of a file."""
        try:
            self._place(path).unlink(missing_ok=True)
        except OSError as error:
            logger.warning("the draft of %s cannot be removed (%s)", path, error.strerror)

    def _place(self, path: Path) -> Path:
        return self.folder / f"{hashlib.sha256(os.fsencode(path)).hexdigest()[:32]}.json"

    def _all(self) -> Iterator[AgentDraft]:
        try:
            places = sorted(self.folder.glob("*.json"))
        except OSError:
            return
        for place in places:
            try:
                if place.stat().st_size <= MAX_BYTES:
                    yield _draft(json.loads(place.read_bytes()))
            except (OSError, ValueError) as error:
                logger.warning("the draft %s cannot be read (%s)", place, error)


def _draft(value: Any) -> AgentDraft:
    """Raises ValueError for what is no draft."""
    match value:
        case {
            "path": str(path),
            "layer": str(layer),
            "root": str(root),
            "seen": str() | None as seen,
            "text": str(text),
        }:
            file = AgentFile(_path(path), Layer(layer), _path(root))
            return AgentDraft(file, text, None if seen is None else base64.b64decode(seen, validate=True))
        case _:
            raise ValueError("it has a wrong shape")


def _text(path: Path) -> str:
    return os.fsencode(path).decode("utf-8", errors="surrogateescape")


def _path(text: str) -> Path:
    return Path(os.fsdecode(text.encode("utf-8", errors="surrogateescape")))
