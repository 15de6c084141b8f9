"""What the sandbox adds to a command: `true` in it and without it, in the same minute."""

import asyncio
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.figures import Figure
from bench.places import Place
from decode_core.permissions.sandbox.probe import find_sandbox
from decode_core.permissions.sandbox.profile import ProfileKind
from decode_core.permissions.sandbox.standing import SandboxMode, Standing
from decode_core.tools.shell_output import Output
from decode_core.tools.shell_process import Launch, run_watched
from decode_core.tools.shell_sandbox import open_sandbox
from decode_core.workspace import Workspace

ROUNDS = 15


def measure(here: Place) -> Iterator[Figure]:
    """Milliseconds of a command in each profile, from before it is prepared until its end was looked at."""
    bash = shutil.which("bash")
    if bash is None or find_sandbox().mechanism is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        plain = asyncio.run(_median_ms(here, Path(bash), Path(folder), None))
        for kind in ProfileKind:
            inside = asyncio.run(_median_ms(here, Path(bash), Path(folder), kind))
            label = f"a command in the sandbox, {kind}, over one without"
            yield Figure(label, inside - plain, "ms", 30.0, plain, "without")


async def _median_ms(here: Place, bash: Path, folder: Path, kind: ProfileKind | None) -> float:
    workspace = Workspace.open(here.project)
    sandbox = open_sandbox(workspace, folder, Standing(SandboxMode.AUTO))
    assert sandbox is not None
    launch = Launch(bash, "true", workspace.root, dict(os.environ), 20.0)
    times: list[float] = []
    for _ in range(ROUNDS):
        output = Output(folder, 1_000, 100)
        begun = time.perf_counter()
        if kind is None:
            await run_watched(launch, output, lambda text: None)
        else:
            with sandbox.around(find_sandbox(), kind, launch.folder) as prepared:
                await run_watched(launch, output, lambda text: None, prepared.wrapped)
        times.append((time.perf_counter() - begun) * 1e3)
        output.close()
    return statistics.median(times)
