"""One agent's file in the editor: its text, what it came from, and what stands on the disk. No widgets, no I/O."""

from dataclasses import dataclass, field

from decode_core.catalog.definition import Layer
from decode_core.catalog.edited_text import editable_text, edited_bytes
from decode_core.catalog.frontmatter import MAX_BYTES
from decode_core.catalog_editing.files import AgentFile


@dataclass
class AgentDocument:
    """A file that is edited. `seen` are the bytes that its text began as, None where there was no file."""

    file: AgentFile
    seen: bytes | None
    text: str = ""
    disk: bytes | None = field(init=False)
    """What stands in the file as far as is known."""
    locked: str = field(init=False, default="")
    """Why it can only be read, as a clause; empty where it can be edited."""
    cursor: tuple[int, int] = (0, 0)
    """Row and column, from 0."""

    def __post_init__(self) -> None:
        self.disk = self.seen
        self._began = self._text_of(self.seen)

    @classmethod
    def of(cls, file: AgentFile, data: bytes | None) -> "AgentDocument":
        """A document over a file that holds `data`."""
        document = cls(file, data)
        document.text = document._began
        return document

    @classmethod
    def new(cls, file: AgentFile, data: bytes) -> "AgentDocument":
        """A document that has no file yet and begins as `data`."""
        document = cls(file, None)
        document.text = document._text_of(data)
        return document

    @property
    def disk_text(self) -> str | None:
        """The text that stands on the disk; None where there is no file."""
        return None if self.disk is None else AgentDocument.of(self.file, self.disk).text

    @property
    def name(self) -> str:
        """The file's name."""
        return self.file.path.name

    @property
    def data(self) -> bytes:
        """What saving would write: only what was changed differs from `seen`."""
        return (self.seen or b"") if self.locked else edited_bytes(self.seen or b"", self.text)

    @property
    def is_unsaved(self) -> bool:
        """Whether the text is not what the file held when it was opened."""
        return not self.locked and (self.seen is None or self.text != self._began)

    @property
    def is_changed_underneath(self) -> bool:
        """Whether the file holds something else than what the text began as, so that a choice has to be made."""
        return self.disk != self.seen and (self.is_unsaved or self.disk is None)

    def found(self, disk: bytes | None) -> bool:
        """The file holds `disk` now. A text without changes follows it; returns whether the text is another one."""
        self.disk = disk
        if self.is_unsaved and disk is not None and self.data == disk:
            self.saved(disk)
        if self.is_unsaved or disk is None or disk == self.seen:
            return False
        self.take_theirs()
        return True

    def take_theirs(self) -> None:
        """Drop the changes: the text is what stands on the disk."""
        self.seen = self.disk
        self.text = self._began = self._text_of(self.disk)

    def keep_mine(self) -> None:
        """The text goes over whatever stands on the disk now."""
        self.seen = self.disk
        self._began = self._text_of(self.disk)

    def saved(self, data: bytes) -> None:
        """The file holds `data`, as it was written."""
        self.seen = self.disk = data
        self._began = self._text_of(data)

    def _text_of(self, data: bytes | None) -> str:
        """The text of bytes; what cannot be edited is locked and shown as far as it can be."""
        self.locked = ""
        if self.file.layer is Layer.BUILTIN:
            self.locked = "built in: d copies it into the project, where it can be changed"
        if data is None:
            return ""
        if len(data) > MAX_BYTES:
            self.locked = f"larger than {MAX_BYTES >> 10} KiB: shorten it in another editor"
            return editable_text(data[:MAX_BYTES].decode(errors="replace").encode())
        try:
            return editable_text(data)
        except UnicodeDecodeError:
            self.locked = "not UTF-8: save it as UTF-8 in another editor"
            return editable_text(data.decode(errors="replace").encode())
