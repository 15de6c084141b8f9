"""read: the lines of a text file, numbered and capped; anything else is named, never dumped."""

import asyncio
import difflib
from itertools import islice

from pydantic import Field

from decode_core.permissions.modes import ToolKind
from decode_core.permissions.protected import is_secret
from decode_core.permissions.request import PathFact, SubjectKind
from decode_core.tools.file_kinds import describe
from decode_core.tools.files import FileProblem, Snapshot, names_beside, read_snapshot
from decode_core.tools.spec import Limits, ToolArgs, ToolContext, ToolResult, ToolSpec, failed
from decode_core.tools.texts import Encoding, FileText, decode

MAX_LINE_CHARS = 2_000
"""Longer lines are cut, and the result says so."""


class ReadArgs(ToolArgs):
    """Arguments of read."""

    path: str = Field(min_length=1, description="The file, relative to the workspace or absolute.")
    offset: int | None = Field(
        default=None, ge=1, le=2**31, description="First line to read, counted from 1 (default 1)."
    )
    limit: int | None = Field(
        default=None, ge=1, le=2**31, description="How many lines to read (default: as many as fit)."
    )


async def run_read(args: ReadArgs, ctx: ToolContext) -> ToolResult:
    """Read a file and remember that the session has seen its bytes."""
    fact = ctx.request.paths[0]
    try:
        snapshot = await asyncio.to_thread(read_snapshot, fact)
    except FileProblem as problem:
        return failed(f"{problem}{_suggestion(fact)}")
    text = decode(snapshot.data)
    if text is None:
        return _named(fact, snapshot)
    ctx.files.remember(fact.real, snapshot.digest)
    return _numbered(fact, text, args, ctx.limits)


READ = ToolSpec(
    name="read",
    description=(
        "Read a text file. Returns its lines with their numbers, at most 2,000 lines or 50 KB at once; "
        "go on with offset. Read a file before you write or edit it."
    ),
    kind=ToolKind.READ_ONLY,
    args=ReadArgs,
    run=run_read,
    subject="path",
    subject_kind=SubjectKind.PATH,
)


def numbered_line(number: int, line: str) -> str:
    """One line of a file as models see it."""
    return f"{number:>6}\t{line}"


def _numbered(fact: PathFact, file: FileText, args: ReadArgs, limits: Limits) -> ToolResult:
    lines = file.text.split("\n")
    if lines[-1] == "":
        lines.pop()
    total = len(lines)
    if not total:
        return ToolResult("(The file is empty.)", "empty", detail={"lines": 0})
    first = args.offset or 1
    if first > total:
        return failed(f"{fact.given} has {_count(total)}; offset {first} lies behind its end.")
    shown: list[str] = []
    room = limits.output_bytes
    wanted = min(args.limit or limits.output_lines, limits.output_lines)
    for number, line in enumerate(islice(lines, first - 1, first - 1 + wanted), first):
        row = numbered_line(number, _cut(line.removesuffix("\r")))
        room -= len(row.encode("utf-8", "replace")) + 1
        if room < 0 and shown:
            break
        shown.append(row)
    last = first + len(shown) - 1
    notes = list(_notes(file, lines, first, last))
    text = "\n".join([*shown, *notes])
    summary = _count(total) if len(shown) == total else f"{_count(len(shown))} of {total:,}"
    return ToolResult(text, summary, detail={"lines": total, "first": first, "last": last})


def _notes(file: FileText, lines: list[str], first: int, last: int) -> list[str]:
    """What stands in brackets below the lines: how to go on, and what the lines do not show."""
    notes: list[str] = []
    if last < len(lines):
        notes.append(f"(Lines {first}–{last} of {len(lines):,}; go on with offset={last + 1}.)")
    if any(len(line) > MAX_LINE_CHARS for line in lines[first - 1 : last]):
        notes.append(f"(Lines over {MAX_LINE_CHARS:,} characters are cut; grep finds places in them.)")
    if file.encoding is not Encoding.UTF_8:
        notes.append(f"(The file is {file.encoding}; it stays so when it is changed.)")
    if ends := _line_ends(file.text):
        notes.append(f"(Line ends: {ends}; they stay so when the file is changed.)")
    return notes


def _line_ends(text: str) -> str:
    crlf = text.count("\r\n")
    if not crlf:
        return ""
    return "CRLF" if crlf == text.count("\n") else "CRLF and LF mixed"


def _cut(line: str) -> str:
    if len(line) <= MAX_LINE_CHARS:
        return line
    return f"{line[:MAX_LINE_CHARS]}… (cut; the line has {len(line):,} characters)"


def _named(fact: PathFact, snapshot: Snapshot) -> ToolResult:
    kind = describe(snapshot.data)
    size = _size(len(snapshot.data))
    text = f"({fact.given} is {kind.article} {kind.name}, {size}; its content is not shown.)"
    if kind.is_image:
        text = f"({fact.given} is {kind.article} {kind.name}, {size}. Images cannot be shown to you yet.)"
    return ToolResult(text, f"{kind.name}, {size}", detail={"kind": kind.name, "bytes": len(snapshot.data)})


def _suggestion(fact: PathFact) -> str:
    """For a missing file: names like it beside it, those that may hold secrets left out."""
    if fact.exists:
        return ""
    names = [name for name in names_beside(fact) if not is_secret(name)] if fact.inside else []
    near = difflib.get_close_matches(fact.real.name, names, n=3)
    return f" Did you mean {', '.join(near)}?" if near else " Find it with glob."


def _count(lines: int) -> str:
    return "1 line" if lines == 1 else f"{lines:,} lines"


def _size(count: int) -> str:
    return f"{count:,} bytes" if count < 10_000 else f"{count / 1000:,.0f} KB"
