"""The log of decisions as people read it: verdicts with their answers and changes of the mode, newest first. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from decode_core.events import DecisionAnswered, EventBase, ModeChanged, PermissionDecided, ToolCallStarted
from decode_core.permissions.modes import DecidedBy, PermissionOutcome


@dataclass(frozen=True)
class Record:
    """One verdict or change of mode, and the answer that settled it."""

    event: PermissionDecided | ModeChanged
    answer: DecisionAnswered | None = None
    label: str = ""
    """What the call is about, for people."""

    @property
    def words(self) -> str:
        """What a filter looks at beside what is shown: `tool:bash agent:build by:rule outcome:deny`, and the reason."""
        event = self.event
        agent = " ".join(f"agent:{name}" for name in event.agent_path)
        if isinstance(event, ModeChanged):
            return f"{agent} {event.cause}"
        rule = event.rule.text if event.rule is not None else ""
        who = f"tool:{event.tool} {agent} by:{event.by} outcome:{event.outcome} mode:{event.mode}"
        answer = f"{self.answer.answer} {self.answer.note}" if self.answer is not None else ""
        return f"{who} {event.reason} {rule} {event.subject} {answer}"

    def holds(self, words: Sequence[str]) -> bool:
        """Whether every one of the case-folded `words` stands in it."""
        if not words:
            return True
        shown = f"{_shown(self)} {self.words}".casefold()
        return all(word in shown for word in words)


def records(events: Sequence[EventBase], *, before: int | None = None, words: Iterable[str] = ()) -> Iterator[Record]:
    """The records of a session, newest first; those before the event `before`, and those that hold all `words`."""
    wanted = [word.casefold() for word in words]
    labels = {event.call_id: event.subject for event in events if isinstance(event, ToolCallStarted)}
    answers: dict[str, DecisionAnswered] = {}
    for event in reversed(events):
        if isinstance(event, DecisionAnswered):
            answers.setdefault(event.id, event)
        if not is_record(event) or (before is not None and event.seq >= before):
            continue
        record = Record(event)
        if isinstance(event, PermissionDecided):
            answer = answers.get(event.question_id or "") if event.outcome is PermissionOutcome.ASK else None
            record = Record(event, answer, labels.get(event.call_id, event.subject))
        if record.holds(wanted):
            yield record


def is_record(event: EventBase) -> TypeGuard[PermissionDecided | ModeChanged]:
    """Whether an event has a row of its own: an answer stands in the row of its question."""
    if isinstance(event, PermissionDecided):
        return event.by is not DecidedBy.HUMAN or event.question_id is None
    return isinstance(event, ModeChanged)


def _shown(record: Record) -> str:
    event = record.event
    if isinstance(event, ModeChanged):
        return f"mode {event.from_mode} → {event.to_mode}"
    return f"{event.outcome} {event.tool} {record.label}"
