"""A small question in place of a dialog's answers: one sentence and a few answers, the harmless one in focus."""

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from decode_ui.actions import CONFIRM, Action, bindings
from decode_ui.keys.plans import UNSENT
from decode_ui.widgets.answers import AnswerLabel, AnswerRow, Choice, Tone


class InlineChoice(Vertical):
    """Asks for one of `choices`; the one of `harmless` has the focus. Subclasses bind the keys of their actions."""

    class Chosen(Message):
        """An answer was given; `action_id` names it."""

        def __init__(self, choice: "InlineChoice", action_id: str) -> None:
            super().__init__()
            self.choice = choice
            self.action_id = action_id

        @property
        def control(self) -> "InlineChoice":
            """The choice that was asked."""
            return self.choice

    DEFAULT_CSS = """
    InlineChoice {
        height: auto;
        & > Static { width: 100%; height: auto; padding-left: 1; color: $verdict-ask; }
    }
    """

    def __init__(self, question: Content, choices: Iterable[Choice], harmless: str, *, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self._question = question
        self._choices = tuple(choices)
        self._harmless = harmless

    def compose(self) -> ComposeResult:
        """The sentence and the answers."""
        yield Static(self._question)
        yield AnswerRow(self._choices)

    def ask(self, question: Content | None = None) -> None:
        """Focus the harmless answer; `question` replaces the sentence."""
        if question is not None:
            self.query_one(Static).update(question)
        self.query_one(AnswerRow).label_of(self._harmless).focus()

    def choose(self, action: Action) -> None:
        """Give the answer of an action."""
        self.post_message(self.Chosen(self, action.id))

    def on_answer_label_pressed(self, event: AnswerLabel.Pressed) -> None:
        """Enter on the focused answer, or a click."""
        event.stop()
        self.choose(event.action)


class YesNo(InlineChoice):
    """Yes or no; no is harmless."""

    BINDINGS = [*bindings(CONFIRM)]

    def __init__(self, question: Content, yes: str, no: str, *, id: str) -> None:  # noqa: A002 - Textual's name
        choices = (Choice(CONFIRM[0], Tone.DENY, label=yes), Choice(CONFIRM[1], Tone.NEUTRAL, label=no))
        super().__init__(question, choices, CONFIRM[1].id, id=id)

    def action_yes(self) -> None:
        """Do it."""
        self.choose(CONFIRM[0])

    def action_no(self) -> None:
        """Leave everything as it is."""
        self.choose(CONFIRM[1])


class SendUnsent(InlineChoice):
    """What to do with comments when the plan is approved; going on with the review is harmless."""

    BINDINGS = [*bindings(UNSENT)]

    def __init__(self, *, id: str) -> None:  # noqa: A002 - Textual's name
        along, back, cancel = UNSENT
        choices = (Choice(along, Tone.ALLOW), Choice(back, Tone.NEUTRAL), Choice(cancel, Tone.NEUTRAL))
        super().__init__(Content(), choices, cancel.id, id=id)

    def action_along(self) -> None:
        """Approve with the comments."""
        self.choose(UNSENT[0])

    def action_back(self) -> None:
        """Ask for a new plan."""
        self.choose(UNSENT[1])

    def action_cancel(self) -> None:
        """Go on reviewing."""
        self.choose(UNSENT[2])
