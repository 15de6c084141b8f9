"""A text that takes the place of a dialog's own parts until the person goes back to them."""

from collections.abc import Iterable
from enum import StrEnum

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from decode_ui.actions import PAGE, bindings
from decode_ui.widgets.answers import AnswerLabel, AnswerRow, Choice, Tone
from decode_ui.widgets.body_rows import BodyRow
from decode_ui.widgets.body_view import BodyView

FOOT = 2
"""Lines below the text: a blank one and the way back."""


class Extent(StrEnum):
    """How much of the screen a page wants."""

    FITTED = "fitted"
    """As much as its text needs, within the dialog."""
    WHOLE_SCREEN = "whole_screen"


class DialogPage(Vertical):
    """Rows that scroll and the way back, for as long as it is mounted.

    The dialog places it by its `extent`, and its table of actions scrolls it as it scrolls the dialog's body.
    """

    BINDINGS = [*bindings(PAGE)]

    class Left(Message):
        """The person goes back to the dialog."""

    DEFAULT_CSS = """
    DialogPage {
        height: 1fr;
        & > AnswerRow { margin-top: 1; }
    }
    """

    def __init__(self, rows: Iterable[BodyRow], extent: Extent) -> None:
        super().__init__()
        self.extent = extent
        self.text = BodyView(rows)
        """The part that scrolls."""

    def compose(self) -> ComposeResult:
        """The text and the way back."""
        yield self.text
        yield AnswerRow([Choice(PAGE[0], Tone.NEUTRAL)])

    def on_mount(self) -> None:
        """The text has the focus."""
        self.text.focus()

    def action_back(self) -> None:
        """Esc."""
        self.post_message(self.Left())

    def on_answer_label_pressed(self, event: AnswerLabel.Pressed) -> None:
        """Enter on the way back, or a click."""
        event.stop()
        self.action_back()
