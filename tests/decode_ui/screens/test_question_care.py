"""The question dialog: nothing answers by accident, nothing written is lost, nothing hostile acts (keys.md §5.1)."""

from collections.abc import Mapping
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from decode_core.decisions import Deny, Reply
from decode_ui.screens.question_view import QuestionDraft
from dialog_host import UNANSWERED, Host, play
from question_dialog import MANY, ONE, SEVERAL, TEXT, Asked

HOSTILE = "[@click=app.quit]x[/] \x1b[31mred \u202egnp.exe"
SAFE = "[@click=app.quit]x[/] ␛[31mred <U+202E>gnp.exe"


@pytest.mark.parametrize("payload", [ONE, SEVERAL, TEXT, MANY], ids=["one", "several", "text", "many"])
@pytest.mark.parametrize("keys", ["1 yes / ", "2", "no!", "?"])
def test_what_is_typed_while_the_dialog_opens_answers_nothing_and_reaches_the_draft(
    payload: Mapping[str, Any], keys: str
) -> None:
    asked = Asked(payload)
    names = {" ": "space", "!": "exclamation_mark", "/": "slash", "?": "question_mark"}

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        for character in keys:
            await pilot.press(names.get(character, character))
            asked.clock.advance(0.25)
        await pilot.press("enter", "tab", "enter", "escape", "ctrl+c", "ctrl+o")
        assert app.result is UNANSWERED
        assert asked.screen.draft == QuestionDraft()

    play(asked.screen, steps)
    assert "".join(asked.typed) == keys


def test_nothing_goes_to_the_draft_once_the_dialog_is_live() -> None:
    asked = Asked(TEXT)
    assert asked.press("h", "i", "enter").result == Reply((), "hi")
    assert asked.typed == []


def test_everything_is_dim_until_the_guard_is_live() -> None:
    asked = Asked(ONE)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        assert all(label.has_class("-dead") for label in asked.labels())
        assert asked.screen.options.has_class("-dead")
        asked.wait()
        assert not any(label.has_class("-dead") for label in asked.labels())
        assert not asked.screen.options.has_class("-dead")

    play(asked.screen, steps)


def test_a_click_on_an_option_obeys_the_guard_and_then_sends() -> None:
    asked = Asked(ONE)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.click("#options", offset=(8, 1))
        assert app.result is UNANSWERED
        asked.wait()
        asked.screen.guard.focus_regained()
        await pilot.click("#options", offset=(8, 1))
        assert app.result is UNANSWERED
        asked.clock.advance(0.3)
        await pilot.click("#options", offset=(8, 1))
        await pilot.pause()

    assert play(asked.screen, steps).result == Reply(("SQLite",))


def test_a_click_ticks_where_several_may_be_chosen() -> None:
    asked = Asked(SEVERAL)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        await pilot.click("#options", offset=(4, 2))
        await pilot.click("#options", offset=(8, 0))
        await pilot.click("#question-send")
        await pilot.pause()

    assert play(asked.screen, steps).result == Reply(("PostgreSQL", "both, by a setting"))


@pytest.mark.parametrize(
    ("payload", "keys"),
    [(TEXT, "a b escape"), (ONE, "tab a b escape escape"), (TEXT, "a b ctrl+c"), (SEVERAL, "tab a b tab ctrl+c")],
)
def test_what_was_written_is_kept_when_the_person_declines(payload: Mapping[str, Any], keys: str) -> None:
    asked = Asked(payload)
    assert isinstance(asked.press(*keys.split()).result, Deny)
    assert asked.unsent == ["ab"]


@pytest.mark.parametrize(
    ("payload", "keys"), [(ONE, "escape"), (TEXT, "space escape"), (TEXT, "a enter"), (ONE, "tab a ctrl+o")]
)
def test_nothing_is_kept_where_nothing_is_lost(payload: Mapping[str, Any], keys: str) -> None:
    asked = Asked(payload)
    assert asked.press(*keys.split()).result is not UNANSWERED
    assert asked.unsent == []


def test_a_withdrawn_question_closes_without_an_answer_and_keeps_the_text() -> None:
    asked = Asked(TEXT)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        await pilot.press("h", "m")
        asked.screen.withdraw()
        await pilot.pause()

    assert play(asked.screen, steps).result is None
    assert asked.unsent == ["hm"]


def test_a_draft_goes_on_where_it_was_left() -> None:
    asked = Asked(SEVERAL, draft=QuestionDraft(frozenset({0}), "as before", 1))
    shown = asked.look()
    assert "1 ☑ PostgreSQL" in shown
    assert "› 2 ☐ SQLite" in shown
    assert "as before" in shown
    again = Asked(SEVERAL, draft=QuestionDraft(frozenset({0}), "as before", 1))
    assert again.press("space", "enter").result == Reply(("PostgreSQL", "SQLite"), "as before")


def test_selected_text_is_copied_before_anything_is_stopped() -> None:
    asked = Asked(TEXT)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        await pilot.press("h", "i")
        asked.screen.field.select_all()
        await pilot.press("ctrl+c")
        assert app.copied == ["hi"]
        assert app.result is UNANSWERED
        await pilot.press("ctrl+c")
        await pilot.pause()

    assert play(asked.screen, steps).result == Deny(stop_turn=True)


@pytest.mark.parametrize("pasted", ["2", "1\n", "\n", "y\n\n"])
def test_a_paste_never_answers(pasted: str) -> None:
    asked = Asked(ONE)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        app.post_message(events.Paste(pasted))
        await pilot.pause()
        assert app.result is UNANSWERED
        await pilot.press("tab")
        app.post_message(events.Paste(pasted))
        await pilot.pause()
        assert app.result is UNANSWERED
        assert asked.screen.field.text == pasted

    play(asked.screen, steps)


def test_pastes_are_made_inert_in_the_field_and_in_the_filter() -> None:
    asked = Asked(MANY)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        await pilot.press("tab")
        app.post_message(events.Paste(HOSTILE))
        await pilot.pause()
        assert asked.screen.field.text == SAFE
        await pilot.press("escape", "slash")
        app.post_message(events.Paste(HOSTILE + "\nmore"))
        await pilot.pause()
        assert asked.screen.filter_field.value == SAFE

    play(asked.screen, steps)


@pytest.mark.parametrize("field", ["question", "options"])
def test_hostile_text_is_shown_as_signs_and_goes_back_unchanged(field: str) -> None:
    asked = Asked({**ONE, field: HOSTILE if field == "question" else ["plain", HOSTILE]})

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        shown = app.shown
        assert SAFE in shown
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        await pilot.click("#question", offset=(4, 0))
        await pilot.press("2")
        await pilot.pause()

    app = play(asked.screen, steps)
    assert app.return_code is None
    assert app.result == Reply((HOSTILE if field == "options" else "SQLite",))
