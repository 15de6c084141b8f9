"""ASK's `w` why and `v` full view: what they show, and that nothing behind them answers (keys.md §5.2)."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from textual.geometry import Size
from textual.pilot import Pilot

from decode_core.decisions import Allow, Deny, Question
from decode_core.events import QuestionKind
from decode_ui.guard import KeyGuard
from decode_ui.screens.ask import AskScreen
from decode_ui.screens.ask_pages import call_rows, why_rows
from decode_ui.screens.guarded import Aside
from decode_ui.widgets.answers import AnswerLabel
from decode_ui.widgets.body_rows import BodyRow
from dialog_host import UNANSWERED, Clock, Host, play

STEPS = ["edit is a tool of kind file_edit", "no deny rule matches", "mode default: ask"]
EDIT: dict[str, Any] = {
    "tool": "edit",
    "kind": "file_edit",
    "subject": "docs/a.md",
    "subject_kind": "path",
    "reason": "Mode default asks before file edits.",
    "by": "mode",
    "mode": "default",
    "agent_path": ["build", "explore"],
    "cwd": "/home/me/payments",
    "args": {"path": "docs/a.md", "old": "two", "new": "2"},
    "steps": STEPS,
    "preview": {"path": "docs/a.md", "before": "one\ntwo\n", "after": "one\n2\n"},
    "stores": {},
    "offers": ["once", "deny", "tell", "stop"],
}
LONG: dict[str, Any] = {
    **EDIT,
    "tool": "bash",
    "kind": "other",
    "subject_kind": "command",
    "subject": "\n".join(f"step{number} --all" for number in range(200)),
    "preview": None,
}
HOSTILE = "[@click=app.quit]x[/] \x1b[31mred \u202egnp.exe"
SAFE = "[@click=app.quit]x[/] ␛[31mred <U+202E>gnp.exe"


class Ask:
    """One dialog with its clock."""

    def __init__(self, payload: Mapping[str, Any] = EDIT, note: str = "") -> None:
        self.clock = Clock()
        question = Question("q1", QuestionKind.PERMISSION, payload)
        self.screen = AskScreen(question, 1, KeyGuard(self.clock), note=note)

    def press(self, *keys: str, size: tuple[int, int] = (150, 40)) -> tuple[str, object]:
        """The screen after `keys`, and what the dialog closed with."""
        seen: list[str] = []

        async def steps(app: Host, pilot: Pilot[None]) -> None:
            self.clock.advance(1)
            for key in keys:
                await pilot.press(key)
                await pilot.pause()  # a page has its height only after the next layout
            await pilot.pause()
            seen.append(app.shown)

        result = play(self.screen, steps, size).result
        return seen[0], result


def text(rows: list[BodyRow]) -> str:
    return "\n".join(row.gutter + row.text for row in rows)


def test_why_shows_the_verdict_step_by_step_and_esc_goes_back() -> None:
    shown, result = Ask().press("w")
    assert "Why you are asked" in shown
    for number, step in enumerate(STEPS, 1):
        assert f"  {number}. {step}" in shown
    assert "ask  edit docs/a.md" in shown
    assert "Mode default asks before file edits. (by mode, mode default)" in shown
    assert "y once" not in shown
    assert result is UNANSWERED
    shown, result = Ask().press("w", "escape")
    assert "Allow this edit?" in shown
    assert "y once" in shown
    assert result is UNANSWERED


def test_the_full_view_takes_the_whole_screen_and_shows_the_whole_call() -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        before = ask.screen.box.region
        await pilot.press("v")
        await pilot.pause()
        assert ask.screen.box.region.size == Size(150, 40)
        for words in ("The whole call", "build › explore", "/home/me/payments", "old   two", "2  − two", "2  + 2"):
            assert words in app.shown
        await pilot.press("escape")
        await pilot.pause()
        assert ask.screen.box.region == before
        assert app.focused is ask.screen.body

    play(ask.screen, steps)


@pytest.mark.parametrize("page", ["w", "v"])
@pytest.mark.parametrize(
    ("keys", "result"),
    [
        (["y", "a", "n", "t", "w", "v", "enter"], UNANSWERED),
        (["escape", "y"], Allow.once()),
        (["escape", "n"], Deny()),
        (["tab", "enter", "y"], Allow.once()),
        (["ctrl+o"], Aside("")),
        (["ctrl+c"], Deny(stop_turn=True)),
    ],
)
def test_nothing_behind_a_page_answers_until_it_is_left(page: str, keys: list[str], result: object) -> None:
    assert Ask().press(page, *keys)[1] == result


@pytest.mark.parametrize("verb", ["why", "view"])
def test_pages_open_by_a_click_and_close_by_one(verb: str) -> None:
    ask = Ask()

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.click(f"#ask-{verb}")
        assert "esc back to the question" not in app.shown
        ask.clock.advance(1)
        await pilot.click(f"#ask-{verb}")
        await pilot.pause()
        assert "esc back to the question" in app.shown
        await pilot.click("#page-back")
        await pilot.pause()
        assert "esc back to the question" not in app.shown
        assert all(label.region for label in ask.screen.query(AnswerLabel))
        await pilot.press("y")
        await pilot.pause()

    assert play(ask.screen, steps).result == Allow.once()


@pytest.mark.parametrize("page", ["w", "v"])
def test_no_page_opens_while_a_note_is_written_and_the_note_survives_one(page: str) -> None:
    assert Ask().press("t", page, "enter")[1] == Deny(note=page)
    assert Ask(note="be").press(page, "escape", "t", page, "enter")[1] == Deny(note="be" + page)


def test_reading_a_page_is_not_reading_the_command() -> None:
    _, result = Ask(LONG).press("w", "end", "escape", "y", size=(80, 24))
    assert result is UNANSWERED
    _, result = Ask(LONG).press("v", "end", "escape", "y", size=(80, 24))
    assert result is UNANSWERED
    _, result = Ask(LONG).press("v", "end", "escape", "end", "y", size=(80, 24))
    assert result == Allow.once()


def test_the_full_view_scrolls_to_the_end_of_the_call() -> None:
    shown, _ = Ask({**LONG, "args": {"command": LONG["subject"], "last": "the very end"}}).press("v", "end")
    assert "the very end" in shown
    shown, _ = Ask({**LONG, "args": {"command": LONG["subject"]}}).press("v", "pagedown")
    assert "step60 --all" in shown


@pytest.mark.parametrize("page", ["w", "v"])
@pytest.mark.parametrize("size", [(150, 40), (80, 24), (60, 20), (40, 12)])
def test_a_page_fits_and_survives_a_resize(page: str, size: tuple[int, int]) -> None:
    ask = Ask(LONG)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        ask.clock.advance(1)
        await pilot.press(page)
        await pilot.resize_terminal(*size)
        await pilot.pause()
        back = ask.screen.query_one("#page-back", AnswerLabel)
        assert ask.screen.box.content_region.contains_region(back.region)
        assert "y once" not in app.shown
        await pilot.press("escape")
        await pilot.pause()
        assert "y once" in app.shown

    play(ask.screen, steps)


def test_the_full_view_lists_every_changed_line() -> None:
    after = "".join(f"{number}\n" for number in range(1_000))
    rows = text(call_rows({**EDIT, "preview": {"path": "a", "before": None, "after": after}}))
    assert "999" in rows
    assert "not shown" not in rows


@pytest.mark.parametrize("payload", [{}, {"steps": None, "args": 7, "agent_path": "x"}, {"steps": [1], "preview": "x"}])
def test_what_is_missing_or_misshapen_is_said_and_never_raised(payload: dict[str, Any]) -> None:
    assert "no steps were recorded" in text(why_rows(payload))
    assert "no reason was given" in text(why_rows(payload))
    assert "no arguments" in text(call_rows(payload))


@pytest.mark.parametrize("rows", [why_rows, call_rows])
@pytest.mark.parametrize("field", ["steps", "reason", "tool", "subject", "agent_path", "cwd", "args", "preview"])
def test_hostile_text_is_shown_as_signs(rows: Callable[[Mapping[str, Any]], list[BodyRow]], field: str) -> None:
    hostile: dict[str, Any] = {
        "steps": [HOSTILE],
        "agent_path": ["build", HOSTILE],
        "args": {HOSTILE: HOSTILE},
        "preview": {"path": "a", "before": HOSTILE, "after": HOSTILE + "\n"},
    }
    shown = text(rows({**EDIT, field: hostile.get(field, HOSTILE)}))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    if field not in ("tool", "subject"):
        assert (SAFE in shown) is (rows is (why_rows if field in ("steps", "reason") else call_rows))
    else:
        assert SAFE in shown
