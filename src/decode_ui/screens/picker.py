"""A picker: type to filter, arrows to move, Enter takes, Esc closes. Palette, help, agents, modes and models use it."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from decode_ui.actions import PICKER, bindings
from decode_ui.widgets.filter_field import FilterField

MAX_SHOWN = 200
HINT = "enter takes · esc closes"


@dataclass(frozen=True)
class Item:
    """One row: what is returned, what is shown on the left and on the right, and under which heading."""

    key: str
    label: str
    note: str = ""
    group: str = ""
    disabled_because: str = ""
    """Why it cannot be taken now; such a row is dim."""


class PickerScreen(ModalScreen[str | None], inherit_bindings=False):
    """Closes with the key of the taken row, or None. All texts must be neutral already."""

    CSS_PATH = "picker.tcss"
    BINDINGS = bindings(PICKER)
    ESCAPE_TO_MINIMIZE = False

    def __init__(self, title: str, items: Sequence[Item], *, hint: str = HINT, current: str = "") -> None:
        super().__init__()
        self._title = title
        self._items = items
        self._hint = hint
        self._current = current

    def compose(self) -> ComposeResult:
        """The filter and the list."""
        with Vertical(id="box"):
            yield FilterField(placeholder="type to filter", id="filter")
            yield OptionList(id="items", markup=False)

    def on_mount(self) -> None:
        """Show everything; the current one is marked."""
        box = self.query_one("#box")
        box.border_title = Content(self._title)
        box.border_subtitle = Content(self._hint)
        self.query_one(OptionList).can_focus = False
        self._show("")
        self.query_one(Input).focus()

    @on(Input.Changed)
    def _filter(self, event: Input.Changed) -> None:
        self._show(event.value)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_take()

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self._close(event.option.id)

    def action_take(self) -> None:
        """Take the marked row."""
        items = self.query_one(OptionList)
        if items.highlighted is not None:
            option = items.get_option_at_index(items.highlighted)
            if not option.disabled:
                self._close(option.id)

    def action_close(self) -> None:
        """Close without choosing."""
        self._close(None)

    def action_move(self, rows: int) -> None:
        """Move the mark, over headings and disabled rows."""
        items = self.query_one(OptionList)
        for _ in range(abs(rows)):
            if rows > 0:
                items.action_cursor_down()
            else:
                items.action_cursor_up()

    def _show(self, text: str) -> None:
        words = text.casefold().split()
        found = [item for item in self._items if all(word in _haystack(item) for word in words)]
        items = self.query_one(OptionList)
        items.clear_options()
        width = max((len(item.label) for item in self._items), default=0)
        group = None
        for item in found[:MAX_SHOWN]:
            if item.group != group:
                group = item.group
                items.add_option(Option(Content.styled(group, "$muted"), disabled=True))
            items.add_option(Option(_row(item, width), id=item.key, disabled=bool(item.disabled_because)))
        if not found:
            items.add_option(Option(Content.styled("nothing matches · esc", "$muted"), disabled=True))
        elif len(found) > MAX_SHOWN:
            items.add_option(Option(Content.styled(f"… and {len(found) - MAX_SHOWN:,} more", "$muted"), disabled=True))
        keys = [item.key for item in found[:MAX_SHOWN] if not item.disabled_because]
        if keys:
            items.highlighted = items.get_option_index(self._current if self._current in keys else keys[0])

    def _close(self, result: str | None) -> None:
        if self.is_current:
            self.dismiss(result)


def _haystack(item: Item) -> str:
    return f"{item.label} {item.note} {item.group}".casefold()


def _row(item: Item, width: int) -> Content:
    note = item.disabled_because or item.note
    style = "$muted" if item.disabled_because else ""
    return Content.assemble((f"{item.label:<{width}}", style), "  ", (note, "$muted"))
