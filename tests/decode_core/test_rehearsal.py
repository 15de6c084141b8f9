"""Verdicts over calls that nobody makes: what a person tries before answering (keys.md §5.2, ui.md §4)."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from decode_core.events import ToolCallStarted
from decode_core.permissions.modes import PermissionOutcome
from fake_session import FakeSession


def on_session(workspace: Path, steps: Callable[[FakeSession], Awaitable[None]]) -> None:
    async def run() -> None:
        session = FakeSession.open(workspace)
        try:
            await steps(session)
        finally:
            await session.close()

    asyncio.run(run())


def test_changed_arguments_are_validated_and_judged_and_nothing_is_recorded(tmp_path: Path) -> None:
    async def steps(session: FakeSession) -> None:
        before = len(session.events)
        wrong = session.rehearsal.judge("bash", {"command": 3})
        assert wrong.decision is None and wrong.problem
        asked = session.rehearsal.judge("bash", {"command": "touch x"})
        assert asked.decision is not None and asked.decision.outcome is PermissionOutcome.ASK
        assert session.rehearsal.judge("nope", {}).problem == "There is no tool named 'nope'."
        assert session.rehearsal.about("write", "a.txt").decision is not None
        assert not (tmp_path / "x").exists()
        assert len(session.events) == before

    on_session(tmp_path, steps)


def test_earlier_calls_are_of_one_tool_and_each_subject_comes_once(tmp_path: Path) -> None:
    async def steps(session: FakeSession) -> None:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("bash", {"command": "ls"}),
            ("read", {"path": "a"}),
            ("bash", {"command": "make"}),
            ("bash", {"command": "ls"}),
            ("bash", {"nonsense": 1}),
            ("bash", {"command": "asked about now"}),
        ]
        for number, (tool, args) in enumerate(calls):
            session.emit(ToolCallStarted(call_id=f"c{number}", tool=tool, args=args))
        found = session.rehearsal.earlier("bash", but="c5")
        assert [request.subject for request in found] == ["make", "ls"]

    on_session(tmp_path, steps)
