"""Writing, sending, steering, queueing and what comes back (keys.md §6.3 and §7.1)."""

from pathlib import Path

import pytest

from decode_core.events import AssistantMessage, SteeringTaken, TurnEnd
from decode_ui.testing import Workbench
from decode_ui.widgets.prompt import Prompt
from fake_session import FakeSession
from work_screen import run


def prompt(bench: Workbench) -> Prompt:
    return bench.app.screen.query_one(Prompt)


def test_enter_sends_and_empties_the_prompt(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send("make it configurable")
        assert session.sent == ["make it configurable"]
        assert prompt(bench).text == ""
        assert "› make it configurable" in bench.screen

    run(steps, tmp_path)


def test_enter_on_an_empty_prompt_does_nothing(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("enter")
        await bench.send("   ")
        assert session.sent == []

    run(steps, tmp_path)


def test_while_a_turn_runs_enter_steers_and_ctrl_n_queues(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send("go")
        await bench.send("also the docs")
        assert session.steered == ["also the docs"]
        assert "read next also the docs" in bench.screen
        session.emit(SteeringTaken(text="also the docs"))
        await bench.idle()
        assert "read next" not in bench.screen
        await bench.write("then the tests")
        await bench.press("ctrl+n")
        assert session.queued == ("then the tests",)
        assert "after it  then the tests" in bench.screen

    run(steps, tmp_path)


def test_up_on_an_empty_prompt_takes_the_last_queued_message_back(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send("go")
        await bench.write("later")
        await bench.press("ctrl+n", "up")
        assert session.queued == ()
        assert prompt(bench).text == "later"

    run(steps, tmp_path)


def test_what_was_never_delivered_returns_to_the_draft(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send("go")
        await bench.write("draft")
        session.finish(TurnEnd.CANCELLED, undelivered=("steering", "queued"))
        await bench.idle()
        assert prompt(bench).text == "steering\nqueued\ndraft"

    run(steps, tmp_path)


def test_new_lines_by_ctrl_j_and_by_a_trailing_backslash(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("one\ntwo\\")
        await bench.press("enter")
        await bench.write("three")
        await bench.press("enter")
        assert session.sent == ["one\ntwo\nthree"]

    run(steps, tmp_path)


def test_history_by_arrows_keeps_the_draft_as_its_newest_entry(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send("first")
        session.finish()
        await bench.send("second")
        session.finish()
        await bench.write("draft")
        texts = []
        for key in ("up", "up", "up", "down", "down", "down"):
            await bench.press(key)
            texts.append(prompt(bench).text)
        assert texts == ["second", "first", "first", "second", "draft", "draft"]

    run(steps, tmp_path)


def test_a_long_paste_folds_goes_whole_and_is_sent_whole(tmp_path: Path) -> None:
    long = "\n".join(f"line {number}" for number in range(5_000))

    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.paste(long)
        assert prompt(bench).text == "[pasted 5,000 lines]"
        await bench.press("backspace")
        assert prompt(bench).text == ""
        await bench.write("see ")
        await bench.paste(long)
        await bench.press("enter")
        assert session.sent == [f"see {long}"]

    run(steps, tmp_path)


def test_a_bare_paste_is_not_sent_at_its_line_ends(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        # without brackets a paste is keys without time between them
        await bench.pilot.press("a", "enter", "b")
        await bench.idle()
        assert session.sent == []
        assert prompt(bench).text == "a\nb"
        await bench.advance(1)
        await bench.press("enter")
        assert session.sent == ["a\nb"]

    run(steps, tmp_path)


def test_enter_at_the_end_of_a_burst_is_sent_after_a_moment(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.pilot.press("a", "enter")
        await bench.advance(0.02)
        assert session.sent == ["a"]

    run(steps, tmp_path)


def test_pasted_slash_is_plain_text(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.paste("/quit")
        await bench.press("enter")
        assert session.sent == ["/quit"]

    run(steps, tmp_path)


def test_alt_letter_is_dropped_with_a_hint(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("alt+j")
        assert prompt(bench).text == ""
        assert "press Esc again" in bench.screen

    run(steps, tmp_path)


def test_ctrl_d_quits_an_empty_prompt_when_pressed_twice_and_deletes_otherwise(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("ab")
        await bench.press("home", "ctrl+d")
        assert prompt(bench).text == "b"
        session.begin()
        await bench.press("ctrl+d", "ctrl+d")
        assert "again to quit" in bench.screen and session.cancels == 0
        await bench.advance(3)
        await bench.press("ctrl+d")
        assert bench.app.is_running
        await bench.advance(0.5)
        await bench.pilot.press("ctrl+d")
        assert bench.app.return_value == 0

    run(steps, tmp_path)


def test_question_mark_opens_help_only_in_an_empty_prompt(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("why?")
        assert prompt(bench).text == "why?"
        await bench.press(*["backspace"] * 4, "question_mark")
        assert "Keys" in bench.screen and "type to filter" in bench.screen
        await bench.press("escape")
        assert bench.app.screen.focused is prompt(bench)

    run(steps, tmp_path)


@pytest.mark.parametrize("size", [(150, 40), (120, 36), (80, 24), (60, 20)])
def test_the_prompt_grows_to_its_limit_and_no_further(tmp_path: Path, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("\n" * 15)
        assert prompt(bench).size.height == (3 if size[0] < 80 else 10)

    run(steps, tmp_path, size)


def test_page_keys_scroll_the_chat_from_the_prompt(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.emit(AssistantMessage(text="\n\n".join(f"line {number}" for number in range(100))))
        await bench.idle()
        transcript = bench.work.transcript
        bottom = transcript.scroll_y
        await bench.press("pageup")
        assert transcript.scroll_y < bottom
        await bench.press("x")
        assert transcript.scroll_y < bottom
        await bench.press("ctrl+end")
        assert transcript.scroll_y == bottom

    run(steps, tmp_path)
