"""The strip of jump mode: the letters of all panes, above the footer (keys.md §4)."""

from dataclasses import dataclass

from textual.content import Content
from textual.widgets import Static


@dataclass(frozen=True)
class Target:
    """A place to jump to: its letter, its name, and a few words on its state."""

    letter: str
    name: str
    state: str = ""


class JumpStrip(Static):
    """Shown while jump mode waits for its letter."""

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, markup=False)

    def show(self, targets: list[Target]) -> None:
        """Show the letters; the line wraps between targets."""
        parts: list[Content] = []
        for target in targets:
            state = (f" {target.state}", "$warning") if target.state else ""
            parts.append(
                Content.assemble((target.letter, "bold $accent"), f" {target.name}".replace(" ", "\u00a0"), state)
            )
        self.update(Content("  ").join(parts))
        self.display = True
