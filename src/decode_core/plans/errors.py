"""What a verb of the ledger can end with besides success. Messages are one sentence with a way out."""

from enum import IntEnum, StrEnum


class ExitCode(IntEnum):
    """The publisher's exit codes."""

    OK = 0
    ERROR = 1
    """An error, or a gate that failed."""
    USAGE = 2
    """A wrong command line, or a journal that somebody else wrote to at the same time."""
    START_REFUSED = 3
    """The approval is missing; stricter here: or a prerequisite is not complete."""
    COMPLETION_REFUSED = 4
    DELEGATION_REFUSED = 5


class Stage(StrEnum):
    """Where in a task's life a refusal was recorded."""

    TASK_START = "task_start"
    AUTHORIZE = "authorize"
    DISPATCH = "dispatch"
    GATE = "gate"


class PlanError(Exception):
    """A verb cannot do its work; nothing was recorded."""

    exit_code: ExitCode = ExitCode.ERROR


class PlanUsageError(PlanError):
    """The verb was called with what it cannot take."""

    exit_code = ExitCode.USAGE


class JournalCollisionError(PlanError):
    """The journal grew while it was held: somebody writes without the lock."""

    exit_code = ExitCode.USAGE


class CorruptJournalError(PlanError):
    """The journal cannot be read as a whole; nothing is written to it until it is mended."""


class RefusedError(PlanError):
    """A gated step was refused, and the refusal stands in the journal."""

    def __init__(self, reason: str, exit_code: ExitCode) -> None:
        super().__init__(reason)
        self.exit_code = exit_code
