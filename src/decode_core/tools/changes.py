"""What write and edit share: the file as it is, the change as a value, and carrying it out."""

from dataclasses import dataclass
from typing import Any

from decode_core.permissions.request import PathFact
from decode_core.tools.files import FileProblem, Snapshot, create_file, digest_of, read_snapshot, replace_file
from decode_core.tools.line_counts import count_lines_changed
from decode_core.tools.spec import ChangePreview, FileMemory
from decode_core.tools.texts import Encoding, FileText, UnencodableError, decode, encode

MAX_DETAIL_BYTES = 400_000
"""A result carries the texts before and after up to this many characters together."""


@dataclass(frozen=True)
class TextFile:
    """A text file that is to be changed."""

    snapshot: Snapshot
    content: FileText


@dataclass(frozen=True)
class Change:
    """A change of one file; `before` is None where the file is new."""

    fact: PathFact
    before: TextFile | None
    after: str
    data: bytes

    @property
    def text_before(self) -> str | None:
        """The text that is there now."""
        return self.before.content.text if self.before else None

    @property
    def is_empty(self) -> bool:
        """Whether the file already holds exactly this."""
        return self.before is not None and self.before.snapshot.data == self.data

    def preview(self) -> ChangePreview:
        """The change for a dialog."""
        return ChangePreview(self.fact.relative, self.text_before, self.after)


@dataclass(frozen=True)
class Applied:
    """A change that was carried out, in figures and as the detail of a result."""

    added: int
    removed: int
    detail: dict[str, Any]

    @property
    def summary(self) -> str:
        """The change in a few signs: `+3 −1`."""
        return f"+{self.added} −{self.removed}"


def open_text(fact: PathFact) -> TextFile:
    """Read the file that is to be changed. Raises FileProblem, also where it is no text."""
    snapshot = read_snapshot(fact)
    content = decode(snapshot.data)
    if content is None:
        raise FileProblem(f"{fact.given} is a binary file; write and edit change text files only.")
    return TextFile(snapshot, content)


def check_read_before(fact: PathFact, file: TextFile, memory: FileMemory) -> None:
    """Raise FileProblem unless the session has seen exactly these bytes of the file."""
    match memory.seen(fact.real):
        case None:
            raise FileProblem(f"{fact.given} was not read in this session; read it first, then repeat the call.")
        case digest if digest != file.snapshot.digest:
            raise FileProblem(f"{fact.given} changed since it was read; read it again, then repeat the call.")


def plan_change(fact: PathFact, before: TextFile | None, after: str) -> Change:
    """The change to `after`, in the encoding that the file has. Raises FileProblem where it cannot hold the text."""
    encoding = before.content.encoding if before else Encoding.UTF_8
    after = after.removeprefix("\ufeff")
    try:
        return Change(fact, before, after, encode(after, encoding))
    except UnencodableError as error:
        raise FileProblem(f"{fact.given} was not changed: {error}; write that character in another way.") from None


def apply(change: Change, memory: FileMemory) -> Applied:
    """Carry out a change and remember the new bytes. Raises FileProblem and has then changed nothing."""
    if change.before is None:
        create_file(change.fact, change.data)
    else:
        replace_file(change.fact, change.before.snapshot, change.data)
    memory.remember(change.fact.real, digest_of(change.data))
    return figures(change)


def figures(change: Change) -> Applied:
    """What a change adds and removes."""
    before, after = change.text_before, change.after
    added, removed = count_lines_changed(before, after)
    detail: dict[str, Any] = {"path": change.fact.relative, "added": added, "removed": removed}
    if len(before or "") + len(after) <= MAX_DETAIL_BYTES:
        detail |= {"before": before, "after": after}
    return Applied(added, removed, detail)
