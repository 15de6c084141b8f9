"""Runs a gate's command: bounded in time, its output kept raw, nothing left running."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from decode_core.plans.commands import GateCommand
from decode_core.plans.errors import PlanError

TIMEOUT_EXIT = 124
"""What a gate that ran out of time is recorded with."""

TICK_S = 30.0
"""Seconds between two ticks of a running gate."""


@dataclass(frozen=True)
class GateResult:
    """What a command gave."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    timed_out: bool = False

    def log(self, command: GateCommand) -> bytes:
        """The log file: raw bytes, in the publisher's frame."""
        shown = command.text.encode(errors="replace")
        return b"$ %s\n\n--- stdout ---\n%s\n--- stderr ---\n%s\n--- exit %d ---\n" % (
            shown,
            self.stdout,
            self.stderr,
            self.exit_code,
        )


def run_gate(
    command: GateCommand, cwd: Path, environment: Mapping[str, str], timeout_s: float, tick: Callable[[], None]
) -> GateResult:
    """Run a command in a session of its own, stdin closed; `tick` is called every 30 s while it runs.

    Time out is exit code 124. When this returns, for whatever reason, every process of the session's group is gone.
    Raises PlanError when the program cannot be started.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            process = subprocess.Popen(
                command.argv or ["/bin/sh", "-c", command.text],
                cwd=cwd,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise PlanError(f"the gate could not be started: {getattr(error, 'strerror', None) or error}") from None
        try:
            exit_code = _wait(process, time.monotonic() + timeout_s, tick)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        out.seek(0)
        err.seek(0)
        stdout, stderr = out.read(), err.read()
    if exit_code is None:
        return GateResult(TIMEOUT_EXIT, stdout, stderr, timed_out=True)
    return GateResult(exit_code, stdout, stderr)


def _wait(process: subprocess.Popen[bytes], deadline: float, tick: Callable[[], None]) -> int | None:
    while True:
        rest = deadline - time.monotonic()
        try:
            return process.wait(timeout=max(0.0, min(rest, TICK_S)))
        except subprocess.TimeoutExpired:
            if rest <= TICK_S:
                return None
            tick()
