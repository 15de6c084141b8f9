"""What a word of a shell command is made of."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """Literal text; `quoted` text holds no patterns, braces or tildes."""

    text: str
    quoted: bool


@dataclass(frozen=True)
class Variable:
    """The value of a variable. `default` is the literal text of `${name:-text}`; other operators make a Hole."""

    name: str
    quoted: bool
    default: str | None = None


@dataclass(frozen=True)
class Hole:
    """What only running tells: a substitution, arithmetic, `${x%…}`; `stands_for` is the name of a file it gives."""

    quoted: bool
    stands_for: str | None = None


Piece = Text | Variable | Hole
