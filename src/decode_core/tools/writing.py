"""write: a whole file, new or in the place of one that was read."""

from pydantic import Field

from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import PathFact, PermissionRequest, SubjectKind
from decode_core.tools.changes import Change, apply, check_read_before, open_text, plan_change
from decode_core.tools.files import FileProblem
from decode_core.tools.spec import ChangePreview, ToolArgs, ToolContext, ToolResult, ToolSpec, failed
from decode_core.tools.texts import fit_line_ends, unix_ends


class WriteArgs(ToolArgs):
    """Arguments of write."""

    path: str = Field(min_length=1, description="The file, relative to the workspace or absolute.")
    content: str = Field(description="The whole content of the file.")


async def run_write(args: WriteArgs, ctx: ToolContext) -> ToolResult:
    """Write the file; nothing is changed unless the result is ok."""
    fact = ctx.request.paths[0]
    try:
        change = _change(args, fact)
        if change.before is not None:
            check_read_before(fact, change.before, ctx.files)
        if change.is_empty:
            return ToolResult(f"{fact.given} already holds exactly this; nothing was written.", "no change")
        applied = apply(change, ctx.files)
    except FileProblem as problem:
        return failed(str(problem))
    verb = "Created" if change.before is None else "Wrote"
    lines = "1 line" if applied.added == 1 else f"{applied.added:,} lines"
    told = lines if change.before is None else applied.summary
    return ToolResult(f"{verb} {fact.given} ({told}).", applied.summary, detail=applied.detail)


def preview_write(args: WriteArgs, request: PermissionRequest) -> ChangePreview | str:
    """What the call would change, or one sentence why it would fail."""
    try:
        return _change(args, request.paths[0]).preview()
    except FileProblem as problem:
        return str(problem)


WRITE = ToolSpec(
    name="write",
    description=(
        "Write a whole text file and the folders it needs. A file that exists must have been read in this session; "
        "its encoding, line ends and mode bits stay. For small changes use edit."
    ),
    kind=ToolKind.FILE_EDIT,
    args=WriteArgs,
    run=run_write,
    subject="path",
    subject_kind=SubjectKind.PATH,
    preview=preview_write,
)


def _change(args: WriteArgs, fact: PathFact) -> Change:
    if args.path.endswith("/") and not fact.exists:
        raise FileProblem(f"{fact.given} names a folder; add the name of the file.")
    if not fact.exists:
        return plan_change(fact, None, args.content)
    file = open_text(fact)
    content = args.content
    if "\r" not in content:
        content = fit_line_ends(file.content.text, unix_ends(content), default="\n")
    return plan_change(fact, file, content)
