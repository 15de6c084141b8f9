"""The ASK dialog: what it shows, what every key does, and that nothing answers it by accident (keys.md §5)."""

from collections.abc import Mapping
from typing import Any

import pytest
from textual import events
from textual.geometry import Size
from textual.pilot import Pilot

from decode_core.decisions import Allow, Deny, Question
from decode_core.events import QuestionKind
from decode_ui.actions import ASK
from decode_ui.guard import KeyGuard
from decode_ui.screens.ask import CHOICES, AskScreen
from decode_ui.screens.guarded import Aside
from decode_ui.widgets.answers import AnswerLabel
from dialog_host import UNANSWERED, Clock, Host, play

SIZES = [(150, 40), (120, 36), (80, 24), (60, 20), (40, 12)]

EDIT: dict[str, Any] = {
    "tool": "edit",
    "kind": "file_edit",
    "subject": "docs/a.md",
    "subject_kind": "path",
    "reason": "Mode default asks before file edits.",
    "by": "mode",
    "mode": "default",
    "agent_path": ["build"],
    "cwd": "/home/me/payments",
    "args": {"path": "docs/a.md", "old": "two", "new": "2"},
    "steps": [],
    "preview": {"path": "docs/a.md", "before": "one\ntwo\nthree\n", "after": "one\n2\nthree\n"},
    "stores": {
        "always": {
            "rule": "edit(docs/a.md)",
            "list": "allow",
            "file": ".decode/settings.json",
            "layer": "project",
            "note": "any change of this file",
        },
    },
    "offers": ["once", "always", "deny", "tell", "stop"],
}

COMMAND: dict[str, Any] = {
    **EDIT,
    "tool": "bash",
    "kind": "other",
    "subject": "make test",
    "subject_kind": "command",
    "reason": "Mode default asks before commands.",
    "args": {"command": "make test"},
    "preview": None,
    "stores": {},
    "offers": ["once", "deny", "tell", "stop"],
}

LONG = {**COMMAND, "subject": "\n".join(f"step{number} --all" for number in range(200))}

HOSTILE = "[@click=app.quit]x[/] \x1b[31mred \u202egnp.exe"
SAFE = "[@click=app.quit]x[/] ␛[31mred <U+202E>gnp.exe"


class Ask:
    """One dialog with its clock; `live` is set when the guard time has passed."""

    def __init__(self, payload: Mapping[str, Any] = EDIT, waiting: int = 1, note: str = "") -> None:
        self.clock = Clock()
        self.typed: list[str] = []
        question = Question("q1", QuestionKind.PERMISSION, payload)
        guard = KeyGuard(self.clock)
        self.screen = AskScreen(question, waiting, guard, on_typed=self.typed.append, note=note)

    def press(self, *keys: str, size: tuple[int, int] = (150, 40)) -> Host:
        """The application after `keys` were pressed with the guard live."""

        async def steps(app: Host, pilot: Pilot[None]) -> None:
            self.clock.advance(1)
            await pilot.press(*keys)
            await pilot.pause()

        return play(self.screen, steps, size)

    def look(self, size: tuple[int, int] = (150, 40)) -> str:
        """The screen as it is shown once the guard is live."""
        seen: list[str] = []

        async def steps(app: Host, pilot: Pilot[None]) -> None:
            self.clock.advance(1)
            await pilot.pause()
            seen.append(app.shown)

        play(self.screen, steps, size)
        return seen[0]


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


@pytest.mark.parametrize("size", SIZES)
def test_what_why_change_rule_and_answers_are_all_on_the_screen(size: tuple[int, int]) -> None:
    shown = Ask(EDIT, waiting=3).look(size)
    for words in ("Allow this edit?", "1 of 3", "docs/a.md", "y once", "a always, exactly this", "n deny"):
        assert words in shown
    for words in ("t deny and tell…", "^O look around", "edit(docs/a.md)"):
        assert words in shown
    if size != (40, 12):
        assert "a stores edit(docs/a.md) in .decode/settings.json" in shown
        assert "Mode default asks before file edits." in shown
        assert "2  − two" in shown
        assert "2  + 2" in shown


@pytest.mark.parametrize(
    ("payload", "title"),
    [
        (EDIT, "Allow this edit?"),
        (COMMAND, "Allow this command?"),
        ({**EDIT, "tool": "fetch", "kind": "other", "subject_kind": "url"}, "Allow this call?"),
    ],
)
def test_the_title_says_what_is_asked(payload: Mapping[str, Any], title: str) -> None:
    assert title in Ask(payload).look()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("payload", [EDIT, LONG], ids=["edit", "long"])
def test_answers_stay_whole_inside_the_box_at_every_size(payload: Mapping[str, Any], size: tuple[int, int]) -> None:
    ask = Ask({**payload, "subject": payload["subject"] * 3, "reason": "why " * 200})

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        box = ask.screen.box.content_region
        for label in ask.screen.query(AnswerLabel):
            assert box.contains_region(label.region)
            assert label.region.width == label.render().cell_length + label.gutter.width
        assert ask.screen.body.region.height >= 1

    play(ask.screen, steps, size)


@pytest.mark.parametrize(("size", "margin"), [((150, 40), 4), ((120, 36), 4), ((80, 24), 0), ((60, 20), 0)])
def test_wide_dialogs_leave_a_margin_and_small_ones_fill_the_screen(size: tuple[int, int], margin: int) -> None:
    ask = Ask(LONG)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        region = ask.screen.box.region
        if margin:
            assert min(region.x, region.y, size[0] - region.right, size[1] - region.bottom) >= margin
            assert abs(region.x - (size[0] - region.right)) <= 1
        else:
            assert region.size == Size(*size)

    play(ask.screen, steps, size)


def test_a_terminal_that_becomes_too_small_sets_the_question_aside() -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.resize_terminal(39, 20)
        await pilot.pause()

    assert play(ask.screen, steps).result == Aside("")


def test_a_resize_keeps_dialog_focus_note_and_guard() -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.resize_terminal(80, 24)
        await pilot.press("y")
        assert app.result is UNANSWERED
        ask.clock.advance(1)
        await pilot.press("t", "n", "o")
        await pilot.resize_terminal(150, 40)
        assert app.focused is ask.screen.note_field
        await pilot.press("enter")
        await pilot.pause()

    assert play(ask.screen, steps).result == Deny(note="no")


@pytest.mark.parametrize("size", [(150, 40), (80, 24), (60, 20)])
def test_a_command_that_does_not_fit_is_allowed_only_after_its_end_was_on_the_screen(size: tuple[int, int]) -> None:
    ask = Ask(LONG)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        await pilot.pause()
        assert "read to the end to allow" in app.shown
        await pilot.press("y", "tab", "enter")
        await pilot.click("#ask-once")
        assert app.result is UNANSWERED
        await pilot.press("end")
        await pilot.pause()
        assert "step199 --all" in app.shown
        assert "read to the end to allow" not in app.shown
        await pilot.press("home", "y")
        await pilot.pause()

    assert play(ask.screen, steps, size).result == Allow.once()


def test_a_command_that_does_not_fit_can_be_denied_unread() -> None:
    assert Ask(LONG).press("n").result == Deny()


def test_a_command_that_does_not_fit_has_its_programs_listed_first() -> None:
    middle = "\n".join("echo nothing" for _ in range(100))
    shown = Ask({**LONG, "subject": f"git add .\n{middle}\nsudo rm -rf /"}).look((80, 24))
    assert "programs  git, echo, sudo, rm" in shown


def test_a_short_command_needs_no_reading_and_no_list_of_programs() -> None:
    shown = Ask(COMMAND).look()
    assert "programs" not in shown
    assert "$ make test" in shown
    assert Ask(COMMAND).press("y").result == Allow.once()


def test_a_path_too_long_for_its_line_is_whole_in_the_body_and_must_be_read() -> None:
    path = "deep/" * 400 + "end.txt"
    ask = Ask({**EDIT, "subject": path})

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        await pilot.press("y")
        assert app.result is UNANSWERED
        assert path in ask.screen.body.text
        await pilot.press("end", "y")
        await pilot.pause()

    assert play(ask.screen, steps, (80, 24)).result == Allow.once()


@pytest.mark.parametrize(("key", "x", "y"), [("down", 0, 1), ("pagedown", 0, None), ("end", 0, None), ("right", 8, 0)])
def test_the_body_scrolls_by_keys_from_wherever_the_focus_is(key: str, x: int, y: int | None) -> None:
    after = "".join(f"{number} " + "long " * 60 + "\n" for number in range(300))
    ask = Ask({**EDIT, "preview": {"path": "a", "before": None, "after": after}})

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        for tabs in ([], ["tab"]):
            await pilot.press("home", *tabs, key)
            offset = ask.screen.body.scroll_offset
            assert offset.x == x
            assert offset.y == y if y is not None else offset.y > 10
        labels = [label.region for label in ask.screen.query(AnswerLabel)]
        assert all(ask.screen.box.content_region.contains_region(region) for region in labels)
        await pilot.press("left", "up", "pageup", "home")
        assert ask.screen.body.scroll_offset == (0, 0)

    play(ask.screen, steps)


def test_a_line_that_goes_on_ends_in_a_sign_until_it_is_scrolled_to_its_end() -> None:
    ask = Ask({**EDIT, "preview": {"path": "a", "before": None, "after": "x" * 130 + "end\n"}})

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        assert "xxx›" in app.shown
        await pilot.press(*["right"] * 5)
        await pilot.pause()
        assert "xxxend" in app.shown
        assert "›" not in app.shown

    play(ask.screen, steps)


def test_more_than_400_changed_lines_are_counted() -> None:
    after = "".join(f"{number}\n" for number in range(1_000))
    ask = Ask({**EDIT, "preview": {"path": "a", "before": None, "after": after}})

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        await pilot.press("end")
        await pilot.pause()
        assert "… 600 more changed lines are not shown" in app.shown

    play(ask.screen, steps)


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


@pytest.mark.parametrize(
    "field", ["tool", "subject", "reason", "mode", "cwd", "agent_path", "stores", "args", "preview", "command"]
)
def test_hostile_text_in_any_field_is_shown_as_signs_and_does_nothing(field: str) -> None:
    payload: dict[str, Any] = dict(EDIT)
    match field:
        case "agent_path":
            payload["agent_path"] = ["build", HOSTILE]
        case "stores":
            payload["stores"] = {"always": {"rule": HOSTILE, "file": HOSTILE, "note": HOSTILE}}
        case "args":
            payload["preview"] = None
            payload["args"] = {HOSTILE: HOSTILE}
        case "preview":
            payload["preview"] = {"path": HOSTILE, "before": HOSTILE, "after": HOSTILE + "\n" + HOSTILE}
        case "command":
            payload = {**COMMAND, "subject": HOSTILE}
        case "mode":
            payload |= {"mode": HOSTILE, "reason": HOSTILE}
        case _:
            payload[field] = HOSTILE
    ask = Ask(payload)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        shown = app.shown
        assert SAFE in shown
        assert "\x1b" not in shown
        assert "\u202e" not in shown

    assert play(ask.screen, steps).return_code is None
