"""A small dialog that asks yes or no before something that cannot be undone, or that loosens something."""

from enum import StrEnum

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from decode_core.neutral import neutralise, neutralise_line
from decode_ui.actions import CONFIRM, CONFIRM_MOVES, bindings
from decode_ui.screens.guarded import BOX
from decode_ui.widgets.inline_choice import YesNo


class Confirmation(StrEnum):
    """The answer. Whatever is not a clear yes is a no."""

    YES = "yes"
    NO = "no"


class ConfirmScreen(ModalScreen[Confirmation], inherit_bindings=False):
    """Asks `question`, one sentence; `detail` says what follows. `yes` and `no` are the labels of the answers.

    Focus is on no; Esc and Ctrl+C are no as well.
    """

    ESCAPE_TO_MINIMIZE = False
    CSS_PATH = ["dialog.tcss", "confirm.tcss"]
    BINDINGS = [*bindings(CONFIRM), *bindings(CONFIRM_MOVES)]

    def __init__(self, question: str, detail: str = "", *, yes: str = "yes", no: str = "no") -> None:
        super().__init__()
        self._question = neutralise_line(question)
        self._detail = neutralise(detail)
        self._labels = (neutralise_line(yes), neutralise_line(no))

    def compose(self) -> ComposeResult:
        """The question, what follows, the answers."""
        detail = ("\n\n", (self._detail, "$foreground")) if self._detail else ()
        with Vertical(id=BOX):
            yield YesNo(Content.assemble((self._question, "bold"), *detail), *self._labels, id="choice")

    def on_mount(self) -> None:
        """The harmless answer has the focus."""
        self.query_one(YesNo).ask()

    @on(YesNo.Chosen)
    def _choose(self, event: YesNo.Chosen) -> None:
        event.stop()
        self._close(Confirmation.YES if event.action_id == CONFIRM[0].id else Confirmation.NO)

    def action_yes(self) -> None:
        """A clear yes."""
        self._close(Confirmation.YES)

    def action_no(self) -> None:
        """Leave everything as it is; Ctrl+C never says yes either."""
        self._close(Confirmation.NO)

    def action_move(self, way: str) -> None:
        """Between the two answers."""
        if way == "back":
            self.focus_previous()
        else:
            self.focus_next()

    def _close(self, confirmation: Confirmation) -> None:
        if self.is_current:
            self.dismiss(confirmation)
