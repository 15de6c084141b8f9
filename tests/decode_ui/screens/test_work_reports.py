"""Commands that show or write something: /cost, /doctor, /export, /diff, and files in an editor."""

import asyncio
import os
import stat
from pathlib import Path

import pytest

from decode_core.events import CallOutcome, ToolCallFinished, ToolCallStarted, TurnFinished, UsageUpdated
from decode_ui.screens.reader import ReaderScreen
from decode_ui.screens.work_reports import free_name
from decode_ui.testing import Workbench, workbench
from fake_session import FakeSession
from work_screen import run


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `vim` that writes down what it was started with, and where the application is not in its way."""
    folder = tmp_path / "bin"
    folder.mkdir()
    told = tmp_path / "told"
    program = folder / "vim"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {told}\n')
    program.chmod(0o755)
    monkeypatch.setenv("EDITOR", "vim")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setattr("textual.app.App.suspend", lambda self: __import__("contextlib").nullcontext())
    return told


def told(editor: Path) -> str:
    """What the editor was started with, empty where it was not."""
    return editor.read_text() if editor.exists() else ""


def test_cost_tells_tokens_and_says_where_the_price_is_unknown(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send("/cost")
        assert "no request was made yet" in bench.screen
        usage = UsageUpdated(
            requests=3, input_tokens=12_345, output_tokens=678, context_tokens=42_000, context_window=100_000
        )
        session.emit(usage)
        await bench.send("/cost")
        assert isinstance(bench.app.screen, ReaderScreen)
        for shown in ("12,345", "678", "42,000 of 100,000 (42 %)", "unknown for this model"):
            assert shown in bench.screen

    run(steps, tmp_path)


def test_doctor_shows_what_the_command_finds(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send("/doctor")
        await bench.until(lambda: isinstance(bench.app.screen, ReaderScreen))
        assert "workspace" in bench.screen and str(tmp_path)[:40] in bench.screen

    run(steps, tmp_path)


def test_export_writes_the_session_for_its_owner_alone_and_never_over_another_file(tmp_path: Path) -> None:
    workspace = tmp_path / "ws"
    workspace.mkdir()

    async def main() -> None:
        async with workbench(workspace, session_id="abc") as bench:
            await bench.send("/export")
            await bench.until(lambda: "nothing was sent in this session yet" in bench.screen)
            await bench.send("list the files")
            await bench.wait_for(TurnFinished)
            for _ in range(2):
                await bench.send("/export")
                await bench.app.workers.wait_for_complete()
                await bench.idle()
            await bench.send("/export notes.html")
            await bench.app.workers.wait_for_complete()
            await bench.idle()
            assert "events written to notes.html" in bench.screen

    asyncio.run(main())
    first = workspace / "decode-abc.md"
    assert "list the files" in first.read_text()
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    assert (workspace / "decode-abc-2.md").exists()
    assert (workspace / "notes.html").read_text().startswith("<!")


def test_a_name_that_is_taken_by_a_link_is_not_free(tmp_path: Path) -> None:
    (tmp_path / "a.md").symlink_to(tmp_path / "nowhere")
    assert free_name(tmp_path, "a", ".md") == tmp_path / "a-2.md"


def test_o_opens_the_file_of_a_call_at_its_first_changed_line(tmp_path: Path, editor: Path) -> None:
    (tmp_path / "a.py").write_text("one\ntwo\n")

    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        detail = {"path": "a.py", "before": "one\n", "after": "one\ntwo\n", "added": 1, "removed": 0}
        session.emit(
            ToolCallStarted(call_id="1", tool="edit", subject="a.py"),
            ToolCallFinished(call_id="1", tool="edit", outcome=CallOutcome.OK, detail=detail),
        )
        await bench.press("ctrl+o", "c", "o")
        assert told(editor) == f"+2\n{tmp_path}/a.py\n"
        await bench.press("ctrl+o", "f", "o")
        assert told(editor) == f"{tmp_path}/a.py\n"

    run(steps, tmp_path, (150, 40))


def test_where_there_is_no_file_it_is_said(tmp_path: Path, editor: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        session.emit(ToolCallStarted(call_id="1", tool="bash", subject="make test"))
        await bench.press("ctrl+o", "c", "o")
        assert "there is no file here to open" in bench.screen
        assert told(editor) == ""

    run(steps, tmp_path)


def test_diff_goes_to_the_changed_files(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send("/diff")
        assert bench.work.focused is not None and bench.work.focused.id == "changes"

    run(steps, tmp_path, (80, 24))
