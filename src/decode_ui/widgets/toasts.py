"""Short lines above the prompt: an error stays until Esc, what was done goes after a moment (keys.md §13).

They stand in the layout, so that they never lie over the prompt or over an answer.
"""

from dataclasses import dataclass
from enum import Enum, auto

from textual.content import Content
from textual.widgets import Static

from decode_core.neutral import neutralise_line
from decode_ui.clock import Clock

MOST = 3
"""So many are shown at once: the newest."""
DONE_S = 5.0


class ToastKind(Enum):
    """How loud it is."""

    ERROR = auto()
    DONE = auto()


@dataclass(frozen=True)
class _Toast:
    kind: ToastKind
    text: str


class Toasts(Static):
    """The lines that are shown now; `clock` takes what was done away again."""

    DEFAULT_CSS = """
    Toasts { display: none; height: auto; padding: 0 2; }
    """

    def __init__(self, clock: Clock, id: str, *, stay: bool = False) -> None:  # noqa: A002 - Textual's name
        """`stay`: nothing goes by itself, for people who hear the screen."""
        super().__init__(id=id, markup=False)
        self._stay = stay
        self._clock = clock
        self._shown: list[_Toast] = []

    @property
    def waits(self) -> bool:
        """Whether a line waits for Esc."""
        return any(self._is_sticky(toast) for toast in self._shown)

    def add(self, kind: ToastKind, text: str) -> None:
        """Show a line; the oldest one gives way to a fourth."""
        toast = _Toast(kind, neutralise_line(text))
        self._shown = [*self._shown, toast][-MOST:]
        if kind is ToastKind.DONE and not self._stay:
            self._clock.after(DONE_S, lambda: self._remove(toast))
        self._draw()

    def dismiss(self) -> None:
        """Take away what waits for Esc; the chat and the notices keep it."""
        self._shown = [toast for toast in self._shown if not self._is_sticky(toast)]
        self._draw()

    def on_resize(self) -> None:
        """Cut the lines anew."""
        self._draw()

    def _is_sticky(self, toast: _Toast) -> bool:
        return self._stay or toast.kind is ToastKind.ERROR

    def _remove(self, toast: _Toast) -> None:
        self._shown = [each for each in self._shown if each is not toast]
        self._draw()

    def _draw(self) -> None:
        self.display = bool(self._shown)
        room = max(self.size.width or self.app.size.width - 4, 10)
        self.update(Content("\n").join(_line(toast, room) for toast in self._shown))


def _line(toast: _Toast, room: int) -> Content:
    if toast.kind is ToastKind.DONE:
        return Content.assemble(("✓ ", "$success"), toast.text).truncate(room, ellipsis=True)
    tail = Content.styled("  esc", "$muted")
    head = Content.assemble(("✗ ", "$error"), toast.text).truncate(room - tail.cell_length, ellipsis=True)
    return Content.assemble(head, tail)
