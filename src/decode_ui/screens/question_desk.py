"""Serves the questions of a session: one dialog at a time, under the guard, set aside when the person looks around."""

import asyncio
import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.geometry import Size

from decode_core.decisions import AnswerResult, Deny, Question
from decode_core.events import QuestionKind
from decode_core.session import Session
from decode_ui.clock import Alarm, Clock
from decode_ui.guard import KeyGuard
from decode_ui.screens.arrangement import SizeClass, size_class
from decode_ui.widgets.question_bar import QuestionBar

if TYPE_CHECKING:
    from decode_ui.screens.guarded import GuardedScreen

SHORTEST_WAIT_S = 0.05
"""A question that waits for the keyboard to be quiet is tried again no sooner."""


def fits(size: Size) -> bool:
    """Whether a dialog may be opened in a terminal of this size: nothing is approved unseen (keys.md §10)."""
    return size_class(*size) is not SizeClass.TOO_SMALL


class QuestionDesk:
    """Opens, closes and answers. `is_home` tells whether the work screen is on top, so that a dialog may open; call
    `refresh` when it has become so.

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
        self._asked: str | None = None
        """Id of the question whose dialog is open."""
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

    async def warm_up(self) -> None:
        """Load the dialogs beside everything else, after the first frame."""
        await asyncio.to_thread(importlib.import_module, "decode_ui.screens.dialogs")

    def refresh(self) -> None:
        """Bring bar and dialog in line with the session: after every event and resize."""
        question = self._session.open_question
        if self._dialog is not None and (question is None or question.id != self._asked):
            dialog, self._dialog = self._dialog, None
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
        if self._timer is not None or not self._is_home():
            return
        wait = self._guard.seconds_until_open()
        if wait <= 0:
            self._try_to_open()
        else:
            self._timer = self._clock.after(max(wait, SHORTEST_WAIT_S), self._try_again)

    def _try_again(self) -> None:
        self._timer = None
        self.refresh()

    def _try_to_open(self) -> None:
        question = self._session.open_question
        if question is None or self._dialog is not None or not self._is_home() or not fits(self._app.size):
            return
        self._drop_draft_unless_for(question)
        from decode_ui.screens.dialogs import make_dialog

        draft = self._draft[1] if self._draft is not None else None
        self._draft = None
        dialog = make_dialog(
            question, self._session, self._guard, draft=draft, on_typed=self._on_typed, on_unsent=self._on_unsent
        )
        self._dialog, self._asked = dialog, question.id
        self._bar.display = False
        self._app.push_screen(dialog, lambda result: self._closed(question, result))

    def _closed(self, question: Question, result: Any) -> None:
        from decode_ui.screens.dialogs import Aside

        self._dialog = None
        if isinstance(result, Aside):
            self._aside, self._draft = question.id, (question.id, result.draft)
        elif result is not None:
            taken = self._session.answer(question.id, result)
            if taken is AnswerResult.UNFIT:
                self._session.answer(question.id, Deny())
            elif question.kind is QuestionKind.PLAN_REVIEW:
                self._session.keep_answer(question.id, "")
        self._on_home()
        self.refresh()

    def _drop_draft_unless_for(self, question: Question | None) -> None:
        """A draft is for its own question only; what was written for one that is settled is kept elsewhere."""
        if self._draft is None or (question is not None and question.id == self._draft[0]):
            return
        from decode_ui.screens.dialogs import unsent_text

        (_, draft), self._draft = self._draft, None
        if text := unsent_text(draft):
            self._on_unsent(text)
