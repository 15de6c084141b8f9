"""The changed-files pane: what this session has changed, from the results of its calls."""

from dataclasses import dataclass

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList

from decode_core.events import CallOutcome, ToolCallFinished
from decode_core.neutral import neutralise_line
from decode_ui.actions import CHANGES, bindings
from decode_ui.panes.list_pane import ListPane, Row


@dataclass(frozen=True)
class FileChange:
    """One file: its text before the session's first change and after its last, and the lines added and removed."""

    path: str
    before: str | None
    after: str | None
    added: int
    removed: int


class ChangedFilesPane(ListPane):
    """Files that the session has changed."""

    TITLE = "Changed files"
    EMPTY = "no changes in this session"
    KEYS = "enter diff · o open"
    BINDINGS = bindings(CHANGES)

    class OpenRequested(Message):
        """The person wants to see the change of a file."""

        def __init__(self, change: FileChange) -> None:
            super().__init__()
            self.change = change

    class EditRequested(Message):
        """The person wants a file in their editor."""

        def __init__(self, path: str) -> None:
            super().__init__()
            self.path = path

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id)
        self._changes: dict[str, FileChange] = {}

    def take(self, event: ToolCallFinished) -> None:
        """Note the change of a finished call, if it made one."""
        detail = event.detail
        path = detail.get("path")
        if event.outcome is not CallOutcome.OK or not isinstance(path, str) or "added" not in detail:
            return
        old = self._changes.get(path)
        before = old.before if old else detail.get("before")
        added, removed = int(detail["added"]), int(detail["removed"])
        if old is not None:
            added, removed = added + old.added, removed + old.removed
        self._changes[path] = FileChange(path, before, detail.get("after"), added, removed)
        self._draw()

    @on(OptionList.OptionSelected)
    def _open(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        """Show the change of the file under the cursor."""
        if self.row is not None and self.row.key in self._changes:
            self.post_message(self.OpenRequested(self._changes[self.row.key]))

    def action_edit(self) -> None:
        """Open the file under the cursor in the person's editor."""
        if self.row is not None and self.row.key in self._changes:
            self.post_message(self.EditRequested(self.row.key))

    def _draw(self) -> None:
        changes = self._changes.values()
        count = f"{len(self._changes)} file{'s' if len(self._changes) != 1 else ''}"
        total = f"+{sum(change.added for change in changes)} −{sum(change.removed for change in changes)}"
        self.show_rows([_row(change) for change in changes], f"{count}  {total}")


def _row(change: FileChange) -> Row:
    figures = Content.assemble((f" +{change.added}", "$added"), (f" −{change.removed}", "$removed"))
    path = Content(neutralise_line(change.path))
    room = 30 - figures.cell_length
    if path.cell_length > room:
        path = Content("…") + path[path.cell_length - room + 1 :]
    return Row(change.path, Content.assemble(path, figures), change.path)
