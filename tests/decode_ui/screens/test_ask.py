"""The ASK dialog: what every key does, and that nothing answers it by accident (keys.md §5)."""

import pytest
from textual import events
from textual.pilot import Pilot

from ask_bench import EDIT, Ask
from decode_core.decisions import Allow, Deny
from decode_ui.actions import ASK
from decode_ui.screens.ask import CHOICES, AskScreen
from decode_ui.screens.guarded import Aside
from decode_ui.widgets.answers import AnswerLabel
from dialog_host import UNANSWERED, Host, play


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("y", Allow.once()),
        ("a", Allow.always()),
        ("n", Deny()),
        ("escape", Deny()),
        ("ctrl+c", Deny(stop_turn=True)),
        ("ctrl+o", Aside("")),
    ],
)
def test_each_key_answers_as_its_label_says(key: str, answer: object) -> None:
    assert Ask().press(key).result == answer


@pytest.mark.parametrize("key", ["enter", "space", "Y", "A", "s", "p", "m", "e", "d", "1", "f5", "ctrl+d"])
def test_any_other_key_answers_nothing(key: str) -> None:
    assert Ask().press(key).result is UNANSWERED


@pytest.mark.parametrize("key", ["shift+tab", "ctrl+t", "ctrl+p"])
def test_keys_of_the_work_screen_do_nothing_under_the_dialog(key: str) -> None:
    app = Ask().press(key)
    assert app.result is UNANSWERED
    assert app.return_code is None


def test_every_action_of_the_table_is_reachable_by_a_label_or_needs_none() -> None:
    shown = {choice.action.id for choice in CHOICES}
    assert {action.id for action in ASK} - shown == {"ask.stop"}


@pytest.mark.parametrize("keys", ["yes a ", "n", "no!", "t"])
def test_what_is_typed_while_the_dialog_opens_answers_nothing_and_reaches_the_draft(keys: str) -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        for character in keys:
            await pilot.press({" ": "space", "!": "exclamation_mark"}.get(character, character))
            ask.clock.advance(0.25)
        await pilot.press("enter", "tab", "escape", "ctrl+c", "ctrl+o", "enter")
        assert app.result is UNANSWERED
        assert isinstance(app.focused, type(ask.screen.body))

    play(ask.screen, steps)
    assert "".join(ask.typed) == keys


def test_after_a_pause_the_same_keys_answer_and_nothing_goes_to_the_draft() -> None:
    ask = Ask()
    assert ask.press("y").result == Allow.once()
    assert ask.typed == []


def test_labels_are_dim_until_the_guard_is_live() -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        labels = list(ask.screen.query(AnswerLabel))
        assert all(label.has_class("-dead") for label in labels)
        ask.clock.advance(1)
        ask.screen.show_guard()
        assert not any(label.has_class("-dead") for label in labels)

    play(ask.screen, steps)


def test_a_click_obeys_the_guard_as_well() -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.click("#ask-once")
        assert app.result is UNANSWERED
        ask.clock.advance(1)
        ask.screen.guard.focus_regained()
        await pilot.click("#ask-once")
        assert app.result is UNANSWERED
        ask.clock.advance(0.3)
        await pilot.click("#ask-once")
        await pilot.pause()

    assert play(ask.screen, steps).result == Allow.once()


@pytest.mark.parametrize("action_id", ["ask.once", "ask.always", "ask.deny", "ask.aside"])
def test_every_answer_can_be_clicked(action_id: str) -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        await pilot.click(f"#{action_id.replace('.', '-')}")
        await pilot.pause()

    expected = {
        "ask.once": Allow.once(),
        "ask.always": Allow.always(),
        "ask.deny": Deny(),
        "ask.aside": Aside(""),
    }
    assert play(ask.screen, steps).result == expected[action_id]


@pytest.mark.parametrize("text", ["y", "yes\n", "a", "\x1b"])
def test_a_paste_never_answers(text: str) -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        app.post_message(events.Paste(text))
        await pilot.pause()

    assert play(ask.screen, steps).result is UNANSWERED
    assert ask.typed == []


def test_a_paste_with_an_answer_in_focus_never_presses_it() -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        await pilot.press("tab")
        app.post_message(events.Paste("y\n"))
        await pilot.pause()

    assert play(ask.screen, steps).result is UNANSWERED


def test_tab_goes_from_the_body_over_every_answer_and_back_to_the_body() -> None:
    ask = Ask()
    seen: list[str | None] = []

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        for _ in range(9):
            seen.append(app.focused.id if app.focused else None)
            await pilot.press("tab")

    play(ask.screen, steps)
    answers = ["ask-once", "ask-always", "ask-deny", "ask-tell", "ask-why", "ask-view", "ask-aside"]
    assert seen == ["body", *answers, "body"]


def test_shift_tab_moves_focus_back_and_does_nothing_else() -> None:
    ask = Ask()
    seen: list[str | None] = []

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        for _ in range(3):
            await pilot.press("shift+tab")
            seen.append(app.focused.id if app.focused else None)
        assert app.result is UNANSWERED

    play(ask.screen, steps)
    assert seen == ["ask-aside", "ask-view", "ask-why"]


@pytest.mark.parametrize(
    ("tabs", "answer"), [(0, UNANSWERED), (1, Allow.once()), (2, Allow.always()), (3, Deny()), (7, Aside(""))]
)
def test_enter_presses_the_focused_answer_and_does_nothing_on_the_body(tabs: int, answer: object) -> None:
    assert Ask().press(*["tab"] * tabs, "enter").result == answer


@pytest.mark.parametrize(
    ("offers", "key"), [(["once", "deny"], "a"), (["deny"], "y"), (["once"], "t"), ([], "y"), (["everything"], "a")]
)
def test_what_is_not_offered_is_neither_shown_nor_answered(offers: list[str], key: str) -> None:
    ask = Ask({**EDIT, "offers": offers})

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        await pilot.press(key)
        assert not ask.screen.is_telling
        shown = {label.choice.action.id for label in ask.screen.query(AnswerLabel)}
        always = {"ask.deny", "ask.why", "ask.view", "ask.aside"}
        assert shown == always | {f"ask.{offer}" for offer in offers if offer != "everything"}

    assert play(ask.screen, steps).result is UNANSWERED


def test_always_is_offered_only_with_what_it_stores() -> None:
    assert "always, exactly this" not in Ask({**EDIT, "stores": {}}).look()
    assert Ask({**EDIT, "stores": {}}).press("a").result is UNANSWERED


def test_a_question_with_nothing_on_offer_can_still_be_denied() -> None:
    assert Ask({}).press("n").result == Deny()


def test_the_count_of_waiting_questions_is_shown_only_from_two_on_and_can_grow() -> None:
    ask = Ask(EDIT, waiting=1)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        assert "1 of" not in app.shown
        ask.screen.show_waiting(4)
        await pilot.pause()
        assert "1 of 4" in app.shown

    play(ask.screen, steps)


def test_two_answers_in_one_breath_are_one_answer() -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        ask.screen.action_once()
        ask.screen.action_deny()
        await pilot.pause()

    assert play(ask.screen, steps).result == Allow.once()


def test_a_withdrawn_question_closes_without_an_answer() -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.screen.withdraw()
        await pilot.pause()
        assert not isinstance(app.screen, AskScreen)

    assert play(ask.screen, steps).result is None
