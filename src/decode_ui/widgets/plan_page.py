"""A plan to read, with the line in which words are looked for."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from decode_ui.widgets.find_line import FindLine
from decode_ui.widgets.plan_view import PlanView


class PlanPage(Vertical):
    """The view `#plan` and below it the find line, which shows itself when it is needed."""

    class Moved(Message):
        """The cursor is on another line."""

    DEFAULT_CSS = """
    PlanPage { height: 1fr; }
    """

    def __init__(self, view: PlanView, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.view = view
        self._came_from = 0
        """The line that the search began at: it goes on from there, and back there when it is given up."""

    def compose(self) -> ComposeResult:
        """Plan and find line."""
        yield self.view
        yield FindLine(id="find")

    def on_mount(self) -> None:
        """Nothing is looked for at first."""
        self.line.display = False

    @property
    def line(self) -> FindLine:
        """The find line."""
        return self.query_one(FindLine)

    @property
    def is_finding(self) -> bool:
        """Whether words are looked for."""
        return bool(self.line.display)

    def move(self, way: str) -> None:
        """Move the cursor; see `PlanView.move`."""
        self.view.move(way)
        self._count()
        self.post_message(self.Moved())

    def open_find(self) -> None:
        """Type what is looked for."""
        self._came_from = self.view.line
        self.line.open()
        self._find(self.line.words)

    def find_next(self, way: str) -> None:
        """On to the next line with the words, or `back`."""
        if self.is_finding:
            self.view.find_next(way)
            self._count()
            self.post_message(self.Moved())

    def close_find(self) -> None:
        """Forget the words."""
        self.line.display = False
        self.view.find("", self.view.line)
        self.view.focus()
        self.post_message(self.Moved())

    def _find(self, words: str) -> None:
        self.view.find(words, self._came_from)
        self._count()
        self.post_message(self.Moved())

    def _count(self) -> None:
        if self.is_finding:
            lines = self.view.matches
            at = lines.index(self.view.line) + 1 if self.view.line in lines else 0
            self.line.show_count(at, len(lines))

    @on(FindLine.Changed)
    def _words_changed(self, event: FindLine.Changed) -> None:
        event.stop()
        if self.is_finding:
            self._find(event.words)

    @on(FindLine.Stepped)
    def _stepped(self, event: FindLine.Stepped) -> None:
        event.stop()
        self.find_next(event.way)

    @on(FindLine.Kept)
    def _find_kept(self, event: FindLine.Kept) -> None:
        event.stop()
        if self.line.words:
            self.view.focus()
        else:
            self.close_find()

    @on(FindLine.Closed)
    def _find_closed(self, event: FindLine.Closed) -> None:
        event.stop()
        self.view.find("", self._came_from)
        self.close_find()
