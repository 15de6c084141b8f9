"""Exports of a session: Markdown, JSON lines, HTML, or a script that plays it again. Secrets are redacted in all."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

from decode_core.store.export_html import html
from decode_core.store.export_markdown import markdown
from decode_core.store.export_script import script
from decode_core.store.exported import Exported
from decode_core.store.faults import StoreError, StoreFault
from decode_core.store.lines import line_of
from decode_core.store.records import Records
from decode_core.store.redact import Redactor
from decode_core.store.sessions import SessionInfo

__all__ = ["ExportFormat", "Exported", "export", "form_of", "write_export"]


class ExportFormat(StrEnum):
    """The forms of an export."""

    MARKDOWN = "markdown"
    JSON_LINES = "jsonl"
    HTML = "html"
    SCRIPT = "script"


_BY_SUFFIX = {
    ".md": ExportFormat.MARKDOWN,
    ".jsonl": ExportFormat.JSON_LINES,
    ".html": ExportFormat.HTML,
    ".yaml": ExportFormat.SCRIPT,
    ".yml": ExportFormat.SCRIPT,
}


def form_of(file: Path | None) -> ExportFormat:
    """The form that a file's name says; Markdown where it says none."""
    return _BY_SUFFIX.get(file.suffix.lower() if file else "", ExportFormat.MARKDOWN)


def export(records: Records, info: SessionInfo, form: ExportFormat, redactor: Redactor | None = None) -> Exported:
    """A session in one of the forms; of a damaged one what is readable, and how many events are missing.

    Raises StoreError where nothing can be read.
    """
    redactor = redactor or Redactor()
    stored = records.events(info.id)
    events = tuple(redactor.event(event) for event in stored.events)
    title = redactor.text(info.title)
    match form:
        case ExportFormat.MARKDOWN:
            pieces = markdown(title, info, events, stored.unreadable)
        case ExportFormat.JSON_LINES:
            pieces = (f"{line_of(event)}\n" for event in events)
        case ExportFormat.HTML:
            pieces = html(title, info, events, stored.unreadable)
        case ExportFormat.SCRIPT:
            pieces = script(title, events)
    return Exported("".join(pieces), len(events), stored.unreadable)


def write_export(exported: Exported, file: Path) -> None:
    """Write an export to `file`, open to its owner alone: whole or not at all. Raises StoreError."""
    try:
        if file.is_dir():
            raise StoreError(StoreFault.NOT_EXPORTED, f"{file} is a folder; name a file in it")
        with _replacing(file) as descriptor:
            with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace", newline="\n", closefd=False) as text:
                text.write(exported.text)
            os.fsync(descriptor)
    except OSError as error:
        sentence = f"{file} cannot be written ({error.strerror}); choose another place with --to"
        raise StoreError(StoreFault.NOT_EXPORTED, sentence) from error


@contextlib.contextmanager
def _replacing(file: Path) -> Iterator[int]:
    """A descriptor of a fresh file in the same folder (0600) that takes the place of `file` at the end."""
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name[:50]}.", dir=file.parent)
    try:
        yield descriptor
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)
