"""The editor of an agent's file: YAML and Markdown in colours, completion of the word at the cursor, marked faults."""

from collections.abc import Collection, Iterable

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import TextArea
from textual.widgets.text_area import TextAreaTheme

from decode_core.catalog.definition import CatalogError
from decode_core.neutral import neutralise
from decode_ui.actions import bindings
from decode_ui.agents.completion import Completion, completion
from decode_ui.agents.document import AgentDocument
from decode_ui.agents.highlight import Colours
from decode_ui.keys.agents import AGENT_EDITOR
from decode_ui.transcript.palette import Palette

INDENT = "  "


class AgentText(TextArea):
    """Shows one document at a time. What was typed arrives as `TextArea.Changed`; it saves nothing itself."""

    BINDINGS = bindings(AGENT_EDITOR)

    class Left(Message):
        """Esc: back to the list, the text stays."""

    class SaveRequested(Message):
        """The person wants the text saved."""

    class Completing(Message):
        """The words that can stand at the cursor changed; none: nothing is completed."""

        def __init__(self, words: tuple[str, ...]) -> None:
            super().__init__()
            self.words = words

    def __init__(self, tools: Collection[str], id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, classes="pane", soft_wrap=True, tab_behavior="focus", show_line_numbers=True)
        self.cursor_blink = False
        self._tools = tools
        self._letter = ""
        self._title = ""
        self._faults: dict[int, int] = {}
        self._completion: Completion | None = None
        self._is_complete = False
        self._highlights = _Highlights(self)
        self._use_theme()

    def on_mount(self) -> None:
        """Colours follow the theme."""
        self._use_theme()
        self.watch(self.app, "theme", self._use_theme, init=False)

    def on_resize(self) -> None:
        """What is typed stays in view when a bar takes a line."""
        self.scroll_cursor_visible()

    def show_document(self, document: AgentDocument) -> None:
        """Show a document's text; the cursor goes where it was in it."""
        self.read_only = bool(document.locked)
        if self.text != document.text:
            self.load_text(document.text)
        self.move_cursor(self.clamp_visitable(document.cursor))
        self._completion = None

    def show_title(self, title: str, letter: str | None = None) -> None:
        """Say which file it is; `letter` is that of jump mode, empty to take it away."""
        self._title = title
        self._letter = self._letter if letter is None else letter
        self.border_title = Content.assemble((self._letter, "bold $accent"), " " if self._letter else "", title)

    def show_letter(self, letter: str) -> None:
        """Put the letter of jump mode before the title."""
        self.show_title(self._title, letter)

    def show_faults(self, errors: Iterable[CatalogError]) -> None:
        """Mark the places of faults."""
        faults = {error.line - 1: error.column - 1 for error in reversed([*errors])}
        if faults != self._faults:
            self._faults = faults
            self._build_highlight_map()
            self.refresh()

    def fault_at(self, row: int) -> int | None:
        """The column of the first fault of a row, None where it has none."""
        return self._faults.get(row)

    def action_leave(self) -> None:
        """Esc: first the completion goes, then the focus."""
        if self._completion is not None:
            self._offer(None)
        else:
            self.post_message(self.Left())

    def action_save(self) -> None:
        """Save."""
        self.post_message(self.SaveRequested())

    def action_complete(self) -> None:
        """Take the completion, else indent."""
        if self.read_only:
            return
        rest = INDENT if self._completion is None else self._completion.rest
        self._offer(None)
        self._replace_via_keyboard(rest, *self.selection)

    def action_next_problem(self) -> None:
        """Go to the next fault, round and round."""
        if not self._faults:
            return
        row = self.cursor_location[0]
        rows = sorted(self._faults)
        target = next((each for each in rows if each > row), rows[0])
        self.move_cursor(self.clamp_visitable((target, self._faults[target])), center=True)

    def find(self, text: str, *, on: bool) -> bool:
        """Select the next place of `text` from the cursor on, round and round; `on`: not the one that is selected."""
        lines, (row, column) = self.document.lines, min(self.selection)
        wanted = text.casefold()
        if not wanted:
            return False
        for step in range(len(lines) + 1):
            at = (row + step) % len(lines)
            begin = column + int(on) if step == 0 else 0
            found = lines[at].casefold().find(wanted, begin)
            if found >= 0:
                self.move_cursor((at, found))
                self.move_cursor((at, found + len(text)), select=True, center=True)
                return True
        return False

    async def _on_key(self, event: events.Key) -> None:
        keys = {key: action.does for action in AGENT_EDITOR for key in action.keys.split(",")}
        does = keys.get(event.key)
        if does is not None:
            event.stop()
            event.prevent_default()
            await self.run_action(does)

    async def _on_paste(self, event: events.Paste) -> None:
        # the field would write control characters to the terminal as they are
        event.stop()
        event.prevent_default()
        if not self.read_only:
            text = neutralise(event.text.replace("\r\n", "\n").replace("\r", "\n"))
            self._replace_via_keyboard(text, *self.selection)

    def on_text_area_changed(self) -> None:
        """A word that was typed may have a completion."""
        row, column = self.cursor_location
        self._offer(completion(self.document.lines, row, column, self._tools) if self.has_focus else None)

    def on_text_area_selection_changed(self) -> None:
        """Moved away: nothing is completed there."""
        if self._completion is not None:
            row, column = self.cursor_location
            if completion(self.document.lines, row, column, self._tools) != self._completion:
                self._offer(None)

    def _offer(self, found: Completion | None) -> None:
        if found == self._completion:
            return
        self._completion = found
        self.suggestion = "" if found is None else found.rest
        self.post_message(self.Completing(() if found is None else found.words))

    def _build_highlight_map(self) -> None:
        self._line_cache.clear()
        self._highlights.clear()

    def _use_theme(self, *_: object) -> None:
        palette = Palette.of(self.app.theme_variables)
        styles = {
            "key": palette.primary,
            "string": palette.added,
            "sign": palette.accent,
            "quiet": palette.muted,
            "heading": palette.strong,
            "code": palette.accent,
            "fault": palette.deny + palette.removed_ground,
        }
        self.register_theme(TextAreaTheme("agent", syntax_styles=styles))
        self.theme = "agent"
        self._set_theme("agent")
        self._line_cache.clear()


class _Highlights(dict[int, list[tuple[int, int | None, str]]]):
    """Highlights of lines by row, found when a row is drawn. Offsets count bytes, as the field wants them."""

    def __init__(self, field: AgentText) -> None:
        super().__init__()
        self._field = field
        self._colours: Colours | None = None

    def __bool__(self) -> bool:
        return True

    def __missing__(self, row: int) -> list[tuple[int, int | None, str]]:
        if self._colours is None:
            self._colours = Colours(self._field.document.lines)
        line = self._field.document[row]
        found = [(_bytes(line, each.start), _bytes(line, each.end), each.kind) for each in self._colours.spans(row)]
        column = self._field.fault_at(row)
        highlights: list[tuple[int, int | None, str]] = [*found]
        if column is not None and line:
            begin = min(column, len(line) - 1)
            word = len(line[begin:].split(",")[0].split("]")[0].rstrip()) or 1
            highlights.append((_bytes(line, begin), _bytes(line, begin + word), "fault"))
        self[row] = highlights
        return highlights

    def clear(self) -> None:
        super().clear()
        self._colours = None


def _bytes(line: str, column: int) -> int:
    return column if line.isascii() else len(line[:column].encode())
