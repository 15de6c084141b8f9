"""Draws the application after some steps, for tests that compare pictures."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from decode_ui.testing import Workbench, workbench
from payments import repository

Matches = Callable[[str], bool]


def picture(home: Path, steps: Callable[[Workbench], Awaitable[None]], size: tuple[int, int], **options: Any) -> str:
    """Do `steps` in the repository of `payments` and return the picture of the screen."""

    async def play() -> str:
        async with workbench(repository(home), size=size, **options) as bench:
            await steps(bench)
            return await bench.picture()

    return asyncio.run(play())
