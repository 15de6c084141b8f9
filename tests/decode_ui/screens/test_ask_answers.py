"""ASK's answers that reach beyond the call: session, pattern, mode, folder, changed arguments, always deny."""

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from ask_bench import FULL, HOSTILE, LONG, OUTSIDE_READ, SAFE, SIZES, Ask
from decode_core.decisions import Allow, AllowScope, Deny, DenyScope
from decode_core.events import ToolCallStarted
from decode_core.permissions.rules import RuleSource
from decode_core.rehearsal import Rehearsal
from decode_ui.screens.change_page import ChangePage
from decode_ui.widgets.answers import AnswerLabel
from dialog_host import UNANSWERED, Host, play
from fake_session import FakeSession

BASH = {
    **FULL,
    "tool": "bash",
    "kind": "other",
    "subject": "git add -A x",
    "subject_kind": "command",
    "args": {"command": "git add -A x", "timeout": 30},
    "preview": None,
    "stores": {
        "pattern": {
            "rules": ["bash(git add *)", "bash(git *)"],
            "list": "allow",
            "places": {"project": ".decode/settings.json", "user": "~/own.json"},
        }
    },
    "offers": ["once", "pattern", "edit", "deny", "tell", "stop"],
}


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("s", Allow(AllowScope.SESSION)),
        ("a", Allow.always()),
        ("m", Allow(AllowScope.EDITS)),
        ("d", Deny(scope=DenyScope.ALWAYS)),
    ],
)
def test_each_key_answers_as_its_label_says(key: str, answer: object) -> None:
    assert Ask(FULL).press(key).result == answer


@pytest.mark.parametrize("key", ["S", "A", "M", "D", "P", "E", "f"])
def test_a_capital_or_an_answer_that_is_not_offered_does_nothing(key: str) -> None:
    assert Ask(FULL).press(key).result is UNANSWERED


def test_a_folder_outside_can_be_added_for_reading_and_the_dialog_says_which() -> None:
    shown = Ask(OUTSIDE_READ).look()
    assert "s lets through /opt/lib/a.h, this session" in shown
    assert "f lets it read /opt/lib, this session" in shown
    assert "d denies read(/opt/lib/a.h) from now on, in .decode/settings.json" in shown
    assert Ask(OUTSIDE_READ).press("f").result == Allow(AllowScope.FOLDER)


def test_what_is_stored_is_on_the_screen_before_it_is_stored() -> None:
    shown = Ask(FULL).look()
    assert "a stores edit(docs/a.md) in .decode/settings.json: any change of this file · d denies the same" in shown


@pytest.mark.parametrize("missing", ["always", "session", "never", "pattern"])
def test_an_answer_that_cannot_say_what_it_keeps_is_not_offered(missing: str) -> None:
    keys = {"always": "a", "session": "s", "never": "d", "pattern": "p"}
    stores = {name: kept for name, kept in FULL["stores"].items() if name != missing}
    ask = Ask({**FULL, "stores": stores})
    assert ask.press(keys[missing]).result is UNANSWERED
    assert "Always, a pattern" not in Ask({**FULL, "stores": stores}).look()


@pytest.mark.parametrize("key", ["s", "a", "p", "m"])
def test_a_command_that_was_not_read_to_its_end_is_allowed_in_no_way(key: str) -> None:
    unread = {**LONG, "stores": FULL["stores"], "offers": FULL["offers"]}
    app = Ask(unread).press(key)
    assert app.result is UNANSWERED
    assert "press End" in app.last_shown


@pytest.mark.parametrize("size", SIZES)
def test_all_answers_are_whole_on_the_screen_at_every_size(size: tuple[int, int]) -> None:
    shown = Ask(FULL).look(size)
    if size == SIZES[-1]:
        allowing = ("y once", "s session", "a always", "p pattern…", "m + mode edit", "e change…")
        others = ("n deny", "t tell…", "d always deny", "w why", "v view", "^O aside")
    else:
        allowing = ("y once", "s session", "a always, exactly this", "p pattern…", "m allow + mode edit", "e change…")
        others = ("n deny", "t deny and tell…", "d always deny", "w why", "v full view", "^O look around")
    for label in (*allowing, *others):
        assert label in shown


# -- a pattern


def test_enter_keeps_the_suggestion_in_the_project() -> None:
    kept = Allow(AllowScope.ALWAYS, rule="edit(docs/**)", place=RuleSource.PROJECT)
    assert Ask(FULL).press("p", "enter").result == kept


def test_the_arrows_go_through_the_suggestions_and_the_text_can_be_edited() -> None:
    kept = Allow(AllowScope.ALWAYS, rule="edit(docs/a.md)", place=RuleSource.PROJECT)
    assert Ask(FULL).press("p", "down", "down", "enter").result == kept
    kept = Allow(AllowScope.ALWAYS, rule="edit(docs/*.mdx)", place=RuleSource.PROJECT)
    assert Ask(FULL).press("p", "down", "left", "x", "enter").result == kept


@pytest.mark.parametrize(
    ("keys", "scope", "place"),
    [
        (("tab", "tab", "u"), AllowScope.ALWAYS, RuleSource.USER),
        (("tab", "tab", "s"), AllowScope.SESSION, RuleSource.SESSION),
    ],
)
def test_another_place_is_chosen_from_the_answers(keys: tuple[str, ...], scope: AllowScope, place: RuleSource) -> None:
    assert Ask(FULL).press("p", *keys).result == Allow(scope, rule="edit(docs/**)", place=place)


def test_letters_in_the_field_are_text_and_escape_goes_back_to_the_question() -> None:
    ask = Ask(FULL)
    app = ask.press("p", "s", "u", "y", "escape")
    assert app.result is UNANSWERED
    assert "why you are asked" in app.last_shown
    assert Ask(FULL).press("p", "s", "escape", "y").result == Allow.once()


def test_the_page_names_both_places() -> None:
    shown = Ask(FULL).press("p").last_shown
    assert "enter stores in .decode/settings.json · u in ~/.config/decode/settings.json" in shown


def with_session(tmp_path: Path, steps: Callable[[FakeSession, Rehearsal], None]) -> None:
    import asyncio

    async def run() -> None:
        session = FakeSession.open(tmp_path)
        try:
            await asyncio.to_thread(steps, session, session.rehearsal)
        finally:
            await session.close()

    asyncio.run(run())


def test_a_pattern_lists_what_it_would_have_matched_in_this_session(tmp_path: Path) -> None:
    def steps(session: FakeSession, rehearsal: Rehearsal) -> None:
        for number, command in enumerate(["git add a.py", "git push", "git add b.py", "ls"]):
            session.emit(ToolCallStarted(call_id=f"c{number}", tool="bash", args={"command": command}))
        shown = Ask(BASH, rehearsal=rehearsal).press("p").last_shown
        assert "matches this call and 2 of 4 earlier calls in this session:" in shown
        assert shown.index("git add b.py") < shown.index("git add a.py")
        assert "git push" not in shown
        assert "git push" in Ask(BASH, rehearsal=rehearsal).press("p", "down").last_shown

    with_session(tmp_path, steps)


@pytest.mark.parametrize(
    ("typed", "says"),
    [("bash", "every call of bash"), ("bash(*)", "nearly every call"), ("bash(rm *)", "does not match this call")],
)
def test_a_pattern_that_fits_not_is_told_and_not_stored(tmp_path: Path, typed: str, says: str) -> None:
    def steps(session: FakeSession, rehearsal: Rehearsal) -> None:
        ask = Ask(BASH, rehearsal=rehearsal)

        async def type_rule(app: Host, pilot: Pilot[None]) -> None:
            ask.clock.advance(1)
            await pilot.press("p")
            await pilot.pause()
            field = app.screen.query_one("#rule")
            field.value = typed  # type: ignore[attr-defined]
            await pilot.press("enter")
            await pilot.pause(0.05)
            assert says in app.shown

        assert play(ask.screen, type_rule).result is UNANSWERED

    with_session(tmp_path, steps)


# -- changed arguments


def test_changed_arguments_are_sent_with_the_approval_and_the_others_stay_as_they_were() -> None:
    app = Ask(BASH).press("e", "end", "y", "enter")
    assert app.result == Allow(args={"command": "git add -A xy", "timeout": 30})


def test_a_number_is_changed_as_json() -> None:
    assert Ask(BASH).press("e", "tab", "end", "5", "enter").result == Allow(
        args={"command": "git add -A x", "timeout": 305}
    )
    app = Ask(BASH).press("e", "tab", "end", "y", "enter")
    assert app.result is UNANSWERED
    assert "timeout is no JSON value" in app.last_shown


def test_unchanged_arguments_are_not_an_answer() -> None:
    app = Ask(BASH).press("e", "enter")
    assert app.result is UNANSWERED
    assert "Nothing was changed" in app.last_shown


def test_escape_in_a_field_goes_back_to_the_question() -> None:
    app = Ask(BASH).press("e", "x", "escape")
    assert app.result is UNANSWERED
    assert "git add -A x" in app.last_shown


def test_what_is_not_valid_or_would_be_refused_is_told_before_it_is_sent(tmp_path: Path) -> None:
    def steps(session: FakeSession, rehearsal: Rehearsal) -> None:
        from decode_core.permissions.rules import RuleList

        app = Ask(BASH, rehearsal=rehearsal).press("e", "tab", "home", "minus", "enter")
        assert app.result is UNANSWERED
        assert "cannot be used" in app.last_shown
        session.rule_book.store(RuleList.DENY, "bash(git push *)", RuleSource.SESSION)
        ask = Ask(BASH, rehearsal=rehearsal)

        async def push(app: Host, pilot: Pilot[None]) -> None:
            ask.clock.advance(1)
            await pilot.press("e")
            await pilot.pause()
            app.screen.query_one(ChangePage).fields[0].text = "git push origin"
            await pilot.press("enter")
            await pilot.pause(0.05)
            assert "would be refused: The deny rule bash(git push *)" in app.shown

        assert play(ask.screen, push).result is UNANSWERED

    with_session(tmp_path, steps)


def test_an_argument_with_invisible_characters_is_shown_and_not_changed_by_accident() -> None:
    hostile = {**BASH, "args": {"command": f"git add {HOSTILE}", "timeout": 30}, "subject": f"git add {HOSTILE}"}
    app = Ask(hostile).press("e", "x", "enter")
    assert app.result is UNANSWERED
    assert SAFE in app.last_shown
    assert "not to be changed here" in app.last_shown
    changed = Ask(hostile).press("e", "tab", "end", "0", "enter").result
    assert changed == Allow(args={"command": f"git add {HOSTILE}", "timeout": 300})


def test_the_editor_takes_the_field_in_focus(monkeypatch: pytest.MonkeyPatch) -> None:
    from contextlib import nullcontext

    monkeypatch.setattr("decode_ui.screens.change_page.edit_text", lambda text, suspended, environ: text + "\nsecond")
    monkeypatch.setattr(Host, "suspend", lambda self: nullcontext())
    app = Ask(BASH).press("e", "ctrl+g", "enter")
    assert app.result == Allow(args={"command": "git add -A x\nsecond", "timeout": 30})


@pytest.mark.parametrize("page", ["p", "e"])
@pytest.mark.parametrize("size", SIZES)
def test_the_pages_answers_are_on_the_screen_at_every_size(page: str, size: tuple[int, int]) -> None:
    ask = Ask(FULL)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        await pilot.press("end", page)
        await pilot.pause()
        labels = [label for label in app.screen.query(AnswerLabel) if label.is_on_screen]
        assert len(labels) == (4 if page == "p" else 3)
        for label in labels:
            assert label.label[:20] in app.shown

    play(ask.screen, steps, size)
