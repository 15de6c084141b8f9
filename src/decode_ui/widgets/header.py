"""The header: where one is, on which branch, and what the session is about."""

from textual.content import Content
from textual.widgets import Static

from decode_core.neutral import neutralise_line

MAX_TITLE = 60


class Header(Static):
    """One line above the panes."""

    def __init__(self, place: str, branch: str | None, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, markup=False)
        self._place = neutralise_line(place)
        self._branch = neutralise_line(branch) if branch else ""
        self._title = ""

    def show_title(self, prompt: str) -> None:
        """Name the session after its first prompt."""
        line = neutralise_line(prompt.strip().partition("\n")[0])
        self._title = line if len(line) <= MAX_TITLE else line[: MAX_TITLE - 1] + "…"
        self._draw()

    def on_resize(self) -> None:
        """Fit the line to the width."""
        self._draw()

    def _draw(self) -> None:
        branch = Content.styled(f" ⎇ {self._branch}", "$accent") if self._branch else Content()
        left = Content.assemble(("decode", "bold"), (f" · {self._place}", "$muted"), branch)
        right = Content.styled(f"session: {self._title}", "$muted") if self._title else Content()
        gap = self.size.width - 2 - left.cell_length - right.cell_length
        self.update(Content.assemble(left, " " * gap, right) if gap >= 2 else left)
