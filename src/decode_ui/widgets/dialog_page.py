"""What takes the place of a dialog's own parts until the person goes back to them."""

from abc import abstractmethod
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
    """As much as it needs, within the dialog."""
    WHOLE_SCREEN = "whole_screen"


class Page(Vertical):
    """Something that stands in a dialog for as long as it is mounted; the dialog places it by its `extent`.

    The dialog's table of actions scrolls `text`, as it scrolls the dialog's body.
    """

    extent = Extent.FITTED
    text: BodyView

    class Left(Message):
        """The person goes back to the dialog."""

    DEFAULT_CSS = """
    Page {
        height: 1fr;
        & > AnswerRow { margin-top: 1; }
    }
    """

    @abstractmethod
    def height_in(self, width: int) -> int:
        """How many lines the page takes in `width` cells."""

    def action_back(self) -> None:
        """Esc."""
        self.post_message(self.Left())

    async def on_answer_label_pressed(self, event: AnswerLabel.Pressed) -> None:
        """Enter on an answer of the page, or a click."""
        event.stop()
        await self.run_action(event.action.does)


class DialogPage(Page):
    """Rows that scroll and the way back."""

    BINDINGS = [*bindings(PAGE)]

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

    def height_in(self, width: int) -> int:
        """The rows and the way back."""
        return self.text.height_in(width) + FOOT
