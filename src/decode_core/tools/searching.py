"""glob and grep: what a folder holds, by ripgrep, with ignore files honoured and secrets left out."""

import asyncio
import os
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from pydantic import Field

from decode_core.permissions.modes import ToolKind
from decode_core.permissions.protected import is_secret
from decode_core.permissions.request import PathFact, SubjectKind
from decode_core.tools.files import FileProblem, open_target
from decode_core.tools.glob_pattern import GlobError, compile_glob
from decode_core.tools.grep_hits import Hits, prefilter
from decode_core.tools.ripgrep import LIST_FILES, TIME_LIMIT_S, WALK, Ended, RipgrepError, find_ripgrep, run_ripgrep
from decode_core.tools.spec import ToolArgs, ToolContext, ToolResult, ToolSpec, failed

MAX_LISTED = 500
"""Files that one glob lists."""

_NO_RIPGREP = "ripgrep (rg) is not installed, so files cannot be searched; the person has to install it."


class Case(StrEnum):
    """How capitals are compared."""

    SENSITIVE = "sensitive"
    IGNORE = "ignore"
    SMART = "smart"


class GlobArgs(ToolArgs):
    """Arguments of glob."""

    pattern: str = Field(
        min_length=1,
        max_length=500,
        description="File pattern such as *.py, src/**/*.{ts,tsx}; without a slash it matches in every folder.",
    )
    path: str | None = Field(
        default=None, min_length=1, description="The folder to look in (default: the workspace root)."
    )


class GrepArgs(ToolArgs):
    """Arguments of grep."""

    pattern: str = Field(min_length=1, max_length=5_000, description="Regular expression (Rust syntax).")
    path: str | None = Field(
        default=None, min_length=1, description="Folder or file to search (default: the workspace root)."
    )
    glob: str | None = Field(
        default=None, min_length=1, max_length=500, description="Only files that match, such as *.py."
    )
    context: int = Field(default=0, ge=0, le=20, description="Lines to show before and after each match.")
    case: Case = Field(
        default=Case.SENSITIVE, description="How capitals are compared; smart: ignored unless there are any."
    )
    files_only: bool = Field(default=False, description="List the files that match instead of their lines.")


async def run_glob(args: GlobArgs, ctx: ToolContext) -> ToolResult:
    """List files by pattern, newest first."""
    scope = _Scope(ctx)
    program = find_ripgrep(ctx.workspace)
    if program is None:
        return failed(_NO_RIPGREP)
    found: list[bytes] = []

    def take(record: bytes) -> bool:
        found.append(record)
        return True

    try:
        pattern = compile_glob(args.pattern)
        if scope.fact.is_file:
            return failed(f"{scope.given} is a file; give the folder to look in.")
        with open_target(scope.fact) as folder:
            ended = await run_ripgrep(program, LIST_FILES, folder, b"\0", take)
            matching = [path for record in found if pattern.matches(path := _relative(record))]
            wanted = [path for path in matching if scope.may_show(path)]
            listed = await asyncio.to_thread(_newest_first, folder, wanted)
    except (FileProblem, RipgrepError, GlobError) as problem:
        return failed(_sentence(problem))
    notes = _notes(ended)
    if hidden := len(matching) - len(wanted):
        # grep has no such note: which secrets match a pattern would tell, guess by guess, what they hold
        left_out = "1 file that may hold secrets is" if hidden == 1 else f"{hidden:,} files that may hold secrets are"
        notes.append(f"({left_out} left out; only a path that names one reaches it.)")
    if not listed:
        return ToolResult("\n".join(["No file matches.", *notes]), "no files", detail={"files": 0})
    cap = min(MAX_LISTED, ctx.limits.output_lines)
    if len(listed) > cap:
        notes.insert(0, f"({cap:,} of {len(listed):,} files, newest first; narrow the pattern or give a folder.)")
    rows = [scope.shown(path) for path in listed[:cap]]
    return ToolResult(
        "\n".join([*rows, *notes]), _count(len(listed), "file"), detail={"files": len(listed), "shown": len(rows)}
    )


async def run_grep(args: GrepArgs, ctx: ToolContext) -> ToolResult:
    """Search files; no match is a normal answer."""
    scope = _Scope(ctx)
    program = find_ripgrep(ctx.workspace)
    if program is None:
        return failed(_NO_RIPGREP)
    is_file = scope.fact.is_file
    try:
        glob = compile_glob(args.glob) if args.glob and not is_file else None
        hits = Hits(
            max_rows=ctx.limits.output_lines,
            max_bytes=ctx.limits.output_bytes,
            wanted=lambda path: is_file or (scope.may_show(path) and (glob is None or glob.matches(path))),
            shown=lambda path: scope.given if is_file else scope.shown(path),
        )
        take, separator = (hits.take_file, b"\0") if args.files_only else (hits.take_event, b"\n")
        with open_target(scope.fact) as target:
            ended = await run_ripgrep(
                program, tuple(_grep_arguments(args, scope)), target, separator, take, is_file=is_file
            )
    except (FileProblem, RipgrepError, GlobError) as problem:
        return failed(_sentence(problem))
    if ended.code not in (0, 1) and not hits.rows and ended.complaint:
        return failed(f"The search failed: {_complaint(ended.complaint)}.")
    notes = _notes(ended)
    if ended.stopped:
        notes.insert(0, "(There are more matches; narrow the pattern, or give a path or a glob.)")
    if not hits.rows:
        return ToolResult("\n".join(["No match.", *notes]), "no match", detail={"matches": 0, "files": 0})
    more = " and more" if ended.stopped else ""
    files = _count(hits.files, "file")
    summary = f"{files}{more}" if args.files_only else f"{_count(hits.matches, 'match')}{more} in {files}"
    detail = {"matches": hits.matches, "files": hits.files, "stopped": ended.stopped}
    return ToolResult("\n".join([*hits.rows, *notes]), summary, detail=detail)


GLOB = ToolSpec(
    name="glob",
    description=(
        "List files by pattern, newest first. Ignored files and secrets are left out. Without a slash the pattern "
        "matches names in every folder."
    ),
    kind=ToolKind.READ_ONLY,
    args=GlobArgs,
    run=run_glob,
    subject="path",
    subject_kind=SubjectKind.PATH,
    shown=("pattern", "path"),
)

GREP = ToolSpec(
    name="grep",
    description=(
        "Search file contents by regular expression; returns path:line:text. Ignored files and secrets are left out "
        "unless path names them."
    ),
    kind=ToolKind.READ_ONLY,
    args=GrepArgs,
    run=run_grep,
    subject="path",
    subject_kind=SubjectKind.PATH,
    shown=("pattern", "path"),
)


@dataclass(frozen=True)
class _Scope:
    """Where a search looks, and how what it finds there is named."""

    ctx: ToolContext

    @property
    def fact(self) -> PathFact:
        return self.ctx.request.paths[0]

    @property
    def given(self) -> str:
        return self.fact.relative

    def shown(self, path: str) -> str:
        """A found path as read takes it; what is no plain line of text is quoted or replaced."""
        name = path if self.fact.relative == "." else str(PurePosixPath(self.fact.relative, path))
        name = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        return name if name.isprintable() else repr(name)

    def may_show(self, path: str) -> bool:
        """Whether a found path may be told: no secret, unless the call names the place as one."""
        bases = (self.fact.relative, self.fact.real_relative)
        if any(is_secret(base) for base in bases):
            return True
        return not any(is_secret(str(PurePosixPath(base, path))) for base in bases)


def _grep_arguments(args: GrepArgs, scope: _Scope) -> Iterable[str]:
    yield from WALK
    yield from {
        Case.SENSITIVE: ("--case-sensitive",),
        Case.IGNORE: ("--ignore-case",),
        Case.SMART: ("--smart-case",),
    }[args.case]
    if "\n" in args.pattern or "\\n" in args.pattern:
        yield "--multiline"
    if args.glob and not scope.fact.is_file:
        yield from prefilter(args.glob)
    yield from ("--files-with-matches", "--null") if args.files_only else ("--json", f"--context={args.context}")
    # one thread, in the order of paths: the same search gives the same answer
    yield from ("--sort=path", f"--regexp={args.pattern}", "-" if scope.fact.is_file else "./")


def _relative(record: bytes) -> str:
    return os.fsdecode(record.removeprefix(b"./"))


def _newest_first(folder: int, paths: list[str]) -> list[str]:
    def age(path: str) -> tuple[int, str]:
        try:
            return -os.stat(path, dir_fd=folder, follow_symlinks=False).st_mtime_ns, path
        except OSError:
            return 0, path  # it has just vanished: last

    return sorted(paths, key=age)


def _notes(ended: Ended) -> list[str]:
    notes: list[str] = []
    if ended.timed_out:
        notes.append(f"(Stopped after {TIME_LIMIT_S:g} s; this is what was found until then. Give a smaller folder.)")
    if ended.skipped:
        notes.append(f"(Left out: {_count(ended.skipped, 'match')} in very long lines.)")
    return notes


def _complaint(said: str) -> str:
    """The line of ripgrep's complaint that says what is wrong."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    line = next((line for line in lines if line.startswith("error:")), lines[0])
    return line.removeprefix("rg: ").removeprefix("error:").strip().rstrip(".")[:300]


def _sentence(problem: Exception) -> str:
    text = str(problem)
    return text[:1].upper() + text[1:].rstrip(".") + "." if isinstance(problem, GlobError) else text


def _count(number: int, noun: str) -> str:
    plural = {"match": "matches"}.get(noun, f"{noun}s")
    return f"1 {noun}" if number == 1 else f"{number:,} {plural}"
