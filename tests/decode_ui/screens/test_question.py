"""The question dialog: what every key does, what is sent, and that nothing answers by accident (keys.md §5.1, §5.3)."""

from collections.abc import Mapping
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import TextArea

from decode_core.decisions import Deny, Question, Reply
from decode_core.events import QuestionKind
from decode_ui.actions import QUESTION, QUESTION_CHOICES, QUESTION_MOVES
from decode_ui.guard import KeyGuard
from decode_ui.screens.guarded import Aside
from decode_ui.screens.question import QuestionScreen
from decode_ui.screens.question_answers import CHOICES, MORE
from decode_ui.screens.question_view import QuestionDraft
from decode_ui.widgets.answers import AnswerLabel
from dialog_host import UNANSWERED, Clock, Host, play

SIZES = [(150, 40), (120, 36), (80, 24), (60, 20), (40, 12)]

ONE: dict[str, Any] = {
    "question": "Which database should the service use?",
    "options": ["PostgreSQL", "SQLite", "both, by a setting"],
    "multiple": False,
    "allow_free_text": True,
}
SEVERAL: dict[str, Any] = {**ONE, "multiple": True}
TEXT: dict[str, Any] = {**ONE, "question": "What should the command be called?", "options": []}
CLOSED: dict[str, Any] = {**ONE, "allow_free_text": False}
MANY: dict[str, Any] = {**ONE, "options": [f"choice {number}" for number in range(1, 13)]}
LONG: dict[str, Any] = {
    "question": "\n".join(f"Line {number}: " + "why " * 14 for number in range(60))[:4_000],
    "options": [f"Option {number}: " + "what follows from it " * 12 for number in range(50)],
    "multiple": True,
    "allow_free_text": True,
}

HOSTILE = "[@click=app.quit]x[/] \x1b[31mred \u202egnp.exe"
SAFE = "[@click=app.quit]x[/] ␛[31mred <U+202E>gnp.exe"


class Asked:
    """One dialog with its clock; what it hands back stands in `typed` and `unsent`."""

    def __init__(self, payload: Mapping[str, Any] = ONE, waiting: int = 1, draft: QuestionDraft | None = None) -> None:
        self.clock = Clock()
        self.typed: list[str] = []
        self.unsent: list[str] = []
        self.screen = QuestionScreen(
            Question("q1", QuestionKind.ASK_USER, payload),
            waiting,
            KeyGuard(self.clock),
            on_typed=self.typed.append,
            on_unsent=self.unsent.append,
            draft=draft,
        )

    def wait(self) -> None:
        """The guard time passes."""
        self.clock.advance(1)
        self.screen.show_guard()

    def press(self, *keys: str, size: tuple[int, int] = (150, 40)) -> Host:
        """The application after `keys` were pressed with the guard live."""

        async def steps(app: Host, pilot: Pilot[None]) -> None:
            self.wait()
            await pilot.pause()
            await pilot.press(*keys)
            await pilot.pause()

        return play(self.screen, steps, size)

    def look(self, *keys: str, size: tuple[int, int] = (150, 40)) -> str:
        """The screen after `keys`."""
        seen: list[str] = []

        async def steps(app: Host, pilot: Pilot[None]) -> None:
            self.wait()
            await pilot.pause()
            await pilot.press(*keys)
            await pilot.pause()
            seen.append(app.shown)

        play(self.screen, steps, size)
        return seen[0]

    def labels(self) -> list[AnswerLabel]:
        """The answers that are shown."""
        labels = self.screen.query(AnswerLabel)
        return [label for label in labels if label.display and all(up.display for up in label.ancestors if _is(up))]


def _is(node: object) -> bool:
    return isinstance(node, Widget)


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
