"""A bash process and its group: started apart, read as it writes, and ended whole."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from decode_core.permissions.sandbox.profile import Limits
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

# In a sandbox with processes of its own, everything ends with the first of them. This shell stays for a moment after
# the command's one, and tells whether that left anything behind. Nobody ever writes to the pipe that it reads from.
_KEEPER = """printf '\\1' >&{place}; {limits}"$0" --noprofile --norc -c "$1" bash "$2"; code=$?
for ((i = 0; i < {rounds}; i++)); do
    set -- /proc/[0-9]*; (($# > 2)) || exit $code
    read -rt {pause_s} -u {pause}
done
printf '\\0left' >&{place}; exit $code"""
_PAUSE_S = 0.02


class Exit(Enum):
    """How the shell came to its end."""

    EXITED = auto()
    TIMED_OUT = auto()
    FORBIDDEN = auto()
    """It made something that must not be, and was ended."""


@dataclass(frozen=True)
class Wrapped:
    """How a sandbox is put around a command."""

    argv: tuple[str, ...]
    """What stands before the shell."""
    limits: Limits
    has_own_processes: bool
    """The command cannot see, signal or outlive other processes: it ends whole when its first process does."""
    descriptors: tuple[int, ...] = ()
    """What `argv` reads from."""
    must_not_be: tuple[Path, ...] = ()
    """The command is ended as soon as one of these comes to be."""


@dataclass(frozen=True)
class End:
    """The end of a command: `code` as by subprocess (negative: a signal), `folder` where the shell was, if it told."""

    exit: Exit
    code: int
    folder: Path | None
    ended_background: bool
    """Processes were left in the background and had to be ended."""
    has_started: bool = True
    """The shell was reached: a sandbox that cannot be set up ends before it."""


@dataclass(frozen=True)
class Launch:
    """A command to be run: `folder` is where it begins, `timeout` in seconds."""

    bash: Path
    command: str
    folder: Path
    environment: Mapping[str, str]
    timeout: float


async def run_watched(
    launch: Launch, output: Output, progress: Callable[[str], None], wrapped: Wrapped | None = None
) -> End:
    """Run a command and return when no process of its group is left. Raises OSError if bash cannot be started.

    Its output goes to `output`, live parts of it to `progress`. Cancelling ends the group at once. `wrapped` puts a
    sandbox around it.
    """
    loop = asyncio.get_running_loop()
    with ExitStack() as stack:
        pipe = stack.enter_context(_Pipe.open(output))
        place = stack.enter_context(_Pipe.open(place_output := _Place()))
        start = _plain(launch, place) if wrapped is None else _wrap(launch, wrapped, place, stack)
        process = await asyncio.create_subprocess_exec(
            *start.argv,
            cwd=launch.folder,
            env=dict(launch.environment),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=pipe.write_end,
            stderr=pipe.write_end,
            pass_fds=start.descriptors,
            start_new_session=True,
        )
        pipe.listen(loop)
        place.listen(loop)
        ended = asyncio.ensure_future(process.wait())
        try:
            forbidden = wrapped.must_not_be if wrapped is not None else ()
            how = await _wait(ended, loop.time() + launch.timeout, output, progress, forbidden)
            left = how is not Exit.EXITED or not await _gone(process.pid, LINGER_S)
            if left:
                await _end_group(process.pid, ended, start.inner_group())
            await pipe.drained(DRAIN_S)
            place.read_rest()
        except BaseException:
            await _kill_group(process.pid, ended)
            raise
    return End(
        how,
        process.returncode if process.returncode is not None else -signal.SIGKILL,
        place_output.folder() if how is Exit.EXITED else None,
        ended_background=(left or place_output.left_something) and how is Exit.EXITED,
        has_started=wrapped is None or not wrapped.has_own_processes or place_output.was_told,
    )


@dataclass(frozen=True)
class _Start:
    argv: tuple[str, ...]
    descriptors: tuple[int, ...]
    inner: "_Told | None" = None

    def inner_group(self) -> int | None:
        """The group of the processes in a sandbox, where they have one of their own and it is known."""
        return self.inner.number("child-pid") if self.inner is not None else None


def _plain(launch: Launch, place: "_Pipe") -> _Start:
    frame = _FRAME.format(place=place.write_end)
    return _Start((str(launch.bash), "--noprofile", "--norc", "-c", frame, "bash", launch.command), (place.write_end,))


def _wrap(launch: Launch, wrapped: Wrapped, place: "_Pipe", stack: ExitStack) -> _Start:
    frame = _FRAME.format(place=place.write_end)
    shell = (str(launch.bash), "--noprofile", "--norc", "-c")
    limits = _limits(wrapped.limits)
    if not wrapped.has_own_processes:
        argv = (*wrapped.argv, *shell, f"{limits}{frame}", "bash", launch.command)
        return _Start(argv, (place.write_end, *wrapped.descriptors))
    told = _Told(stack)
    pause, never = os.pipe()
    stack.callback(os.close, pause)
    stack.callback(os.close, never)
    rounds = int(LINGER_S / _PAUSE_S)
    keeper = _KEEPER.format(place=place.write_end, limits=limits, rounds=rounds, pause_s=_PAUSE_S, pause=pause)
    argv = (*wrapped.argv, "--info-fd", str(told.write_end), *shell, keeper, str(launch.bash), frame, launch.command)
    return _Start(argv, (place.write_end, told.write_end, pause, *wrapped.descriptors), told)


def _limits(limits: Limits) -> str:
    """Shell text that sets the limits for all that follows; no memory dumps, which would hold secrets."""
    memory = f"ulimit -d {limits.memory_kib}; " if limits.memory_kib else ""
    # a limit that is lower already cannot be set, and need not be
    return f"{{ ulimit -c 0; ulimit -u {limits.processes}; {memory}}} 2>/dev/null; "


async def _wait(
    ended: "asyncio.Future[int]",
    deadline: float,
    output: Output,
    progress: Callable[[str], None],
    forbidden: Sequence[Path],
) -> Exit:
    """Wait for the shell and show its output meanwhile, until the deadline or until something forbidden comes to be."""
    loop = asyncio.get_running_loop()
    while (rest := deadline - loop.time()) > 0:
        await asyncio.wait({ended}, timeout=min(THROTTLE_S, rest))
        if ended.done():
            return Exit.EXITED
        if any(os.path.lexists(path) for path in forbidden):  # noqa: ASYNC240 - a handful of looks
            return Exit.FORBIDDEN
        if text := output.take_live():
            progress(text)
    return Exit.TIMED_OUT


async def _end_group(group: int, ended: "asyncio.Future[int]", inner: int | None = None) -> None:
    """Ask the group to end, then end it. `inner`: the group in a sandbox, which ends the outer one with it."""
    _signal_group(group if inner is None else inner, signal.SIGTERM)
    if inner is not None:
        await asyncio.wait({ended}, timeout=GRACE_S)
    if not await _gone(group, GRACE_S if inner is None else 0):
        await _kill_group(group, ended)
    await asyncio.wait({ended}, timeout=GRACE_S)


async def _kill_group(group: int, ended: "asyncio.Future[int]") -> None:
    """End the group and wait until it is gone: at once as a rule, and not for ever where the system holds it.

    What runs in a sandbox dies with the outer process.
    """
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
    """Collects the folder that the shell tells at its end, and what the shell around it tells in a sandbox."""

    def __init__(self) -> None:
        self._data = b""

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes; a path is never longer than this keeps."""
        self._data = (self._data + chunk)[:_CHUNK]

    def folder(self) -> Path | None:
        """The folder, or None where the shell did not tell one."""
        text = os.fsdecode(self._data.removeprefix(b"\1").removesuffix(_LEFT).removesuffix(b"\n"))
        return Path(text) if text.startswith("/") and "\0" not in text else None

    @property
    def was_told(self) -> bool:
        """Whether anything came: the shell was reached."""
        return bool(self._data)

    @property
    def left_something(self) -> bool:
        """Whether something still ran in the sandbox when the command had ended."""
        return self._data.endswith(_LEFT)


_LEFT = b"\0left"


class _Told:
    """What bubblewrap tells of the process that it starts."""

    def __init__(self, stack: ExitStack) -> None:
        self._read_end, self.write_end = os.pipe()
        os.set_blocking(self._read_end, False)
        stack.callback(os.close, self._read_end)
        stack.callback(os.close, self.write_end)
        self._data = b""

    def number(self, name: str) -> int | None:
        """One of the numbers, or None where it was not told."""
        with suppress(BlockingIOError):
            self._data += os.read(self._read_end, _CHUNK)
        found = re.search(rf'"{name}"\s*:\s*(\d+)'.encode(), self._data)
        return int(found[1]) if found else None


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

    def __enter__(self) -> "_Pipe":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
