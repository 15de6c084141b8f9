"""How an answer and its thinking stream into the chat, and what stands there in the end."""

import pytest
from textual.pilot import Pilot

from decode_ui.transcript.entry import (
    AnswerEntry,
    NoteEntry,
    ThinkingEntry,
    UserEntry,
)
from decode_ui.transcript.render import Painter
from decode_ui.transcript.view import Transcript

from .chat_app import conversation, run, view


def test_an_answer_streams_in_and_ends_as_if_it_had_come_whole() -> None:
    markdown = "# Title\n\n1. one\n\n2. two\n\n```py\nx = 1\n```\n\n[a][b]\n\n[b]: http://c"

    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.append(UserEntry("ask"))
        for letter in markdown:
            chat.stream_text(letter)
        chat.flush()
        await pilot.pause()
        assert "Title" in view(chat)
        assert chat.entries[-1] == AnswerEntry(markdown, live=True)
        chat.end_answer(markdown)
        await pilot.pause()
        assert chat.entries[-1] == AnswerEntry(markdown)
        whole = [strip.text.rstrip() for strip in Painter().paint(AnswerEntry(markdown), chat.plan.width)]
        assert view(chat)[2 : 2 + len(whole)] == whole
        assert len(chat.entries) == 2

    run(steps)


def test_twenty_thousand_fragments_in_one_moment_draw_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        monkeypatch.setattr("decode_ui.transcript.view.monotonic", lambda: 1_000.0)
        chat.renders = 0
        for _ in range(20_000):
            chat.stream_text("word ")
        assert chat.renders <= 2
        chat.end_answer("")
        assert chat.entries[-1] == AnswerEntry("word " * 20_000)

    run(steps)


def test_a_stream_does_not_move_the_reader() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(conversation(20))
        await pilot.pause()
        await pilot.press("pageup")
        before = view(chat)
        for number in range(30):
            chat.stream_text(f"paragraph {number}\n\n")
            chat.flush()
        await pilot.pause()
        assert view(chat) == before
        assert chat.new_below == 1
        chat.end_answer("short")
        await pilot.pause()
        assert view(chat) == before

    run(steps)


def test_a_note_during_a_stream_stays_below_it() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.stream_text("one\n\ntwo")
        chat.flush()
        chat.append(NoteEntry("mode default → edit"))
        chat.stream_text("\n\nthree")
        chat.flush()
        await pilot.pause()
        assert view(chat)[:7] == ["one", "", "two", "", "three", "", "· mode default → edit"]

    run(steps)


def test_a_resize_during_a_stream_wraps_all_of_it() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.stream_text("some words that will wrap\n\nand some that will, too\n\nopen")
        chat.flush()
        await pilot.resize_terminal(17, 20)
        await pilot.pause()
        assert view(chat)[:6] == ["some words that", "will wrap", "", "and some that", "will, too", ""]

    run(steps)


def test_thinking_streams_folded_and_ends_with_its_time() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.stream_thinking("deep ")
        chat.stream_thinking("thought")
        chat.flush()
        assert view(chat)[:2] == ["✻ thinking…", ""]
        await pilot.press("enter")
        assert view(chat)[1] == "  deep thought"
        chat.stream_thinking(" goes on")
        chat.flush()
        assert view(chat)[1] == "  deep thought goes on"
        chat.stream_text("Answer")
        chat.end_answer("Answer", "deep thought goes on", 3.0)
        await pilot.pause()
        assert view(chat)[:4] == ["✻ thought for 3 s", "  deep thought goes on", "", "Answer"]

    run(steps)


def test_an_answer_that_never_streamed_is_added() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.end_answer("Answer", "thought", 2.0)
        chat.end_answer("")
        assert chat.entries == [ThinkingEntry("thought", 2.0), AnswerEntry("Answer")]

    run(steps)


def test_blank_lines_before_a_call_are_no_answer() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.stream_thinking("\n")
        chat.stream_text("\n")
        chat.stream_text("\n")
        chat.end_answer("\n\n")
        assert chat.entries == []
        chat.stream_text("\n")
        chat.stream_text("yes")
        chat.end_answer("")
        assert chat.entries == [AnswerEntry("\nyes")]

    run(steps)


def test_two_answers_in_a_row_are_two_entries() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        for text in ("one", "two"):
            chat.stream_text(text)
            chat.end_answer(text)
        assert chat.entries == [AnswerEntry("one"), AnswerEntry("two")]

    run(steps)
