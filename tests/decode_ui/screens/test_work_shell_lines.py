"""`!` lines on the work screen: typed, not pasted; stopped by Esc; what goes to the model is told (ui.md §2)."""

from pathlib import Path

import pytest

from decode_core.events import ShellLineFinished, ShellLineStarted
from decode_ui.panes.permissions import PermissionsPane
from decode_ui.screens.work import SHELL_KEYS
from decode_ui.testing import Workbench
from fake_session import FakeSession
from work_screen import run


def test_a_typed_line_runs_and_is_shown_with_its_output(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write("! echo hel")
        assert SHELL_KEYS in bench.screen
        await bench.send("lo")
        await bench.wait_for(ShellLineFinished)
        assert "! echo hello" in bench.screen
        assert "exit 0" in bench.screen
        assert bench.screen.count("hello") >= 2
        assert session.sent == []
        assert "you ran it" in bench.screen
        log = bench.work.query_one("#permissions", PermissionsPane)
        assert "bash  echo hello" in str(log.options[0].prompt)
        await bench.press("up")
        assert bench.work.prompt.text == "! echo hello"
        assert bench.work.prompt.is_shell_line

    run(steps, tmp_path, (150, 40))


@pytest.mark.parametrize("typed_first", ["", "x"])
def test_a_pasted_line_is_a_message_like_any_other(tmp_path: Path, typed_first: str) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.write(typed_first)
        await bench.press("home")
        await bench.paste("!touch made ")
        assert SHELL_KEYS not in bench.screen
        await bench.press("enter")
        assert session.sent == [f"!touch made {typed_first}"]
        assert bench.all_of(ShellLineStarted) == []

    run(steps, tmp_path)


def test_two_signs_tell_the_model_and_the_screen_says_so(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send("!!echo shared")
        await bench.wait_for(ShellLineFinished)
        assert "with the next prompt  what `echo shared` printed" in bench.screen
        assert session.lines.for_model == ("echo shared",)

    run(steps, tmp_path)


@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
def test_esc_and_ctrl_c_stop_the_line_before_the_turn(tmp_path: Path, key: str) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        await bench.send("!sleep 60")
        await bench.press(key)
        end = await bench.wait_for(ShellLineFinished)
        assert end.summary == "stopped"
        assert session.cancels == 0
        await bench.advance(1)
        await bench.press(key)
        assert session.cancels == 1

    run(steps, tmp_path)


def test_a_second_line_waits_for_the_person(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send("!sleep 60")
        await bench.send("!echo second")
        assert "A line of yours is running; Esc stops it." in bench.screen
        assert bench.work.prompt.text == "!echo second"
        session.lines.cancel()
        await bench.wait_for(ShellLineFinished)

    run(steps, tmp_path)


def test_a_sign_alone_says_what_is_missing(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send("!")
        assert "what should run?" in bench.screen

    run(steps, tmp_path)
