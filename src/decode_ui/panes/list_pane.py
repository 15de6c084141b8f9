"""A pane that is a list of rows: title, subtitle, an empty state, and a cursor that stays on its item."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from decode_ui.actions import LIST, bindings


@dataclass(frozen=True)
class Row:
    """One row: what names its item for good, how it looks, and what is copied."""

    key: str
    content: Content
    text: str = ""


class ListPane(OptionList):
    """A focusable list with a frame. Subclasses say what they are called and what their keys do."""

    TITLE: ClassVar[str] = ""
    EMPTY: ClassVar[str] = ""
    """One dim line for a list without rows: who fills it."""
    KEYS: ClassVar[str] = ""
    """The subtitle while the pane has focus."""
    BINDINGS = bindings(LIST)

    class CopyRequested(Message):
        """The person wants a row in the clipboard."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class UnboundLetter(Message):
        """A letter that does nothing here."""

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes="pane", markup=False)
        self._rows: dict[str, Row] = {}
        self._summary = ""
        self._letter = ""

    @property
    def title_text(self) -> str:
        """What the frame says on top."""
        return self.TITLE

    def show_letter(self, letter: str) -> None:
        """Put the letter of jump mode before the title; an empty one takes it away."""
        self._letter = letter
        self.show_title()

    def show_title(self) -> None:
        """Bring the top of the frame up to date."""
        self.border_title = titled(self.title_text, self._letter)

    def on_mount(self) -> None:
        """Show the frame's texts."""
        self.show_title()
        self.show_rows(())

    def show_rows(self, rows: Sequence[Row], summary: str = "") -> None:
        """Replace the rows; the cursor stays on its item, or goes to the one that took its place."""
        rows = _distinct(rows)
        at = self.highlighted
        here = self.row
        self._rows = {row.key: row for row in rows}
        self._summary = summary
        self.clear_options()
        if not rows:
            self.add_option(Option(Content.styled(self.EMPTY, "$muted"), disabled=True))
        self.add_options([Option(row.content, id=row.key) for row in rows])
        if here is not None and here.key in self._rows:
            self.highlighted = self.get_option_index(here.key)
        elif rows and at is not None:
            self.highlighted = min(at, len(rows) - 1)
        self._show_subtitle()

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        if self.highlighted is None or self.highlighted >= self.option_count:
            return None
        key = self.get_option_at_index(self.highlighted).id
        return self._rows.get(key) if key else None

    def on_focus(self) -> None:
        """Put the cursor on a row."""
        if self.highlighted is None and self._rows:
            self.highlighted = 0

    def watch_has_focus(self, value: bool) -> None:  # noqa: FBT001 - Textual's signature
        """Keys in the subtitle with focus, counts without."""
        super().watch_has_focus(value)
        self._show_subtitle()

    def on_key(self, event: events.Key) -> None:
        """A letter without a meaning here goes nowhere, and says so."""
        if event.is_printable and not self.screen.active_bindings.get(event.key):
            event.stop()
            self.post_message(self.UnboundLetter())

    def action_copy_row(self) -> None:
        """Copy the row under the cursor."""
        if self.row is not None:
            self.post_message(self.CopyRequested(self.row.text or self.row.content.plain))

    def _show_subtitle(self) -> None:
        text = self.KEYS if self.has_focus and self.KEYS else self._summary
        self.border_subtitle = Content(text) if text else None


def _distinct(rows: Sequence[Row]) -> list[Row]:
    """The rows with keys of their own: models may give two items the same id, and a list cannot hold it twice."""
    seen: dict[str, Row] = {}
    for row in rows:
        key, number = row.key, 2
        while key in seen:
            key, number = f"{row.key} {number}", number + 1
        seen[key] = replace(row, key=key)
    return list(seen.values())


def titled(title: str, letter: str) -> Content:
    """A title with the letter of jump mode before it, if there is one."""
    return Content.assemble((letter, "bold $accent"), f" {title}") if letter else Content(title)
