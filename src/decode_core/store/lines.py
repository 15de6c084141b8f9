"""What the store keeps: events as lines of JSON, the text by which they are found, messages of the model as JSON."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from decode_core.events import (
    AssistantMessage,
    EventBase,
    NoticeRaised,
    PlanProposed,
    SteeringTaken,
    ToolCallStarted,
    TurnStarted,
    dump_event,
)

MAX_INDEXED = 20_000
"""Characters of one text that can be found; a search for more is not worth the size of the index."""


@dataclass(frozen=True)
class StoredMessage:
    """A message of the model's history as JSON, and the last event that stood before it was written."""

    body: str
    after_seq: int


def line_of(event: EventBase) -> str:
    """The event as one line of JSON.

    Half a surrogate pair (part of a file's name that is no UTF-8) cannot be written and becomes `?`.
    """
    try:
        return dump_event(event)
    except ValueError:
        return json.dumps(writable(event.model_dump(mode="python")), ensure_ascii=False, separators=(",", ":"))


def searchable(event: EventBase) -> str:
    """The text by which the event is found, empty for events that nobody looks for."""
    match event:
        case TurnStarted(prompt=text) | AssistantMessage(text=text) | SteeringTaken(text=text):
            pass
        case ToolCallStarted(subject=text):
            pass
        case PlanProposed(plan=plan):
            text = f"{plan.title}\n{plan.text}"
        case NoticeRaised(text=text):
            pass
        case _:
            return ""
    return storable(text[:MAX_INDEXED].replace("\0", " ")).strip()


def storable(text: str) -> str:
    """`text` as UTF-8 can hold it: half a surrogate pair, as in the name of a file that is no UTF-8, becomes `?`."""
    return text.encode("utf-8", "replace").decode("utf-8")


def writable(value: Any) -> Any:
    """A value as JSON can hold it: half a surrogate pair becomes `?`, whatever else JSON does not know a text."""
    match value:
        case str():
            return storable(value)
        case dict():
            return {writable(str(key)): writable(inner) for key, inner in value.items()}
        case list() | tuple() | set() | frozenset():
            return [writable(inner) for inner in value]
        case bool() | int() | float() | None:
            return value
        case datetime():
            return value.isoformat()
        case _:
            return writable(str(value))
