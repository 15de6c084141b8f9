"""A gate's command: as text (run by a shell) or as words (run directly)."""

import re
import shlex
from dataclasses import dataclass
from pathlib import PurePosixPath

from decode_core.plans.errors import PlanError

MAX_COMMAND = 500
"""Characters; the schema's limit, which the publisher's runtime does not check."""

_NOT_FOR_NAMES = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True)
class GateCommand:
    """A command and how it is started."""

    text: str
    """What is recorded and shown."""
    argv: tuple[str, ...] | None = None
    """The words to start without a shell; None for a shell's text."""

    @property
    def program(self) -> str:
        """The base name of the first word."""
        return PurePosixPath(self.argv[0]).name if self.argv else first_program(self.text)

    @property
    def slug(self) -> str:
        """At most 40 characters for the name of a log file."""
        return _NOT_FOR_NAMES.sub("-", self.text)[:40].strip("-") or "gate"

    def is_exactly(self, check: str) -> bool:
        """Whether this runs exactly what a check of the contract says."""
        if self.argv is None:
            return self.text == check
        try:
            return list(self.argv) == shlex.split(check)
        except ValueError:
            return False


def read_command(value: object) -> GateCommand:
    """A command from its JSON value: a string for a shell, or an array of words. Raises PlanError."""
    match value:
        case str() if value.strip():
            command = GateCommand(value)
        case [str() as first, *_] if first.strip() and all(isinstance(word, str) for word in value):
            words = tuple(str(word) for word in value)
            command = GateCommand(shlex.join(words), words)
        case _:
            raise PlanError("a gate's command is a JSON string or an array of words")
    if len(command.text) > MAX_COMMAND:
        raise PlanError(f"a gate's command has at most {MAX_COMMAND} characters; put it into a script")
    if "\0" in command.text:
        raise PlanError("a gate's command holds a zero byte")
    return command


def first_program(text: str) -> str:
    """The base name of the first word of a shell's text; empty where there is none."""
    try:
        words = shlex.split(text)
    except ValueError:
        # an unclosed quote further on: the first word is still what starts
        words = text.split()
    return PurePosixPath(words[0]).name if words else ""
