"""The question dialog at every size: answers stay in view, everything can be read (keys.md §10)."""

import pytest
from textual.pilot import Pilot

from decode_core.decisions import Reply
from decode_ui.screens.guarded import Aside
from decode_ui.screens.question_view import QuestionDraft
from dialog_host import Host, play
from question_dialog import LONG, ONE, SEVERAL, TEXT, Asked

SIZES = [(150, 40), (120, 36), (80, 24), (60, 20), (40, 12)]


@pytest.mark.parametrize("size", SIZES)
def test_answers_stay_in_view_whatever_is_asked(size: tuple[int, int]) -> None:
    asked = Asked(LONG)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        # options, field, options with own words, filter, options with a filter, and there the other keys
        for keys in ([], ["tab", "a"], ["escape"], ["slash", "o"], ["enter"], ["question_mark"]):
            await pilot.press(*keys)
            await pilot.pause()
            box = asked.screen.box.content_region
            for label in asked.labels():
                assert box.contains_region(label.region), (keys, label)
            assert asked.screen.body.region.height >= 1
            assert asked.screen.options.region.height >= 1

    play(asked.screen, steps, size)


@pytest.mark.parametrize("size", [(150, 40), (80, 24), (60, 20)])
def test_a_long_question_scrolls_to_its_end_and_its_options_too(size: tuple[int, int]) -> None:
    asked = Asked(LONG)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        await pilot.pause()
        assert "PgDn read on" in app.shown
        for _ in range(60):
            await pilot.press("pagedown")
        await pilot.pause()
        last = asked.screen.view.rows[-1].text
        assert last.strip()[-20:] in app.shown
        await pilot.press("end")
        await pilot.pause()
        assert "Option 49" in app.shown
        await pilot.press("space", "enter")
        await pilot.pause()

    assert play(asked.screen, steps, size).result == Reply((LONG["options"][49].rstrip("\n"),))


def test_the_question_scrolls_from_the_field_as_well() -> None:
    asked = Asked({**TEXT, "question": LONG["question"]})

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        await pilot.press("pagedown")
        assert asked.screen.body.scroll_offset.y > 0
        await pilot.press("pageup")
        assert asked.screen.body.scroll_offset.y == 0

    play(asked.screen, steps, (80, 24))


def test_an_option_taller_than_the_list_is_read_before_the_cursor_leaves_it() -> None:
    asked = Asked({**ONE, "options": ["a" + " word" * 390 + " end.", "second"]})

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        await pilot.pause()
        presses = 0
        while asked.screen.options.cursor == 0 and presses < 200:
            assert "end." not in app.shown or presses > 3
            seen = app.shown
            await pilot.press("down")
            await pilot.pause()
            presses += 1
        assert "end." in seen
        assert asked.screen.options.cursor == 1

    play(asked.screen, steps, (60, 20))


def test_a_short_question_makes_a_small_box_and_the_field_makes_it_grow() -> None:
    asked = Asked(ONE)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        await pilot.pause()
        assert asked.screen.box.region.height == 9
        await pilot.press("tab", "a", "ctrl+j", "b")
        await pilot.pause()
        assert asked.screen.box.region.height == 14
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert asked.screen.box.region.height == 24
        assert app.focused is asked.screen.field
        assert asked.screen.field.text == "a\nb"

    play(asked.screen, steps)


def test_a_terminal_that_becomes_too_small_sets_the_question_aside() -> None:
    asked = Asked(SEVERAL)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        await pilot.press("1")
        await pilot.resize_terminal(39, 20)
        await pilot.pause()

    assert play(asked.screen, steps).result == Aside(QuestionDraft(frozenset({0})))
