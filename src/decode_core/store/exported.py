"""What an export is made of, and the turns that its forms walk through."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from decode_core.events import (
    AssistantMessage,
    DecisionAnswered,
    EventBase,
    ModeChanged,
    NoticeRaised,
    PermissionDecided,
    PlanDecided,
    PlanProposed,
    ShellLineFinished,
    ShellLineStarted,
    SteeringTaken,
    ToolCallFinished,
    ToolCallStarted,
    TurnFinished,
    TurnStarted,
)

REDACTION_NOTE = "Secrets that were recognised are replaced by [redacted]; look it over before you give it away."


@dataclass(frozen=True)
class Exported:
    """The text of an export, how many events it is made of, and how many could not be read."""

    text: str
    events: int
    unreadable: int = 0


@dataclass
class Call:
    """A call of a tool with everything that was said about it."""

    started: ToolCallStarted
    verdicts: list[PermissionDecided] = field(default_factory=list)
    answer: DecisionAnswered | None = None
    finished: ToolCallFinished | None = None

    @property
    def outcome(self) -> str:
        """How it ended, for people."""
        return self.finished.outcome.value if self.finished else "not finished"


@dataclass
class Line:
    """A line that the person ran in their own shell."""

    started: ShellLineStarted
    finished: ShellLineFinished | None = None

    @property
    def outcome(self) -> str:
        """How it ended, for people."""
        return self.finished.summary if self.finished else "not finished"

    @property
    def output(self) -> str:
        """What it printed."""
        return self.finished.text if self.finished else ""


Part = (
    TurnStarted
    | AssistantMessage
    | SteeringTaken
    | Call
    | Line
    | ModeChanged
    | PlanProposed
    | PlanDecided
    | NoticeRaised
    | TurnFinished
)
"""What a reader of a conversation sees, in order."""


def parts(events: Iterable[EventBase]) -> Iterator[Part]:
    """The conversation, each call in one piece at the place where it began."""
    found: list[Part] = []
    calls: dict[str, Call] = {}
    lines: dict[str, Line] = {}
    for event in events:
        match event:
            case ToolCallStarted():
                calls[event.call_id] = call = Call(event)
                found.append(call)
            case PermissionDecided() if event.call_id in calls:
                calls[event.call_id].verdicts.append(event)
            case DecisionAnswered(call_id=str(call_id)) if call_id in calls:
                calls[call_id].answer = event
            case ToolCallFinished() if event.call_id in calls:
                calls[event.call_id].finished = event
            case ShellLineStarted():
                lines[event.line_id] = line = Line(event)
                found.append(line)
            case ShellLineFinished() if event.line_id in lines:
                lines[event.line_id].finished = event
            case (
                TurnStarted()
                | AssistantMessage()
                | SteeringTaken()
                | ModeChanged()
                | PlanProposed()
                | PlanDecided()
                | NoticeRaised()
                | TurnFinished()
            ):
                found.append(event)
            case _:
                pass
    return iter(found)
