"""A pane that is a list of rows: title, subtitle, an empty state, a filter, and a cursor that stays on its item."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from decode_core.neutral import neutralise_line
from decode_ui.actions import LIST, bindings

NO_MATCH = "nothing matches · esc"
FILTER_KEYS = "enter to the list · esc clears"


@dataclass(frozen=True)
class Row:
    """One row: what names its item for good, how it looks, and what is copied and searched."""

    key: str
    content: Content
    text: str = ""
    words: str = ""
    """What a filter looks at as well."""
    is_heading: bool = False
    """It stands over the rows that follow, and stays while a filter leaves one of them."""


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
        self._all: list[Row] = []
        self._rows: dict[str, Row] = {}
        """The rows that the filter leaves."""
        self._wanted = ""
        self._typing = False
        """Keys go to the filter."""
        self._summary = ""
        self._letter = ""

    @property
    def title_text(self) -> str:
        """What the frame says on top."""
        return self.TITLE

    @property
    def empty_text(self) -> str:
        """What stands in a list without rows."""
        return self.EMPTY

    @property
    def keys_text(self) -> str:
        """The subtitle while the pane has focus."""
        return self.KEYS

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
        before, self._all = self._all, _distinct(rows)
        self._summary = summary
        if not self.is_filtered and before and [row.key for row in before] == [row.key for row in self._all]:
            self._redraw(before)
        else:
            self._show_filtered()

    @property
    def is_filtered(self) -> bool:
        """Whether a filter hides rows."""
        return bool(self._wanted)

    @property
    def is_typing_filter(self) -> bool:
        """Whether keys go to the filter."""
        return self._typing

    def action_filter(self) -> None:
        """Type words that a row must hold."""
        self._typing = True
        self._show_filtered()

    def clear_filter(self) -> None:
        """Show every row again."""
        self._wanted, self._typing = "", False
        self._show_filtered()

    def highlight_row(self, key: str) -> None:
        """Put the cursor on a row, if it is shown."""
        if key in self._rows:
            self.highlighted = self.get_option_index(key)

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        if self.highlighted is None or self.highlighted >= self.option_count:
            return None
        key = self.get_option_at_index(self.highlighted).id
        return self._rows.get(key) if key else None

    def on_focus(self) -> None:
        """Put the cursor on a row."""
        if self.highlighted is None:
            self._highlight_first()

    def on_blur(self) -> None:
        """What was typed holds; further keys are not for the filter."""
        if self._typing:
            self._typing = False
            self._show_filtered()

    def watch_has_focus(self, value: bool) -> None:  # noqa: FBT001 - Textual's signature
        """Keys in the subtitle with focus, counts without."""
        super().watch_has_focus(value)
        self._show_subtitle()

    def on_key(self, event: events.Key) -> None:
        """Keys of the filter while it is typed; a letter without a meaning here goes nowhere, and says so."""
        if self._typing and self._filter_key(event):
            event.stop()
            event.prevent_default()
        elif event.is_printable and not self.screen.active_bindings.get(event.key):
            event.stop()
            self.post_message(self.UnboundLetter())

    async def _on_click(self, event: events.Click) -> None:
        """A click puts the cursor, a double click opens the row; the list below would open it at once."""
        event.prevent_default()
        clicked = event.style.meta.get("option")
        if clicked is None or self.get_option_at_index(clicked).disabled:
            return
        self.highlighted = clicked
        if event.chain == 2:
            self.action_select()

    def on_paste(self, event: events.Paste) -> None:
        """A paste is one inert line of the filter, or nothing."""
        event.stop()
        if self._typing:
            self._want(self._wanted + neutralise_line(event.text.strip().partition("\n")[0]))

    def action_cursor_down(self) -> None:
        """The next item; headings are passed over."""
        super().action_cursor_down()
        if self.row is not None and self.row.is_heading:
            super().action_cursor_down()

    def action_cursor_up(self) -> None:
        """The item before; headings are passed over."""
        super().action_cursor_up()
        if self.row is not None and self.row.is_heading:
            super().action_cursor_up()

    def action_copy_row(self) -> None:
        """Copy the row under the cursor."""
        if self.row is not None:
            self.post_message(self.CopyRequested(self.row.text or self.row.content.plain))

    def _filter_key(self, event: events.Key) -> bool:
        """Take a key for the filter; False where it is none of its keys."""
        match event.key:
            case "enter":
                self._typing = False
                self._show_filtered()
                self._highlight_first()
            case "backspace":
                self._want(self._wanted[:-1])
            case _ if event.is_printable and event.character:
                self._want(self._wanted + event.character)
            case _:
                return False
        return True

    def _want(self, words: str) -> None:
        self._wanted = words
        self._show_filtered()
        self._highlight_first()

    def _highlight_first(self) -> None:
        if self._rows:
            self.highlight_row(
                next((key for key, row in self._rows.items() if not row.is_heading), next(iter(self._rows)))
            )

    def _redraw(self, before: Sequence[Row]) -> None:
        """The same items as before: only those that look otherwise are drawn anew, which a long list is glad of."""
        self._rows = {row.key: row for row in self._all}
        for old, row in zip(before, self._all, strict=True):
            if old.content is not row.content and old.content != row.content:
                self.replace_option_prompt(row.key, row.content)
        self._show_subtitle()

    def _show_filtered(self) -> None:
        """Draw the rows that the filter leaves, below the filter itself."""
        at = self.highlighted
        here = self.row
        rows = _matching(self._all, self._wanted.casefold().split())
        self._rows = {row.key: row for row in rows}
        self.clear_options()
        if self._typing or self._wanted:
            cursor = ("▏", "$accent") if self._typing else ""
            self.add_option(Option(Content.assemble(("/ ", "$accent"), self._wanted, cursor), disabled=True))
        if not rows:
            text = NO_MATCH if self._all else self.empty_text
            self.add_option(Option(Content.styled(text, "$muted"), disabled=True))
        first = self.option_count
        self.add_options([Option(row.content, id=row.key) for row in rows])
        if here is not None and here.key in self._rows:
            self.highlight_row(here.key)
        elif rows and at is not None:
            self.highlighted = min(max(at, first), first + len(rows) - 1)
        self._show_subtitle()

    def _show_subtitle(self) -> None:
        text = self.keys_text if self.has_focus and self.keys_text else self._summary
        if self._typing:
            text = FILTER_KEYS
        elif self._wanted:
            text = f"{sum(not row.is_heading for row in self._rows.values())} match · esc all"
        self.border_subtitle = Content(text) if text else None


def _distinct(rows: Sequence[Row]) -> list[Row]:
    """The rows with keys of their own: models may give two items the same id, and a list cannot hold it twice."""
    seen: dict[str, Row] = {}
    for row in rows:
        key, number = row.key, 2
        while key in seen:
            key, number = f"{row.key} {number}", number + 1
        seen[key] = row if key == row.key else replace(row, key=key)
    return list(seen.values())


def _matching(rows: Sequence[Row], words: Sequence[str]) -> list[Row]:
    """The rows that hold every word, and the headings over them."""
    if not words:
        return list(rows)
    kept: list[Row] = []
    heading: Row | None = None
    for row in rows:
        if row.is_heading:
            heading = row
        elif all(word in f"{row.content.plain} {row.text} {row.words}".casefold() for word in words):
            if heading is not None:
                kept.append(heading)
                heading = None
            kept.append(row)
    return kept


def titled(title: str, letter: str) -> Content:
    """A title with the letter of jump mode before it, if there is one."""
    return Content.assemble((letter, "bold $accent"), f" {title}") if letter else Content(title)
