"""The analysis against real bash: what it runs is what was read, and what is proven to read changes nothing."""

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from decode_core.permissions.shell.narrow import parts_of
from decode_core.permissions.shell.words import Word, home
from decode_core.tools.shell_environment import closed_environment
from decode_core.workspace import Workspace
from shell_workspace import is_read, make_workspace

BASH = shutil.which("bash") or ""
NO_BASH = pytest.mark.skipif(not BASH, reason="there is no bash here")

STAND_IN = """#!{bash}
line="${{0##*/}}"$'\\001'
for word in "$@"; do line+="$word"$'\\001'; done
printf '%s\\002' "$line" >> "$LOG"
"""

PIECES = st.sampled_from(
    (Path(__file__).parent / "pieces.txt").read_text(encoding="utf-8").replace("\\n", "\n").split("\n--\n")
)
"""Pieces of shell text that are set beside one another, sensible or not."""


@NO_BASH
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=st.lists(PIECES, min_size=1, max_size=7))
def test_bash_runs_no_program_that_was_not_read(tmp_path: Path, pieces: list[str]) -> None:
    text = " ".join(pieces) if len(pieces) % 2 else "".join(pieces)
    parts = parts_of(text)
    if parts.obstacle is not None:
        return
    read = [part.words for part in parts.parts]
    for argv in _run_with_stand_ins(tmp_path, text):
        assert any(_may_be(words, argv) for words in read), (text, argv)


@NO_BASH
def test_the_stand_ins_tell_what_bash_runs(tmp_path: Path) -> None:
    ran = sorted(_run_with_stand_ins(tmp_path, "p 'a b' | q; \\\nr {c,d}"))
    assert ran == [["p", "a b"], ["q"], ["r", "c", "d"]]


HARMLESS = (Path(__file__).parent / "harmless.txt").read_text(encoding="utf-8").splitlines()
TAILS = ["", " | head -3", " | sort -u", " > out.txt", " >> a", " && touch new", "; rm a", " | tee new", " 2> errors"]
FRONTS = [
    "",
    "cd src && ",
    "time ",
    "timeout 5 ",
    "LC_ALL=C ",
    "x=1; ",
    "! ",
    "(cd docs); ",
    "for f in a b; do ls; done; ",
]


@NO_BASH
def test_what_is_proven_to_read_leaves_the_workspace_unchanged(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    environment = closed_environment(os.environ, Workspace(ws)) | {"HOME": str(tmp_path)}
    before = _contents(ws)
    ran = 0
    for number, command in enumerate(HARMLESS):
        # every command with some front and some tail, most of which take the proof away
        text = FRONTS[number % len(FRONTS)] + command.replace("\\n", "\n") + TAILS[number // 2 % len(TAILS)]
        if is_read(ws, text):
            ran += 1
            words = [BASH, "--noprofile", "--norc", "-c", text]
            subprocess.run(words, cwd=ws, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=30)
    assert ran > 30
    assert _contents(ws) == before


def _run_with_stand_ins(folder: Path, text: str) -> Iterator[list[str]]:
    programs, scratch, log = folder / "bin", folder / "scratch", folder / "log"
    if not programs.exists():
        programs.mkdir()
        for name in ("p", "q", "r"):
            (programs / name).write_text(STAND_IN.format(bash=BASH))
            (programs / name).chmod(0o700)
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    log.write_text("")
    subprocess.run(
        [BASH, "--noprofile", "--norc", "-c", 'eval "$0"; wait', text],
        cwd=scratch,
        env={"PATH": str(programs), "LOG": str(log), "HOME": home()},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=20,
    )
    for line in log.read_text(errors="replace").split("\2")[:-1]:
        yield re.sub(r"/dev/fd/\d+", "/dev/fd/63", line).split("\1")[:-1]


def _may_be(words: tuple[Word, ...], argv: list[str]) -> bool:
    """Whether a command as it was read, or what a wrapper among its words runs, may be what bash ran."""
    pieces = [
        ".*" if form.glob is not None or not form.is_known else re.escape(form.text) + "\1"
        for word in words
        for form in word.forms
    ]
    ran = "".join(f"{word}\1" for word in argv)
    return any(re.fullmatch("".join(pieces[start:]), ran, re.DOTALL) for start in range(len(pieces)))


def _contents(folder: Path) -> dict[str, tuple[int, bytes]]:
    found: dict[str, tuple[int, bytes]] = {}
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        data = b""
        if stat.S_ISLNK(mode):
            data = os.fsencode(path.readlink())
        elif stat.S_ISREG(mode):
            data = path.read_bytes()
        found[path.relative_to(folder).as_posix()] = (mode, data)
    return found
