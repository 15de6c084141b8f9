"""The to-do pane."""

from textual.content import Content

from decode_core.events import TodoItem, TodoStatus
from decode_core.neutral import neutralise_line
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
    KEYS = "c copy · z zoom"

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
