"""edit: a piece of a file for another, found by its text."""

from bisect import bisect_left
from dataclasses import dataclass

from pydantic import Field

from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import PathFact, PermissionRequest, SubjectKind
from decode_core.tools.changes import TextFile, apply, check_read_before, open_text, plan_change
from decode_core.tools.files import MAX_FILE_BYTES, FileProblem
from decode_core.tools.matching import Replacement, Unmatched, match_edit, replace
from decode_core.tools.spec import ChangePreview, ToolArgs, ToolContext, ToolResult, ToolSpec, failed
from decode_core.tools.texts import fit_line_ends, unix_ends


class EditArgs(ToolArgs):
    """Arguments of edit."""

    path: str = Field(min_length=1, description="The file, relative to the workspace or absolute.")
    old: str = Field(min_length=1, description="The text to replace, as it stands in the file, without line numbers.")
    new: str = Field(description="The text to put there; empty removes the old one.")
    replace_all: bool = Field(default=False, description="Replace every occurrence, not just the only one.")


async def run_edit(args: EditArgs, ctx: ToolContext) -> ToolResult:
    """Edit the file; nothing is changed unless the result is ok."""
    fact = ctx.request.paths[0]
    try:
        file = open_text(fact)
        check_read_before(fact, file, ctx.files)
        edited = edit_text(fact, file, args)
        applied = apply(plan_change(fact, file, edited.after), ctx.files)
    except FileProblem as problem:
        return failed(str(problem))
    count = len(edited.lines)
    number = "1 replacement" if count == 1 else f"{count:,} replacements"
    where = f"line {edited.lines[0]:,}" if count == 1 else f"lines {', '.join(map(str, edited.lines[:10]))}"
    more = " and more" if count > 10 else ""
    how = " Blanks differed: the lines were matched without them and fitted to the file." if edited.tolerant else ""
    text = f"Edited {fact.given}: {number} at {where}{more} ({applied.summary}).{how}"
    return ToolResult(text, applied.summary, detail={**applied.detail, "replacements": count})


def preview_edit(args: EditArgs, request: PermissionRequest) -> ChangePreview | str:
    """What the call would change, or one sentence why it would fail."""
    fact = request.paths[0]
    try:
        file = open_text(fact)
        return plan_change(fact, file, edit_text(fact, file, args).after).preview()
    except FileProblem as problem:
        return str(problem)


EDIT = ToolSpec(
    name="edit",
    description=(
        "Replace a piece of text in a file that was read in this session. `old` must stand there exactly once, "
        "or set replace_all. Blanks may differ; encoding, line ends and mode bits stay."
    ),
    kind=ToolKind.FILE_EDIT,
    args=EditArgs,
    run=run_edit,
    subject="path",
    subject_kind=SubjectKind.PATH,
    preview=preview_edit,
)


@dataclass(frozen=True)
class Edited:
    """A text after an edit, the lines (from 1, before it) at which it replaced something, and how they were found."""

    after: str
    lines: list[int]
    tolerant: bool


def edit_text(fact: PathFact, file: TextFile, args: EditArgs) -> Edited:
    """Apply an edit to a text. Raises FileProblem where it has no clear place or changes nothing."""
    before = file.content.text
    if args.old == args.new:
        raise FileProblem(f"{fact.given} was not changed: old and new are the same text.")
    if "\r" in args.old and args.old in before:
        # line ends are part of what is asked for: nothing is fitted
        found = match_edit(before, args.old, args.new, replace_all=args.replace_all)
        fit = False
    else:
        found = match_edit(unix_ends(before), unix_ends(args.old), unix_ends(args.new), replace_all=args.replace_all)
        fit = True
    if isinstance(found, Unmatched):
        raise FileProblem(f"{fact.given} was not changed: {found.problem}")
    if sum(len(each.text) for each in found.replacements) > MAX_FILE_BYTES:
        # a small call can ask for a text that no memory holds: many places, each replaced by something long
        raise FileProblem(f"{fact.given} was not changed: it would grow beyond {MAX_FILE_BYTES // 2**20} MB.")
    replacements = _in_file(before, found.replacements) if fit else found.replacements
    after = replace(before, replacements)
    if after == before:
        raise FileProblem(f"{fact.given} was not changed: the file reads like that already.")
    return Edited(after, _line_numbers(before, replacements), found.tolerant)


def _in_file(before: str, replacements: tuple[Replacement, ...]) -> tuple[Replacement, ...]:
    """Replacements of a text with newlines only, for the text as the file has it: line ends stay, line by line."""
    if "\r\n" not in before:
        return replacements
    # places of the newlines, in the text without carriage returns, that have one before them in the file
    carried: list[int] = []
    at = before.find("\r\n")
    while at != -1:
        carried.append(at - len(carried))
        at = before.find("\r\n", at + 2)
    fitted: list[Replacement] = []
    newline, last = -1, before.rfind("\n")
    for each in replacements:
        start = each.start + bisect_left(carried, each.start)
        end = each.end + bisect_left(carried, each.end)
        if newline < start:  # looked for once a line: a file may be one long line with a thousand replacements
            newline = before.find("\n", start)
            newline = len(before) if newline == -1 else newline
        default = "\r\n" if before[(newline if newline < len(before) else last) - 1] == "\r" else "\n"
        fitted.append(Replacement(start, end, fit_line_ends(before[start:end], each.text, default=default)))
    return tuple(fitted)


def _line_numbers(text: str, replacements: tuple[Replacement, ...]) -> list[int]:
    numbers: list[int] = []
    at, number = 0, 1
    for each in replacements:
        number += text.count("\n", at, each.start)
        at = each.start
        numbers.append(number)
    return numbers
