"""A small field for a note or a comment: Enter sends it, Ctrl+J is a newline, Esc goes back (keys.md §5.2)."""

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import TextArea

from decode_core.neutral import neutralise


class NoteField(TextArea):
    """Text of a few lines, grown to its content. It is a field and nothing else: its text never answers by itself."""

    class Sent(Message):
        """Enter: the note is done."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Left(Message):
        """Esc: back to where the field was opened. The text is still in it."""

    DEFAULT_CSS = """
    NoteField {
        height: auto;
        min-height: 3;
        max-height: 8;
        border: round $border;
        background: $background;
        padding: 0 1;
        &:focus { border: round $primary; }
    }
    """

    def __init__(self, *, title: str = "", id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(soft_wrap=True, tab_behavior="focus", show_line_numbers=False, id=id, classes=classes)
        # a blinking cursor would wake an idle application twice a second
        self.cursor_blink = False
        self.border_title = Content(title)
        self.border_subtitle = "enter sends · ^J new line · esc back"

    async def _on_key(self, event: events.Key) -> None:
        # TextArea writes a newline on Enter before any binding is looked at, so it must be caught here
        match event.key:
            case "enter":
                event.stop()
                event.prevent_default()
                self.post_message(self.Sent(self.text))
            case "escape":
                event.stop()
                event.prevent_default()
                self.post_message(self.Left())
            case "ctrl+j" | "shift+enter":
                event.stop()
                event.prevent_default()
                self.insert("\n")

    async def _on_paste(self, event: events.Paste) -> None:
        # TextArea would write control characters to the terminal as they are
        event.stop()
        event.prevent_default()
        start, end = self.selection
        edited = self.replace(neutralise(event.text), start, end, maintain_selection_offset=False)
        self.move_cursor(edited.end_location)

    def write(self, text: str) -> None:
        """Replace the text, made inert, and put the cursor behind it."""
        self.text = neutralise(text)
        self.move_cursor(self.document.end)
