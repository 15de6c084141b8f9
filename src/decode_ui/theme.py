"""The themes of decode. Colour means something: modes, verdicts, focus; every state is a word or a sign as well.

All themes define the same names, so that style sheets use `$name` and Python `app.theme_variables["name"]`.
"""

from textual.theme import Theme

MEANINGS = (
    *("border", "muted"),
    *("mode-default", "mode-edit", "mode-plan", "mode-dont-ask", "mode-bypass"),
    *("verdict-allow", "verdict-ask", "verdict-deny"),
    *("added", "added-ground", "removed", "removed-ground", "cursor-ground"),
)
"""Names that every theme defines beside Textual's own."""


def _variables(
    *,
    border: str,
    muted: str,
    blue: str,
    green: str,
    violet: str,
    amber: str,
    red: str,
    added_ground: str,
    removed_ground: str,
    cursor_ground: str,
) -> dict[str, str]:
    return {
        "border": border,
        "muted": muted,
        "mode-default": blue,
        "mode-edit": green,
        "mode-plan": violet,
        "mode-dont-ask": amber,
        "mode-bypass": red,
        "verdict-allow": green,
        "verdict-ask": amber,
        "verdict-deny": red,
        "added": green,
        "added-ground": added_ground,
        "removed": red,
        "removed-ground": removed_ground,
        "cursor-ground": cursor_ground,
    }


VARIABLES = _variables(
    border="#2b3242",
    muted="#6c7689",
    blue="#7aa2f7",
    green="#9ece6a",
    violet="#bb9af7",
    amber="#e0af68",
    red="#f7768e",
    added_ground="#18251d",
    removed_ground="#2a1a22",
    cursor_ground="#1b2436",
)
"""The variables of the dark theme, which stand in for what a foreign theme lacks."""

DARK = Theme(
    name="decode",
    primary="#7aa2f7",
    secondary="#9aa5ce",
    accent="#7dcfff",
    foreground="#c8d0e0",
    background="#11141b",
    surface="#161a23",
    panel="#1d222e",
    success="#9ece6a",
    warning="#e0af68",
    error="#f7768e",
    dark=True,
    variables=VARIABLES,
)

LIGHT = Theme(
    name="decode-light",
    primary="#2f5fd0",
    secondary="#56607a",
    accent="#0b6b94",
    foreground="#232a3a",
    background="#fbfbfd",
    surface="#f3f4f8",
    panel="#e6e8f0",
    success="#3a7a1e",
    warning="#8f5a00",
    error="#c02744",
    dark=False,
    variables=_variables(
        border="#c3c8d6",
        muted="#5f677b",
        blue="#2f5fd0",
        green="#3a7a1e",
        violet="#7a45c4",
        amber="#8f5a00",
        red="#c02744",
        added_ground="#e3f3dc",
        removed_ground="#fbe3e7",
        cursor_ground="#dfe8fb",
    ),
)

HIGH_CONTRAST = Theme(
    name="decode-high-contrast",
    primary="#8fc7ff",
    secondary="#ffffff",
    accent="#7fe9ff",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#101010",
    success="#7dff7d",
    warning="#ffd34d",
    error="#ff9c9c",
    dark=True,
    variables=_variables(
        border="#9a9a9a",
        muted="#c8c8c8",
        blue="#8fc7ff",
        green="#7dff7d",
        violet="#dcb8ff",
        amber="#ffd34d",
        red="#ff9c9c",
        added_ground="#002b00",
        removed_ground="#3a0000",
        cursor_ground="#12233c",
    ),
)
"""Texts at 7:1 and borders at 3:1 against their ground (keys.md §9); a test computes them."""

ANSI = Theme(
    name="decode-ansi",
    primary="ansi_blue",
    secondary="ansi_default",
    accent="ansi_cyan",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    success="ansi_green",
    warning="ansi_yellow",
    error="ansi_red",
    dark=True,
    ansi=True,
    variables={
        **_variables(
            border="ansi_bright_black",
            muted="ansi_bright_black",
            blue="ansi_blue",
            green="ansi_green",
            violet="ansi_magenta",
            amber="ansi_yellow",
            red="ansi_red",
            added_ground="ansi_default",
            removed_ground="ansi_default",
            cursor_ground="ansi_bright_black",
        ),
        # what Textual derives for other themes, it wants to be told for one of named colours
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "border-blurred": "ansi_bright_black",
        "block-cursor-foreground": "ansi_black",
        "block-cursor-background": "ansi_cyan",
        "input-cursor-background": "ansi_default",
        "input-cursor-foreground": "ansi_default",
        "input-cursor-text-style": "reverse",
        "input-selection-background": "ansi_blue",
        "input-selection-foreground": "ansi_black",
        "screen-selection-background": "ansi_blue",
        "screen-selection-foreground": "ansi_black",
    },
)
"""The terminal's own sixteen colours."""

THEMES = {theme.name: theme for theme in (DARK, LIGHT, HIGH_CONTRAST, ANSI)}
"""All themes by name."""

SHORT_NAMES = {"dark": DARK.name, "light": LIGHT.name, "high-contrast": HIGH_CONTRAST.name, "ansi": ANSI.name}
"""What people write in settings and after /theme."""


def theme_name(wish: str) -> str | None:
    """The theme that a person means, or None where there is none of that name."""
    name = SHORT_NAMES.get(wish, wish)
    return name if name in THEMES else None
