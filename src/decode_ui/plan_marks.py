"""A review that was begun, and how its marks are carried from one text of the plan to another. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from decode_core.decisions import Question
from decode_core.events import Plan
from decode_core.tools.plan_text import plan_steps

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True)
class ReviewDraft:
    """What a reviewer has done so far: kept when the review is set aside, and given to the dialog that goes on.

    `ticked` holds numbers of steps and `comments` pairs of line (from 0) and text, both counted in the plan as it was
    edited; `text` is that plan, None where it was not edited.
    """

    ticked: frozenset[int]
    comments: tuple[tuple[int, str], ...] = ()
    note: str = ""
    line: int = 0
    text: str | None = None


def fresh(plan: Plan) -> ReviewDraft:
    """The draft of a review that begins: every step is ticked."""
    return ReviewDraft(frozenset(step.number for step in plan.steps))


def dump_draft(draft: ReviewDraft) -> str:
    """The draft as a line of JSON, to be kept while decode is not running."""
    return _adapter().dump_json(draft).decode()


def kept_draft(question: Question, kept: str) -> ReviewDraft | None:
    """Read what `dump_draft` wrote, as far as it fits the question's plan; None where it is nothing of the kind."""
    from pydantic import ValidationError

    if not kept:
        return None
    try:
        plan = Plan.model_validate(question.payload.get("plan"))
        draft = _adapter().validate_json(kept)
    except ValidationError:
        return None
    lines = with_text(plan, draft.text).text.count("\n") + 1
    return replace(draft, comments=tuple((line, said) for line, said in draft.comments if 0 <= line < lines))


def with_text(plan: Plan, text: str | None) -> Plan:
    """The plan with a text that the person wrote, and its steps; None or a blank text is the plan itself."""
    if text is None or not text.strip() or text == plan.text:
        return plan
    return plan.model_copy(update={"text": text, "steps": plan_steps(text)})


def edited(proposed: Plan, draft: ReviewDraft, text: str) -> ReviewDraft:
    """The draft once the person has changed the plan's text to `text`; one that was emptied is the proposed one again.

    A tick goes with its step: an old one stays as it was, a new one is ticked. A comment goes with its line; one whose
    line is gone becomes part of the note, so that no word is lost.
    """
    before, after = with_text(proposed, draft.text), with_text(proposed, text)
    if after.text == before.text:
        return draft
    lines = _moved(before.text.split("\n"), after.text.split("\n"))
    comments = {lines[line]: said for line, said in draft.comments if line in lines}
    homeless = [(line, said) for line, said in draft.comments if line not in lines]
    return replace(
        draft,
        ticked=_ticked(before, after, draft.ticked, lines),
        comments=tuple(sorted(comments.items())),
        note="\n".join([*filter(None, [draft.note]), *_quoted(before, homeless)]),
        line=lines.get(draft.line, min(draft.line, after.text.count("\n"))),
        text=None if after is proposed else after.text,
    )


def _adapter() -> "TypeAdapter[ReviewDraft]":
    from pydantic import TypeAdapter

    return TypeAdapter(ReviewDraft)


def _moved(before: list[str], after: list[str]) -> dict[int, int]:
    """Where each line of the old text is in the new one; lines that were replaced one by one count as the same."""
    moved: dict[int, int] = {}
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after).get_opcodes():
        if tag == "equal" or (tag == "replace" and i2 - i1 == j2 - j1):
            moved.update(zip(range(i1, i2), range(j1, j2), strict=True))
    return moved


def _ticked(before: Plan, after: Plan, ticked: frozenset[int], lines: dict[int, int]) -> frozenset[int]:
    unticked = {lines[step.line] for step in before.steps if step.number not in ticked and step.line in lines}
    return frozenset(step.number for step in after.steps if step.line not in unticked)


def _quoted(plan: Plan, comments: Iterable[tuple[int, str]]) -> list[str]:
    lines = plan.text.split("\n")
    return [f"On “{lines[line].strip()}”: {said}" for line, said in comments]
