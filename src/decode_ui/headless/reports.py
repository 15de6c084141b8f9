"""What a headless turn writes: the answer as text, one JSON object at the end, or every event as a line of JSON."""

import json
import sys
from enum import StrEnum
from typing import Any, Protocol

from decode_core.events import (
    AssistantMessage,
    CallOutcome,
    DecisionAnswered,
    DecisionRequested,
    EventBase,
    NoticeLevel,
    NoticeRaised,
    PermissionDecided,
    RetryScheduled,
    SessionOpened,
    TextDelta,
    ToolCallFinished,
    TurnEnd,
    TurnFinished,
    UsageUpdated,
    dump_event,
)
from decode_core.neutral import neutralise, neutralise_line
from decode_core.permissions.modes import PermissionOutcome
from decode_ui.headless.waiting import answer_commands, question_line, question_row


class Output(StrEnum):
    """What stdout carries."""

    TEXT = "text"
    JSON = "json"
    STREAM_JSON = "stream-json"


class Report(Protocol):
    """What a form of output does with events."""

    def take(self, event: EventBase) -> None:
        """Follow one event."""

    def close(self) -> None:
        """The turn is over."""


class TextReport:
    """Answers on stdout, everything else as short lines on stderr."""

    def __init__(self) -> None:
        self._at_line_start = True
        self._asked: DecisionRequested | None = None

    def take(self, event: EventBase) -> None:
        match event:
            case TextDelta(text=text):
                self._write(neutralise(text))
            case AssistantMessage():
                self._end_line()
            case ToolCallFinished(tool=tool, summary=summary, outcome=outcome):
                sign = {CallOutcome.OK: "●", CallOutcome.FAILED: "✗", CallOutcome.DENIED: "⊘"}[outcome]
                self._say(f"{sign} {tool} {summary}")
            case PermissionDecided(outcome=PermissionOutcome.DENY, tool=tool, subject=subject, reason=reason):
                self._say(f"denied {tool} {subject}: {reason}")
            case RetryScheduled(delay_s=delay_s, reason=reason):
                self._say(f"retrying in {delay_s:g} s: {reason}")
            case NoticeRaised(level=level) if level is not NoticeLevel.INFO:
                self._say(_told(event))
            case DecisionRequested():
                self._asked = event
            case DecisionAnswered():
                self._asked = None
            case TurnFinished(end=TurnEnd.SUSPENDED) if self._asked is not None:
                self._say(f"suspended: {question_line(self._asked)}")
                for line in answer_commands(event.session_id, self._asked):
                    self._say(line)
            case TurnFinished(end=end, reason=reason, hint=hint) if end is not TurnEnd.COMPLETED:
                self._say(f"{end}: {reason}" + (f" ({hint})" if hint else ""))
            case _:
                pass

    def close(self) -> None:
        self._end_line()

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()
        if text:
            self._at_line_start = text.endswith("\n")

    def _end_line(self) -> None:
        if not self._at_line_start:
            self._write("\n")

    def _say(self, line: str) -> None:
        self._end_line()
        sys.stderr.write(neutralise_line(line) + "\n")


def _told(notice: NoticeRaised) -> str:
    return f"{notice.level}: {notice.text}" + (f" ({notice.hint})" if notice.hint else "")


class StreamReport:
    """Every event as one line of JSON, as it happens."""

    def take(self, event: EventBase) -> None:
        sys.stdout.write(dump_event(event) + "\n")
        sys.stdout.flush()

    def close(self) -> None:
        pass


class JsonReport:
    """One object at the end: the answer, how the turn ended, what was called and what was denied.

    Warnings and errors are lines on stderr meanwhile.
    """

    def __init__(self) -> None:
        self._result: dict[str, Any] = {"text": "", "end": TurnEnd.FAILED.value, "calls": [], "denials": []}

    def take(self, event: EventBase) -> None:
        match event:
            case SessionOpened():
                self._result |= {"session_id": event.session_id, "agent": event.agent, "model": event.model}
            case AssistantMessage(text=text) if text:
                self._result["text"] = text
            case NoticeRaised(level=level) if level is not NoticeLevel.INFO:
                sys.stderr.write(neutralise_line(_told(event)) + "\n")
            case ToolCallFinished():
                call = {"id": event.call_id, "tool": event.tool, "outcome": event.outcome, "summary": event.summary}
                self._result["calls"].append(call)
            case PermissionDecided(outcome=PermissionOutcome.DENY):
                denial = {"tool": event.tool, "subject": event.subject, "by": event.by, "reason": event.reason}
                self._result["denials"].append(denial)
            case UsageUpdated():
                usage = {"requests": event.requests, "input": event.input_tokens, "output": event.output_tokens}
                self._result["usage"] = usage | {"cost": event.cost}
            case DecisionRequested():
                self._result["question"] = question_row(event)
            case DecisionAnswered():
                self._result.pop("question", None)
            case TurnFinished():
                self._result |= {"end": event.end, "reason": event.reason, "hint": event.hint}
            case _:
                pass

    def close(self) -> None:
        sys.stdout.write(json.dumps(self._result, ensure_ascii=False) + "\n")


REPORTS: dict[Output, type[Report]] = {
    Output.TEXT: TextReport,
    Output.JSON: JsonReport,
    Output.STREAM_JSON: StreamReport,
}
