"""bash: one command in its own process group, watched until nothing of it is left."""

import os
import shutil
import signal
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from decode_core.events import CallOutcome
from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import SubjectKind
from decode_core.permissions.sandbox.profile import ProfileKind
from decode_core.permissions.shell import MAX_COMMAND_BYTES
from decode_core.tools.shell_environment import closed_environment, shell_environment
from decode_core.tools.shell_output import Output, OutputText
from decode_core.tools.shell_process import End, Exit, Launch, run_watched
from decode_core.tools.spec import ToolArgs, ToolContext, ToolResult, ToolSpec, failed
from decode_core.workspace import Workspace

if TYPE_CHECKING:
    from decode_core.tools.guarded_state import Difference
    from decode_core.tools.shell_sandbox import Prepared

MAX_TIMEOUT_S = 600.0

CWD = "cwd"
"""Key of the shell state: the folder in which the next command starts (a Path)."""

PASSED_NAMES = "env_pass"
"""Key of the shell state: names of variables that commands see despite their names (setting `env.pass`)."""


class BashArgs(ToolArgs):
    """Arguments of bash."""

    command: str = Field(min_length=1, max_length=MAX_COMMAND_BYTES, description="What bash is to run.")
    timeout: float | None = Field(
        default=None,
        gt=0,
        le=MAX_TIMEOUT_S,
        allow_inf_nan=False,
        description="Seconds until it is ended (usually 120).",
    )
    description: str | None = Field(default=None, max_length=200, description="What it is for, in a few words.")


async def run_bash(args: BashArgs, ctx: ToolContext) -> ToolResult:
    """Run the command. Exit codes other than 0 are failed results; cancelling ends the command and all it started."""
    if "\0" in args.command:
        return failed("The command holds a NUL character, which bash cannot take; leave it out.")
    bash = find_bash(ctx.workspace)
    if bash is None:
        return failed("There is no bash on PATH outside the workspace; the person has to install it.")
    start, notes = _start_folder(ctx)
    limits = ctx.limits
    environment = shell_environment(os.environ, ctx.shell_state.get(PASSED_NAMES, ()))
    if ctx.request.is_hardened:
        if ctx.request.shell is None or ctx.request.shell.folder != str(start):
            return failed("The working folder is another one than when the command was judged; send it again.")
        environment = closed_environment(os.environ, ctx.workspace)
    output = Output(ctx.spill_folder, limits.output_bytes, limits.output_lines)
    timeout = args.timeout or limits.bash_timeout_s
    launch = Launch(bash, args.command, start, environment, timeout)
    try:
        end, prepared = await _run(launch, output, ctx)
    except (OSError, ValueError) as error:
        return failed(f"bash could not be started ({error}); nothing was run.")
    finally:
        output.close()
    if not end.has_started:
        return failed(f"The sandbox could not be set up ({output.result().text.strip()[:300]}); nothing was run.")
    notes += _keep_folder(end, start, ctx)
    result = _result(end, output.result(), notes, timeout, ctx)
    return result if prepared is None else _with_sandbox(result, prepared, ctx)


async def _run(launch: Launch, output: Output, ctx: ToolContext) -> "tuple[End, Prepared | None]":
    """Run the command, in the sandbox where there is one."""
    found = await ctx.sandbox.find() if ctx.sandbox is not None and not ctx.outside else None
    if ctx.sandbox is None or found is None or found.mechanism is None:
        return await run_watched(launch, output, ctx.progress), None
    kind = ProfileKind.READ_ONLY if ctx.request.is_hardened else ProfileKind.WORKSPACE
    with ctx.sandbox.around(found, kind, launch.folder) as prepared:
        inside = replace(launch, environment=prepared.environment(launch.environment))
        end = await run_watched(inside, output, ctx.progress, prepared.wrapped)
    return end, prepared


def _with_sandbox(result: ToolResult, prepared: "Prepared", ctx: ToolContext) -> ToolResult:
    """The result, failed where a protected resource differs, with what the sandbox blocked."""
    notes = [_told_difference(each, ctx.workspace) for each in prepared.differences]
    blocked = None
    if prepared.differences:
        blocked = f"a change of {ctx.workspace.relative(prepared.differences[0].path)}, which is protected"
    elif result.outcome is not CallOutcome.OK:
        blocked = prepared.blocked(str(result.detail.get("output", "")))
    if blocked is not None:
        notes.append(f"The sandbox blocked {blocked}.")
    if not notes:
        return result
    text = "\n".join([result.text, *(f"({note})" for note in notes)])
    summary = "changed what is protected" if prepared.differences else f"{result.summary}, blocked"
    return replace(result, text=text, summary=summary, outcome=CallOutcome.FAILED, blocked=blocked)


def _told_difference(difference: "Difference", workspace: Workspace) -> str:
    name = workspace.relative(difference.path)
    match difference.came, difference.restored:
        case True, True:
            what, end = "came to be", "it was removed"
        case True, False:
            what, end = "came to be", "it could not be removed"
        case _, True:
            what, end = "was changed", "it was put back as it was"
        case _:
            what, end = "was changed", "it could not be put back"
    kept = f"; the changed version lies in {difference.kept_as}" if difference.kept_as is not None else ""
    return f"{name} is protected and {what} while the command ran: {end}{kept}."


BASH = ToolSpec(
    name="bash",
    description=(
        "Run a bash command. It has no terminal and no input; the working folder is kept for the next call. "
        "Processes left in the background are ended with it. Prefer read, glob, grep, edit and write for files."
    ),
    kind=ToolKind.OTHER,
    args=BashArgs,
    run=run_bash,
    subject="command",
    subject_kind=SubjectKind.COMMAND,
)


def find_bash(workspace: Workspace) -> Path | None:
    """bash from an absolute folder of PATH that does not lie in the workspace, or None."""
    folders = [Path(part) for part in os.environ.get("PATH", os.defpath).split(os.pathsep) if part.startswith("/")]
    for folder in folders:
        found = shutil.which("bash", path=str(folder))
        if found and not workspace.holds(Path(found).resolve()):
            return Path(found)
    return None


def shell_folder(workspace: Workspace, shell_state: Mapping[str, Any]) -> Path:
    """Where the next command starts: where the last one ended, if that still is a folder of the workspace."""
    kept = shell_state.get(CWD)
    return kept if isinstance(kept, Path) and kept.is_dir() and workspace.holds(kept.resolve()) else workspace.root


def _start_folder(ctx: ToolContext) -> tuple[Path, list[str]]:
    """Where the command starts, and what is to be said about it."""
    root = ctx.workspace.root
    kept = ctx.shell_state.get(CWD)
    start = shell_folder(ctx.workspace, ctx.shell_state)
    if not isinstance(kept, Path) or kept == start:
        return start, []
    ctx.shell_state[CWD] = root
    return root, [f"The folder {ctx.workspace.relative(kept)} is gone; the command ran in the workspace root."]


def _keep_folder(end: End, start: Path, ctx: ToolContext) -> list[str]:
    """Remember where the shell ended, inside the workspace only: paths of the next command are judged against it."""
    if end.folder is None:
        return []
    if not end.folder.is_dir() or not ctx.workspace.holds(end.folder.resolve()):
        ctx.shell_state[CWD] = ctx.workspace.root
        return [f"The shell ended in {end.folder}, outside the workspace; the next command starts in the root again."]
    ctx.shell_state[CWD] = end.folder
    if end.folder == start:
        return []
    return [f"The working folder is now {ctx.workspace.relative(end.folder)}."]


def _result(end: End, output: OutputText, notes: list[str], timeout: float, ctx: ToolContext) -> ToolResult:
    told = _told_end(end, timeout)
    if end.ended_background:
        notes = [*notes, "Processes that it left in the background were ended."]
    if output.note:
        notes = [output.note, *notes]
    if end.exit is not Exit.EXITED or end.code != 0:
        notes = [told[1], *notes]
    body = output.text.rstrip("\n")
    if not body and not notes:
        notes = ["No output; exit code 0."]
    text = "\n".join([*([body] if body else []), *(f"({note})" for note in notes)])
    folder = ctx.shell_state.get(CWD, ctx.workspace.root)
    detail: dict[str, Any] = {
        "exit_code": end.code,
        "timed_out": end.exit is Exit.TIMED_OUT,
        "output": output.text,
        "cwd": ctx.workspace.relative(folder),
    }
    if output.spilled_to is not None:
        detail["full_output"] = str(output.spilled_to)
    if end.exit is Exit.EXITED and end.code == 0:
        return ToolResult(text, told[0], detail=detail)
    return failed(text, told[0], **detail)


def _told_end(end: End, timeout: float) -> tuple[str, str]:
    """How the command ended: in two words for the person, in a sentence for the model."""
    if end.exit is Exit.TIMED_OUT:
        seconds = f"{timeout:g} s"
        return (
            f"timed out after {seconds}",
            f"Timed out: it was ended after {seconds}; give a longer timeout if needed.",
        )
    if end.exit is Exit.FORBIDDEN:
        return "ended", "It was ended, because it made something that is protected."
    if end.code < 0:
        name = signal.Signals(-end.code).name if -end.code in set(signal.Signals) else f"signal {-end.code}"
        return f"ended by {name}", f"The shell was ended by {name}."
    return f"exit {end.code}", f"Exit code {end.code}."
