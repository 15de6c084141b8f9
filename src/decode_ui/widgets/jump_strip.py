"""The strip of jump mode: the letters of all panes, above the footer (keys.md §4)."""

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

PADDING = 1
"""Cells before each line."""


@dataclass(frozen=True)
class Target:
    """A place to jump to: its letter, its name, and a few words on its state."""

    letter: str
    name: str
    state: str = ""


class JumpStrip(Static, can_focus=True):
    """Shown while jump mode waits for its letter. It has the focus, so that the letter goes nowhere else."""

    class Pressed(Message):
        """A key in jump mode; a letter as itself, any other key by its name."""

        def __init__(self, letter: str) -> None:
            super().__init__()
            self.letter = letter

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, markup=False)
        self._targets: list[Target] = []
        self._places: dict[str, tuple[int, int, int]] = {}
        """Where each letter stands: first cell, cell behind its last one, line."""

    def on_key(self, event: events.Key) -> None:
        """One letter acts; anything else closes the strip and is not typed."""
        event.stop()
        event.prevent_default()
        # a letter of another alphabet has its Latin key as its name
        character = event.character if event.is_printable and event.character else ""
        self.post_message(self.Pressed(character if character.isascii() and character else event.key))

    def on_click(self, event: events.Click) -> None:
        """A click on an entry is its letter."""
        event.stop()
        place = event.x - PADDING, event.y
        letter = next(
            (each for each, (start, end, y) in self._places.items() if start <= place[0] < end and y == place[1]), None
        )
        if letter is not None:
            self.post_message(self.Pressed(letter))

    def show(self, targets: list[Target]) -> None:
        """Show the letters."""
        self._targets = targets
        self._draw()
        self.display = True

    def on_resize(self) -> None:
        """Break the lines anew."""
        self._draw()

    def _draw(self) -> None:
        """Lines break between targets, never inside one."""
        room = self.app.size.width - 2
        lines = [Content()]
        self._places.clear()
        for target in self._targets:
            state = (f" {target.state}", "$warning") if target.state else ""
            part = Content.assemble((target.letter, "bold $accent"), f" {target.name}", state)
            if not lines[-1]:
                lines[-1] = part
            elif lines[-1].cell_length + 2 + part.cell_length > room:
                lines.append(part)
            else:
                lines[-1] = Content.assemble(lines[-1], "  ", part)
            end = lines[-1].cell_length
            self._places[target.letter] = end - part.cell_length, end, len(lines) - 1
        self.update(Content("\n").join(lines))
