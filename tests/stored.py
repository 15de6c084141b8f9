"""Stores with made-up sessions, for tests of the store and of the commands on it."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from decode_core.events import (
    AssistantMessage,
    CallOutcome,
    DecisionAnswered,
    EventBase,
    ModeCause,
    ModeChanged,
    PermissionDecided,
    QuestionKind,
    SessionOpened,
    ToolCallFinished,
    ToolCallStarted,
    TurnEnd,
    TurnFinished,
    TurnStarted,
    UsageUpdated,
)
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome, ToolKind
from decode_core.store.database import Database
from decode_core.store.records import Records

BEGUN = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


def stamped(events: Iterable[EventBase], session_id: str = "s1", *, first: int = 1) -> list[EventBase]:
    """Events as the log stamps them, one a second."""
    return [
        event.model_copy(
            update={"seq": seq, "ts": BEGUN + timedelta(seconds=seq), "session_id": session_id, "turn_id": "t1"}
        )
        for seq, event in enumerate(events, first)
    ]


def conversation(prompt: str = "Rename the flag", answer: str = "I renamed it.") -> list[EventBase]:
    """A turn with one call that was asked for and allowed: eleven events."""
    return [
        SessionOpened(workspace="/ws", agent="build", mode=PermissionMode.DEFAULT, model="script:x"),
        TurnStarted(prompt=prompt),
        AssistantMessage(text="I will look.", thinking="The flag is in cli.py."),
        UsageUpdated(requests=1, input_tokens=100, output_tokens=20),
        ToolCallStarted(call_id="c1", tool="edit", kind=ToolKind.FILE_EDIT, subject="src/cli.py", args={"path": "a"}),
        PermissionDecided(
            call_id="c1",
            tool="edit",
            kind=ToolKind.FILE_EDIT,
            effective_kind=ToolKind.FILE_EDIT,
            subject="src/cli.py",
            outcome=PermissionOutcome.ASK,
            by=DecidedBy.MODE,
            mode=PermissionMode.DEFAULT,
            reason="Mode default asks before file edits.",
        ),
        DecisionAnswered(id="q1", kind=QuestionKind.PERMISSION, call_id="c1", answer="once", note="fine"),
        ToolCallFinished(call_id="c1", tool="edit", outcome=CallOutcome.OK, summary="1 edit", text="- a\n+ b"),
        AssistantMessage(text=answer),
        UsageUpdated(requests=2, input_tokens=250, output_tokens=50),
        TurnFinished(end=TurnEnd.COMPLETED, elapsed_ms=1200),
    ]


def mode_changed(mode: PermissionMode) -> ModeChanged:
    """The person chose a mode."""
    return ModeChanged(from_mode=PermissionMode.DEFAULT, to_mode=mode, cause=ModeCause.KEY)


def store_session(
    database: Database, session_id: str = "s1", events: Iterable[EventBase] | None = None, workspace: str = "/ws"
) -> list[EventBase]:
    """Write a session with these events (default: `conversation`) and return them as they were stored."""
    made = stamped(conversation() if events is None else events, session_id)
    records = Records(database)
    records.create(session_id, workspace, created=BEGUN)
    records.append(session_id, *made)
    return made


def damage(path: Path, page: int, *, page_size: int = 4096) -> None:
    """Overwrite a page of a database file, counted from 1."""
    with path.open("r+b") as file:
        file.seek((page - 1) * page_size)
        file.write(b"\xa5" * page_size)
