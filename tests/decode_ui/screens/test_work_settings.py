"""Broken settings on the work screen: the bar, the key that opens the file at its line, and the way back."""

import asyncio
import stat
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

from decode_core.config import config_dir, make_private
from decode_core.settings.files import user_settings_file
from decode_ui.testing import Workbench, workbench
from decode_ui.widgets.settings_bar import SettingsBar

BROKEN = '{\n "permissions": {"deny": ["read("]}\n}\n'


def run(workspace: Path, steps: Callable[[Workbench], Awaitable[None]], size: tuple[int, int] = (120, 36)) -> None:
    async def play() -> None:
        async with workbench(workspace, size=size) as bench:
            await steps(bench)

    asyncio.run(play())


def break_settings() -> Path:
    make_private(config_dir())
    user_settings_file().write_text(BROKEN)
    return user_settings_file()


class Editor:
    """What the person's editor was called with."""

    def __init__(self, log: Path) -> None:
        self._log = log

    @property
    def arguments(self) -> str | None:
        return self._log.read_text().strip() if self._log.exists() else None


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """An editor that writes down its arguments and mends the file."""
    program, log = tmp_path / "vim", tmp_path / "arguments"
    program.write_text(f'#!/bin/sh\necho "$@" > {log}\nfor file; do :; done\necho "{{}}" > "$file"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("VISUAL", str(program))
    return Editor(log)


@pytest.mark.parametrize("size", [(150, 40), (80, 24)])
def test_the_bar_names_file_and_line_until_it_is_mended(tmp_path: Path, size: tuple[int, int]) -> None:
    file = break_settings()

    async def steps(bench: Workbench) -> None:
        assert f"{file.name}:2" in bench.screen
        assert "^O b opens it" in bench.screen
        file.write_text("{}")
        await bench.session.files.settings.reload()
        await bench.idle()
        assert "^O b opens it" not in bench.screen
        assert not bench.work.query_one(SettingsBar).display

    run(tmp_path, steps, size)


def test_the_key_opens_the_file_at_its_line(tmp_path: Path, editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    file = break_settings()

    async def steps(bench: Workbench) -> None:
        monkeypatch.setattr(bench.app, "suspend", nullcontext)
        await bench.press("ctrl+o")
        assert "b broken settings" in bench.screen
        await bench.press("b")
        assert editor.arguments == f"+2 {file}"
        await bench.until(lambda: not bench.session.settings.is_degraded)

    run(tmp_path, steps)


def test_settings_opens_the_persons_file_and_the_projects(
    tmp_path: Path, editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(bench: Workbench) -> None:
        monkeypatch.setattr(bench.app, "suspend", nullcontext)
        await bench.send("/settings")
        assert editor.arguments == str(user_settings_file())
        await bench.send("/settings project")
        assert editor.arguments == f"{bench.session.workspace.root}/.decode/settings.json"

    run(tmp_path, steps)


def test_the_letter_does_nothing_where_all_is_sound(tmp_path: Path, editor: Editor) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.press("ctrl+o", "b")
        assert editor.arguments is None

    run(tmp_path, steps)
