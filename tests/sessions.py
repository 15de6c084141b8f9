"""Runs real sessions on scripted models in a scratch workspace, for tests of the core.

`run` plays one or more prompts and returns every event; questions are answered by a callable.
"""

import asyncio
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from decode_core.decisions import Allow, Answer
from decode_core.events import DecisionRequested, EventBase, PermissionDecided, ToolCallFinished, TurnFinished
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.permissions.modes import PermissionMode
from decode_core.session import Session
from decode_core.workspace import Workspace

E = TypeVar("E", bound=EventBase)
Answerer = Callable[[DecisionRequested, Session], Answer | None]
Hook = Callable[[EventBase, Session], None]


def allow_once(question: DecisionRequested, session: Session) -> Answer | None:
    """Say yes to everything."""
    return Allow.once()


@dataclass
class Played:
    """What happened."""

    events: list[EventBase] = field(default_factory=list)
    mode: PermissionMode = PermissionMode.DEFAULT

    def of(self, kind: type[E]) -> list[E]:
        """The events of one type, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def calls(self) -> list[tuple[str, str]]:
        """Tool and outcome of every finished call."""
        return [(event.tool, event.outcome.value) for event in self.of(ToolCallFinished)]

    @property
    def verdicts(self) -> list[tuple[str, str]]:
        """Tool and outcome of every recorded verdict."""
        return [(event.tool, event.outcome.value) for event in self.of(PermissionDecided)]

    @property
    def end(self) -> TurnFinished:
        """How the last turn ended."""
        return self.of(TurnFinished)[-1]


def write_script(folder: Path, responses: str) -> str:
    """Write a script with these responses (YAML list) and return the model's name."""
    file = folder / "script.yaml"
    body = textwrap.indent(textwrap.dedent(responses).strip(), "  ")
    file.write_text(f"version: 1\nresponses:\n{body}\n", encoding="utf-8")
    return f"script:{file}"


def play(
    workspace: Path,
    responses: str | None = None,
    *,
    prompts: Sequence[str] = ("go",),
    answer: Answerer = allow_once,
    hook: Hook | None = None,
    scripts: Path | None = None,
    **options: Any,
) -> Played:
    """Open a session in `workspace`, send the prompts one after the other, close it.

    A suspended turn is gone on with first.

    `scripts` is the folder of the script file (default: beside the workspace, so that tools do not see it).
    """
    folder = scripts or workspace.parent
    if responses is not None:
        options["model"] = write_script(folder, responses)
    return asyncio.run(_play(workspace, prompts, answer, hook, options))


async def _play(
    workspace: Path, prompts: Sequence[str], answer: Answerer, hook: Hook | None, options: dict[str, Any]
) -> Played:
    played = Played()
    session = new_session(survey(Workspace.open(workspace)), SessionOptions(**options))
    played.events.extend(session.events)
    shown = played.events[-1].seq
    try:
        for prompt in (*([None] if session.suspended else []), *prompts):
            async for event in session.resume() if prompt is None else session.send(prompt):
                if event.seq > shown:
                    played.events.append(event)
                if hook is not None:
                    hook(event, session)
                if isinstance(event, DecisionRequested) and (given := answer(event, session)) is not None:
                    session.answer(event.id, given)
        played.mode = session.mode
    finally:
        await session.close()
    return played
