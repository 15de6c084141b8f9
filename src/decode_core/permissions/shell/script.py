"""What the text of a shell call comes to: the simple commands in it, and what stands in the way of judging them."""

from dataclasses import dataclass, field
from enum import Enum

from decode_core.permissions.shell.words import Word


class Direction(Enum):
    """What a redirection does with its target."""

    READS = "reads"
    WRITES = "writes"
    COPIES = "copies"
    """Copies or closes a descriptor: no file is touched."""


@dataclass(frozen=True)
class Redirection:
    """One redirection. `folders` is where a relative target counts from."""

    direction: Direction
    target: Word
    folders: frozenset[str] | None

    @property
    def is_free(self) -> bool:
        """Whether it touches nothing: a copied descriptor, or `/dev/null`."""
        return self.direction is Direction.COPIES or self.target.value == "/dev/null"


@dataclass(frozen=True)
class SimpleCommand:
    """A program with its words, reached wherever it stands."""

    words: tuple[Word, ...]
    """The program first; empty for an assignment that stands alone."""
    folders: frozenset[str] | None
    """Where it may run, relative to the folder of the call (`cd` is followed); None where that is unknown."""
    assignments: tuple[tuple[str, Word | None], ...] = ()
    """Variables that are set for it; None: to something that is no plain text."""
    texts_in: tuple[str | None, ...] = ()
    """What here-documents and here-strings give it to read; None where only running tells."""
    fed_by: tuple[int, int] | None = None
    """The commands of the call, by number, whose output is piped to it."""
    raw: str = ""
    """As written, from its program on, for people."""

    @property
    def program(self) -> str | None:
        """The program as written, quotes removed; None where it is unknown or there is none."""
        return self.words[0].value if self.words else None


@dataclass(frozen=True)
class Script:
    """A call's text, read. `problem` says why it counts as not parsed; then there are no commands."""

    text: str
    problem: str | None = None
    commands: tuple[SimpleCommand, ...] = ()
    redirections: tuple[Redirection, ...] = ()
    obstacle: str | None = None
    """Why no wildcard covers the call, whatever its commands are: a clause for people."""
    unproven: str | None = None
    """Why nothing can be proven of the call, although its commands may be covered."""
    values: dict[str, tuple[str | None, ...]] = field(default_factory=dict)
    """Every variable that the text sets, with the literal values it may have; None stands for an unknown one."""
    loops: dict[str, tuple[Word, ...]] = field(default_factory=dict)
    """Loop variables that nothing else sets, and the words they run over."""

    @property
    def is_parsed(self) -> bool:
        """Whether the grammar and bash agree on the text."""
        return self.problem is None
