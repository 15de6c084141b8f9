"""Sessions through the public surface alone, on scripts: what one turn did, and tools to play with."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from decode_core import (
    Allow,
    DecisionRequested,
    Deny,
    EventBase,
    PermissionDecided,
    Session,
    ToolCallFinished,
    ToolKind,
    TurnEnd,
    TurnFinished,
    open_session,
    tool,
)
from sessions import write_script

Answer = Callable[[DecisionRequested, Session], Any]


@dataclass
class Turn:
    """What one turn did."""

    events: list[EventBase] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    @property
    def calls(self) -> list[str]:
        return [f"{event.tool} {event.outcome}" for event in self.events if isinstance(event, ToolCallFinished)]

    @property
    def texts(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, ToolCallFinished)]

    @property
    def verdicts(self) -> list[tuple[str, str]]:
        return [(e.outcome.value, e.by.value) for e in self.events if isinstance(e, PermissionDecided)]

    @property
    def end(self) -> TurnEnd:
        return next(event.end for event in self.events if isinstance(event, TurnFinished))


def deny(question: DecisionRequested, session: Session) -> Deny:
    return Deny()


def allow(question: DecisionRequested, session: Session) -> Allow:
    return Allow.once()


async def turn_of(session: Session, answer: Answer = deny, **more: Any) -> Turn:
    turn = Turn()
    async for event in session.send("go", **more):
        turn.events.append(event)
        if isinstance(event, DecisionRequested):
            turn.asked.append(event.payload.get("by", event.kind))
            if (given := answer(event, session)) is not None:
                session.answer(event.id, given)
    return turn


def calls(*each: tuple[str, Mapping[str, Any]]) -> str:

    listed = "\n".join(f"    - {json.dumps({'tool': name, 'args': dict(args)})}" for name, args in each)
    return f"- calls:\n{listed}\n- text: Done.\n"


def play(workspace: Path, script: str, answer: Answer = deny, **options: Any) -> Turn:
    async def go() -> Turn:
        async with open_session(workspace, model=write_script(workspace.parent, script), **options) as session:
            return await turn_of(session, answer)

    return asyncio.run(go())


def rules(workspace: Path, own_home: Path, **lists: list[str]) -> None:

    config = own_home / "c" / "decode"
    config.mkdir(parents=True, exist_ok=True)
    (config / "settings.json").write_text(json.dumps({"permissions": lists}))


def append(path: Path, text: str) -> str:
    """Append to a file."""
    with path.open("a") as file:
        file.write(text)
    return f"appended {text}"


def lookup(word: str) -> str:
    """Look a word up."""
    return f"{word} means nothing"


APPEND = tool(append, kind=ToolKind.FILE_EDIT, subject="path")
LOOKUP = tool(lookup, subject="word", read_only_hint=True)
DEPLOY = tool(lookup, name="deploy", subject="word")
DO_APPEND = calls(("append", {"path": "a.txt", "text": "x"}))
DO_DEPLOY = calls(("deploy", {"word": "test"}))
