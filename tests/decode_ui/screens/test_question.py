"""The question dialog: what every key does and what is sent (keys.md §5.3)."""

from collections.abc import Mapping
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import TextArea

from decode_core.decisions import Deny, Reply
from decode_ui.actions import QUESTION, QUESTION_CHOICES, QUESTION_MOVES
from decode_ui.screens.guarded import Aside
from decode_ui.screens.question_answers import CHOICES, MORE
from decode_ui.screens.question_view import QuestionDraft
from decode_ui.widgets.answers import AnswerLabel
from dialog_host import UNANSWERED, Host, play
from question_dialog import CLOSED, MANY, ONE, SEVERAL, TEXT, Asked


@pytest.mark.parametrize(
    ("payload", "keys", "result"),
    [
        pytest.param(ONE, "2", Reply(("SQLite",)), id="a number sends its option"),
        pytest.param(ONE, "enter", Reply(("PostgreSQL",)), id="enter sends the option under the cursor"),
        pytest.param(ONE, "down down enter", Reply(("both, by a setting",)), id="arrows move"),
        pytest.param(ONE, "down down down up enter", Reply(("SQLite",)), id="the cursor stops at the last option"),
        pytest.param(ONE, "end home enter", Reply(("PostgreSQL",)), id="home and end"),
        pytest.param(ONE, "tab a b enter", Reply((), "ab"), id="own words alone"),
        pytest.param(ONE, "tab a ctrl+j b enter", Reply((), "a\nb"), id="a new line in own words"),
        pytest.param(ONE, "tab a escape 3", Reply(("both, by a setting",), "a"), id="an option with own words"),
        pytest.param(ONE, "tab a tab enter", Reply((), "a"), id="the answer after the field sends what the field does"),
        pytest.param(ONE, "tab 2 question_mark enter", Reply((), "2?"), id="keys are text in the field"),
        pytest.param(SEVERAL, "1 3 enter", Reply(("PostgreSQL", "both, by a setting")), id="numbers tick"),
        pytest.param(SEVERAL, "3 1 enter", Reply(("PostgreSQL", "both, by a setting")), id="in the order of options"),
        pytest.param(SEVERAL, "down space enter", Reply(("SQLite",)), id="space ticks"),
        pytest.param(SEVERAL, "1 2 1 enter", Reply(("SQLite",)), id="a second time unticks"),
        pytest.param(SEVERAL, "2 tab a enter", Reply(("SQLite",), "a"), id="ticks with own words"),
        pytest.param(SEVERAL, "tab a enter", Reply((), "a"), id="own words without a tick"),
        pytest.param(TEXT, "a b enter", Reply((), "ab"), id="text alone: the field has the focus"),
        pytest.param(TEXT, "a ctrl+j b enter", Reply((), "a\nb"), id="text alone: a new line"),
        pytest.param(TEXT, "a tab enter", Reply((), "a"), id="text alone: by the answer"),
        pytest.param(MANY, "end enter", Reply(("choice 12",)), id="the tenth and later by the cursor"),
        pytest.param(MANY, "slash 1 1 enter enter", Reply(("choice 11",)), id="the filter finds"),
        pytest.param(MANY, "slash 1 down enter enter", Reply(("choice 10",)), id="arrows move in the filter"),
        pytest.param(MANY, "slash 1 enter 2", Reply(("choice 10",)), id="numbers count what is shown"),
        pytest.param(ONE, "escape", Deny(), id="esc declines"),
        pytest.param(TEXT, "a escape", Deny(), id="esc declines where there is nothing to go back to"),
        pytest.param(ONE, "tab a escape escape", Deny(), id="from the field esc goes to the options first"),
        pytest.param(MANY, "slash 1 escape escape", Deny(), id="from the filter esc shows all first"),
        pytest.param(ONE, "ctrl+c", Deny(stop_turn=True), id="ctrl+c stops the turn"),
        pytest.param(ONE, "tab a ctrl+c", Deny(stop_turn=True), id="ctrl+c in the field"),
        pytest.param(ONE, "ctrl+o", Aside(QuestionDraft()), id="look around"),
        pytest.param(
            SEVERAL, "2 3 tab a ctrl+o", Aside(QuestionDraft(frozenset({1, 2}), "a", 2)), id="the draft is kept"
        ),
    ],
)
def test_keys_answer_as_their_labels_say(payload: Mapping[str, Any], keys: str, result: object) -> None:
    assert Asked(payload).press(*keys.split()).result == result


@pytest.mark.parametrize(
    ("payload", "keys"),
    [
        pytest.param(ONE, "4", id="a number without an option"),
        pytest.param(ONE, "space", id="nothing to tick"),
        pytest.param(ONE, "tab enter", id="an empty field"),
        pytest.param(ONE, "tab space enter", id="a blank field"),
        pytest.param(TEXT, "enter", id="nothing written"),
        pytest.param(SEVERAL, "enter", id="nothing ticked"),
        pytest.param(SEVERAL, "1 1 enter", id="nothing ticked any more"),
        pytest.param(MANY, "slash x x enter enter", id="nothing matches"),
        pytest.param(MANY, "slash 1 escape", id="esc leaves the filter"),
        pytest.param(ONE, "tab escape", id="esc leaves the field"),
        pytest.param(ONE, "y n a q x j f5 ctrl+d shift+tab", id="keys of other dialogs"),
        pytest.param(ONE, "ctrl+t ctrl+p shift+tab", id="keys of the work screen"),
    ],
)
def test_other_keys_answer_nothing(payload: Mapping[str, Any], keys: str) -> None:
    app = Asked(payload).press(*keys.split())
    assert app.result is UNANSWERED
    assert app.return_code is None


def test_few_options_have_no_filter() -> None:
    shown = Asked(ONE).look("slash")
    assert "filter" not in shown
    assert "words of the options" not in shown
    assert "/ filter" in Asked(MANY).look()
    assert "words of the options" in Asked(MANY).look("slash")


def test_a_question_that_takes_no_text_has_no_field() -> None:
    asked = Asked(CLOSED)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        await pilot.press("tab")
        assert not isinstance(app.focused, TextArea)
        assert "write an answer" not in app.shown
        await pilot.press("escape")
        await pilot.pause()

    assert play(asked.screen, steps).result == Deny()


@pytest.mark.parametrize("way", ["click", "enter"])
@pytest.mark.parametrize("verb", ["send", "decline", "aside"])
def test_answers_can_be_clicked_and_focused(verb: str, way: str) -> None:
    asked = Asked(ONE)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        label = asked.screen.query_one(f"#question-{verb}", AnswerLabel)
        if way == "click":
            await pilot.click(label)
        else:
            label.focus()
            await pilot.press("enter")
        await pilot.pause()

    results = {"send": Reply(("PostgreSQL",)), "decline": Deny(), "aside": Aside(QuestionDraft())}
    assert play(asked.screen, steps).result == results[verb]


def test_every_key_has_a_label_or_stands_beside_its_option() -> None:
    labelled = {choice.action.id for choice in (*CHOICES, *MORE)}
    assert labelled == {action.id for action in (*QUESTION, *QUESTION_MOVES)}
    shown = Asked(MANY).look()
    for number, action in enumerate(QUESTION_CHOICES, 1):
        assert f"{action.keys} choice {number}" in shown


def test_the_question_mark_shows_and_hides_the_other_keys() -> None:
    assert "decline and stop" not in Asked(ONE).look()
    with_keys = Asked(ONE).look("question_mark")
    for words in ("↑ up", "↓ down", "Home first", "End last", "⇧⇥ previous", "^C decline and stop"):
        assert words in with_keys
    assert "decline and stop" not in Asked(ONE).look("question_mark", "question_mark")


@pytest.mark.parametrize(
    ("payload", "keys", "words"),
    [
        (ONE, "", ["enter send", "⇥ write an answer", "esc decline", "^O look around", "? keys", "choose one"]),
        (SEVERAL, "2 3", ["enter send 2 of 3", "␣ tick", "choose any", "2 ☑ SQLite", "1 ☐ PostgreSQL"]),
        (ONE, "tab a", ["enter send your words", "esc back to the options", "Your own words", "^J new line"]),
        (ONE, "tab a escape", ["enter send with your words", "esc decline", "Sent along with what you choose"]),
        (SEVERAL, "1 tab a", ["enter send 1 of 3 with your words"]),
        (MANY, "slash", ["enter to the options", "esc show all"]),
        (MANY, "slash x x", ["nothing matches · esc shows all"]),
        (TEXT, "", ["enter send", "esc decline", "Your own words"]),
    ],
)
def test_the_labels_say_what_the_keys_do_now(payload: Mapping[str, Any], keys: str, words: list[str]) -> None:
    shown = Asked(payload).look(*keys.split())
    for text in words:
        assert text in shown


def test_the_cursor_is_hidden_while_enter_sends_something_else() -> None:
    assert "› 1 PostgreSQL" in Asked(ONE).look()
    shown = Asked(ONE).look("tab", "a")
    assert "1 PostgreSQL" in shown
    assert "›" not in shown


def test_the_filter_needs_every_word_in_any_case_and_esc_shows_all() -> None:
    asked = Asked({**MANY, "options": ["Red fox", "red dog", "blue fox", *(f"other {n}" for n in range(9))]})

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        await pilot.press("slash", *"FOX", "space", *"re")
        assert asked.screen.options.shown == [0]
        await pilot.press("escape")
        await pilot.pause()
        assert asked.screen.options.shown == list(range(12))
        assert app.focused is asked.screen.options
        assert not asked.screen.finder.display

    play(asked.screen, steps)


def test_ticks_survive_the_filter() -> None:
    asked = Asked({**MANY, "multiple": True})
    keys = ["2", "slash", "1", "2", "enter", "space", "escape", "enter"]
    assert asked.press(*keys).result == Reply(("choice 2", "choice 12"))


def test_tab_goes_round_and_shift_tab_goes_back() -> None:
    asked = Asked(ONE)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        options: Widget = asked.screen.options
        seen: list[Widget | None] = []
        for _ in range(20):
            await pilot.press("tab")
            seen.append(app.focused)
            if seen[-1] is options:
                break
        assert seen[0] is asked.screen.field
        assert seen[-1] is options
        assert any(isinstance(part, AnswerLabel) for part in seen)
        await pilot.press("shift+tab")
        assert isinstance(app.focused, AnswerLabel)
        await pilot.press("shift+tab")
        assert app.focused is not options

    play(asked.screen, steps)


def test_the_count_of_waiting_questions_is_shown_only_from_two_on_and_can_grow() -> None:
    asked = Asked(ONE)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        assert "1 of" not in app.shown
        asked.screen.show_waiting(4)
        await pilot.pause()
        assert "1 of 4" in app.shown

    play(asked.screen, steps)


def test_two_answers_in_one_breath_are_one_answer() -> None:
    asked = Asked(ONE)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        asked.wait()
        asked.screen.action_choose("2")
        asked.screen.action_choose("1")
        asked.screen.action_decline()
        await pilot.pause()

    assert play(asked.screen, steps).result == Reply(("SQLite",))
