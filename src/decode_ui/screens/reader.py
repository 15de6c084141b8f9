"""A full-screen text to read: a record step by step, a plan, an agent, the change of a file."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from decode_ui.actions import READER, bindings


class ReaderScreen(ModalScreen[None], inherit_bindings=False):
    """Shows lines; all texts must be neutral already."""

    CSS_PATH = "reader.tcss"
    BINDINGS = bindings(READER)
    ESCAPE_TO_MINIMIZE = False
    AUTO_FOCUS = "#page"

    def __init__(self, title: str, lines: Sequence[Content]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        """One page that scrolls."""
        with VerticalScroll(id="page"):
            yield Static(Content("\n").join(self._lines), markup=False)

    def on_mount(self) -> None:
        """Title and keys."""
        page = self.query_one("#page")
        page.border_title = Content(self._title)
        page.border_subtitle = Content("↑↓ PgUp PgDn · esc closes")

    def action_close(self) -> None:
        """Close."""
        if self.is_current:
            self.dismiss(None)

    def action_scroll(self, way: str) -> None:
        """Scroll the page, without animation."""
        page = self.query_one("#page", VerticalScroll)
        match way:
            case "up":
                page.scroll_up(animate=False)
            case "down":
                page.scroll_down(animate=False)
            case "page_up":
                page.scroll_page_up(animate=False)
            case "page_down":
                page.scroll_page_down(animate=False)
            case "home":
                page.scroll_home(animate=False)
            case _:
                page.scroll_end(animate=False)
