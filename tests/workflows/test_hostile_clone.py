"""A clone that tries to run something or to widen rights: opening it and looking around makes no canary file."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from decode_core.events import PermissionDecided, TurnFinished
from decode_core.permissions.modes import PermissionMode, PermissionOutcome
from decode_core.trust.folder import Standing
from decode_ui.screens.trust import TrustScreen
from decode_ui.testing import workbench
from hostile_clone import HostileClone

LOOKING = [
    ("bash", {"command": "git status"}),
    ("bash", {"command": "git diff"}),
    ("bash", {"command": "git log -p"}),
    ("bash", {"command": "cd vendor && git status"}),
    ("bash", {"command": "ls -la"}),
    ("bash", {"command": "cat README.md"}),
    ("glob", {"pattern": "**/*"}),
    ("grep", {"pattern": "TODO"}),
    ("read", {"path": "README.md"}),
]

COMMANDS = [
    ("trust", "--show"),
    ("agents", "list"),
    ("settings", "list"),
    ("permissions", "list"),
    ("permissions", "check", "bash", "git status"),
    ("doctor",),
    ("plan", "status"),
    ("sessions", "list"),
]


@pytest.fixture
def clone(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HostileClone:
    clone = HostileClone(tmp_path, configured=getattr(request, "param", True))
    # the worst search path that somebody has: the folder one stands in comes first
    monkeypatch.setenv("PATH", f".:{clone.root}:{os.environ['PATH']}")
    monkeypatch.chdir(clone.root)
    assert not clone.ran
    return clone


def script(folder: Path) -> str:
    calls = [{"calls": [{"tool": tool, "args": args}]} for tool, args in LOOKING]
    (folder / "look.yaml").write_text(json.dumps({"version": 1, "responses": [*calls, {"text": "done"}]}))
    return f"script:{folder / 'look.yaml'}"


@pytest.mark.parametrize("clone", [True, False], ids=["configured", "cloned"], indirect=True)
def test_opening_it_and_looking_around_in_plan_runs_nothing_of_it(clone: HostileClone, tmp_path: Path) -> None:
    async def play() -> None:
        async with workbench(clone.root, model=script(tmp_path), mode=PermissionMode.PLAN) as bench:
            await bench.until(lambda: isinstance(bench.app.screen, TrustScreen))
            assert bench.session.trust.standing is Standing.UNTRUSTED
            await bench.advance(2)
            await bench.press("v", "escape", "n")
            assert "\u202e" not in bench.screen
            assert "main" in bench.screen
            await bench.write("@re")
            await bench.advance(1)
            await bench.press("escape", "escape")
            await bench.press("ctrl+c")
            await bench.send("look around")
            await bench.wait_for(TurnFinished)
            await bench.send("/diff")
            await bench.advance(1)
            verdicts = bench.all_of(PermissionDecided)
            assert len(verdicts) == len(LOOKING)
            assert all(each.outcome is not PermissionOutcome.ASK for each in verdicts), "in plan nothing may wait"
            assert bench.session.mode is PermissionMode.PLAN
            assert {rule.source.value for rule in bench.session.rule_book.rules} <= {"agent"}
            assert bench.session.agent.layer == "built-in"
            assert bench.session.settings.values.sandbox.mode == "auto"
            assert bench.session.workspace.added == ()
            assert "\x1b" not in bench.screen

    asyncio.run(play())
    assert not clone.ran


def test_the_command_line_in_it_runs_nothing_of_it(clone: HostileClone) -> None:
    program = Path(sys.executable).parent / "decode"
    for words in COMMANDS:
        done = subprocess.run([program, *words], capture_output=True, cwd=clone.root, timeout=60, check=False)
        assert b"Traceback" not in done.stderr, words
        assert b"\x1b" not in done.stdout + done.stderr, words
        assert not clone.ran, words


def test_trusting_it_still_honours_nothing_that_no_folder_may_say(clone: HostileClone) -> None:
    """permissions.md §9: never from a folder, trusted or not."""

    async def play() -> None:
        async with workbench(clone.root, model="offline") as bench:
            await bench.until(lambda: isinstance(bench.app.screen, TrustScreen))
            await bench.advance(2)
            await bench.press("n")
            await bench.session.files.trust_folder(bench.session.trust.content)
            values = bench.session.settings.values
            assert bench.session.trust.standing is Standing.TRUSTED
            assert values.permissions.plan_ceiling
            assert (values.mode, values.model, values.models, values.fallback) == (None, None, {}, ())
            assert values.sandbox.mode == "auto"
            assert (values.env.passed, values.directories, values.editor) == ((), (), None)
            assert (values.keys, values.trust_hints) == ({}, {})
            assert bench.session.mode is not PermissionMode.BYPASS
            assert "owned" not in bench.session.catalog.agents, "a project's agent may not say bypass"

    asyncio.run(play())
    assert not clone.ran
