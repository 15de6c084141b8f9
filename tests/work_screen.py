"""Runs the work screen on a session without an engine, for unit tests of the interface."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from decode_ui.testing import FrozenClock, Workbench, on_session
from fake_session import FakeSession

Steps = Callable[[Workbench, FakeSession], Awaitable[None]]


def run(steps: Steps, workspace: Path, size: tuple[int, int] = (120, 36), **options: Any) -> None:
    """Open the application in `workspace` and do `steps`."""

    async def play() -> None:
        clock = FrozenClock()
        session = FakeSession.open(workspace, clock.utc, **options)
        async with on_session(session, size=size, clock=clock) as bench:
            await steps(bench, session)

    asyncio.run(play())
