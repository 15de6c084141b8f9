"""Colours and signs of the transcript, taken from the theme in force."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rich.style import Style
from textual.color import Color, ColorParseError

from decode_ui.theme import VARIABLES
from decode_ui.transcript.entry import CallState


@dataclass(frozen=True)
class Signs:
    """The signs in front of lines: a state is never told by colour alone (keys.md §9)."""

    ok: str = "●"
    waiting: str = "◐"
    failed: str = "✗"
    denied: str = "⊘"
    you: str = "›"
    thinking: str = "✻"
    note: str = "·"
    warning: str = "!"
    more: str = "…"
    bullet: str = "•"
    bar: str = "│"
    rule: str = "─"

    def of(self, state: CallState) -> str:
        """Return the sign of a call's state."""
        match state:
            case CallState.OK:
                return self.ok
            case CallState.FAILED:
                return self.failed
            case CallState.DENIED:
                return self.denied
            case CallState.RUNNING | CallState.ASKED:
                return self.waiting


UNICODE = Signs()
ASCII = Signs("+", "~", "x", "-", ">", "*", ".", "!", "...", "*", "|", "-")
"""For locales that are not UTF-8, or by setting."""


@dataclass(frozen=True)
class Palette:
    """Rich styles by what they mean. Built from theme variables, so that a change of theme is a new palette."""

    text: Style
    muted: Style
    quiet: Style
    strong: Style
    accent: Style
    primary: Style
    allow: Style
    ask: Style
    deny: Style
    added: Style
    removed: Style
    added_ground: Style
    removed_ground: Style
    cursor: Style
    found: Style

    @classmethod
    def of(cls, variables: Mapping[str, str]) -> "Palette":
        """Read the theme's variables; what a foreign theme lacks is mixed from what it has."""
        ground = _colour(variables, "background") or Color.parse("#11141b")
        text = _colour(variables, "foreground") or Color.parse("#c8d0e0")
        mixable = ground.ansi is None and text.ansi is None

        def mix(colour: Color, share: float) -> Color:
            return ground.blend(colour, share) if mixable and colour.ansi is None else ground

        muted = _colour(variables, "muted") or (mix(text, 0.55) if mixable else Color.parse("ansi_bright_black"))
        primary = _colour(variables, "primary") or text
        allow = _colour(variables, "verdict-allow", "success") or text
        ask = _colour(variables, "verdict-ask", "warning") or text
        deny = _colour(variables, "verdict-deny", "error") or text
        added = _colour(variables, "added") or allow
        removed = _colour(variables, "removed") or deny
        cursor = _colour(variables, "cursor-ground") or mix(primary, 0.16)
        return cls(
            text=_ink(text),
            muted=_ink(muted),
            quiet=_ink(_colour(variables, "secondary") or text),
            strong=_ink(text) + Style(bold=True),
            accent=_ink(_colour(variables, "accent") or primary),
            primary=_ink(primary),
            allow=_ink(allow),
            ask=_ink(ask),
            deny=_ink(deny),
            added=_ink(added),
            removed=_ink(removed),
            added_ground=_ground(_colour(variables, "added-ground") or mix(added, 0.12)),
            removed_ground=_ground(_colour(variables, "removed-ground") or mix(removed, 0.12)),
            cursor=_ground(cursor) if cursor != ground else Style(reverse=True),
            found=Style(reverse=True),
        )

    def without_colour(self) -> "Palette":
        """Return a palette for `NO_COLOR`, where grounds are not drawn: what they marked is reversed or underlined."""
        return replace(self, cursor=Style(reverse=True), found=Style(bold=True, underline=True))

    def of_state(self, state: CallState) -> Style:
        """Return the style of a call's sign."""
        match state:
            case CallState.OK:
                return self.allow
            case CallState.FAILED | CallState.DENIED:
                return self.deny
            case CallState.RUNNING | CallState.ASKED:
                return self.ask


def markdown_styles(palette: Palette) -> dict[str, Style]:
    """Return the named styles that Rich's Markdown renderer looks up."""
    title = palette.strong
    return {
        "markdown.paragraph": palette.text,
        "markdown.text": palette.text,
        "markdown.item": palette.text,
        "markdown.item.bullet": palette.muted,
        "markdown.item.number": palette.strong,
        "markdown.em": Style(italic=True),
        "markdown.strong": Style(bold=True),
        "markdown.s": Style(strike=True),
        "markdown.code": palette.accent,
        "markdown.code_block": palette.text,
        "markdown.block_quote": palette.quiet,
        "markdown.hr": palette.muted,
        "markdown.a": Style(underline=True),
        "markdown.url": palette.accent,
        "markdown.table.border": palette.muted,
        "markdown.table.header": palette.strong,
        "markdown.h1": title + palette.primary,
        **{f"markdown.h{level}": title for level in range(2, 7)},
    }


def _colour(variables: Mapping[str, str], *names: str) -> Color | None:
    for name in names:
        if name in variables:
            try:
                return Color.parse(variables[name])
            except ColorParseError:
                continue  # such as `auto 60%`, which only a style sheet can resolve
    return None


def _ink(colour: Color) -> Style:
    return Style(color=colour.rich_color)


def _ground(colour: Color) -> Style:
    return Style(bgcolor=colour.rich_color)


DEFAULT = Palette.of({**VARIABLES, "background": "#11141b", "foreground": "#c8d0e0", "primary": "#7aa2f7"})
"""The palette of the theme `decode`, for tests and for a view that is not mounted yet."""
