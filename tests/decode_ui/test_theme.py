"""Themes: one set of names, and enough contrast where it is promised."""

import pytest
from textual.color import Color
from textual.theme import Theme

from decode_ui.theme import ANSI, DARK, HIGH_CONTRAST, LIGHT, MEANINGS, SHORT_NAMES, THEMES, theme_name

INKS = (
    "muted",
    "mode-default",
    "mode-edit",
    "mode-plan",
    "mode-dont-ask",
    "mode-bypass",
    "verdict-ask",
    "added",
    "removed",
)


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2: 1 to 21."""

    def luminance(text: str) -> float:
        shares = [channel / 255 for channel in Color.parse(text).rgb]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_every_theme_defines_every_meaning(theme: Theme) -> None:
    assert set(theme.variables) >= set(MEANINGS)


@pytest.mark.parametrize(
    ("theme", "text", "muted", "border"), [(DARK, 7, 3, 1.3), (LIGHT, 7, 4, 1.3), (HIGH_CONTRAST, 7, 7, 3)]
)
def test_contrast_against_every_ground(theme: Theme, text: float, muted: float, border: float) -> None:
    for ground in (theme.background, theme.surface, theme.panel):
        assert ground is not None
        assert contrast(str(theme.foreground), ground) >= text
        for name in INKS:
            assert contrast(theme.variables[name], ground) >= muted, name
        if ground != theme.panel:  # no frame stands on the panel's ground
            assert contrast(theme.variables["border"], ground) >= border


@pytest.mark.parametrize("ground", ["added-ground", "removed-ground", "cursor-ground"])
def test_high_contrast_holds_on_diffs_and_under_the_cursor(ground: str) -> None:
    for ink in (str(HIGH_CONTRAST.foreground), *(HIGH_CONTRAST.variables[name] for name in ("added", "removed"))):
        assert contrast(ink, HIGH_CONTRAST.variables[ground]) >= 7


def test_the_ansi_theme_uses_the_terminals_colours_alone() -> None:
    colours = (value for name, value in ANSI.variables.items() if not name.endswith("-style"))
    assert all(value.startswith("ansi_") for value in colours)
    assert ANSI.ansi


def test_short_names_and_whole_names_are_understood() -> None:
    assert {theme_name(short) for short in SHORT_NAMES} == set(THEMES)
    assert theme_name("decode-light") == "decode-light"
    assert theme_name("nonsense") is None
