"""Runs ripgrep: found where it can be trusted, without anybody's configuration, on an open folder or file."""

import asyncio
import os
import shutil
import signal
import sys
import sysconfig
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from decode_core.workspace import Workspace

TIME_LIMIT_S = 20.0
MAX_RECORD_BYTES = 4_000_000
"""A longer record (a match in a line of that length) is skipped."""

WALK = ("--hidden", "--no-require-git", "--no-messages", "--glob=!.git")
"""Hidden files count, git's own folder does not; ignore files hold outside repositories, too."""
LIST_FILES = ("--files", "--null", *WALK, "./")
"""Arguments that list the files below a folder, a record each."""

_MAX_COMPLAINT_BYTES = 8_000
_CHUNK = 262_144


class RipgrepError(Exception):
    """ripgrep could not do what was asked. The message is one sentence for the model."""


@dataclass
class Ended:
    """How a run ended: `complaint` is what ripgrep said on its error stream, empty where it said nothing."""

    code: int = 0
    timed_out: bool = False
    stopped: bool = False
    """The reader had enough."""
    skipped: int = 0
    """Records that were too long."""
    complaint: str = ""


def find_ripgrep(workspace: Workspace) -> Path | None:
    """The `rg` beside the running interpreter, else one on PATH outside the workspace; None where there is neither."""
    for folder in dict.fromkeys((Path(sysconfig.get_path("scripts")), Path(sys.executable).parent)):
        if found := shutil.which("rg", path=str(folder)):
            return Path(found)
    for part in os.environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which("rg", path=part) if part.startswith("/") else None
        if found and not workspace.holds(Path(found).resolve()):
            return Path(found)
    return None


async def run_ripgrep(
    program: Path,
    arguments: Sequence[str],
    target: int,
    separator: bytes,
    take: Callable[[bytes], bool],
    *,
    is_file: bool = False,
) -> Ended:
    """Run ripgrep on an open folder, or on an open file by its standard input.

    Each record of its output goes to `take`, which returns False when it has enough. Raises RipgrepError where it
    cannot be started. Cancelling ends it.
    """
    ended = Ended()
    async with _started(program, arguments, target, is_file=is_file) as process:
        complaint = asyncio.ensure_future(_complaint(process))
        try:
            async with asyncio.timeout(TIME_LIMIT_S):
                async for record in _records(process, separator, ended):
                    if not take(record):
                        ended.stopped = True
                        break
                else:
                    ended.code = await process.wait()
                    ended.complaint = await complaint
        except TimeoutError:
            ended.timed_out = True
        finally:
            complaint.cancel()
            with suppress(asyncio.CancelledError):
                await complaint
    return ended


@asynccontextmanager
async def _started(
    program: Path, arguments: Sequence[str], target: int, *, is_file: bool
) -> AsyncIterator[asyncio.subprocess.Process]:
    environment = {"PATH": os.defpath, "LC_ALL": "C.UTF-8"}
    try:
        process = await asyncio.create_subprocess_exec(
            program,
            "--no-config",
            *arguments,
            stdin=target if is_file else asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=None if is_file else _folder_path(target),
            env=environment,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise RipgrepError(f"ripgrep could not be started ({error}).") from None
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGKILL)
        # what is left in the pipes is read away, or the process would never count as closed
        await process.communicate()


def _folder_path(folder: int) -> str:
    """A path that leads to an open folder and nowhere else, while it is open."""
    if sys.platform == "linux":
        return f"/proc/self/fd/{folder}"
    import fcntl

    name = fcntl.fcntl(folder, fcntl.F_GETPATH, bytes(1024))
    return os.fsdecode(name.rstrip(b"\0"))


async def _records(process: asyncio.subprocess.Process, separator: bytes, ended: Ended) -> AsyncIterator[bytes]:
    stream = _piped(process.stdout)
    kept = bytearray()
    skipping = False
    while chunk := await stream.read(_CHUNK):
        kept += chunk
        *records, rest = kept.split(separator)
        for record in records:
            if skipping:
                skipping = False
            else:
                yield bytes(record)
        kept = bytearray(rest)
        if len(kept) > MAX_RECORD_BYTES:
            ended.skipped += not skipping
            skipping = True
            kept.clear()
    if kept and not skipping:
        yield bytes(kept)


async def _complaint(process: asyncio.subprocess.Process) -> str:
    stream = _piped(process.stderr)
    said = b""
    while chunk := await stream.read(4096):
        said = (said + chunk)[:_MAX_COMPLAINT_BYTES]
    return said.decode("utf-8", "replace").strip()


def _piped(stream: asyncio.StreamReader | None) -> asyncio.StreamReader:
    if stream is None:
        raise RuntimeError("ripgrep was started without pipes")
    return stream
