"""ASK's note to the model, and copying what is selected (keys.md §5.2)."""

from textual import events
from textual.pilot import Pilot

from ask_bench import HOSTILE, SAFE, Ask
from decode_core.decisions import Deny
from decode_ui.screens.guarded import Aside
from dialog_host import UNANSWERED, Host, play


def test_deny_and_tell_sends_the_note_with_its_newlines() -> None:
    app = Ask().press("t", *"use", "ctrl+j", *"grep", "enter")
    assert app.result == Deny(note="use\ngrep")


def test_letters_in_the_note_are_text_and_answer_nothing() -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        await pilot.press("t", "y", "a", "n")
        assert app.result is UNANSWERED
        assert ask.screen.note_field.text == "yan"

    play(ask.screen, steps)


def test_escape_in_the_note_goes_back_to_the_answers_and_keeps_the_text() -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        await pilot.press("t", "n", "o", "escape")
        assert app.result is UNANSWERED
        assert not ask.screen.is_telling
        assert app.focused is ask.screen.body
        await pilot.press("t")
        assert ask.screen.note_field.text == "no"
        await pilot.press("escape", "escape")
        await pilot.pause()

    assert play(ask.screen, steps).result == Deny()


def test_while_a_note_is_open_no_letter_allows_even_from_the_body() -> None:
    app = Ask().press("t", "n", "o", "shift+tab", "y", "a")
    assert app.result is UNANSWERED


def test_a_paste_goes_into_the_note_and_does_not_send_it() -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        await pilot.press("t")
        app.post_message(events.Paste("y\nsecond line\n"))
        await pilot.pause()
        assert app.result is UNANSWERED
        assert ask.screen.note_field.text == "y\nsecond line\n"

    play(ask.screen, steps)


def test_control_characters_of_a_paste_are_made_visible_in_the_note() -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        await pilot.press("t", "a", "b")
        ask.screen.note_field.select_all()
        app.post_message(events.Paste(HOSTILE))
        await pilot.pause()
        assert "\x1b" not in app.shown
        await pilot.press("exclamation_mark", "enter")
        await pilot.pause()

    assert play(ask.screen, steps).result == Deny(note=SAFE + "!")


def test_setting_aside_keeps_a_note_that_was_begun() -> None:
    assert Ask().press("t", "n", "o", "ctrl+o").result == Aside("no")
    assert Ask(note="no").press("t", "w", "enter").result == Deny(note="now")


def test_ctrl_c_copies_selected_text_instead_of_answering() -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        await pilot.press("t", "n", "o")
        ask.screen.note_field.select_all()
        await pilot.press("ctrl+c")
        assert app.result is UNANSWERED
        ask.screen.body.text_select_all()
        await pilot.press("ctrl+c")
        assert app.result is UNANSWERED
        await pilot.press("ctrl+c")
        await pilot.pause()

    app = play(ask.screen, steps)
    assert app.copied[0] == "no"
    assert "two" in app.copied[1]
    assert app.result == Deny(stop_turn=True)
