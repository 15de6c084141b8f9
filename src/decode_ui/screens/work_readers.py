"""What the work screen opens to be read: a record, a plan, a change, an agent, a message, a block of code."""

from textual import on

from decode_ui import explain
from decode_ui.panes.changed_files import ChangedFilesPane
from decode_ui.panes.permissions import PermissionsPane
from decode_ui.screens.picker import Item, PickerScreen
from decode_ui.screens.reader import ReaderScreen
from decode_ui.screens.work_agents import WorkAgents
from decode_ui.transcript.diff import DiffLine, Sign
from decode_ui.transcript.entry import HintEntry, ToolEntry
from decode_ui.transcript.view import Transcript, Want
from decode_ui.wording import one_line


class WorkReaders(WorkAgents, inherit_bindings=False):
    """Answers the panes' wishes to see something whole."""

    @on(ChangedFilesPane.OpenRequested)
    def _open_change(self, event: ChangedFilesPane.OpenRequested) -> None:
        self.app.push_screen(ReaderScreen(one_line(event.change.path), explain.change_lines(event.change)))

    @on(ChangedFilesPane.EditRequested)
    def _edit_change(self, event: ChangedFilesPane.EditRequested) -> None:
        self.open_in_editor(event.path)

    @on(Transcript.Requested)
    def _requested(self, event: Transcript.Requested) -> None:
        match event.want, event.entry:
            case Want.WHY, ToolEntry(call_id=call_id):
                record = self.query_one(PermissionsPane).record_of(call_id)
                if record is not None:
                    self.app.push_screen(ReaderScreen("Why", explain.record_lines(record)))
            case Want.OPEN_FILE, ToolEntry() as entry:
                self.open_in_editor(entry.subject, first_line(entry))
            case Want.DIFF, entry if not isinstance(entry, HintEntry):
                self.app.push_screen(ReaderScreen("Message", explain.entry_lines(entry)))
            case _:
                self.tell("not here · ? keys")

    @on(Transcript.CodeChoiceRequested)
    def _choose_code(self, event: Transcript.CodeChoiceRequested) -> None:
        # its base class is the wish to copy everything, which this replaces
        event.prevent_default()
        blocks = {str(number): block for number, block in enumerate(event.blocks, 1)}
        items = [Item(number, number, one_line(block)) for number, block in blocks.items()]

        def copy(number: str | None) -> None:
            if number is not None:
                self.app.copy_to_clipboard(blocks[number])
                self.tell("copied")

        self.app.push_screen(PickerScreen("Copy which code?", items), copy)


def first_line(entry: ToolEntry) -> int | None:
    """The first line that a call added, None where it changed none."""
    added = (line.number for line in entry.body if isinstance(line, DiffLine) and line.sign is Sign.ADDED)
    return next((number for number in added if number is not None), None)
