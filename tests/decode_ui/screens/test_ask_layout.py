"""What the ASK dialog shows at every size, what has to be read before allowing, and hostile text (ui.md §3)."""

from collections.abc import Mapping
from typing import Any

import pytest
from textual.geometry import Size
from textual.pilot import Pilot

from ask_bench import COMMAND, EDIT, HOSTILE, LONG, SAFE, SIZES, Ask
from decode_core.decisions import Allow, Deny
from decode_ui.screens.guarded import Aside
from decode_ui.widgets.answers import AnswerLabel
from dialog_host import UNANSWERED, Host, play


@pytest.mark.parametrize("size", SIZES)
def test_what_why_change_rule_and_answers_are_all_on_the_screen(size: tuple[int, int]) -> None:
    shown = Ask(EDIT, waiting=3).look(size)
    for words in ("Allow this edit?", "1 of 3", "docs/a.md", "y once", "a always", "n deny", "edit(docs/a.md)"):
        assert words in shown
    for words in ("t tell…", "^O aside") if size == (40, 12) else ("t deny and tell…", "^O look around"):
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


@pytest.mark.parametrize(("size", "beside"), [((160, 40), True), ((200, 50), True), ((150, 40), False)])
def test_a_change_is_side_by_side_where_there_is_room_for_two(size: tuple[int, int], beside: bool) -> None:
    shown = Ask(EDIT).look(size)
    line = next(line for line in shown.splitlines() if "− two" in line)
    assert ("+ 2" in line) is beside
    new_file = {**EDIT, "preview": {"path": "a", "before": None, "after": "one\n"}}
    assert "+ one" in Ask(new_file).look(size)
