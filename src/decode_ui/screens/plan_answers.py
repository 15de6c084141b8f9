"""What a plan review offers, and the answers that it makes of a draft (plan-mode.md §1, keys.md §5.4). Pure."""

from collections.abc import Sequence
from enum import StrEnum

from textual.content import Content

from decode_core.decisions import PlanReview
from decode_core.events import Plan, PlanStep
from decode_core.neutral import neutralise_line
from decode_core.plan_mode.changes import step_changes
from decode_core.plan_mode.history import PlanHistory
from decode_ui.keys.plans import PLAN_MOVES, PLAN_REVIEW
from decode_ui.plan_marks import ReviewDraft, with_text
from decode_ui.widgets.answers import Choice, Tone

_BY_ID = {action.id: action for action in PLAN_REVIEW}

CHOICES = (
    Choice(_BY_ID["plan.approve"], Tone.ALLOW),
    Choice(_BY_ID["plan.approve_ask"], Tone.ALLOW),
    Choice(_BY_ID["plan.tick"], Tone.NEUTRAL),
    Choice(_BY_ID["plan.comment"], Tone.NEUTRAL),
    Choice(_BY_ID["plan.note"], Tone.NEUTRAL),
    Choice(_BY_ID["plan.edit"], Tone.NEUTRAL),
    Choice(_BY_ID["plan.back"], Tone.DENY, starts_line=True),
    Choice(_BY_ID["plan.reject"], Tone.DENY),
    Choice(_BY_ID["plan.versions"], Tone.NEUTRAL),
    Choice(_BY_ID["plan.find"], Tone.NEUTRAL),
    Choice(_BY_ID["plan.delegate"], Tone.NEUTRAL),
    Choice(_BY_ID["plan.aside"], Tone.NEUTRAL),
    Choice(_BY_ID["plan.keys"], Tone.NEUTRAL),
)
"""The answers in their order: what accepts the plan and works on it, then what does not, then how to look at it."""

WHILE_EDITING = (
    Choice(_BY_ID["plan.escape"], Tone.ALLOW, label="done, keep the text"),
    Choice(_BY_ID["plan.editor"], Tone.NEUTRAL),
)
"""The answers in whose place the plan is edited."""

ON_REQUEST = frozenset({"plan.note", "plan.edit", "plan.versions", "plan.find", "plan.delegate"})
"""Answers that a small screen shows on request."""

MOVES = " · ".join(
    [
        *(f"{action.sign} {action.label}" for action in PLAN_MOVES if action.id != "plan.move_back"),
        f"{_BY_ID['plan.editor'].sign} {_BY_ID['plan.editor'].label}",
    ]
)
"""The keys without a button of their own, on one line."""

ROOMY = 30
"""Lines of a screen that has room for every answer."""
SHOWN_REMOVED = 2
REMOVED_CHARACTERS = 40


class Approval(StrEnum):
    """What a plan is approved into; the values are those of `PlanReview.answer`."""

    EDIT = "approve"
    ONE_BY_ONE = "approve_ask"


def review_of(proposed: Plan, draft: ReviewDraft, answer: str) -> PlanReview:
    """The answer with everything that was written. Comments are told with the line that they stand under."""
    plan = with_text(proposed, draft.text)
    lines = plan.text.split("\n")
    comments = tuple((lines[line].strip(), text) for line, text in draft.comments)
    every = frozenset(step.number for step in plan.steps)
    approved = None if draft.ticked >= every or answer == "reject" else tuple(sorted(draft.ticked))
    return PlanReview(answer, approved, draft.note, comments, plan.text if plan is not proposed else None)


def unsent_question(draft: ReviewDraft) -> Content | None:
    """What is asked before a plan is approved; None where nothing was written."""
    count = len(draft.comments)
    written = [f"{count} comment{'s' if count > 1 else ''}"] if count else []
    written += ["a note"] if draft.note else []
    return Content(f"You wrote {' and '.join(written)}. Approve all the same?") if written else None


def since_line(plan: Plan, history: PlanHistory) -> Content | None:
    """What changed since the version before: `since version 1:  + step 4   ~ step 2   − “Rename the module”`."""
    before = history.version(plan.version - 1)
    if before is None:
        return None
    changes = step_changes(before.plan, plan)
    gone = [f"“{_short(step)}”" for step in changes.removed[:SHOWN_REMOVED]]
    if len(changes.removed) > SHOWN_REMOVED:
        gone.append(f"and {len(changes.removed) - SHOWN_REMOVED} more")
    parts = [
        Content.styled(f"{sign} {what}", colour)
        for sign, what, colour in (
            ("+", _numbers(changes.added), "$verdict-allow"),
            ("~", _numbers(changes.changed), "$verdict-ask"),
            ("−", ", ".join(gone), "$verdict-deny"),
        )
        if what
    ]
    if not parts:
        parts = [Content("no word changed" if changes.same_text else "the same steps, other words around them")]
    return Content.styled(f"since version {before.plan.version}:  ", "$muted") + Content("   ").join(parts)


def _numbers(steps: Sequence[PlanStep]) -> str:
    if not steps:
        return ""
    return f"step{'s' if len(steps) > 1 else ''} {', '.join(str(step.number) for step in steps)}"


def _short(step: PlanStep) -> str:
    text = neutralise_line(step.text).replace("`", "").replace("**", "")
    return text if len(text) <= REMOVED_CHARACTERS else text[: REMOVED_CHARACTERS - 1] + "…"
