"""The real program in a real terminal: tmux starts it, types, presses Shift+Tab and quits."""

import os
import re
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")

DEADLINE_S = 30.0


class Terminal:
    """One tmux server with one window."""

    def __init__(self, cwd: Path, width: int = 120, height: int = 36) -> None:
        self._socket = f"decode-test-{uuid.uuid4().hex[:8]}"
        self._tmux("-f", os.devnull, "new-session", "-d", "-x", str(width), "-y", str(height), "-c", str(cwd), "sh")
        self._tmux("set-option", "-g", "escape-time", "10")

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-l", text)

    def press(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p")

    def wait_for(self, text: str) -> str:
        """Poll until the screen shows `text`; the deadline is only for a program that hangs."""
        end = time.monotonic() + DEADLINE_S
        while time.monotonic() < end:
            screen = self.screen()
            if text in screen:
                return screen
            time.sleep(0.02)
        raise AssertionError(f"never saw {text!r} in:\n{self.screen()}")

    def close(self) -> None:
        self._tmux("kill-server")

    def _tmux(self, *args: str) -> str:
        command = ["tmux", "-L", self._socket, *args]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "README.md").write_text("retries here\n")
    return folder


@pytest.fixture
def terminal(workspace: Path) -> Iterator[Terminal]:
    terminal = Terminal(workspace)
    yield terminal
    terminal.close()


def test_start_cycle_type_allow_and_quit(terminal: Terminal, workspace: Path) -> None:
    terminal.type(f"{sys.executable} -m decode_ui; echo left with $?\n")
    terminal.wait_for("DEFAULT")
    terminal.press("BTab")
    terminal.wait_for("EDIT")
    terminal.press("BTab", "BTab")
    screen = terminal.wait_for("bypass")
    assert "BYPASS !" not in screen  # the first time it asks
    terminal.press("n")
    terminal.wait_for("plan → default")
    terminal.type("replace retries with attempts in README.md")
    terminal.wait_for("attempts in README.md")
    terminal.press("Enter")
    terminal.wait_for("Allow this edit?")
    terminal.wait_for("y once")
    _answer_until(terminal, workspace)
    assert (workspace / "README.md").read_text() == "attempts here\n"
    terminal.type("/quit")
    terminal.press("Enter")
    terminal.wait_for("left with 0")


def test_a_person_without_a_key_reaches_a_changed_file_by_what_the_screen_says(
    terminal: Terminal, workspace: Path
) -> None:
    terminal.type(f"{sys.executable} -m decode_ui\n")
    first = terminal.wait_for("plan a change to README")
    assert "offline model" in first
    suggested = _said(r"try .* · (plan a change to \S+)", first)
    terminal.type(suggested)
    terminal.wait_for(f"› {suggested}")
    time.sleep(0.05)  # a person's Enter: later than the end of a paste could be
    terminal.press(_said(r"(\S+) send", first).capitalize())
    review = terminal.wait_for("comment it here as")
    request = _said(r"comment it here as (replace OLD with NEW)", review)
    request = request.replace("OLD", "retries").replace("NEW", "attempts")
    _press_until(terminal, _said(r"(\S) \S step", review), "version 1")
    _press_until(terminal, _said(r"(\S) comment(?! it)", review), "Comment")
    terminal.type(request)
    terminal.wait_for(request)
    terminal.press("Enter")
    terminal.wait_for(f"you: {request}")
    terminal.press(_said(r"(\S) send back", review))
    second = terminal.wait_for("version 2")
    _press_until(terminal, _said(r"(\S) approve → edit", second), "EDIT")
    terminal.wait_for("attempts here")
    assert (workspace / "README.md").read_text() == "attempts here\n"


def _said(pattern: str, screen: str) -> str:
    """What the screen itself says: nothing is typed that a person could not read there."""
    text = " ".join(re.sub("[│╭╮╰╯─`]", " ", screen).split())
    found = re.search(pattern, text)
    assert found is not None, f"{pattern} is not said in:\n{screen}"
    return found[1]


def _press_until(terminal: Terminal, key: str, shown: str) -> None:
    """Press a key of a dialog, once its guard lets keys through, until the screen shows what it does."""
    end = time.monotonic() + DEADLINE_S
    while time.monotonic() < end:
        time.sleep(0.4)  # the guard wants 300 ms without a key, by the real clock
        terminal.press(key)
        time.sleep(0.2)
        if shown in terminal.screen():
            return
    raise AssertionError(f"{key} never led to {shown!r}:\n{terminal.screen()}")


def _answer_until(terminal: Terminal, workspace: Path) -> None:
    """Press y once the guard lets answers through; before that the key goes nowhere, as it should."""
    end = time.monotonic() + DEADLINE_S
    while "Allow this edit?" in terminal.screen() and time.monotonic() < end:
        time.sleep(0.4)  # the guard wants 300 ms without a key, by the real clock
        terminal.press("y")
        time.sleep(0.2)
