"""What the dialogs that ask for a decision have in common: the guard, the way out, and their place on the screen."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from textual import events
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import TextArea
from textual.widgets.text_area import Selection

from decode_ui.guard import KeyGuard
from decode_ui.screens.arrangement import SizeClass, size_class
from decode_ui.widgets.answers import AnswerLabel

MARGIN = 4
"""Free cells on each side of a dialog where the terminal has room for them."""
WIDEST = 120
"""Cells of a dialog at most: longer lines of prose and code are hard to read."""

BOX = "box"
"""Id of the frame of every dialog."""

_MARGIN_FROM = Size(100, 30)

DraftT = TypeVar("DraftT")
ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class Aside(Generic[DraftT]):
    """The person wants to look around first: the question stays open and waits.

    `draft` is what was begun; give it to the dialog that opens the question again.
    """

    draft: DraftT


def outer_height(part: Widget, width: int) -> int:
    """Lines that a part of a dialog takes in `width` columns, margin included; 0 where it is not displayed."""
    if not part.display:
        return 0
    screen = part.app.size
    lines = part.get_content_height(screen, screen, width - part.gutter.width) + part.gutter.height
    most = part.styles.max_height
    return (lines if most is None else min(lines, int(most.value))) + part.styles.margin.height


class GuardedScreen(ModalScreen[ResultT], inherit_bindings=False):
    """A dialog that answers only to keys and clicks that were meant for it (keys.md §5.1).

    While the guard holds, every key is dead; printable ones are handed to `on_typed`, so that they land in the draft
    that they were meant for. Pastes never answer. The dialog closes once: by an answer, by `Aside`, or with None when
    `withdraw` takes the question away.
    """

    ESCAPE_TO_MINIMIZE = False

    def __init__(self, guard: KeyGuard, on_typed: Callable[[str], None] | None = None) -> None:
        super().__init__()
        self.guard = guard
        self._on_typed = on_typed
        self._has_result = False
        self._shown_live = False

    @property
    def box(self) -> Vertical:
        """The frame around everything; its id is BOX."""
        return self.query_one(f"#{BOX}", Vertical)

    @property
    def inner_size(self) -> Size:
        """Columns and lines inside the box, as `place` has just set them."""
        width, height = self.box.styles.width, self.box.styles.height
        if width is None or height is None:
            return Size(0, 0)
        return Size(int(width.value), int(height.value)) - self.box.gutter.totals

    @property
    def is_live(self) -> bool:
        """Whether answers act."""
        return self.guard.answers_live()

    def withdraw(self) -> None:
        """Close without an answer: the question was settled elsewhere."""
        self.close_with(None)

    def close_with(self, result: ResultT | None) -> None:
        """Close with `result`; whatever comes after the first result is too late and does nothing."""
        if self._has_result or not self.is_attached:
            return
        self._has_result = True
        # what was opened above goes first: `dismiss` takes away whatever is on top
        while self in self.app.screen_stack and self.app.screen is not self:
            self.app.screen.dismiss(None)
        self.dismiss(result)

    @abstractmethod
    def set_aside(self) -> None:
        """Close so that the question waits; each dialog keeps its draft in its own way."""

    def show_waiting(self, waiting: int) -> None:
        """Say how many questions wait, this one included."""
        self.box.border_subtitle = Content(f"1 of {waiting}") if waiting > 1 else None

    def show_guard(self) -> None:
        """Dim or brighten the answers. Called whenever the guard may have changed."""

    def on_mount(self) -> None:
        """The guard counts from here."""
        self.guard.opened()
        self._wait_for_guard()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No action of a dialog is alive before the guard is."""
        return self.is_live

    def on_key(self, event: events.Key) -> None:
        """What comes before the guard is live was meant for something else."""
        live = self.is_live
        self.guard.key_pressed()
        if live:
            return
        event.stop()
        event.prevent_default()
        if event.is_printable and event.character and self._on_typed is not None:
            self._on_typed(event.character)

    def on_paste(self, event: events.Paste) -> None:
        """A paste that no field took is nobody's."""
        event.stop()
        self.guard.key_pressed()

    async def on_answer_label_pressed(self, event: AnswerLabel.Pressed) -> None:
        """An answer was pressed by Enter or a click."""
        event.stop()
        if event.by_mouse and not self.guard.clicks_live():
            return
        await self.run_action(event.action.does)

    def on_resize(self, event: events.Resize) -> None:
        """Centred with a margin where there is room, else the whole screen; too small to be read: set aside."""
        if size_class(*event.size) is SizeClass.TOO_SMALL:
            self.set_aside()
            return
        self.place(event.size)

    def place(self, size: Size) -> None:
        """Give the box its width and height for a screen of `size`."""
        box = self.box
        free = size.width >= _MARGIN_FROM.width and size.height >= _MARGIN_FROM.height
        self.set_class(not free, "-full")
        box.styles.width = min(size.width - 2 * MARGIN, WIDEST) if free else size.width
        box.styles.height = size.height - 2 * MARGIN if free else size.height

    def copy_selection(self) -> bool:
        """Copy what is selected, in a field or on the screen. False where nothing is."""
        field = self.focused
        text = field.selected_text if isinstance(field, TextArea) else ""
        text = text or self.get_selected_text() or ""
        if not text:
            return False
        self.app.copy_to_clipboard(text)
        self.clear_selection()
        if isinstance(field, TextArea):
            field.selection = Selection.cursor(field.cursor_location)
        return True

    def action_move(self, way: str) -> None:
        """Tab and Shift+Tab: the next or the previous part of the dialog."""
        if way == "back":
            self.focus_previous()
        else:
            self.focus_next()

    def _wait_for_guard(self) -> None:
        live = self.is_live
        if live != self._shown_live:
            self._shown_live = live
            self.show_guard()
        if not live:
            self.set_timer(max(self.guard.seconds_until_live(), 0.02), self._wait_for_guard)
