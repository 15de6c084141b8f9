"""Quiet colours for code: a few words of the theme's own palette, on the app's background."""

from typing import Any

from pygments.token import Comment, Keyword, Name, Number, Operator, String  # type: ignore[import-untyped]
from rich.style import Style
from rich.syntax import Syntax, SyntaxTheme, TokenType
from rich.text import Text

from decode_ui.transcript.palette import Palette

MAX_LINES = 600
MAX_CHARS = 30_000
"""Larger blocks stay plain: lexers are regular expressions, and not all of them are linear."""


def highlighted(code: str, language: str, palette: Palette) -> Text:
    """Return `code` with the colours of its language; an unknown language or a huge block stays plain."""
    if not language or len(code) > MAX_CHARS or code.count("\n") > MAX_LINES:
        return Text(code, palette.text)
    return Syntax(code, language, theme=_QuietTheme(palette), word_wrap=True).highlight(code)


class _QuietTheme(SyntaxTheme):
    def __init__(self, palette: Palette) -> None:
        self._plain = palette.text
        self._styles: list[tuple[Any, Style]] = [
            (Comment, palette.muted),
            (String.Doc, palette.muted),
            (String, palette.added),
            (Number, palette.ask),
            (Keyword, palette.primary),
            (Operator.Word, palette.primary),
            (Name.Function, palette.accent),
            (Name.Class, palette.accent),
            (Name.Decorator, palette.muted),
            (Name.Tag, palette.primary),
        ]

    def get_style_for_token(self, token_type: TokenType) -> Style:
        return next((style for kind, style in self._styles if token_type in kind), self._plain)

    def get_background_style(self) -> Style:
        return Style()
