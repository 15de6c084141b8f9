"""From a save in another program to the agents list on the screen, with many agents, and what the keyboard feels of it.

    python -m bench.reloads AGENTS SAVES

runs the application without a terminal and prints its samples as JSON, in milliseconds.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bench.figures import Figure, percentile
from bench.places import Place

if TYPE_CHECKING:
    from decode_ui.screens.work import WorkScreen

PATIENCE_S = 60.0
"""How long a save is waited for; the first one waits for the model library, too."""

AGENT = """\
---
name: {name}
description: One of many
tools: [read, glob, grep, bash, ask_user]
mode: {mode}
readonly: ["bash(git *)"]
deny: ["bash(git push *)"]
---
You do one thing.
"""


def measure(here: Place, agents: int = 1_000, saves: int = 20) -> Iterator[Figure]:
    """Milliseconds from the save to the list, and of the longest pause of the interface meanwhile."""
    many = _run(here, agents, saves, "many")
    few = _run(here, 4, saves, "few")
    shown, pauses = percentile(many["shown"], 95), percentile(many["pauses"], 95)
    yield Figure(f"save to shown, {agents:,} agents, p95", shown, "ms", 250, percentile(few["shown"], 95), "4 agents")
    pause = percentile(few["pauses"], 95)
    yield Figure(f"longest pause in a reload of {agents:,} agents, p95", pauses, "ms", None, pause, "4 agents")


def _run(here: Place, agents: int, saves: int, home: str) -> dict[str, list[float]]:
    env = {**os.environ, **here.env, "XDG_CONFIG_HOME": str(here.project.parent / home)}
    argv = here.module("bench.reloads", str(agents), str(saves))
    run = subprocess.run(argv, check=True, capture_output=True, text=True, cwd=here.project, env=env)
    samples: dict[str, list[float]] = json.loads(run.stdout)
    return samples


async def _samples(count: int, saves: int) -> dict[str, list[float]]:
    from decode_core.config import config_dir, make_private
    from decode_core.opening import SessionOptions, new_session, survey
    from decode_core.workspace import Workspace
    from decode_ui.app import DecodeApp
    from decode_ui.screens.work import WorkScreen

    folder = make_private(config_dir() / "agents")
    files = [folder / f"agent-{number}.md" for number in range(count)]
    for file in files:
        file.write_text(AGENT.format(name=file.stem, mode="edit"))
    session = new_session(survey(Workspace.open(Path.cwd())), SessionOptions(model="offline"))
    app = DecodeApp(session)
    shown: list[float] = []
    pauses: list[float] = []
    async with app.run_test(size=(150, 40)) as pilot:
        await pilot.pause()
        screen = next(screen for screen in app.screen_stack if isinstance(screen, WorkScreen))
        for turn in range(saves + 1):
            file, mode = files[turn * 37 % count], ("plan", "edit")[turn // count % 2]
            elapsed, pause = await _save(screen, file, mode)
            if turn:  # the watcher begins after the first frame: the first save waits for that
                shown.append(elapsed)
                pauses.append(pause)
            await pilot.pause(0.2)
    await session.close()
    return {"shown": shown, "pauses": pauses}


async def _save(screen: "WorkScreen", file: Path, mode: str) -> tuple[float, float]:
    """Milliseconds until the list shows the file's new mode, and of the longest time that nothing else could run."""
    begun = last = time.perf_counter()
    with file.open("w") as opened:
        opened.write(AGENT.format(name=file.stem, mode=mode))
    longest = 0.0
    while next(each.mode for each in screen.agents_list.entries if each.path == file) != mode:
        await asyncio.sleep(0)
        now = time.perf_counter()
        longest = max(longest, now - last)
        await asyncio.sleep(0.001)
        last = time.perf_counter()
        if last - begun > PATIENCE_S:
            raise TimeoutError(f"{file.name} was never shown as {mode}")
    return (time.perf_counter() - begun) * 1000, longest * 1000


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(_samples(int(sys.argv[1]), int(sys.argv[2])))))
