"""However long the session: one widget, only what is in view is drawn, and the reader's line stays where it is."""

import pytest
from textual.color import Color
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.selection import Selection
from textual.theme import Theme
from textual.widget import Widget

from decode_ui.transcript.entry import AnswerEntry, NoteEntry, OutputLine, ToolEntry, UserEntry
from decode_ui.transcript.palette import ASCII
from decode_ui.transcript.scroll import CACHED
from decode_ui.transcript.view import Transcript

from .chat_app import conversation, run, swap, view


def test_five_thousand_entries_are_one_widget_and_only_what_is_in_view_is_drawn() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(conversation(1_000))
        await pilot.pause()
        assert len(chat.entries) == 5_000
        assert len(pilot.app.screen.query(Widget)) == 1
        assert chat.renders <= chat.size.height
        assert view(chat)[-1] == "· turn 999 ended"

    run(steps)


def test_a_resize_draws_only_what_is_in_view() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(conversation(1_000))
        await pilot.pause()
        chat.renders = 0
        await pilot.resize_terminal(50, 20)
        await pilot.pause()
        assert 0 < chat.renders <= chat.size.height
        assert chat.plan.width == chat.scrollable_content_region.width
        assert view(chat)[-1] == "· turn 999 ended"

    run(steps)


@pytest.mark.parametrize("turns", [20, 1_000])
def test_an_entry_costs_the_same_in_a_long_session(turns: int) -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(conversation(turns))
        await pilot.pause()
        chat.renders = chat.plan.steps = 0
        chat.append(NoteEntry("one more"))
        await pilot.pause()
        assert chat.renders == 1
        assert chat.plan.steps <= 1_500

    run(steps)


def test_the_cache_of_strips_is_bounded() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(NoteEntry(str(n)) for n in range(1_000))
        await pilot.pause()
        for row in range(0, 1_000, 15):
            chat.show_row(row)
        assert len(chat._drawn) <= CACHED

    run(steps)


def test_the_heights_in_view_are_those_of_the_strips() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(conversation(30))
        await pilot.pause()
        for row in range(0, chat.plan.total, 7):
            chat.show_row(row)
            first = chat.plan.find(round(chat.scroll_y)).entry
            last = chat.plan.find(round(chat.scroll_y) + chat.view_height - 1).entry
            for index in range(first, last + 1):
                assert chat.plan.height(index) == chat.plan.gap(index) + len(chat.rows_of(index))
        assert chat.virtual_size.height == chat.plan.total

    run(steps)


def test_scrolling_up_line_by_line_into_unknown_heights_never_jumps() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(AnswerEntry("\n\n".join(f"{n}.{m}" for m in range(n % 9))) for n in range(40))
        await pilot.pause()
        seen = view(chat)
        for _ in range(200):
            chat.scroll_up(animate=False, immediate=True)
            now = view(chat)
            assert now[1:] == seen[:-1] or chat.scroll_y == 0
            seen = now
        assert chat.scroll_y == 0 or chat.plan.total > 200

    run(steps)


def test_a_page_up_keeps_one_line_in_view() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(AnswerEntry("\n\n".join(f"{n}.{m}" for m in range(1, n % 9))) for n in range(60))
        await pilot.pause()
        for _ in range(5):
            before = view(chat)
            await pilot.press("pageup")
            assert view(chat)[-1] == before[0]
        for _ in range(3):
            before = view(chat)
            await pilot.press("pagedown")
            assert view(chat)[0] == before[-1]

    run(steps)


def test_at_the_end_it_follows_and_elsewhere_it_counts_what_is_new() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(conversation(20))
        await pilot.pause()
        assert chat.follow
        await pilot.press("pageup")
        before = view(chat)
        assert not chat.follow
        chat.extend([NoteEntry("new one"), NoteEntry("new two"), UserEntry("new three")])
        await pilot.pause()
        assert view(chat) == before
        assert chat.new_below == 3
        await pilot.press("end")
        assert chat.follow
        assert chat.new_below == 0
        assert view(chat)[-1] == "› new three"
        chat.append(NoteEntry("and then"))
        await pilot.pause()
        assert view(chat)[-1] == "· and then"

    run(steps)


def test_scrolling_down_to_the_end_by_hand_follows_again() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(conversation(20))
        await pilot.pause()
        chat.scroll_up(animate=False, immediate=True)
        assert not chat.follow
        chat.scroll_down(animate=False, immediate=True)
        assert chat.follow

    run(steps)


def test_growth_above_the_reader_does_not_move_the_line() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.append(ToolEntry("early", "bash", "make", unfolded=True))
        chat.extend(conversation(20))
        await pilot.pause()
        chat.show_row(chat.plan.total // 2)
        before = view(chat)
        body = tuple(OutputLine(f"line {n}") for n in range(50))
        chat.update("early", ToolEntry("early", "bash", "make", body=body, unfolded=True))
        await pilot.pause()
        assert view(chat) == before

    run(steps)


def test_a_resize_keeps_the_reading_position() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(AnswerEntry(f"number {n}\n\n" + "words and more words " * 20) for n in range(60))
        await pilot.pause()
        chat.show_row(chat.plan.top(30) + 1)
        for width in (30, 90, 60):
            await pilot.resize_terminal(width, 20)
            await pilot.pause()
            assert chat.plan.find(round(chat.scroll_y)).entry == 30
        assert not chat.follow

    run(steps)


def test_entries_that_came_before_the_first_frame_are_shown_with_it() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        early = Transcript()
        early.extend(conversation(1_000))
        assert early.renders == 0
        await swap(pilot, chat, early)
        assert view(early)[-1] == "· turn 999 ended"
        assert early.renders <= early.size.height

    run(steps)


def test_without_colours_the_cursor_is_reversed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.append(NoteEntry("x"))
        await pilot.pause()
        assert [bool(s.style and s.style.reverse) for s in chat.render_line(0) if s.text.strip()] == [True, True]

    monkeypatch.setenv("NO_COLOR", "1")
    run(steps)


def test_ascii_signs_are_kept_over_a_change_of_theme() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        plain = Transcript(signs=ASCII)
        await swap(pilot, chat, plain)
        plain.append(UserEntry("hello"))
        pilot.app.theme = "textual-light"
        await pilot.pause()
        assert view(plain)[0] == "> hello"

    run(steps)


def test_another_theme_draws_in_its_colours() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.append(AnswerEntry("`code`"))
        await pilot.pause()
        pilot.app.register_theme(Theme("other", primary="#112233", accent="#ff0000", foreground="#eeeeee"))
        pilot.app.theme = "other"
        await pilot.pause()
        styles = [segment.style for segment in chat.render_line(0) if segment.text == "code"]
        assert [style and style.color for style in styles] == [
            Color.parse(pilot.app.theme_variables["accent"]).rich_color
        ]

    run(steps)


def test_the_mouse_selects_text_as_it_is_read() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend([UserEntry("one two"), AnswerEntry("three **four** five")])
        await pilot.pause()
        await pilot.mouse_down(Transcript, offset=(2, 0))
        await pilot.hover(Transcript, offset=(9, 2))
        await pilot.mouse_up(Transcript, offset=(9, 2))
        await pilot.pause()
        assert pilot.app.screen.get_selected_text() == "one two\n\nthree four"

    run(steps)


def test_everything_can_be_selected_without_drawing_everything() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.extend(conversation(200))
        await pilot.pause()
        chat.renders = 0
        found = chat.get_selection(Selection(None, None))
        assert found is not None
        assert "question 0" in found[0]
        assert "turn 199 ended" in found[0]
        assert chat.renders == 0
        assert chat.get_selection(Selection(Offset(2, 0), Offset(10, 0))) == ("question", "\n")

    run(steps)


def test_selected_text_is_marked() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        chat.append(UserEntry("one two three"))
        await pilot.pause()
        pilot.app.screen.selections = {chat: Selection(Offset(6, 0), Offset(9, 0))}
        ground = chat.screen.get_component_rich_style("screen--selection").bgcolor
        marked = "".join(s.text for s in chat.render_line(0) if s.style and s.style.bgcolor == ground)
        assert marked == "two"

    run(steps)


def test_an_empty_transcript_takes_every_key() -> None:
    async def steps(pilot: Pilot[None], chat: Transcript) -> None:
        await pilot.press(*"kjuUncbNovwx=", "pageup", "pagedown", "home", "end", "enter", "space", "left", "right")
        assert set(view(chat)) == {""}

    run(steps)
