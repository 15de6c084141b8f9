"""A terminal program in tmux, driven in control mode: tmux tells of every output at once, so nothing is polled."""

import os
import queue
import random
import re
import shlex
import subprocess
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

WIDTH, HEIGHT = 120, 40
DEADLINE_S = 60.0
PAINTED = 20
"""So many visible characters make a painted frame."""
LETTERS = "".join(chr(code) for code in (*range(0x430, 0x450), *range(0x3B1, 0x3C2), *range(0x10D0, 0x10F1)))
"""Keys to measure with: letters that no program here writes by itself, each sent once."""

_OCTAL = re.compile(rb"\\(\d{3})")
_ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|[P\]_^][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])")


class TerminalError(Exception):
    """tmux or the program in it did not do what was awaited. The message ends with the screen where there is one."""


class Terminal:
    """One program in one pane of a tmux server of its own; times are those of `time.perf_counter`."""

    def __init__(self, control: "_Control", pane: str, started: float) -> None:
        self._control = control
        self._pane = pane
        self.started = started
        self.pid = int(control.ask(f"display-message -p -t {pane} '#{{pane_pid}}'")[0])

    def screen(self) -> str:
        """What the pane shows."""
        return "\n".join(self._control.ask(f"capture-pane -p -t {self._pane}"))

    def type(self, text: str) -> float:
        """Send `text` as keys; returns when."""
        now = time.perf_counter()
        self._control.tell(f"send-keys -t {self._pane} -l -- {shlex.quote(text)}")
        return now

    def press(self, key: str) -> float:
        """Send one key by its tmux name; returns when."""
        now = time.perf_counter()
        self._control.tell(f"send-keys -t {self._pane} {key}")
        return now

    def written(self) -> int:
        """Bytes that the program has written so far: a place to look from."""
        return len(self._control.output(self._pane))

    def wait_output(self, text: str, start: int = 0, deadline_s: float = DEADLINE_S) -> float:
        """When the program had written `text`, looking from byte `start` on. Raises TerminalError."""
        sought = text.encode()
        found = self._control.wait_until(self._pane, lambda output: output.find(sought, start) >= 0, deadline_s)
        if found is None:
            raise TerminalError(f"never saw {text!r} within {deadline_s:g} s on:\n{self.screen()}")
        return found

    def wait_painted(self) -> float:
        """When the program had painted something that a person can see. Raises TerminalError."""
        painted = self._control.wait_until(self._pane, _shows_a_frame, DEADLINE_S)
        if painted is None:
            raise TerminalError(f"nothing was painted within {DEADLINE_S:g} s")
        return painted

    def latencies(self, count: int, gaps_s: tuple[float, float] = (0.03, 0.13)) -> list[float]:
        """Milliseconds from each of `count` key presses to its letter in the output.

        The pauses between them differ (always in the same way), so that they cannot keep step with a timer.
        """
        pauses = random.Random(1)  # noqa: S311 - nothing secret
        samples = []
        for letter in LETTERS[:count]:
            start = self.written()
            sent = self.type(letter)
            samples.append((self.wait_output(letter, start, 10.0) - sent) * 1000)
            time.sleep(pauses.uniform(*gaps_s))
        return samples


@contextmanager
def terminal(argv: Sequence[str], folder: Path, env: Mapping[str, str] | None = None) -> Iterator[Terminal]:
    """Run `argv` in a new tmux server; `folder` is its working folder, with `env` on top of this environment."""
    script = folder / f".start-{uuid.uuid4().hex[:8]}.sh"
    exports = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in (env or {}).items())
    script.write_text(f"{exports}exec {shlex.join(argv)}\n")
    control = _Control(folder)
    try:
        started = time.perf_counter()
        (pane,) = control.ask(f"new-window -P -F '#{{pane_id}}' -c {shlex.quote(str(folder))} 'exec sh {script.name}'")
        yield Terminal(control, pane, started)
    finally:
        control.close()
        script.unlink()


class _Control:
    """The control client: commands in, replies and outputs out. A thread reads, so that times are true."""

    def __init__(self, folder: Path) -> None:
        config = folder / f".tmux-{uuid.uuid4().hex[:8]}.conf"
        config.write_text("set -g default-terminal tmux-256color\nset -g escape-time 10\nset -g remain-on-exit on\n")
        self._socket = f"decode-bench-{uuid.uuid4().hex[:8]}"
        command = ["tmux", "-u", "-L", self._socket, "-f", str(config), "-C", "new-session", "cat"]
        environment = {**os.environ, "COLORTERM": "truecolor"}
        self._tmux = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )
        self._config = config
        self._replies: queue.Queue[list[str]] = queue.Queue()
        self._changed = threading.Condition()
        self._outputs: dict[str, bytearray] = {}
        self._last = 0.0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._reply()
        self.tell(f"refresh-client -C {WIDTH},{HEIGHT}")

    def ask(self, command: str) -> list[str]:
        """Run a tmux command and return its lines. Raises TerminalError."""
        self._write(command)
        return self._reply()

    def tell(self, command: str) -> None:
        """Run a tmux command; its reply is taken when it comes."""
        self._write(command)
        self._reply()

    def output(self, pane: str) -> bytearray:
        """All that a pane has written."""
        with self._changed:
            return self._outputs.setdefault(pane, bytearray())

    def wait_until(self, pane: str, holds: Callable[[bytearray], bool], deadline_s: float) -> float | None:
        """When something began to hold for all that a pane has written, or None."""
        end = time.perf_counter() + deadline_s
        with self._changed:
            while not holds(self._outputs.setdefault(pane, bytearray())):
                if not self._changed.wait(max(end - time.perf_counter(), 0)):
                    return None
            return self._last

    def close(self) -> None:
        """End the server and everything in it."""
        subprocess.run(["tmux", "-L", self._socket, "kill-server"], capture_output=True, check=False)
        self._tmux.wait(10)
        self._reader.join(10)
        for pipe in (self._tmux.stdin, self._tmux.stdout):
            if pipe is not None:
                pipe.close()
        self._config.unlink()

    def _write(self, command: str) -> None:
        if self._tmux.stdin is None:
            raise TerminalError("tmux takes no commands")
        self._tmux.stdin.write(command.encode() + b"\n")
        self._tmux.stdin.flush()

    def _reply(self) -> list[str]:
        try:
            return self._replies.get(timeout=10)
        except queue.Empty:
            raise TerminalError("tmux does not answer") from None

    def _read(self) -> None:
        reply: list[str] | None = None
        for line in self._tmux.stdout or ():
            now = time.perf_counter()
            if line.startswith(b"%output "):
                _, pane, escaped = line.rstrip(b"\n").split(b" ", 2)
                data = _OCTAL.sub(lambda found: bytes([int(found[1], 8)]), escaped)
                with self._changed:
                    self._outputs.setdefault(pane.decode(), bytearray()).extend(data)
                    self._last = now
                    self._changed.notify_all()
            elif line.startswith(b"%begin "):
                reply = []
            elif line.startswith((b"%end ", b"%error ")) and reply is not None:
                self._replies.put(reply)
                reply = None
            elif reply is not None:
                reply.append(line.decode(errors="replace").rstrip("\n"))


def _shows_a_frame(output: bytearray) -> bool:
    return len(b"".join(_ESCAPES.sub(b"", bytes(output)).split())) >= PAINTED
