"""Makes the dialog of a question. Imported after the first frame: it needs much that nothing else there does."""

from collections.abc import Callable
from typing import Any

from decode_core.decisions import Question
from decode_core.events import QuestionKind
from decode_core.session import Session
from decode_ui.guard import KeyGuard
from decode_ui.plan_marks import ReviewDraft, dump_draft, kept_draft
from decode_ui.screens.ask import AskScreen
from decode_ui.screens.guarded import Aside, GuardedScreen
from decode_ui.screens.outside_change import OutsideChangeScreen
from decode_ui.screens.plan_review import PlanReviewScreen
from decode_ui.screens.question import QuestionScreen
from decode_ui.screens.question_view import QuestionDraft

__all__ = ["Aside", "make_dialog", "unsent_text"]


def make_dialog(
    question: Question,
    session: Session,
    guard: KeyGuard,
    *,
    draft: object = None,
    on_typed: Callable[[str], None],
    on_unsent: Callable[[str], None],
) -> GuardedScreen[Any]:
    """The dialog for the kind of `question`; `draft` is what was begun before the question was set aside."""
    waiting = session.waiting
    match question.kind:
        case QuestionKind.PERMISSION:
            note = draft if isinstance(draft, str) else ""
            return AskScreen(question, waiting, guard, on_typed=on_typed, note=note, rehearsal=session.rehearsal)
        case QuestionKind.PLAN_REVIEW:
            begun = draft if isinstance(draft, ReviewDraft) else kept_draft(question, session.kept_answer(question.id))
            return PlanReviewScreen(
                question,
                waiting,
                guard,
                on_typed=on_typed,
                draft=begun,
                history=session.plans,
                root=session.workspace.root,
                on_draft=lambda each: session.keep_answer(question.id, dump_draft(each)),
            )
        case QuestionKind.ASK_USER:
            answer = draft if isinstance(draft, QuestionDraft) else None
            return QuestionScreen(question, waiting, guard, on_typed=on_typed, on_unsent=on_unsent, draft=answer)
        case QuestionKind.OUTSIDE_CHANGE:
            return OutsideChangeScreen(question, waiting, guard, on_typed=on_typed)


def unsent_text(draft: object) -> str:
    """What a person wrote in `draft` that is worth keeping when its question is gone."""
    return draft.text if isinstance(draft, QuestionDraft) and draft.text.strip() else ""
