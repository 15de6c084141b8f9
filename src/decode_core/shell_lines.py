"""Lines that the person runs in a shell (`! make test`, ui.md §2): not gated, since it is their own hand; recorded so.

What such a line prints reaches the model only where the person wrote `!!`, and then with the next prompt.
"""

import asyncio
import itertools
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from decode_core.engine.thread import EngineThread
from decode_core.event_log import EventLog
from decode_core.events import PermissionDecided, ShellLineFinished, ShellLineStarted, ToolCallProgress
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome, ToolKind
from decode_core.workspace import Workspace

if TYPE_CHECKING:
    from decode_core.tools.shell_output import OutputText
    from decode_core.tools.shell_process import End

MAX_S = 24 * 60 * 60.0
"""Nobody waits longer for a line of their own; Esc ends it at any time."""
STOPPED = "stopped"


class ShellLineError(Exception):
    """A line is not run. The message is one sentence for the person."""


@dataclass(frozen=True)
class _Line:
    id: str
    command: str
    for_model: bool
    began: float = field(default_factory=time.monotonic)


class ShellLines:
    """Runs the person's lines, one at a time, in a thread of its own. `refused`: why none may run, else empty."""

    def __init__(
        self, log: EventLog, workspace: Workspace, spill: Path, mode: Callable[[], PermissionMode], refused: str = ""
    ) -> None:
        self._log = log
        self._workspace = workspace
        self._spill = spill
        self._mode = mode
        self._refused = refused
        self._folder = workspace.root
        self._thread = EngineThread(lambda: workspace, "decode-shell")
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._line: _Line | None = None
        """The line that runs."""
        self._future: Future[None] | None = None
        self._task: asyncio.Task[None] | None = None
        """What runs it, on the loop of the thread; None before it has begun."""
        self._outputs: list[tuple[str, str]] = []

    @property
    def running(self) -> bool:
        """Whether a line runs."""
        return self._line is not None

    @property
    def for_model(self) -> tuple[str, ...]:
        """The commands whose output goes with the next prompt."""
        return tuple(command for command, _ in self._outputs)

    def run(self, command: str, *, for_model: bool = False) -> None:
        """Run a line; what happens is told as events. Raises ShellLineError while another one runs."""
        if self._refused:
            raise ShellLineError(f"Not run: {self._refused}.")
        if self.running:
            raise ShellLineError("A line of yours is running; Esc stops it.")
        line = _Line(f"line-{next(self._numbers)}-{self._log.last_seq + 1}", command, for_model)
        self._log.append(ShellLineStarted(line_id=line.id, command=command))
        self._log.append(self._record(line))
        self._line, self._task = line, None
        self._future = self._thread.run(lambda _: self._run(line))
        self._future.add_done_callback(lambda future: self._ended(line, future))

    def cancel(self) -> None:
        """End the line that runs, with its whole process group."""
        task, future = self._task, self._future
        if task is not None:
            # not the future: that would count as ended at once, before the process group is gone
            self._thread.post(lambda _: _cancel(task))
        elif future is not None:
            future.cancel()

    def with_outputs(self, prompt: str) -> str:
        """The prompt with what lines printed for the model since the last one; each goes once."""
        told = [f"I ran this command myself:\n\n$ {command}\n{text}" for command, text in self._outputs]
        self._outputs.clear()
        return "\n\n".join([*told, prompt])

    def close(self) -> None:
        """End what runs, and the thread."""
        self.cancel()
        self._thread.stop()

    def _record(self, line: _Line) -> PermissionDecided:
        return PermissionDecided(
            call_id=line.id,
            tool="bash",
            kind=ToolKind.OTHER,
            effective_kind=ToolKind.OTHER,
            subject=line.command,
            outcome=PermissionOutcome.ALLOW,
            by=DecidedBy.HUMAN,
            mode=self._mode(),
            reason="You ran it yourself, with `!`; your own lines are not gated.",
        )

    async def _run(self, line: _Line) -> None:
        # on first use: the first frame has no need of them
        from decode_core.tools.shell import find_bash
        from decode_core.tools.shell_output import Output
        from decode_core.tools.shell_process import Launch, run_watched
        from decode_core.tools.spec import Limits

        self._task = asyncio.current_task()
        bash = find_bash(self._workspace)
        if bash is None:
            self._finish(line, None, "bash is not installed")
            return
        limits = Limits()
        output = Output(self._spill, limits.output_bytes, limits.output_lines)

        def show(text: str) -> None:
            self._log.append(ToolCallProgress(call_id=line.id, text=text))

        start = self._folder if self._folder.is_dir() else self._workspace.root
        try:
            # the person's own environment, secrets included, as in their terminal; but what runs has no terminal
            environment = {**os.environ, "TERM": "dumb"}
            end = await run_watched(Launch(bash, line.command, start, environment, MAX_S), output, show)
        except asyncio.CancelledError:
            self._finish(line, None, STOPPED, _text(output.result()))
            raise
        except (OSError, ValueError) as error:
            self._finish(line, None, f"bash could not be started ({error})")
            return
        finally:
            output.close()
        self._folder = end.folder or start
        self._finish(line, end.code, self._told(end, start), _text(output.result()))

    def _finish(self, line: _Line, code: int | None, summary: str, text: str = "") -> None:
        with self._lock:
            if self._line is not line:
                return
            self._line = None
        is_told = line.for_model and code is not None
        if is_told:
            self._outputs.append((line.command, f"{text}({summary})"))
        elapsed = int((time.monotonic() - line.began) * 1000)
        self._log.append(
            ShellLineFinished(
                line_id=line.id, exit_code=code, summary=summary, text=text, for_model=is_told, elapsed_ms=elapsed
            )
        )

    def _ended(self, line: _Line, future: "Future[None]") -> None:
        """Whatever way a line ended, its end is told: also one that was stopped before it began."""
        error = None if future.cancelled() else future.exception()
        self._finish(line, None, STOPPED if error is None else f"not run: {type(error).__name__}: {error}")

    def _told(self, end: "End", start: Path) -> str:
        if end.code < 0:
            known = -end.code in set(signal.Signals)
            told = f"ended by {signal.Signals(-end.code).name if known else f'signal {-end.code}'}"
        else:
            told = f"exit {end.code}"
        return told if self._folder == start else f"{told} · now in {self._workspace.relative(self._folder)}"


def _cancel(task: "asyncio.Task[None]") -> None:
    task.cancel()


def _text(output: "OutputText") -> str:
    body = output.text if not output.text or output.text.endswith("\n") else f"{output.text}\n"
    return f"{body}({output.note})\n" if output.note else body
