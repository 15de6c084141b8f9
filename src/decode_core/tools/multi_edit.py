"""multi_edit: several edits of one file, all of them or none."""

from dataclasses import dataclass, replace

from pydantic import Field

from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import PathFact, PermissionRequest, SubjectKind
from decode_core.tools.changes import Change, TextFile, apply, check_read_before, open_text, plan_change
from decode_core.tools.editing import EditArgs, edit_text
from decode_core.tools.files import FileProblem
from decode_core.tools.spec import ChangePreview, ToolArgs, ToolContext, ToolResult, ToolSpec, failed

MAX_EDITS = 100
"""Edits in one call."""


class Piece(ToolArgs):
    """One edit of a multi_edit: the arguments of edit without the path."""

    old: str = Field(min_length=1, description="The text to replace, as the edits before this one leave it.")
    new: str = Field(description="The text to put there; empty removes the old one.")
    replace_all: bool = Field(default=False, description="Replace every occurrence, not just the only one.")


class MultiEditArgs(ToolArgs):
    """Arguments of multi_edit."""

    path: str = Field(min_length=1, description="The file, relative to the workspace or absolute.")
    edits: list[Piece] = Field(min_length=1, max_length=MAX_EDITS, description="The edits, carried out in this order.")


async def run_multi_edit(args: MultiEditArgs, ctx: ToolContext) -> ToolResult:
    """Make all edits; nothing is changed unless every one of them has its place."""
    fact = ctx.request.paths[0]
    try:
        file = open_text(fact)
        check_read_before(fact, file, ctx.files)
        edited = _edit_all(fact, file, args)
        applied = apply(edited.change, ctx.files)
    except FileProblem as problem:
        return failed(str(problem))
    edits = "1 edit" if len(args.edits) == 1 else f"{len(args.edits)} edits"
    places = "1 replacement" if edited.replacements == 1 else f"{edited.replacements:,} replacements"
    text = f"Edited {fact.given}: {edits}, {places} ({applied.summary}).{_told_tolerance(edited.tolerant)}"
    detail = {**applied.detail, "edits": len(args.edits), "replacements": edited.replacements}
    return ToolResult(text, applied.summary, detail=detail)


def preview_multi_edit(args: MultiEditArgs, request: PermissionRequest) -> ChangePreview | str:
    """What the call would change, or one sentence why it would fail."""
    fact = request.paths[0]
    try:
        return _edit_all(fact, open_text(fact), args).change.preview()
    except FileProblem as problem:
        return str(problem)


MULTI_EDIT = ToolSpec(
    name="multi_edit",
    description=(
        "Make several edits in one file that was read in this session, one after the other, all of them or none. Each "
        "one is matched like edit's, in the text that the ones before it leave."
    ),
    kind=ToolKind.FILE_EDIT,
    args=MultiEditArgs,
    run=run_multi_edit,
    subject="path",
    subject_kind=SubjectKind.PATH,
    preview=preview_multi_edit,
)


@dataclass(frozen=True)
class _EditedAll:
    change: Change
    replacements: int
    tolerant: tuple[int, ...]
    """Numbers of the edits, from 1, that were matched without regard to blanks."""


def _edit_all(fact: PathFact, file: TextFile, args: MultiEditArgs) -> _EditedAll:
    """All edits as one change. Raises FileProblem that names the first edit without a clear place."""
    text, replacements, tolerant = file, 0, []
    for number, piece in enumerate(args.edits, 1):
        one = EditArgs(path=args.path, old=piece.old, new=piece.new, replace_all=piece.replace_all)
        try:
            edited = edit_text(fact, text, one)
        except FileProblem as problem:
            if len(args.edits) == 1:
                raise
            raise FileProblem(f"Edit {number} of {len(args.edits)} failed, so none was made: {problem}") from None
        text = replace(text, content=replace(text.content, text=edited.after))
        replacements += len(edited.lines)
        tolerant += [number] if edited.tolerant else []
    change = plan_change(fact, file, text.content.text)
    if change.is_empty:
        raise FileProblem(f"{fact.given} was not changed: the edits undo one another.")
    return _EditedAll(change, replacements, tuple(tolerant))


def _told_tolerance(numbers: tuple[int, ...]) -> str:
    if not numbers:
        return ""
    which = f"edit {numbers[0]}" if len(numbers) == 1 else f"edits {', '.join(map(str, numbers))}"
    return f" Blanks differed in {which}: the lines were matched without them and fitted to the file."
