"""The plan as text to edit in place: Esc leaves, and the text is kept (keys.md §5.4)."""

from textual import events
from textual.message import Message
from textual.widgets import TextArea

from decode_core.neutral import neutralise


class PlanEditor(TextArea):
    """A text field with line numbers, those that comments are told with."""

    class Left(Message):
        """Esc: the text is done."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    DEFAULT_CSS = """
    PlanEditor, PlanEditor:focus {
        height: 1fr;
        border: none;
        padding: 0;
        background: transparent;
    }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(soft_wrap=True, tab_behavior="focus", show_line_numbers=True, id=id)
        self._given = ""
        self._shown = ""

    def write(self, text: str, line: int) -> None:
        """Put a text into the field, made inert, with the cursor on `line`, counted from 0."""
        self._given, self._shown = text, neutralise(text)
        self.text = self._shown
        self.move_cursor((min(line, self.document.line_count - 1), 0))

    @property
    def written(self) -> str:
        """What stands in the field; signs that stand for invisible characters change nothing by themselves."""
        return self._given if self.text == self._shown else self.text

    async def _on_key(self, event: events.Key) -> None:
        # TextArea takes Tab and leaves Esc to the screen, which would set the review aside
        match event.key:
            case "escape":
                event.stop()
                event.prevent_default()
                self.post_message(self.Left(self.written))
            case "tab":
                event.stop()
                event.prevent_default()
                self.insert("  ")

    async def _on_paste(self, event: events.Paste) -> None:
        # TextArea would write control characters to the terminal as they are
        event.stop()
        event.prevent_default()
        start, end = self.selection
        edited = self.replace(neutralise(event.text), start, end, maintain_selection_offset=False)
        self.move_cursor(edited.end_location)
