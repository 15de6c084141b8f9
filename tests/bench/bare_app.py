"""The reference for the interface: the smallest Textual application in which one can type."""

from textual.app import App, ComposeResult
from textual.widgets import TextArea


class BareApp(App[None]):
    """A text area and nothing else."""

    def compose(self) -> ComposeResult:
        """The text area."""
        yield TextArea("ready to type, on a bare Textual screen")


if __name__ == "__main__":
    BareApp().run()
