"""Turns entries into strips of exactly one width. Pure: the same entry, width and palette give the same strips.

Foreign text goes through `foreign.py` first, and reaches Rich as Text objects only, never as markup.
"""

from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from io import StringIO

from rich.console import Console
from rich.segment import Segment
from rich.text import Text
from rich.theme import Theme
from textual.strip import Strip

from decode_core.events import NoticeLevel
from decode_ui.transcript import foreign, tool_line
from decode_ui.transcript.entry import (
    AnswerEntry,
    Entry,
    HintEntry,
    NoteEntry,
    NoticeEntry,
    Role,
    ThinkingEntry,
    ToolEntry,
    UserEntry,
    plain_text,
)
from decode_ui.transcript.layout import Extent
from decode_ui.transcript.palette import DEFAULT, UNICODE, Palette, Signs, markdown_styles
from decode_ui.transcript.rows import Fit, Row, exact, strips

MIN_WIDTH = 8
"""Narrower views get strips that were drawn at this width and cut."""
MAX_USER_LINES = 20
"""A longer message of the person is folded, as a long paste is in the prompt."""


class Painter:
    """Draws entries in one palette. `palette` and `signs` are fixed: another theme is another painter."""

    def __init__(self, palette: Palette = DEFAULT, signs: Signs = UNICODE) -> None:
        self.palette = palette
        self.signs = signs

    def paint(self, entry: Entry, width: int) -> list[Strip]:
        """Return the rows of an entry, each exactly `width` cells wide; an empty entry has none."""
        if width < MIN_WIDTH:
            return [exact(strip, max(width, 0)) for strip in self.paint(entry, MIN_WIDTH)]
        match entry:
            case AnswerEntry(markdown):
                return self.markdown(markdown, width)
            case UserEntry():
                rows = self._user(entry)
            case ThinkingEntry():
                rows = self._thinking(entry)
            case ToolEntry():
                rows = self._tool(entry, width)
            case NoteEntry(text):
                rows = iter([Row(Text(foreign.one_line(text), self.palette.muted), self._note_mark(), Fit.CUT)])
            case NoticeEntry():
                rows = self._notice(entry)
            case HintEntry():
                rows = self._hint(entry)
        return strips(rows, width, _console(self.palette), self.signs.more)

    def markdown(self, source: str, width: int) -> list[Strip]:
        """Return Markdown as strips of exactly `width` cells."""
        if width < MIN_WIDTH:
            return [exact(strip, max(width, 0)) for strip in self.markdown(source, MIN_WIDTH)]
        # imported late: the parser and the highlighter would cost the first frame a quarter of a second
        from decode_ui.transcript.markdown import CalmMarkdown

        console = _console(self.palette)
        text = foreign.prose(source)
        answer = CalmMarkdown(text, self.palette, self.signs)
        if answer.too_deep:
            return strips([Row(Text(text, self.palette.text))], width, console, self.signs.more)
        lines = console.render_lines(answer, console.options.update_width(width), pad=False, new_lines=False)
        inked = [number for number, line in enumerate(lines) if _has_ink(line)]
        return [exact(line, width) for line in lines[inked[0] : inked[-1] + 1]] if inked else []

    def _user(self, entry: UserEntry) -> Iterator[Row]:
        lines = entry.text.strip("\n").split("\n")
        shown = lines if entry.unfolded else lines[:MAX_USER_LINES]
        mark = Text(f"{self.signs.you} ", self.palette.accent)
        yield Row(Text(foreign.prose("\n".join(shown)), self.palette.text), mark)
        if len(lines) > len(shown):
            count = f"{len(lines) - len(shown):,} more lines {self.signs.note} enter unfolds"
            yield tool_line.more_row(count, self.palette, self.signs)

    def _thinking(self, entry: ThinkingEntry) -> Iterator[Row]:
        muted = self.palette.muted
        if entry.live:
            head = f"thinking{self.signs.more}"
        elif entry.seconds:
            head = f"thought for {tool_line.elapsed(_whole(entry.seconds))}"
        else:
            head = "thought"
        yield Row(Text(head, muted), Text(f"{self.signs.thinking} ", muted), Fit.CUT)
        if entry.unfolded and entry.text.strip():
            yield Row(Text(foreign.prose(entry.text.strip()), self.palette.quiet), Text("  "))

    def _tool(self, entry: ToolEntry, width: int) -> Iterator[Row]:
        yield Row(tool_line.head(entry, width, self.palette, self.signs), fit=Fit.CUT)
        yield from tool_line.body(entry, self.palette, self.signs)

    def _notice(self, entry: NoticeEntry) -> Iterator[Row]:
        match entry.level:
            case NoticeLevel.ERROR:
                sign, style = self.signs.failed, self.palette.deny
            case NoticeLevel.WARNING:
                sign, style = self.signs.warning, self.palette.ask
            case NoticeLevel.INFO:
                sign, style = self.signs.note, self.palette.muted
        text = style if entry.level is NoticeLevel.ERROR else self.palette.text
        yield Row(Text(foreign.prose(entry.text), text), Text(f"{sign} ", style))
        if entry.hint:
            yield Row(Text(foreign.prose(entry.hint), self.palette.muted), Text("  "))

    def _hint(self, entry: HintEntry) -> Iterator[Row]:
        styles = {
            Role.PLAIN: self.palette.text,
            Role.DIM: self.palette.muted,
            Role.KEY: self.palette.accent,
            Role.STRONG: self.palette.strong,
        }
        for line in entry.lines:
            yield Row(Text.assemble(*((foreign.one_line(text), styles[role]) for text, role in line)))

    def _note_mark(self) -> Text:
        return Text(f"{self.signs.note} ", self.palette.muted)


def warm() -> None:
    """Import the Markdown parser and the highlighter, in a thread after the first frame; answers need them."""
    import_module("decode_ui.transcript.markdown")


def extent(entry: Entry) -> Extent:
    """Return what the height of `entry` is estimated from before it is rendered."""
    match entry:
        case NoteEntry():
            return Extent(1)
        case ThinkingEntry() if not entry.unfolded:
            return Extent(1)
        case ToolEntry():
            return Extent(1 + tool_line.body_rows(entry))
        case UserEntry(text) if not entry.unfolded and text.count("\n") > MAX_USER_LINES:
            return Extent(MAX_USER_LINES + 1)
        case _:
            text = plain_text(entry)
            return Extent(text.count("\n") + 1, len(text))


@lru_cache(maxsize=4)
def _console(palette: Palette) -> Console:
    return Console(
        file=StringIO(),
        width=80,
        color_system="truecolor",
        force_terminal=True,
        legacy_windows=False,
        markup=False,
        emoji=False,
        highlight=False,
        theme=Theme(markdown_styles(palette), inherit=True),
        _environ={},
    )


def _has_ink(line: list[Segment]) -> bool:
    return any(segment.text.strip() for segment in line)


def _whole(seconds: float) -> int:
    """Thinking is told in whole seconds, but never as none."""
    return max(round(seconds), 1) * 1_000
