"""What is painted where a terminal shows no colours (`NO_COLOR`) or no signs beyond ASCII (keys.md §9).

Both work on what is about to be painted, so that they hold for every widget, also for those of Textual itself.
"""

from collections.abc import Callable, Iterable, Mapping

from rich.cells import cell_len
from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color, ColorParseError
from textual.filter import LineFilter

MARKS = (
    *("cursor-ground", "warning", "error", "input-selection-background", "screen-selection-background"),
    *("mode-default", "mode-edit", "mode-plan", "mode-dont-ask", "mode-bypass"),
    *("scrollbar", "scrollbar-hover", "scrollbar-active"),
)
"""Grounds of a theme that mark something: cursor, bar, mode, selection. Without colour they are reversed."""

SIGNS = {
    **dict.fromkeys("✓✔●◉◎■▪▰█▇▆▅▄▃▂▁▓☑✚⊕±", "+"),
    **dict.fromkeys("▸›→▶▷»⇒↪↳⟶", ">"),
    **dict.fromkeys("‹←◀◁«⇐↩↵⏎", "<"),
    **dict.fromkeys("↑▲△", "^"),
    **dict.fromkeys("↓▼▽", "v"),
    **dict.fromkeys("○◌◦⊘⊖−–—―‐‑‒▱▫□☐▒░─━═╌╍┄┅⎯▔", "-"),
    **dict.fromkeys("✗✘✕✖×⊗☒", "x"),
    **dict.fromkeys("│┃║▏▎▍▌▋▊▉▕▐╎╏┆┇⋮", "|"),
    **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬", "+"),
    **dict.fromkeys("✻✦✧★☆•◇◆∙", "*"),
    **dict.fromkeys("◐◑◒◓…⋯≈↻↺⟳", "~"),
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("‘’‚‛′", "'"),
    **dict.fromkeys("⎇⧉⚙", "#"),
    **dict(zip("·␣⇧⇥⚠≠≤≥↔↕÷", "-_BT!!<>-|/", strict=True)),
}
"""A sign of one cell for each of ours and for those that frames and bars are drawn with."""


def to_ascii(text: str) -> str:
    """`text` in ASCII, cell for cell: our signs become simpler ones, and what has no counterpart a question mark."""
    if text.isascii():
        return text
    return "".join(each if each.isascii() else SIGNS.get(each) or "?" * cell_len(each) for each in text)


def wants_ascii(encoding: str | None) -> bool:
    """Whether a terminal of this encoding needs ASCII signs."""
    return (encoding or "").lower().replace("-", "").replace("_", "") not in ("utf8", "utf8sig", "utf16", "utf32")


class AsciiSigns(LineFilter):
    """Paints nothing but ASCII."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments in ASCII."""
        return [Segment(to_ascii(text), style, control) for text, style, control in segments]


class WithoutColour(LineFilter):
    """Paints without colours; grounds that mark something are reversed. `variables` are those of the theme in force."""

    def __init__(self, variables: Callable[[], Mapping[str, str]]) -> None:
        super().__init__()
        self._variables = variables
        self._known: Mapping[str, str] = {}
        self._marks: frozenset[tuple[object, ...]] = frozenset()

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments without colours."""
        variables = self._variables()
        if variables is not self._known:
            self._known, self._marks = variables, frozenset(_grounds(variables))
        return [
            Segment(text, self._plain(style) if style is not None else None, control)
            for text, style, control in segments
        ]

    def _plain(self, style: Style) -> Style:
        is_marked = style.bgcolor is not None and _identity(style.bgcolor) in self._marks
        return Style(
            bold=style.bold or is_marked,
            dim=style.dim,
            italic=style.italic,
            underline=style.underline,
            strike=style.strike,
            reverse=style.reverse or is_marked,
            link=style.link,
        )


def _grounds(variables: Mapping[str, str]) -> Iterable[tuple[object, ...]]:
    for name in MARKS:
        try:
            yield _identity(Color.parse(variables.get(name, "")).rich_color)
        except ColorParseError:
            continue  # a foreign theme may lack it, or leave it to a style sheet


def _identity(colour: RichColor) -> tuple[object, ...]:
    """What makes two colours the same, whatever they are called."""
    return colour.type, colour.number, colour.triplet
