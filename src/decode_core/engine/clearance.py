"""What a call is after the verdict, and what a running turn must know beyond its history."""

from dataclasses import dataclass
from enum import StrEnum

from decode_core.events import CallOutcome
from decode_core.permissions.request import PermissionRequest
from decode_core.tools.spec import ToolArgs, ToolSpec


class OnAsk(StrEnum):
    """What becomes of an ask when nobody can answer."""

    DENY = "deny"
    SUSPEND = "suspend"
    """The question stays open on the disk, and the turn is gone on with once it is answered."""
    FAIL = "fail"


@dataclass(frozen=True)
class Cleared:
    """A call that may run, with the arguments and facts that were judged."""

    spec: ToolSpec
    args: ToolArgs
    request: PermissionRequest


@dataclass(frozen=True)
class Refused:
    """A call that does not run: `text` is for the model, `outcome` denied or failed (unknown tool, bad arguments)."""

    text: str
    outcome: CallOutcome
    summary: str
    subject: str = ""


@dataclass
class TurnControl:
    """What a running turn must know beyond its history: whether it is to stop, and why."""

    stopping: str | None = None
    """Set to a reason: the turn ends before its next model request and starts no further call."""
    failed: bool = False
    """The stop counts as a failure (exit code 1) instead of the person's wish."""
    suspended: bool = False
    """A question of the turn waits for another day: nothing of it begins any more."""

    def stop(self, reason: str, *, failed: bool = False) -> None:
        """End the turn at the next step."""
        if self.stopping is None:
            self.stopping = reason
            self.failed = failed
