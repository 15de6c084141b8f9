"""A plan review that waits over the end of decode opens again, in another process, too (plan-mode.md §1)."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from decode_core.events import DecisionAnswered, PlanDecided, PlanProposed, ToolCallFinished, TurnEnd, TurnFinished
from decode_core.permissions.modes import PermissionMode
from decode_core.resuming import take_up
from decode_ui.screens.plan_review import PlanReviewScreen
from decode_ui.testing import Workbench, workbench
from sessions import write_script

PROPOSE = """
- calls: [{tool: exit_plan_mode, args: {title: T, plan: "## Steps\\n1. one\\n2. two\\n3. three"}}]
"""
REST = """
- expect: {results: [{tool: exit_plan_mode, outcome: ok, contains: "Approved steps:\\n1. one\\n3. three"}]}
  calls: [{tool: write, args: {path: b.txt, content: x}}]
- text: Done.
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    return folder


def play(workspace: Path, script: str, steps: Callable[[Workbench], Awaitable[None]], **options: Any) -> None:
    async def go() -> None:
        model = write_script(workspace.parent, script)
        async with workbench(workspace, size=(150, 40), model=model, **options) as bench:
            await steps(bench)

    asyncio.run(go())


async def approve_without_the_second(bench: Workbench) -> None:
    """The review opens by itself, and is answered by keyboard."""
    await bench.open_question(len(bench.all_of(PlanProposed)))
    assert isinstance(bench.app.screen, PlanReviewScreen)
    assert "Plan · T · version 1" in bench.screen
    await bench.press("j", "j", "space", "a")
    await bench.wait_for(TurnFinished, 2)
    assert [event.answer for event in bench.all_of(PlanDecided)] == ["approve"]
    assert [event.answer for event in bench.all_of(DecisionAnswered)] == ["approve"]
    assert len(bench.all_of(PlanProposed)) == 1
    assert bench.session.mode is PermissionMode.EDIT
    assert [(event.tool, event.outcome.value) for event in bench.all_of(ToolCallFinished)] == [
        ("exit_plan_mode", "ok"),
        ("write", "ok"),
    ]


def test_quitting_with_the_review_open_suspends_it_and_the_next_start_opens_it(workspace: Path) -> None:
    async def leave(bench: Workbench) -> None:
        await bench.send("plan it")
        await bench.open_question()

    play(workspace, PROPOSE, leave, mode=PermissionMode.PLAN)
    resumed = take_up(None, workspace)
    assert [event.end for event in resumed.events if isinstance(event, TurnFinished)] == [TurnEnd.SUSPENDED]
    play(workspace, REST, approve_without_the_second, resumed=resumed)
    assert (workspace / "b.txt").read_text() == "x"


def test_a_plan_of_a_run_in_another_process_is_reviewed_in_the_application(workspace: Path) -> None:
    model = write_script(workspace.parent, PROPOSE)
    command = [sys.executable, "-m", "decode_ui", "run", "plan it", "--model", model, "--mode", "plan"]
    done = subprocess.run(
        [*command, "--on-ask", "suspend"],
        cwd=workspace,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    play(workspace, REST, approve_without_the_second, resumed=take_up(None, workspace))
    assert (workspace / "b.txt").read_text() == "x"


def test_comments_ticks_and_edits_that_were_begun_are_there_again(workspace: Path) -> None:
    async def begin(bench: Workbench) -> None:
        await bench.send("plan it")
        await bench.open_question()
        await bench.press("j", "space", "j", "c")
        await bench.write("why two")
        await bench.press("enter")
        record = bench.session._parts.record
        assert record is not None
        assert "why two" in record.kept_answer("q1")  # on the disk at once: a crash takes nothing away
        await bench.press("end", "e", "end", *"!", "escape", "tab", *"hm")

    async def go_on(bench: Workbench) -> None:
        await bench.open_question()
        for words in ("edited by you", "☐ 1  one", "┃ you: why two", "3  three!", "┃ your note: hm"):
            assert words in bench.screen
        await bench.press("r")
        await bench.wait_for(PlanDecided)
        (decided,) = bench.all_of(PlanDecided)
        assert (decided.note, decided.comments[0].text, decided.plan.steps[2].text) == ("hm", "why two", "three!")
        assert bench.session.kept_answer("q1") == ""

    play(workspace, PROPOSE, begin, mode=PermissionMode.PLAN)
    play(workspace, "- text: ok", go_on, resumed=take_up(None, workspace))
