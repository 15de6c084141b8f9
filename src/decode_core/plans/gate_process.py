"""Runs a gate's command: bounded in time, its output kept raw, nothing left running."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from decode_core.plans.commands import GateCommand
from decode_core.plans.errors import PlanError

TIMEOUT_EXIT = 124
"""What a gate that ran out of time is recorded with."""

TICK_S = 30.0
"""Seconds between two ticks of a running gate."""


LOOK_S = 0.1
"""Seconds between two looks for what a command must not make."""


@dataclass(frozen=True)
class GateResult:
    """What a command gave."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    timed_out: bool = False
    blocked: str | None = None
    """What the walls around the command kept it from, as a clause."""

    def log(self, command: GateCommand) -> bytes:
        """The log file: raw bytes, in the publisher's frame."""
        shown = command.text.encode(errors="replace")
        return b"$ %s\n\n--- stdout ---\n%s\n--- stderr ---\n%s\n--- exit %d ---\n" % (
            shown,
            self.stdout,
            self.stderr,
            self.exit_code,
        )


@dataclass(frozen=True)
class Inside:
    """How a command is started within the walls around it, if there are any."""

    environment: Mapping[str, str]
    """All that the command sees of the environment."""
    before: tuple[str, ...] = ()
    """Words that stand before the command and put a sandbox around it."""
    descriptors: tuple[int, ...] = ()
    """What those words read from."""
    must_not_be: tuple[Path, ...] = ()
    """The command is ended as soon as one of these comes to be."""
    blocked: Callable[[str], str | None] = lambda _: None
    """What the walls kept a failed command from, told by its output, as a clause; None: nothing, or there are none."""


def run_gate(command: GateCommand, cwd: Path, inside: Inside, timeout_s: float, tick: Callable[[], None]) -> GateResult:
    """Run a command in a session of its own, stdin closed; `tick` is called every 30 s while it runs.

    Time out is exit code 124. When this returns, for whatever reason, every process of the session's group is gone.
    Raises PlanError when the program cannot be started, or when it made what must not be.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            process = subprocess.Popen(
                [*inside.before, *(command.argv or ("/bin/sh", "-c", command.text))],
                cwd=cwd,
                env=dict(inside.environment),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                pass_fds=inside.descriptors,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise PlanError(f"the gate could not be started: {getattr(error, 'strerror', None) or error}") from None
        try:
            exit_code = _wait(process, time.monotonic() + timeout_s, tick, inside.must_not_be)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        out.seek(0)
        err.seek(0)
        stdout, stderr = out.read(), err.read()
    if exit_code is None:
        return GateResult(TIMEOUT_EXIT, stdout, stderr, timed_out=True)
    said = (stdout + b"\n" + stderr).decode("utf-8", errors="replace")
    return GateResult(exit_code, stdout, stderr, blocked=inside.blocked(said) if exit_code else None)


def _wait(
    process: subprocess.Popen[bytes], deadline: float, tick: Callable[[], None], must_not_be: Sequence[Path]
) -> int | None:
    step = min(TICK_S, LOOK_S) if must_not_be else TICK_S
    next_tick = time.monotonic() + TICK_S
    while True:
        now = time.monotonic()
        try:
            return process.wait(timeout=max(0.0, min(deadline - now, step)))
        except subprocess.TimeoutExpired:
            if deadline - now <= step:
                return None
        made = next((path for path in must_not_be if os.path.lexists(path)), None)
        if made is not None:
            raise PlanError(f"the gate made {made}, which no command may make; it was ended, and nothing is recorded")
        if time.monotonic() >= next_tick:
            next_tick += TICK_S
            tick()
