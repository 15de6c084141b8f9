"""Colours come from the theme in force, also from one that does not know ours."""

import pytest
from textual.theme import BUILTIN_THEMES

from decode_ui.theme import DARK
from decode_ui.transcript.entry import AnswerEntry, CallState
from decode_ui.transcript.palette import ASCII, UNICODE, Palette, Signs
from decode_ui.transcript.render import Painter


def palette_of(name: str) -> Palette:
    theme = DARK if name == "decode" else BUILTIN_THEMES[name]
    return Palette.of({**theme.to_color_system().generate(), **theme.variables})


@pytest.mark.parametrize("name", ["decode", *sorted(BUILTIN_THEMES)])
def test_every_theme_gives_a_palette_that_paints(name: str) -> None:
    palette = palette_of(name)
    assert palette.muted != palette.text
    assert palette.added != palette.removed
    assert palette.cursor.bgcolor is not None or palette.cursor.reverse
    assert Painter(palette).paint(AnswerEntry("# a\n\n`b`"), 20)


def test_nothing_but_the_theme_decides_colours() -> None:
    assert Palette.of({}) == Palette.of({"unknown": "#123456"})
    assert Palette.of({"muted": "auto 60%"}).muted == Palette.of({}).muted


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_states_that_differ_have_signs_that_differ(signs: Signs) -> None:
    distinct = [signs.of(state) for state in (CallState.OK, CallState.FAILED, CallState.DENIED, CallState.RUNNING)]
    assert len(set(distinct)) == 4
