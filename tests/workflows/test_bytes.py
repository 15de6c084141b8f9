"""Raw bytes through a pseudo-terminal: what terminals really send for Shift+Tab, Enter, Esc and pastes."""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

DEADLINE_S = 30.0
PROGRAM = Path(__file__).parents[1] / "pty_program.py"


class Terminal:
    """The application on a pseudo-terminal."""

    def __init__(self, folder: Path) -> None:
        self._report = folder / "report.json"
        workspace = folder / "ws"
        workspace.mkdir()
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
        command = [sys.executable, str(PROGRAM), str(workspace), str(self._report)]
        env = {**os.environ, "TERM": "xterm-256color"}
        self._process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True
        )
        os.close(slave)
        self._reader = threading.Thread(target=self._drain, daemon=True)
        self._stopped = threading.Event()
        self._reader.start()
        self.until(lambda state: bool(state.get("ready")))

    def send(self, data: bytes) -> None:
        os.write(self._master, data)

    def state(self) -> dict[str, Any]:
        try:
            state: dict[str, Any] = json.loads(self._report.read_text())
        except (FileNotFoundError, ValueError):
            return {}
        return state

    def until(self, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Poll until the application reports what is waited for; the deadline is for one that hangs."""
        end = time.monotonic() + DEADLINE_S
        while time.monotonic() < end:
            state = self.state()
            if condition(state):
                return state
            time.sleep(0.01)
        raise AssertionError(f"never came; last {self.state()}")

    def close(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._stopped.set()
        self._reader.join()
        os.close(self._master)

    def _drain(self) -> None:
        while not self._stopped.is_set():
            ready, _, _ = select.select([self._master], [], [], 0.05)
            if ready:
                try:
                    os.read(self._master, 65_536)
                except OSError:
                    return


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path)
    yield terminal
    terminal.close()


def test_all_four_forms_of_shift_tab_step_the_mode(terminal: Terminal) -> None:
    for form, mode in ((b"\x1b[Z", "edit"), (b"\x1b[9;2u", "plan")):
        terminal.send(form)
        terminal.until(lambda state, mode=mode: state["mode"] == mode)  # type: ignore[misc]
    terminal.send(b"/mode default\r")
    terminal.until(lambda state: state["mode"] == "default")
    for form, mode in ((b"\x1b[27;2;9~", "edit"), (b"\x1b\t", "plan")):
        terminal.send(form)
        terminal.until(lambda state, mode=mode: state["mode"] == mode)  # type: ignore[misc]


def test_esc_cr_is_enter_and_sends_nothing_else(terminal: Terminal) -> None:
    terminal.send(b"hello")
    terminal.until(lambda state: state["text"] == "hello")
    time.sleep(0.05)  # a person's Enter: later than the end of a paste could be
    terminal.send(b"\x1b\r")
    assert terminal.until(lambda state: bool(state["sent"]))["sent"] == ["hello"]


def test_esc_j_types_no_letter(terminal: Terminal) -> None:
    terminal.send(b"a")
    terminal.until(lambda state: state["text"] == "a")
    terminal.send(b"\x1bj")
    terminal.send(b"b")
    assert terminal.until(lambda state: "b" in state["text"])["text"] == "ab"


def test_ctrl_j_is_a_new_line(terminal: Terminal) -> None:
    terminal.send(b"one\ntwo")
    assert terminal.until(lambda state: "two" in state["text"])["text"] == "one\ntwo"


def test_a_bracketed_paste_sends_nothing_and_acts_on_nothing(terminal: Terminal) -> None:
    terminal.send(b"\x1b[200~/quit\r\nyes\x1b[201~")
    state = terminal.until(lambda state: "yes" in state["text"])
    assert state["text"] == "/quit\nyes"
    assert state["sent"] == []


def test_a_bare_paste_keeps_its_line_ends_and_sends_nothing(terminal: Terminal) -> None:
    terminal.send(b"one\rtwo\rthree")
    state = terminal.until(lambda state: "three" in state["text"])
    assert state["text"] == "one\ntwo\nthree"
    assert state["sent"] == []


def test_a_pasted_megabyte_folds_and_typing_goes_on(terminal: Terminal) -> None:
    terminal.send(b"\x1b[200~")
    for _ in range(256):
        terminal.send(b"x" * 4_095 + b"\n")
    terminal.send(b"\x1b[201~!")
    state = terminal.until(lambda state: state["text"].endswith("!"))
    assert state["text"] == "[pasted 257 lines]!"
