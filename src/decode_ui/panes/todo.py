"""The to-do pane."""

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList

from decode_core.events import EventBase, TodoChanged, TodoItem, TodoStatus, ToolCallStarted
from decode_core.neutral import neutralise_line
from decode_ui.actions import bindings
from decode_ui.keys.plans import TODO_PANE
from decode_ui.panes.list_pane import ListPane, Row

SIGNS = {
    TodoStatus.COMPLETED: ("✓", "$success", "$muted strike"),
    TodoStatus.IN_PROGRESS: ("▸", "$primary", "bold"),
    TodoStatus.PENDING: ("○", "$muted", "$muted"),
    TodoStatus.CANCELLED: ("✗", "$muted", "$muted strike"),
}
"""Sign, its colour and the style of the text, by state."""


class TodoPane(ListPane):
    """What the agent has to do, in order."""

    TITLE = "To-do"
    EMPTY = "the agent lists its steps here"
    KEYS = "enter in the chat · c copy"
    BINDINGS = bindings(TODO_PANE)

    class PlaceRequested(Message):
        """The person wants to see in the chat where an item came to where it is."""

        def __init__(self, call_id: str) -> None:
            super().__init__()
            self.call_id = call_id

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._items: dict[str, TodoItem] = {}
        self._places: dict[str, str] = {}
        """The call that set an item's state last, by the item's id."""
        self._writing = ""

    def take(self, event: EventBase) -> None:
        """Follow the session."""
        match event:
            case ToolCallStarted(tool="todo_write", call_id=call_id):
                self._writing = call_id
            case TodoChanged(items=items):
                self._note_places(items)
                self.show_items(items)
            case _:
                pass

    @on(OptionList.OptionSelected)
    def _open(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        """Show where it happened."""
        if self.row is not None and (call_id := self._places.get(self.row.key)):
            self.post_message(self.PlaceRequested(call_id))

    def _note_places(self, items: tuple[TodoItem, ...]) -> None:
        for item in items:
            before = self._items.get(item.id)
            if before is None or before.status is not item.status:
                self._places[item.id] = self._writing
        self._items = {item.id: item for item in items}

    def show_items(self, items: tuple[TodoItem, ...]) -> None:
        """Show the list; the item in progress is kept in view."""
        done = sum(item.status is TodoStatus.COMPLETED for item in items)
        self.show_rows([_row(item) for item in items], f"{done} of {len(items)}" if items else "")
        current = next((item.id for item in items if item.status is TodoStatus.IN_PROGRESS), None)
        if current is not None and not self.has_focus:
            self.highlight_row(current)
            self.highlighted = None


def _row(item: TodoItem) -> Row:
    sign, colour, style = SIGNS[item.status]
    running = item.status is TodoStatus.IN_PROGRESS and item.active_form
    text = neutralise_line(item.active_form if running and item.active_form else item.content)
    step = Content.styled(f"  step {item.step}", "$muted") if item.step is not None else Content()
    return Row(item.id, Content.assemble((sign, colour), " ", (text, style), step), text)
