"""What the gate, the records and the events of one tool call cost, over pydantic-ai with the same stream.

    python -m bench.tool_calls bare|decode BASE_URL RESPONSES CALLS

A tool that does nothing is called in both programs, which print their own processor time in seconds.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bench.figures import Figure
from bench.places import MODEL, Place
from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import SubjectKind
from decode_core.tools.registry import Registry
from decode_core.tools.spec import ToolArgs, ToolContext, ToolResult, ToolSpec


class NothingArgs(ToolArgs):
    """One path, so that its facts are looked at."""

    path: str


async def nothing(args: NothingArgs, context: ToolContext) -> ToolResult:
    """Do nothing."""
    return ToolResult("done")


NOTHING = ToolSpec("nothing", "Does nothing.", ToolKind.READ_ONLY, NothingArgs, nothing, "path", SubjectKind.PATH)


def measure(here: Place, responses: int = 20, calls: int = 20, runs: int = 3) -> Iterator[Figure]:
    """Milliseconds of processor time per call that decode adds."""
    sides: dict[str, list[float]] = {"bare": [], "decode": []}
    for _ in range(runs):
        for side, samples in sides.items():
            argv = here.module("bench.tool_calls", side, here.base_url, str(responses), str(calls))
            run = subprocess.run(
                argv, check=True, capture_output=True, text=True, cwd=here.project, env={**os.environ, **here.env}
            )
            samples.append(float(run.stdout) / (responses * calls) * 1000)
    bare, ours = min(sides["bare"]), min(sides["decode"])
    name = "pydantic-ai per call"
    yield Figure("tool call: own overhead", ours - bare, "ms CPU", 1.5, bare, name, f"{ours:.2f} in all")


async def _bare(base_url: str, prompts: list[str]) -> float:
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    agent = Agent(OpenAIChatModel(MODEL, provider=OpenAICompatibleProvider(MODEL, base_url=base_url)))

    @agent.tool_plain(name="nothing")
    def nothing_at_all(path: str) -> str:
        return "done"

    async def turn(prompt: str) -> None:
        async with agent.iter(prompt) as run:
            async for node in run:
                if Agent.is_model_request_node(node) or Agent.is_call_tools_node(node):
                    async with node.stream(run.ctx) as events:
                        async for _ in events:
                            pass

    await turn(prompts[0])
    begun = time.process_time()
    await turn(prompts[1])
    return time.process_time() - begun


async def _decode(prompts: list[str]) -> float:
    from decode_core.events import ToolCallFinished
    from decode_core.opening import SessionOptions, new_session, survey
    from decode_core.workspace import Workspace

    around = survey(Workspace.open(Path.cwd()), Registry([NOTHING]))
    session = new_session(around, SessionOptions(model=MODEL))
    try:
        async for _ in session.send(prompts[0]):
            pass
        begun, count = time.process_time(), 0
        async for event in session.send(prompts[1]):
            count += isinstance(event, ToolCallFinished)
        took = time.process_time() - begun
    finally:
        await session.close()
    if not count:
        raise RuntimeError("no call was made")
    return took


def main() -> None:
    """One side of the comparison."""
    side, base_url, responses, calls = sys.argv[1:]
    prompts = ["calls 1 1", f"calls {responses} {calls}"]
    took = asyncio.run(_bare(base_url, prompts) if side == "bare" else _decode(prompts))
    sys.stdout.write(f"{took}\n")


if __name__ == "__main__":
    main()
