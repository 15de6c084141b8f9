"""Without colours, in ASCII, with little motion: what is really painted (keys.md §9)."""

import ast
import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.widgets import Input, TextArea

import decode_ui
from decode_core.events import TextDelta, TodoChanged, TodoItem, TodoStatus
from decode_core.permissions.modes import PermissionMode
from decode_core.settings.schema import SettingsValues
from decode_ui.app import DecodeApp
from decode_ui.plain_terminal import SIGNS, AsciiSigns, to_ascii, wants_ascii
from decode_ui.preferences import Preferences, read_preferences
from decode_ui.testing import FrozenClock, Workbench
from decode_ui.theme import SHORT_NAMES
from decode_ui.widgets.toasts import ToastKind, Toasts
from fake_session import FakeSession

Steps = Callable[[Workbench, FakeSession], Awaitable[None]]
TODO = TodoChanged(items=tuple(TodoItem(id=str(n), content=f"item {n}", status=TodoStatus.PENDING) for n in range(3)))


def play(folder: Path, preferences: Preferences, steps: Steps, size: tuple[int, int] = (150, 40)) -> None:
    async def main() -> None:
        clock = FrozenClock()
        session = FakeSession.open(folder, clock.utc)
        app = DecodeApp(session, clock=clock, preferences=preferences)
        async with app.run_test(size=size) as pilot:
            bench = Workbench(app, pilot, clock)
            await bench.idle()
            await steps(bench, session)
        await session.close()

    asyncio.run(main())


def painted(bench: Workbench) -> Iterator[Segment]:
    """Every piece on the screen as the terminal gets it."""
    top = bench.app.screen
    for strip in top._compositor.render_strips(top.size):
        yield from strip


def reversed_text(bench: Workbench) -> str:
    """What is painted in reverse."""
    return "".join(segment.text for segment in painted(bench) if segment.style and segment.style.reverse)


def is_coloured(style: Style | None) -> bool:
    return style is not None and any(
        colour is not None and not colour.is_default for colour in (style.color, style.bgcolor)
    )


@pytest.mark.parametrize("theme", SHORT_NAMES)
def test_no_color_paints_no_colour_at_all_and_marks_by_reverse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, theme: str
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin("go")
        session.emit(TODO)
        await bench.idle()
        await bench.press("ctrl+t", "down")
        assert [segment for segment in painted(bench) if is_coloured(segment.style)] == []
        assert "○ item 1" in reversed_text(bench)
        assert "item 2" not in reversed_text(bench)
        assert "DEFAULT" in reversed_text(bench)
        await bench.press("ctrl+p")
        assert [segment for segment in painted(bench) if is_coloured(segment.style)] == []
        assert "mode" in reversed_text(bench)

    play(tmp_path, Preferences(theme=SHORT_NAMES[theme]), steps)


def test_the_waiting_question_and_the_cursor_are_seen_without_colour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("ab")
        session.begin()
        session.ask()
        await bench.idle()
        assert "1 question waits" in reversed_text(bench)
        assert any(
            segment.text == " " and segment.style is not None and segment.style.reverse for segment in painted(bench)
        )

    play(tmp_path, Preferences(), steps)


def test_bypass_and_default_differ_without_colour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.set_mode(PermissionMode.BYPASS)
        await bench.idle()
        assert "BYPASS !" in reversed_text(bench)

    play(tmp_path, Preferences(), steps)


def test_in_ascii_nothing_else_is_painted(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin("naïve 日本 ✓")
        session.emit(TODO)
        await bench.press("ctrl+t")
        for key in ("ctrl+o", "escape", "f1"):
            await bench.press(key)
            for segment in painted(bench):
                assert segment.text.isascii(), segment.text
        await bench.press("escape")
        assert "- item 1" in bench.screen
        assert "na?ve ???? +" in bench.screen
        assert {len(line) for line in bench.screen.splitlines() if line} <= set(range(151))

    play(tmp_path, Preferences(ascii_signs=True), steps)


def test_every_sign_of_ours_has_a_counterpart() -> None:
    lacking: dict[str, str] = {}
    for path in Path(decode_ui.__path__[0]).rglob("*.py"):
        if path.name == "plain_terminal.py":
            continue
        tree = ast.parse(path.read_text())
        texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
                for sign in node.value:
                    if not (sign.isascii() or sign.isalpha() or sign in SIGNS) and cell_len(sign):
                        lacking[sign] = path.name
    assert lacking == {}


@pytest.mark.parametrize(("sign", "plain"), SIGNS.items())
def test_a_counterpart_takes_one_cell(sign: str, plain: str) -> None:
    assert cell_len(sign) == 1
    assert len(plain) == 1 and plain.isascii()


@given(st.text(st.characters(blacklist_categories=("Cc", "Cs", "Cf", "Mn", "Me", "Mc")), max_size=20))
def test_a_line_keeps_its_width_in_ascii(text: str) -> None:
    (segment,) = AsciiSigns().apply([Segment(text)], Color.parse("black"))
    assert segment.text.isascii()
    assert segment.cell_length == cell_len(text)


def test_the_signs_of_a_to_do_list_are_those_of_the_specification() -> None:
    assert to_ascii("✓ ▸ ○ ✗") == "+ > - x"


@pytest.mark.parametrize(
    ("encoding", "wanted"), [("utf-8", False), ("UTF8", False), ("iso8859-1", True), ("ascii", True), (None, True)]
)
def test_a_locale_without_utf_8_gets_ascii(encoding: str | None, wanted: bool) -> None:
    assert wants_ascii(encoding) is wanted


def test_with_reduced_motion_text_appears_by_line_and_the_seconds_tick_seldom(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        assert bench.app.animation_level == "none"
        session.begin()
        await bench.idle()
        session.emit(TextDelta(text="First line.\nSecond "))
        await bench.advance(0.5)
        assert "First line." in bench.screen and "Second" not in bench.screen
        session.emit(TextDelta(text="line.\n"))
        await bench.advance(0.5)
        assert "Second line." in bench.screen
        await bench.advance(3)
        assert "turn 1 · 0" in bench.screen or "turn 1 · 1" in bench.screen
        before = bench.work.query_one("#chat-frame").border_subtitle
        await bench.advance(0.5)
        assert bench.work.query_one("#chat-frame").border_subtitle == before

    play(tmp_path, Preferences(reduced_motion=True), steps)


@pytest.mark.parametrize("size", [(150, 40), (80, 24)])
def test_for_a_screen_reader_there_is_one_column_without_frames_and_nothing_goes_by_itself(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    values = SettingsValues.model_validate({"screen_reader": True})

    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin("go")
        session.emit(TODO)
        bench.work.query_one(Toasts).add(ToastKind.DONE, "written")
        await bench.advance(60)
        assert "written" in bench.screen
        assert not set("│─╭╮╰╯") & set(bench.screen)
        assert "item 1" not in bench.screen
        await bench.press("ctrl+t")
        assert bench.work.query_one("#todo").region.width == size[0]
        assert not bench.work.transcript.is_on_screen
        await bench.press("escape", "escape", "escape")
        assert "written" not in bench.screen

    play(tmp_path, read_preferences(values), steps, size)


def test_no_cursor_blinks(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        for keys in ((), ("ctrl+f",), ("escape", "ctrl+r"), ("escape", "ctrl+p")):
            await bench.press(*keys)
            for field in (*bench.app.screen.query(Input), *bench.app.screen.query(TextArea)):
                assert not field.cursor_blink, field

    play(tmp_path, Preferences(), steps)
