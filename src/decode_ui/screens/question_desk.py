"""Serves the questions of a session: one dialog at a time, under the guard, set aside when the person looks around."""

from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.screen import Screen

from decode_core.decisions import AnswerResult, Deny, Question
from decode_core.events import QuestionKind
from decode_core.session import Session
from decode_ui.clock import Alarm, Clock
from decode_ui.guard import KeyGuard
from decode_ui.screens.ask import AskScreen
from decode_ui.screens.guarded import Aside, GuardedScreen, fits
from decode_ui.screens.plan_review import PlanReviewScreen, ReviewDraft
from decode_ui.screens.question import QuestionScreen
from decode_ui.screens.question_view import QuestionDraft
from decode_ui.widgets.question_bar import QuestionBar

RETRY_S = 0.05
"""How often a question that could not open yet is tried again, at least."""


class QuestionDesk:
    """Opens, closes and answers. `is_home` tells whether the work screen is on top, so that a dialog may open.

    `on_typed` takes what was typed for the prompt while a dialog had the keys, `on_unsent` a text that was written as
    an answer and not sent.
    """

    def __init__(
        self,
        app: App[Any],
        session: Session,
        guard: KeyGuard,
        clock: Clock,
        bar: QuestionBar,
        *,
        is_home: Callable[[], bool],
        on_typed: Callable[[str], None],
        on_unsent: Callable[[str], None],
        on_home: Callable[[], None],
    ) -> None:
        self._app = app
        self._session = session
        self._guard = guard
        self._clock = clock
        self._bar = bar
        self._is_home = is_home
        self._on_typed = on_typed
        self._on_unsent = on_unsent
        self._on_home = on_home
        self._dialog: GuardedScreen[Any] | None = None
        self._aside: str | None = None
        """Id of the question that was set aside."""
        self._draft: tuple[str, object] | None = None
        """What was begun before a question was set aside, with the id of that question."""
        self._timer: Alarm | None = None

    @property
    def is_set_aside(self) -> bool:
        """Whether the open question was set aside by the person."""
        question = self._session.open_question
        return question is not None and question.id == self._aside

    @property
    def waits(self) -> bool:
        """Whether a question waits without its dialog."""
        return self._session.open_question is not None and self._dialog is None

    def refresh(self) -> None:
        """Bring bar and dialog in line with the session: after every event and resize."""
        question = self._session.open_question
        dialog = self._dialog
        if dialog is not None and (question is None or question.id != dialog.question.id):  # type: ignore[attr-defined]
            self._dialog = None
            dialog.withdraw()
        self._drop_draft_unless_for(question)
        if question is None:
            self._bar.display = False
            return
        if self._dialog is not None:
            if self._dialog.is_mounted:
                self._dialog.show_waiting(self._session.waiting)
            return
        too_small = not fits(self._app.size)
        self._bar.show(question, self._session.waiting, is_too_small=too_small)
        if not too_small and not self.is_set_aside:
            self._open_when_quiet()

    def open(self) -> None:
        """The person wants the dialog of the question that waits."""
        self._aside = None
        self._try_to_open()

    def _open_when_quiet(self) -> None:
        if self._timer is None:
            wait = max(self._guard.seconds_until_open(), 0.0)
            if wait <= 0 and self._is_home():
                self._try_to_open()
            else:
                self._timer = self._clock.after(max(wait, RETRY_S), self._try_again)

    def _try_again(self) -> None:
        self._timer = None
        self.refresh()

    def _try_to_open(self) -> None:
        question = self._session.open_question
        if question is None or self._dialog is not None or not self._is_home() or not fits(self._app.size):
            return
        self._drop_draft_unless_for(question)
        dialog = self._dialog = self._make(question)
        self._bar.display = False
        screen: Screen[Any] = dialog
        self._app.push_screen(screen, lambda result: self._closed(question, result))

    def _make(self, question: Question) -> GuardedScreen[Any]:
        waiting = self._session.waiting
        draft = self._draft[1] if self._draft is not None else None
        self._draft = None
        match question.kind:
            case QuestionKind.PERMISSION:
                note = draft if isinstance(draft, str) else ""
                return AskScreen(question, waiting, self._guard, on_typed=self._on_typed, note=note)
            case QuestionKind.PLAN_REVIEW:
                begun = draft if isinstance(draft, ReviewDraft) else None
                return PlanReviewScreen(question, waiting, self._guard, on_typed=self._on_typed, draft=begun)
            case QuestionKind.ASK_USER:
                answer = draft if isinstance(draft, QuestionDraft) else None
                return QuestionScreen(
                    question, waiting, self._guard, on_typed=self._on_typed, on_unsent=self._on_unsent, draft=answer
                )

    def _closed(self, question: Question, result: Any) -> None:
        self._dialog = None
        if isinstance(result, Aside):
            self._aside, self._draft = question.id, (question.id, result.draft)
        elif result is not None:
            taken = self._session.answer(question.id, result)
            if taken is AnswerResult.UNFIT:
                self._session.answer(question.id, Deny())
        self._on_home()
        self.refresh()

    def _drop_draft_unless_for(self, question: Question | None) -> None:
        """A draft is for its own question only; what was written for one that is settled is kept elsewhere."""
        if self._draft is None or (question is not None and question.id == self._draft[0]):
            return
        (_, draft), self._draft = self._draft, None
        if isinstance(draft, QuestionDraft) and draft.text.strip():
            self._on_unsent(draft.text)
