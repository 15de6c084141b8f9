"""What the offline model can be asked for: a small, closed set of requests."""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True)
class ReadFile:
    """Show a file, or its lines `first` to `last`, counted from 1."""

    path: str
    first: int | None = None
    last: int | None = None


@dataclass(frozen=True)
class Search:
    """Find a text, or a regular expression, in a folder or file (`path`) or in files that fit a pattern (`glob`)."""

    text: str
    path: str | None = None
    glob: str | None = None
    is_regex: bool = False


@dataclass(frozen=True)
class ListFiles:
    """List the files that fit `pattern` in `folder`."""

    pattern: str = "**/*"
    folder: str | None = None


@dataclass(frozen=True)
class CreateFile:
    """Make a new file."""

    path: str
    content: str = ""


@dataclass(frozen=True)
class OverwriteFile:
    """Give a file a new content, whatever it held."""

    path: str
    content: str


@dataclass(frozen=True)
class Replace:
    """Replace every `old` with `new`: in the file `where`, in files of a pattern, or where it is found (None)."""

    old: str
    new: str
    where: str | None = None


@dataclass(frozen=True)
class RunCommand:
    """Run a command."""

    command: str


@dataclass(frozen=True)
class MakePlan:
    """Write a plan for a goal and put it before the person."""

    goal: str


@dataclass(frozen=True)
class SetTodos:
    """Set the to-do list."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class AskPerson:
    """Put a question to the person."""

    question: str
    options: tuple[str, ...] = ()


class DiffScope(StrEnum):
    """Which changes a review looks at."""

    UNSTAGED = "git diff"
    STAGED = "git diff --staged"


@dataclass(frozen=True)
class ReviewDiff:
    """Review the changes in the working tree."""

    scope: DiffScope = DiffScope.UNSTAGED


@dataclass(frozen=True)
class Help:
    """Say what can be asked."""


@dataclass(frozen=True)
class Unknown:
    """Nothing that the rules know. `hint`: what would be understood."""

    text: str
    hint: str = ""


Request = (
    ReadFile
    | Search
    | ListFiles
    | CreateFile
    | OverwriteFile
    | Replace
    | RunCommand
    | MakePlan
    | SetTodos
    | AskPerson
    | ReviewDiff
    | Help
    | Unknown
)

EVERYWHERE = "**/*"
"""Where a replacement goes that is asked for in all files."""
