"""One line to find words in a text: what is typed is looked for at once, and the number of places is told."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from decode_ui.actions import bindings
from decode_ui.keys.plans import PLAN_FIND
from decode_ui.widgets.filter_field import FilterField


class FindLine(Horizontal):
    """Posts what is typed; whoever shows the text tells it by `show_count` how often that stands there."""

    BINDINGS = bindings(PLAN_FIND)

    class Changed(Message):
        """Other words are looked for."""

        def __init__(self, words: str) -> None:
            super().__init__()
            self.words = words

    class Stepped(Message):
        """On to the next place (`on`), or `back`."""

        def __init__(self, way: str) -> None:
            super().__init__()
            self.way = way

    class Kept(Message):
        """Enter: back to the text, the words stay."""

    class Closed(Message):
        """Esc: back to the text, without the words."""

    DEFAULT_CSS = """
    FindLine {
        height: 1;
        & > Static { width: auto; color: $accent; padding-left: 1; }
        & > FilterField { width: 1fr; }
        & > #find-count { color: $muted; padding: 0 1; }
    }
    """

    def compose(self) -> ComposeResult:
        """Sign, field and count."""
        yield Static("/ ", markup=False)
        yield FilterField(placeholder="words · enter to the plan, then n and N · esc closes", id="find-words")
        yield Static(id="find-count", markup=False)

    @property
    def words(self) -> str:
        """What is looked for."""
        return self.query_one(Input).value

    def open(self) -> None:
        """Show the line and type into it; the words of the last time are still there."""
        self.display = True
        field = self.query_one(Input)
        field.focus()
        field.select_all()

    def show_count(self, at: int, count: int) -> None:
        """Tell that the place `at`, from 1, of `count` is shown."""
        text = "" if not self.words else f"{at} of {count}" if count else "nothing found"
        self.query_one("#find-count", Static).update(Content(text))

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Changed(event.value))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        # the field takes Enter before any binding of this line is looked at
        event.stop()
        self.action_keep()

    def action_keep(self) -> None:
        """Enter."""
        self.post_message(self.Kept())

    def action_step(self, way: str) -> None:
        """Up and down."""
        self.post_message(self.Stepped(way))

    def action_close(self) -> None:
        """Esc."""
        self.post_message(self.Closed())
