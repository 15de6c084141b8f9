"""What a person does in the chat, key by key."""

import pytest
from textual.pilot import Pilot

from decode_ui.transcript.entry import (
    AnswerEntry,
    CallState,
    Fold,
    NoteEntry,
    OutputLine,
    ThinkingEntry,
    ToolEntry,
    UserEntry,
    fold_of,
)
from decode_ui.transcript.view import Transcript, Want

from .chat_app import conversation, run, view

TALL = AnswerEntry("\n\n".join(f"line {n}" for n in range(20)))


def cursor_rows(chat: Transcript) -> list[str]:
    ground = chat.painter.palette.cursor.bgcolor
    rows = [chat.render_line(y) for y in range(chat.size.height)]
    return [r.text.rstrip() for r in rows if any(s.style and s.style.bgcolor == ground for s in r)]


# -- the cursor


def test_with_focus_a_block_is_marked_and_without_it_none() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend([UserEntry("one"), AnswerEntry("two\n\nthree")])
        await pilot.pause()
        assert chat.has_focus
        assert cursor_rows(chat) == ["two", "", "three"]
        await pilot.press("k")
        assert cursor_rows(chat) == ["› one"]
        chat.blur()
        await pilot.pause()
        assert cursor_rows(chat) == []

    run(steps)


def test_the_cursor_goes_along_while_the_reader_follows() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(conversation(5))
        await pilot.pause()
        chat.append(UserEntry("new"))
        assert chat.cursor == len(chat.entries) - 1
        await pilot.press("up")
        chat.append(UserEntry("newer"))
        assert chat.cursor == len(chat.entries) - 3

    run(steps)


@pytest.mark.parametrize(("up", "down"), [("up", "down"), ("k", "j")])
def test_a_tall_block_scrolls_before_the_cursor_leaves_it(up: str, down: str) -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend([UserEntry("above"), TALL, UserEntry("below")])
        await pilot.pause()
        await pilot.press(up)
        assert chat.cursor == 1
        presses = 0
        while chat.cursor == 1:
            before = chat.scroll_y
            await pilot.press(up)
            presses += 1
            assert chat.cursor == 0 or before - 3 <= chat.scroll_y < before
        assert presses > 5
        assert view(chat)[0] == "› above"
        while chat.cursor != 2:
            await pilot.press(down)
        assert view(chat)[-1] == "› below"
        assert chat.follow

    run(steps)


def test_home_and_end_go_to_the_ends() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(conversation(50))
        await pilot.pause()
        await pilot.press("home")
        assert chat.cursor == 0
        assert view(chat)[0] == "› question 0"
        await pilot.press("end")
        assert view(chat)[-1] == "· turn 49 ended"

    run(steps)


def test_u_goes_back_over_the_persons_own_messages_and_capital_u_forward() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(conversation(50))
        await pilot.pause()
        await pilot.press("u", "u", "u")
        assert chat.entries[chat.cursor or 0] == UserEntry("question 47")
        assert "› question 47" in view(chat)
        await pilot.press("U")
        assert chat.entries[chat.cursor or 0] == UserEntry("question 48")

    run(steps)


def test_a_click_puts_the_cursor_and_a_click_on_the_sign_unfolds() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend([UserEntry("one"), ThinkingEntry("deep", 2), UserEntry("two")])
        await pilot.pause()
        await pilot.click(Transcript, offset=(5, 2))
        assert chat.cursor == 1
        assert fold_of(chat.entries[1]) is Fold.FOLDED
        await pilot.click(Transcript, offset=(0, 2))
        assert view(chat)[2:4] == ["✻ thought for 2 s", "  deep"]
        await pilot.click(Transcript, offset=(5, 2), times=2)
        assert fold_of(chat.entries[1]) is Fold.FOLDED

    run(steps)


# -- folding


@pytest.mark.parametrize("key", ["enter", "space"])
def test_one_key_unfolds_and_folds(key: str) -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.append(ToolEntry("1", "bash", "ls", CallState.OK, body=(OutputLine("a.py"),)))
        await pilot.pause()
        await pilot.press(key)
        assert view(chat)[:2] == ["● bash ls", "  a.py"]
        await pilot.press(key)
        assert view(chat)[:2] == ["● bash ls", ""]

    run(steps)


def test_arrows_unfold_and_fold() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.append(ThinkingEntry("deep", 2))
        await pilot.pause()
        await pilot.press("right", "right")
        assert view(chat)[1] == "  deep"
        await pilot.press("left", "left")
        assert view(chat)[1] == ""

    run(steps)


def test_unfolding_a_long_call_shows_its_start() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(conversation(10))
        chat.append(ToolEntry("1", "bash", "make", CallState.OK, body=tuple(OutputLine(str(n)) for n in range(100))))
        await pilot.pause()
        await pilot.press("enter")
        assert "● bash make" in view(chat)[:2]
        await pilot.press("enter")
        assert "● bash make" in view(chat)

    run(steps)


def test_all_blocks_fold_and_unfold_at_once_and_the_cursor_stays_in_view() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(conversation(50))
        await pilot.pause()
        await pilot.press("u", "u", "equals_sign")
        assert {fold_of(entry) for entry in chat.entries} == {Fold.UNFOLDED, None}
        assert "› question 48" in view(chat)
        await pilot.press("equals_sign")
        assert {fold_of(entry) for entry in chat.entries} == {Fold.FOLDED, None}

    run(steps)


# -- calls


def test_a_call_is_updated_in_its_place_and_keeps_its_fold() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend([ToolEntry("a", "bash", "make"), NoteEntry("later")])
        await pilot.pause()
        await pilot.press("up", "enter")
        chat.update(
            "a", ToolEntry("a", "bash", "make", CallState.OK, "exit 0", 12, "allowed: once", (OutputLine("x"),))
        )
        await pilot.pause()
        assert view(chat)[:3] == ["● bash make · exit 0 · 12 ms · allowed: once", "  x", "· later"]
        call = chat.call("a")
        assert call is not None
        assert call.unfolded

    run(steps)


def test_an_unknown_call_is_an_error() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        assert chat.call("nope") is None
        with pytest.raises(KeyError):
            chat.update("nope", NoteEntry("x"))

    run(steps)


def test_clearing_leaves_nothing_behind() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(conversation(20))
        chat.stream_text("half")
        await pilot.press("pageup")
        chat.clear()
        await pilot.pause()
        assert set(view(chat)) == {""}
        assert chat.call("call 3") is None
        chat.stream_text("new")
        chat.flush()
        assert view(chat)[0] == "new"

    run(steps)


# -- search


def test_search_goes_to_the_newest_place_and_steps_both_ways_round() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(conversation(50))
        await pilot.pause()
        chat.find("QUESTION 1")
        assert chat.found == (11, 11)
        assert "› question 19" in view(chat)
        await pilot.press("n")
        assert chat.found == (1, 11)
        assert "› question 1" in view(chat)
        await pilot.press("N")
        assert chat.found == (11, 11)
        await pilot.press("N")
        assert "› question 18" in view(chat)

    run(steps)


def test_what_was_found_is_marked_until_the_search_ends() -> None:
    def marked(chat: Transcript) -> str:
        return "".join(s.text for s in chat.render_line(0) if s.style and s.style.reverse)

    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.append(UserEntry("one two three"))
        chat.find("two")
        assert marked(chat) == "two"
        chat.find("")
        assert marked(chat) == ""
        assert chat.found == (0, 0)

    run(steps)


def test_search_unfolds_what_hides_the_place() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.append(ThinkingEntry("\n".join(f"thought {n}" for n in range(50)), 2))
        chat.extend(conversation(10))
        await pilot.pause()
        chat.find("thought 33")
        assert "  thought 33" in view(chat)

    run(steps)


def test_a_search_without_a_place_says_so_and_moves_nothing() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(conversation(20))
        await pilot.pause()
        before = view(chat)
        chat.find("nowhere")
        await pilot.press("n", "N")
        assert chat.found == (0, 0)
        assert view(chat) == before

    run(steps)


# -- copying, and what others do


def test_c_copies_the_whole_message_without_escapes() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.append(
            ToolEntry("1", "bash", "ls", CallState.OK, "exit 0", body=(OutputLine("\x1b[31ma.py\x1b[0m\x1b[2J"),))
        )
        await pilot.pause()
        await pilot.press("c")
        await pilot.pause()

    asked = run(steps).asked
    assert [m.text for m in asked if isinstance(m, Transcript.CopyRequested)] == ["bash ls exit 0\na.py␛[2J"]


def test_b_copies_the_one_code_block_or_asks_which() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend([AnswerEntry("```\none\n```"), AnswerEntry("```\none\n```\n\n```\ntwo\n```")])
        await pilot.pause()
        await pilot.press("b", "up", "b")
        await pilot.pause()

    choice, copy = run(steps).asked
    assert isinstance(choice, Transcript.CodeChoiceRequested)
    assert choice.blocks == ("one", "two")
    assert isinstance(copy, Transcript.CopyRequested)
    assert copy.text == "one"


@pytest.mark.parametrize(
    ("key", "want"),
    [
        ("o", Want.OPEN_FILE),
        ("v", Want.DIFF),
        ("w", Want.WHY),
    ],
)
def test_what_others_do_is_asked_of_them(key: str, want: Want) -> None:
    entry = ToolEntry("1", "edit", "a.py", CallState.OK)

    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.append(entry)
        await pilot.pause()
        await pilot.press(key)
        await pilot.pause()

    (message,) = run(steps).asked
    assert isinstance(message, Transcript.Requested)
    assert (message.want, message.index, message.entry) == (want, 0, entry)


def test_slash_asks_for_a_search() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.append(UserEntry("x"))
        await pilot.press("slash")
        await pilot.pause()

    (message,) = run(steps).asked
    assert isinstance(message, Transcript.SearchRequested)
