"""A bash process and its group: started apart, read as it writes, and ended whole."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from decode_core.tools.shell_output import Output

THROTTLE_S = 0.1
"""Live output is shown at most this often."""
LINGER_S = 0.3
"""What a command left behind may take so long to end by itself, as the last part of `> >(tee log)` does."""
GRACE_S = 1.0
"""Between asking a group to end and ending it."""
DRAIN_S = 0.5
"""How long output is still read after the group was ended, should something that left the group hold the pipe."""

_CHUNK = 65_536

# The trap tells where the shell ended, whatever way the command ends. The command runs by eval so that nothing of this
# frame stands in its way: no arguments, no variable, and its own syntax errors.
_FRAME = """trap 'builtin pwd -P >&{place} 2>/dev/null' EXIT; eval "shift; $1\""""


class Exit(Enum):
    """How the shell came to its end."""

    EXITED = auto()
    TIMED_OUT = auto()


@dataclass(frozen=True)
class End:
    """The end of a command: `code` as by subprocess (negative: a signal), `folder` where the shell was, if it told."""

    exit: Exit
    code: int
    folder: Path | None
    ended_background: bool
    """Processes were left in the background and had to be ended."""


async def run_watched(
    bash: Path,
    command: str,
    folder: Path,
    environment: Mapping[str, str],
    output: Output,
    timeout: float,  # noqa: ASYNC109 - what happens at the time-out is more than a cancelled await
    progress: Callable[[str], None],
) -> End:
    """Run `command` and return when no process of its group is left. Raises OSError if bash cannot be started.

    Its output goes to `output`, live parts of it to `progress`. Cancelling ends the group at once.
    """
    loop = asyncio.get_running_loop()
    pipe = _Pipe.open(output)
    place = _Pipe.open(place_output := _Place())
    try:
        process = await asyncio.create_subprocess_exec(
            bash,
            "--noprofile",
            "--norc",
            "-c",
            _FRAME.format(place=place.write_end),
            "bash",
            command,
            cwd=folder,
            env=dict(environment),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=pipe.write_end,
            stderr=pipe.write_end,
            pass_fds=(place.write_end,),
            start_new_session=True,
        )
    except BaseException:
        pipe.close()
        place.close()
        raise
    pipe.listen(loop)
    place.listen(loop)
    ended = asyncio.ensure_future(process.wait())
    try:
        timed_out = not await _wait(ended, loop.time() + timeout, output, progress)
        left = timed_out or not await _gone(process.pid, LINGER_S)
        if left:
            await _end_group(process.pid, ended)
        await pipe.drained(DRAIN_S)
        place.read_rest()
    except BaseException:
        await _kill_group(process.pid, ended)
        raise
    finally:
        pipe.close()
        place.close()
    code = process.returncode if process.returncode is not None else -signal.SIGKILL
    return End(
        Exit.TIMED_OUT if timed_out else Exit.EXITED,
        code,
        None if timed_out else place_output.folder(),
        ended_background=left and not timed_out,
    )


async def _wait(ended: "asyncio.Future[int]", deadline: float, output: Output, progress: Callable[[str], None]) -> bool:
    """Wait for the shell and show its output meanwhile. Returns False at the deadline."""
    loop = asyncio.get_running_loop()
    while (rest := deadline - loop.time()) > 0:
        await asyncio.wait({ended}, timeout=min(THROTTLE_S, rest))
        if ended.done():
            return True
        if text := output.take_live():
            progress(text)
    return False


async def _end_group(group: int, ended: "asyncio.Future[int]") -> None:
    """Ask the group to end, then end it."""
    _signal_group(group, signal.SIGTERM)
    if not await _gone(group, GRACE_S):
        await _kill_group(group, ended)
    await asyncio.wait({ended}, timeout=GRACE_S)


async def _kill_group(group: int, ended: "asyncio.Future[int]") -> None:
    """End the group and wait until it is gone: at once as a rule, and not for ever where the system holds it."""
    _signal_group(group, signal.SIGKILL)
    await asyncio.wait({ended}, timeout=GRACE_S)
    await _gone(group, GRACE_S)


async def _gone(group: int, patience: float) -> bool:
    """Whether nothing of the group is left within `patience` seconds."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + patience
    while _signal_group(group, 0) and _does_anything(group):
        if loop.time() >= deadline:
            return False
        await asyncio.sleep(0.02)
    return True


def _signal_group(group: int, number: int) -> bool:
    """Send a signal to the group (0: only look). Returns whether anything of it is there."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    except PermissionError:
        # what runs under another user cannot be ended from here
        return number == 0
    return True


def _does_anything(group: int) -> bool:
    """Whether the group has a process that is more than an entry which nobody has collected yet.

    Where the first process of a container collects no orphans, such entries stay for ever.
    """
    if sys.platform != "linux":
        return True
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # the name in brackets may hold anything; state and group are the first and the third field behind it
            state, _, its_group = stat.read_bytes().rpartition(b")")[2].split()[:3]
        except (OSError, ValueError):
            continue  # it has just ended
        if int(its_group) == group and state != b"Z":
            return True
    return False


class _Place:
    """Collects the folder that the shell tells at its end."""

    def __init__(self) -> None:
        self._data = b""

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes; a path is never longer than this keeps."""
        self._data = (self._data + chunk)[:_CHUNK]

    def folder(self) -> Path | None:
        """The folder, or None where the shell did not tell one."""
        text = os.fsdecode(self._data.removesuffix(b"\n"))
        return Path(text) if text.startswith("/") and "\0" not in text else None


class _Pipe:
    """A pipe whose reading end is listened to on the loop. Not the pipe of asyncio's processes: waiting for those
    waits for everybody who holds the writing end."""

    def __init__(self, read_end: int, write_end: int, sink: "Output | _Place") -> None:
        self._read_end = read_end
        self.write_end = write_end
        self._sink = sink
        self._loop: asyncio.AbstractEventLoop | None = None
        self._at_end = asyncio.Event()

    @classmethod
    def open(cls, sink: "Output | _Place") -> "_Pipe":
        """A new pipe that feeds `sink`."""
        read_end, write_end = os.pipe()
        os.set_blocking(read_end, False)
        return cls(read_end, write_end, sink)

    def listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to read; the writing end belongs to the process from here on."""
        os.close(self.write_end)
        self.write_end = -1
        self._loop = loop
        loop.add_reader(self._read_end, self._read)

    def read_rest(self) -> None:
        """Read what is there without waiting."""
        while self._read():
            pass

    async def drained(self, patience: float) -> None:
        """Wait until everybody closed the writing end, or `patience` seconds have passed."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._at_end.wait(), patience)

    def close(self) -> None:
        """Stop reading and close what is open."""
        if self._loop is not None:
            self._loop.remove_reader(self._read_end)
        os.close(self._read_end)
        if self.write_end != -1:
            os.close(self.write_end)

    def _read(self) -> bool:
        """Read once; returns whether there was anything."""
        try:
            chunk = os.read(self._read_end, _CHUNK)
        except BlockingIOError:
            return False
        if chunk:
            self._sink.feed(chunk)
            return True
        if self._loop is not None:
            self._loop.remove_reader(self._read_end)
        self._at_end.set()
        return False
