"""Where a folder stands: whether it brings anything, and whether the person trusted just that (permissions.md §9)."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from decode_core.catalog.loader import GivenFile
from decode_core.settings.files import ReadFile, SettingsReadError, is_project_file, read_settings_file
from decode_core.trust.content import SETTINGS_FILE, FolderContent, read_content
from decode_core.trust.record import TrustError, TrustRecord


class Standing(StrEnum):
    """Whether what a folder brings counts."""

    NOTHING = "nothing"
    """It brings nothing; what appears in it later is a change."""
    TRUSTED = "trusted"
    UNTRUSTED = "untrusted"
    """Only its deny and ask rules count."""


@dataclass(frozen=True)
class FolderTrust:
    """A folder's content and where it stands, as of one moment."""

    content: FolderContent
    standing: Standing
    problem: str = ""
    """Why the record of trust cannot be used: one sentence, or empty."""
    loosens: tuple[str, ...] = ()
    """What was loosened since it was trusted last, in short phrases that may hold anything; empty where not known."""

    @property
    def counts(self) -> bool:
        """Whether everything in the folder counts, as far as a project may say it at all."""
        return self.standing is not Standing.UNTRUSTED


def look_at(root: Path, record: TrustRecord | None = None) -> FolderTrust:
    """Read what the folder brings, and whether it is trusted. Never raises: what cannot be looked up is not trusted."""
    content = read_content(root)
    if content.is_empty:
        return FolderTrust(content, Standing.NOTHING)
    try:
        trusted = (record or TrustRecord()).is_trusted(content)
    except TrustError as error:
        return FolderTrust(content, Standing.UNTRUSTED, str(error))
    return FolderTrust(content, Standing.TRUSTED if trusted else Standing.UNTRUSTED)


def reader_of(content: FolderContent) -> ReadFile:
    """Reads the project's settings from what was judged, every other file from the disk."""

    def read(file: Path) -> bytes | None:
        if not is_project_file(file):
            return read_settings_file(file)
        found = content.file(SETTINGS_FILE)
        if found is None:
            return None
        if found.data is None:
            raise SettingsReadError(f"the file cannot be read ({found.problem}); mend or delete it")
        return found.data

    return read


def agent_files_of(content: FolderContent) -> tuple[GivenFile, ...]:
    """The project's agents as they were judged, for the catalog."""
    return tuple(GivenFile(content.path(file.name), file.data, file.problem) for file in content.agents())
