"""A row of choices of which one is taken: ← and → choose, a click takes one."""

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from decode_ui.actions import bindings
from decode_ui.keys.rules import SEGMENTS


class Segments(Widget, can_focus=True):
    """Shows every choice on one line, the taken one marked by brackets as well as by colour."""

    BINDINGS = bindings(SEGMENTS)

    class Changed(Message):
        """Another choice was taken."""

    DEFAULT_CSS = """
    Segments { height: 1; width: 100%; padding: 0 1; }
    """

    def __init__(self, name: str, choices: Sequence[tuple[str, str]], taken: str, *, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self._name = name
        self._choices = list(choices)
        """Pairs (value, inert label)."""
        self._at = next((index for index, (value, _) in enumerate(self._choices) if value == taken), 0)

    @property
    def value(self) -> str:
        """What is taken."""
        return self._choices[self._at][0]

    def relabel(self, labels: dict[str, str]) -> None:
        """Give choices other labels, by their values."""
        self._choices = [(value, labels.get(value, label)) for value, label in self._choices]
        self.refresh()

    def render(self) -> Content:
        """Name and choices."""
        name = Content.styled(f"{self._name:<9}", "$accent bold" if self.has_focus else "$muted")
        parts = [
            Content.styled(f"[{label}]", "bold") if index == self._at else Content.styled(f" {label} ", "$muted")
            for index, (_, label) in enumerate(self._choices)
        ]
        return Content("").join([name, *parts])

    def action_choose(self, step: int) -> None:
        """Take the next or the previous choice."""
        self._take((self._at + step) % len(self._choices))

    def on_click(self, event: events.Click) -> None:
        """A click takes what it is on."""
        x = event.get_content_offset_capture(self).x - 9
        for index, (_, label) in enumerate(self._choices):
            width = Content(label).cell_length + 2
            if 0 <= x < width:
                self._take(index)
                return
            x -= width

    def _take(self, index: int) -> None:
        if index != self._at:
            self._at = index
            self.refresh()
            self.post_message(self.Changed())
