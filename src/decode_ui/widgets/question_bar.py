"""The amber bar above the prompt: a question waits. It is never answered from here; the dialog must be seen."""

from typing import Any

from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from decode_core.decisions import Question
from decode_core.events import QuestionKind
from decode_core.neutral import neutralise_line

MAX_SUBJECT = 40


class QuestionBar(Static):
    """Shown while a question waits without its dialog."""

    class Clicked(Message):
        """The person wants the dialog."""

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, markup=False)

    def show(self, question: Question, waiting: int, *, is_too_small: bool) -> None:
        """Say what waits and how to get to it."""
        count = "1 question waits" if waiting == 1 else f"{waiting} questions wait"
        ways = ("enlarge to answer",) if is_too_small else ("enter on an empty prompt or ^O q answers", "^O q answers")
        lines = [Content.assemble((count, "bold"), " · ", about(question), " · ", way) for way in ways]
        room = self.app.size.width - 2
        self.update(next((line for line in lines if line.cell_length <= room), lines[-1]))
        self.display = True

    def on_click(self) -> None:
        """A click opens the dialog, as Enter does."""
        self.post_message(self.Clicked())


def about(question: Question) -> str:
    """A few words on what a question is about."""
    payload: dict[str, Any] = dict(question.payload)
    match question.kind:
        case QuestionKind.PERMISSION:
            text = f"{payload.get('tool', '')} {payload.get('subject', '')}"
        case QuestionKind.PLAN_REVIEW:
            text = f"plan: {payload.get('plan', {}).get('title', '')}"
        case QuestionKind.ASK_USER:
            text = str(payload.get("question", ""))
        case QuestionKind.OUTSIDE_CHANGE:
            text = f"changed outside: {payload.get('what', '')}"
    text = neutralise_line(text.strip())
    return text if len(text) <= MAX_SUBJECT else text[: MAX_SUBJECT - 1] + "…"
