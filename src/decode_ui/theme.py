"""The colours of decode. Colour means something: modes, verdicts, focus; every state is a word or a sign as well."""

from textual.theme import Theme

VARIABLES = {
    "border": "#2b3242",
    "muted": "#6c7689",
    "mode-default": "#7aa2f7",
    "mode-edit": "#9ece6a",
    "mode-plan": "#bb9af7",
    "mode-dont-ask": "#e0af68",
    "mode-bypass": "#f7768e",
    "verdict-allow": "#9ece6a",
    "verdict-ask": "#e0af68",
    "verdict-deny": "#f7768e",
    "added": "#9ece6a",
    "added-ground": "#18251d",
    "removed": "#f7768e",
    "removed-ground": "#2a1a22",
    "cursor-ground": "#1b2436",
}
"""Names that style sheets use as `$name` and Python as `app.theme_variables["name"]`."""

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
