"""One running call can be stopped alone: the turn goes on and the model is told (permissions.md §8)."""

import asyncio
from pathlib import Path

import pytest

from decode_core import open_session, tool
from decode_core.events import EventBase, ToolCallFinished, TurnEnd, TurnFinished
from decode_core.permissions.modes import ToolKind
from sessions import write_script

CALLS = """
- calls: [{tool: wait_for_ever, args: {name: one}}]
- expect: {results: [{tool: wait_for_ever, outcome: failed, contains: Stopped by the person}]}
  calls: [{tool: quick}]
- text: went on
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    return folder


def test_a_stopped_call_fails_its_children_are_told_and_the_turn_goes_on(workspace: Path) -> None:
    cleaned: list[str] = []
    started = asyncio.Event()

    async def wait_for_ever(name: str) -> str:
        """Wait."""
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            cleaned.append(name)
        return ""

    def quick() -> str:
        """Nothing."""
        return "done"

    async def main() -> list[EventBase]:
        tools = [tool(wait_for_ever, kind=ToolKind.OTHER), tool(quick)]
        model = write_script(workspace.parent, CALLS)
        events: list[EventBase] = []
        async with open_session(workspace, mode="bypass", model=model, tools=tools) as session:
            assert [call.tool for call in session.running_calls] == []
            session.stop_call("nothing runs yet")
            session.submit("go")
            done = asyncio.Event()
            session.subscribe(lambda event: events.append(event))
            session.subscribe(lambda event: done.set() if isinstance(event, TurnFinished) else None)
            await started.wait()
            (running,) = session.running_calls
            assert (running.tool, running.kind) == ("wait_for_ever", ToolKind.OTHER)
            session.stop_call("another")
            session.stop_call(running.call_id)
            await done.wait()
            assert [call.tool for call in session.running_calls] == []
        return events

    events = asyncio.run(main())
    ends = [(event.tool, event.outcome.value) for event in events if isinstance(event, ToolCallFinished)]
    assert ends == [("wait_for_ever", "failed"), ("quick", "ok")]
    assert [event.end for event in events if isinstance(event, TurnFinished)] == [TurnEnd.COMPLETED]
    assert cleaned == ["one"]
