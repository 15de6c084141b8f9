"""Completion in the prompt: what opens it and what never does, Tab, Enter, arrows and Esc (keys.md §7.1)."""

import asyncio
from pathlib import Path

import pytest

from decode_core.file_search import FileIndex
from decode_ui import file_finder
from decode_ui.file_finder import FileFinder, FoundFiles
from decode_ui.testing import Workbench
from decode_ui.widgets import completer
from decode_ui.widgets.completion_list import CompletionList
from fake_session import FakeSession
from work_screen import run

FILES = ("src/app/main.py", "README.md", ".env", "my notes/a b.txt", "src/[@click=app.bell]x\u202e.py")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    return tmp_path


def rows(bench: Workbench) -> list[str]:
    """What is offered."""
    offers = bench.work.query_one("#completions", CompletionList)
    return [str(option.prompt) for option in offers.options] if offers.display else []


async def offered(bench: Workbench, row: str) -> None:
    """Wait for the finder's thread to bring a row."""
    await bench.until(lambda: row in rows(bench), row)


def text(bench: Workbench) -> str:
    return bench.work.prompt.text


def test_a_slash_offers_commands_and_enter_takes_without_sending(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("/mo")
        assert "choose the model" in bench.screen
        await bench.press("down", "enter")
        assert text(bench) == "/model "
        assert rows(bench) == []
        assert session.sent == []

    run(steps, tmp_path)


@pytest.mark.parametrize("size", [(150, 40), (120, 36), (80, 24), (60, 20)])
def test_the_rows_stand_above_the_prompt_at_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("/")
        offers, prompt = bench.work.query_one("#completions"), bench.work.query_one("#prompt-frame")
        assert offers.region.bottom == prompt.region.y
        assert offers.region.height >= 3
        assert "/agent [name]" in bench.screen

    run(steps, tmp_path, size)


def test_a_command_that_is_written_out_is_run_by_one_enter(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send("/todo")
        assert bench.work.focused is not None and bench.work.focused.id == "todo"

    run(steps, tmp_path)


def test_esc_closes_the_rows_alone_and_the_word_is_left_in_peace(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        await bench.write("/mo")
        await bench.press("escape")
        assert (text(bench), rows(bench), session.cancels) == ("/mo", [], 0)
        await bench.write("d")
        assert rows(bench) == []

    run(steps, tmp_path)


def test_tab_takes_while_rows_are_open_and_moves_the_focus_when_none_are(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("/the")
        await bench.press("tab")
        assert text(bench) == "/theme "
        assert bench.work.focused is bench.work.prompt
        await bench.press("tab")
        assert bench.work.focused is not bench.work.prompt

    run(steps, tmp_path)


def test_the_mark_goes_round(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("/th")
        await bench.press("up", "down", "down", "up", "enter")
        assert text(bench) == "/theme "

    run(steps, tmp_path)


def test_a_click_takes_a_row(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("/mo")
        await bench.pilot.click("#completions", offset=(4, 2))
        await bench.idle()
        assert text(bench) == "/model "
        assert bench.work.focused is bench.work.prompt

    run(steps, tmp_path)


@pytest.mark.parametrize("pasted", ["/mo", "see @READ", "@"])
def test_nothing_pasted_is_completed(workspace: Path, pasted: str) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.paste(pasted)
        assert rows(bench) == []
        await bench.write("E")
        assert rows(bench) == []

    run(steps, workspace)


@pytest.mark.parametrize("typed", ["a@b", "mail me@x", " /mo", "x/mo"])
def test_a_sign_counts_at_the_start_or_for_a_file_after_a_blank(workspace: Path, typed: str) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write(typed)
        assert rows(bench) == []

    run(steps, workspace)


def test_an_at_offers_files_and_what_is_taken_stands_in_the_text(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("look at @mai")
        await offered(bench, "src/app/main.py")
        await bench.press("enter")
        assert text(bench) == "look at @src/app/main.py "
        await bench.write("now")
        await bench.press("enter")
        assert session.sent == ["look at @src/app/main.py now"]

    run(steps, workspace)


def test_a_folder_leads_on_to_what_is_in_it(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("@my")
        await offered(bench, "my notes/")
        await bench.press("tab")
        assert text(bench) == '@"my notes/'
        await offered(bench, "my notes/a b.txt")
        await bench.press("down", "tab")
        assert text(bench) == '@"my notes/a b.txt" '

    run(steps, workspace)


def test_secrets_are_left_out_unless_named(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("@")
        await offered(bench, "README.md")
        assert ".env" not in rows(bench)
        await bench.write(".env")
        await offered(bench, ".env")

    run(steps, workspace)


def test_a_hostile_name_is_shown_and_written_inert(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("@click")
        await offered(bench, "src/[@click=app.bell]x<U+202E>.py")
        assert "[@click=app.bell]x<U+202E>.py" in bench.screen
        await bench.press("enter")
        assert text(bench) == "@src/[@click=app.bell]x<U+202E>.py "

    run(steps, workspace)


def test_enter_before_the_files_have_come_takes_the_first_when_they_come(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("@rea")
        await offered(bench, "README.md")
        await bench.pilot.press("backspace", "enter")
        await bench.advance(1)
        await bench.until(lambda: text(bench) == "@README.md ", "the file")
        assert session.sent == []

    run(steps, workspace)


def test_a_list_that_takes_its_time_says_so_and_no_key_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(self: FileFinder, query: str, most: int) -> FoundFiles:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(FileFinder, "find", never)

    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("@a")
        assert rows(bench) == []
        await bench.advance(completer.PATIENCE_S)
        assert rows(bench) == [completer.READING]
        await bench.write("bc")
        assert text(bench) == "@abc"
        await bench.press("escape")
        assert rows(bench) == []

    run(steps, tmp_path)


def test_what_the_list_lacks_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def missing(self: FileFinder, query: str, most: int) -> FoundFiles:
        return FoundFiles((), FileIndex(problem="ripgrep (rg) is not installed").problem)

    monkeypatch.setattr(file_finder.FileFinder, "find", missing)

    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("@a")
        await bench.idle()
        assert rows(bench) == ["ripgrep (rg) is not installed"]
        await bench.press("enter")
        assert session.sent == ["@a"]

    run(steps, tmp_path)


def test_in_a_shell_line_tab_completes_a_path_and_typing_opens_nothing(workspace: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("!cat mai")
        assert rows(bench) == []
        await bench.press("tab")
        await offered(bench, "src/app/main.py")
        await bench.press("tab")
        assert text(bench) == "!cat src/app/main.py "
        assert bench.work.focused is bench.work.prompt

    run(steps, workspace)
