"""One line in which the words of a filter are typed."""

from textual import events
from textual.widgets import Input

from decode_core.neutral import neutralise_line


class FilterField(Input):
    """An input without a frame; a paste into it is one inert line."""

    DEFAULT_CSS = """
    FilterField, FilterField:focus {
        border: none;
        height: 1;
        padding: 0;
        background: transparent;
    }
    """

    def __init__(self, *, placeholder: str, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(placeholder=placeholder, id=id, compact=True)
        # a blinking cursor would wake an idle application twice a second
        self.cursor_blink = False

    def _on_paste(self, event: events.Paste) -> None:
        # Input would write control characters to the terminal as they are
        event.stop()
        event.prevent_default()
        self.insert_text_at_cursor(neutralise_line(event.text.strip().partition("\n")[0]))
