"""A made-up conversation as the events that a session would have stored."""

from collections.abc import Iterator

from bench.server_program import markdown_deltas
from decode_core.events import (
    AssistantMessage,
    CallOutcome,
    EventBase,
    PermissionDecided,
    ToolCallFinished,
    ToolCallStarted,
    TurnEnd,
    TurnFinished,
    TurnStarted,
)
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome, ToolKind

ANSWER = "".join(markdown_deltas(130))
OUTPUT = "\n".join(f"{number:4}  a line of the file that was read" for number in range(40))


def events(messages: int) -> Iterator[EventBase]:
    """Events of `messages` messages: prompt, call, answer, over and over; a third each."""
    for number in range(messages):
        match number % 3:
            case 0:
                yield TurnStarted(prompt=f"Question {number}: what does the cache hold, and who asks for it?")
            case 1:
                yield from _call(f"call_{number}")
            case _:
                yield AssistantMessage(text=f"Answer {number}.\n{ANSWER}")
                yield TurnFinished(end=TurnEnd.COMPLETED, elapsed_ms=900)


def _call(call_id: str) -> Iterator[EventBase]:
    kind, subject = ToolKind.READ_ONLY, "src/cache.py"
    yield ToolCallStarted(call_id=call_id, tool="read", kind=kind, subject=subject, args={"path": subject})
    yield PermissionDecided(
        call_id=call_id,
        tool="read",
        kind=kind,
        effective_kind=kind,
        subject=subject,
        outcome=PermissionOutcome.ALLOW,
        by=DecidedBy.MODE,
        mode=PermissionMode.DEFAULT,
        reason="Read-only calls run in every mode.",
    )
    yield ToolCallFinished(
        call_id=call_id, tool="read", outcome=CallOutcome.OK, summary="40 lines", text=OUTPUT, elapsed_ms=3
    )
