"""20,000 Markdown deltas through the real provider path to the end mark on the screen."""

import subprocess
import sys
import time
from collections.abc import Iterator

from bench.figures import Figure
from bench.places import MODEL, Place
from bench.server_program import END_MARK
from bench.terminal import terminal

BARE = """
import sys, time, asyncio
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
model = OpenAIChatModel("bench", provider=OpenAICompatibleProvider("bench", base_url=sys.argv[1]))
async def main():
    async with Agent(model).run_stream(sys.argv[2]) as run:
        async for _ in run.stream_text(delta=True, debounce_by=None):
            pass
asyncio.run(main())
begun = time.perf_counter()
asyncio.run(main())
print(time.perf_counter() - begun)
"""
"""The reference: pydantic-ai reads the same stream and shows nothing. Its second run, so that nothing is imported."""


def measure(here: Place, deltas: int = 20_000, settle_s: float = 3.0) -> Iterator[Figure]:
    """Seconds from Enter to the end mark."""
    prompt = f"burst {deltas}"
    argv = [sys.executable, "-c", BARE, here.base_url, prompt]
    bare = float(subprocess.run(argv, check=True, capture_output=True, text=True).stdout)
    with terminal(here.module("decode_ui", "--model", MODEL), here.project, here.env) as shown:
        shown.wait_painted()
        time.sleep(settle_s)
        shown.type(prompt)
        shown.wait_output(str(deltas))
        start = shown.written()
        sent = shown.press("Enter")
        took = shown.wait_output(END_MARK, start) - sent
    yield Figure(f"{deltas:,} deltas to the end mark", took, "s", 1.6, bare, "pydantic-ai alone")
