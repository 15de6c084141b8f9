"""The calls whose tools run at this moment, each in a task of its own, so that one alone can be stopped."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from decode_core.events import CallOutcome
from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import PermissionRequest
from decode_core.tools.spec import ToolResult

STOPPED = "Stopped by the person; what it had done by then stays done."


@dataclass(frozen=True)
class RunningCall:
    """A call that runs: what people call it, and what it may do."""

    call_id: str
    tool: str
    subject: str
    kind: ToolKind | None


class RunningCalls:
    """Runs tools. `calls` may be read from any thread, everything else belongs to the engine's loop."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[ToolResult]] = {}
        self._calls: dict[str, RunningCall] = {}
        self._stopped: set[str] = set()
        self._none_runs = asyncio.Event()

    @property
    def calls(self) -> tuple[RunningCall, ...]:
        """What runs now."""
        return tuple(self._calls.values())

    async def run(self, request: PermissionRequest, tool: Coroutine[Any, Any, ToolResult]) -> ToolResult:
        """Run a tool to its end; one that the person stopped has failed. Raises what the tool raises."""
        call_id = request.call_id
        task = self._tasks[call_id] = asyncio.ensure_future(tool)
        self._calls[call_id] = RunningCall(call_id, request.tool, request.subject, request.kind)
        try:
            return await task
        except asyncio.CancelledError:
            turn = asyncio.current_task()
            if call_id not in self._stopped or (turn is not None and turn.cancelling()):
                raise  # the whole turn is stopped
            return ToolResult(STOPPED, "stopped", CallOutcome.FAILED)
        finally:
            del self._tasks[call_id], self._calls[call_id]
            self._stopped.discard(call_id)
            if not self._tasks:
                self._none_runs.set()

    def stop(self, call_id: str) -> None:
        """Stop one call and its children; the turn goes on. One that has ended is nothing to stop."""
        if (task := self._tasks.get(call_id)) is not None:
            self._stopped.add(call_id)
            task.cancel()

    async def none_left(self) -> None:
        """Wait until nothing runs."""
        while self._tasks:
            self._none_runs.clear()
            await self._none_runs.wait()
