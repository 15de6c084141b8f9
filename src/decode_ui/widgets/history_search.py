"""Ctrl+R: older prompts of this workspace, filtered while one types (keys.md §7.1)."""

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static

from decode_core.neutral import neutralise_line
from decode_ui.actions import HISTORY, bindings
from decode_ui.completing import Offer
from decode_ui.widgets.completion_list import CompletionList
from decode_ui.widgets.filter_field import FilterField

MOST = 50
"""Prompts that are listed at once, the latest of those that match."""
SEARCHED = 4_000
"""Characters of a prompt that are looked at."""
SHOWN = 200
HINT = "enter takes · ^R older · esc back"
NONE = "no prompt matches · esc back"


class HistorySearch(Horizontal):
    """A line with a filter, in place of the prompt while it is open; what it finds is shown in `rows`."""

    BINDINGS = bindings(HISTORY)
    DEFAULT_CSS = """
    HistorySearch {
        display: none;
        height: 1;
        & > .sign { width: 10; color: $accent; }
        & > FilterField { width: 1fr; }
    }
    """

    class Taken(Message):
        """The person wants this prompt back."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, rows: CompletionList, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._rows = rows
        self._prompts: tuple[tuple[str, str], ...] = ()
        """Each prompt with what of it is searched, the latest last, next to the field."""
        self._found: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        """The sign and the field."""
        yield Static("history ›", classes="sign", markup=False)
        yield FilterField(placeholder="type to filter")

    @property
    def is_open(self) -> bool:
        """Whether it stands in place of the prompt."""
        return bool(self.display)

    def open(self, prompts: Sequence[str]) -> None:
        """Show what was sent, and take the keys."""
        self._prompts = tuple((text, text[:SEARCHED].casefold()) for text in prompts)
        self.display = True
        field = self.query_one(FilterField)
        field.value = ""
        field.focus()
        self._show("")

    def close(self) -> None:
        """Go away."""
        self.display = False
        self._prompts = self._found = ()
        self._rows.hide()

    def action_older(self) -> None:
        """The match before."""
        self._rows.move(-1)

    def action_newer(self) -> None:
        """The match after."""
        self._rows.move(1)

    def action_take(self) -> None:
        """Take the marked prompt, if there is one."""
        marked = self._rows.highlighted
        if self._found and marked is not None:
            self.post_message(self.Taken(self._found[marked]))

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.is_open:
            self._show(event.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_take()

    def _show(self, query: str) -> None:
        words = query.casefold().split()
        found = [text for text, searched in self._prompts if all(word in searched for word in words)]
        self._found = tuple(found[-MOST:])
        more = f"{len(found) - MOST:,} more · " if len(found) > MOST else ""
        offers = [Offer(text, neutralise_line(text.strip()[:SHOWN])) for text in self._found]
        self._rows.show(offers, more + HINT if offers else NONE, mark=-1)
