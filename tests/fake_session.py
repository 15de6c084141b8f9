"""A session without an engine, for unit tests of the interface: events are emitted by hand, prompts are recorded.

It is a real `Session` (log, state, questions, mode, agents) whose turns never reach a model.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from decode_core.decisions import Answered, Question
from decode_core.event_log import Clock
from decode_core.events import EventBase, QuestionKind, TurnEnd, TurnFinished, TurnStarted
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.session import Session
from decode_core.workspace import Workspace
from decode_ui.testing import FIRST_MOMENT


class FakeSession(Session):
    """`sent`, `steered` and `cancels` tell what the interface asked for; `emit` and `ask` play the engine's part."""

    sent: list[str]
    steered: list[str]
    cancels: int

    @classmethod
    def open(cls, workspace: Path, clock: Clock = lambda: FIRST_MOMENT, **options: Any) -> "FakeSession":
        """A fake in `workspace`, on the running loop."""
        real = new_session(
            survey(Workspace.open(workspace)),
            SessionOptions(model="offline", session_id="session-1", clock=clock, **options),
        )
        session = cls(real._parts)
        session.sent, session.steered, session.cancels = [], [], 0
        return session

    def warm_up(self, then: Callable[[], None] | None = None) -> None:
        """There is nothing to import."""

    def submit(self, prompt: str, *, mode: object = None) -> None:
        """Record the prompt; the turn runs until `finish`."""
        self.sent.append(prompt)
        self.begin(prompt)

    def begin(self, prompt: str = "go") -> None:
        """A turn runs."""
        self._running = True
        self.emit(TurnStarted(prompt=prompt))

    def finish(self, end: TurnEnd = TurnEnd.COMPLETED, **fields: Any) -> None:
        """The turn is over."""
        self.emit(TurnFinished(end=end, **fields))

    def steer(self, text: str) -> None:
        """Record what was said during the turn."""
        self.steered.append(text)

    async def cancel(self) -> None:
        """Record the stop, and end the turn."""
        self.cancels += 1
        if self.running:
            self.finish(TurnEnd.CANCELLED)

    async def close(self) -> None:
        """Withdraw what waits; there is no engine to end."""
        self._running = False
        await asyncio.to_thread(self.lines.close)
        self._decisions.close()
        if self._parts.record is not None:
            self._parts.record.close()

    def emit(self, *events: EventBase) -> None:
        """Let events happen."""
        for event in events:
            self._log.append(event)

    def ask(self, payload: dict[str, Any] | None = None, kind: QuestionKind = QuestionKind.PERMISSION) -> "Asked":
        """Ask the person, as the engine would."""
        question = Question(self._decisions.new_id(), kind, EDIT_QUESTION if payload is None else payload, "call-1")
        return Asked(question, asyncio.ensure_future(self._decisions.ask(question)))


class Asked:
    """A question that was asked: `answered` is None until the person has answered."""

    def __init__(self, question: Question, task: "asyncio.Task[Answered]") -> None:
        self.question = question
        self.task = task

    @property
    def answered(self) -> Answered | None:
        """The answer so far."""
        return self.task.result() if self.task.done() else None


EDIT_QUESTION: dict[str, Any] = {
    "tool": "edit",
    "kind": "file_edit",
    "subject": "src/client.py",
    "subject_kind": "path",
    "reason": "Mode default asks before file edits.",
    "by": "mode",
    "mode": "default",
    "agent_path": ["build"],
    "cwd": "/repo",
    "args": {"path": "src/client.py"},
    "steps": [],
    "preview": {"path": "src/client.py", "before": "retries = 3\n", "after": "retries = 5\n"},
    "stores": {
        "always": {"rule": "edit(src/client.py)", "list": "allow", "file": ".decode/settings.json", "layer": "project"}
    },
    "offers": ["once", "always", "deny", "tell", "stop"],
}
"""The payload of a question about an edit."""
