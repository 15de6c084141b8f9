"""One plan from the first version to the last key, by keyboard alone, with what the model was told (plan-mode.md)."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from decode_core.events import PlanDecided, ToolCallFinished, TurnFinished
from decode_core.permissions.modes import PermissionMode
from decode_ui.testing import Workbench, workbench
from fake_provider import FakeProvider, Reply, fake_provider
from payments import PROMPT, repository
from wire_model import use_provider

SIZES = [pytest.param((w, h), id=f"{w}x{h}") for w, h in ((150, 40), (80, 24))]

FIRST = """## Goal
The number of retries is a setting. Nothing else about sending changes.

## Steps
1. Add `retries: int = 3` to `Settings`
2. Use it in `Client.send` and make the back-off configurable
3. Rename the module

## Risk
A value of 0 must still send once.
"""
SECOND = """## Goal
The number of retries is a setting. Nothing else about sending changes.

## Steps
1. Add `retries: int = 3` to `Settings`, not below 0
2. Use it in `Client.send`; the back-off stays
3. Rename the module
4. Tests: no retry, success after one, giving up

## Risk
A value of 0 must still send once.
"""
EDIT = {"path": "src/settings.py", "old": "10.0\n", "new": "10.0\n    retries: int = 3\n"}
TODO = [
    {"id": "a", "content": "Add the setting", "status": "completed", "step": 1},
    {"id": "b", "content": "Use it", "active_form": "Using it in the client", "status": "in_progress", "step": 2},
]


def proposal(text: str) -> Reply:
    return Reply(calls=[("exit_plan_mode", json.dumps({"title": "Configurable retries", "plan": text}))])


@pytest.mark.parametrize("size", SIZES)
def test_comment_send_back_compare_tick_off_approve(
    own_home: Path, matches_picture: Callable[[str], bool], size: tuple[int, int]
) -> None:
    work = [
        Reply(calls=[("read", '{"path": "src/settings.py"}')]),
        Reply(calls=[("edit", json.dumps(EDIT)), ("todo_write", json.dumps({"items": TODO}))]),
    ]
    pictures: list[str] = []

    async def go(provider: FakeProvider) -> None:
        use_provider(provider)
        async with workbench(repository(own_home), size=size, model="local", mode=PermissionMode.PLAN) as bench:
            await bench.send(PROMPT)
            await bench.open_question()
            await comment_on_two_lines(bench)
            pictures.append(await bench.picture())
            await bench.press("r")
            await bench.open_question(2)
            pictures.append(await bench.picture())
            await bench.press("v")
            pictures.append(await bench.picture())
            await bench.press("escape", "j", "j", "j", "space")
            pictures.append(await bench.picture())
            await bench.press("a")
            await bench.wait_for(TurnFinished)
            pictures.append(await bench.picture())
            check_the_session(bench)

    with fake_provider(proposal(FIRST), proposal(SECOND), *work, Reply(text=["The setting is in."])) as provider:
        asyncio.run(go(provider))
    check_what_the_model_read(provider)
    assert [matches_picture(picture) for picture in pictures] == [True] * 5


async def comment_on_two_lines(bench: Workbench) -> None:
    """On steps 1 and 2, with the keys alone."""
    await bench.press("j", "c")
    await bench.write("not below 0")
    await bench.press("enter", "j", "c")
    await bench.write("leave the back-off; and where are the tests?")
    await bench.press("enter")


def check_the_session(bench: Workbench) -> None:
    first, second = bench.all_of(PlanDecided)
    assert (first.answer, [comment.quoted for comment in first.comments]) == (
        "refine",
        ["1. Add `retries: int = 3` to `Settings`", "2. Use it in `Client.send` and make the back-off configurable"],
    )
    assert (second.answer, second.plan.version, second.plan.approved) == ("approve", 2, (1, 2, 4))
    assert bench.session.mode is PermissionMode.EDIT
    assert [event.outcome.value for event in bench.all_of(ToolCallFinished)] == ["ok"] * 5


def check_what_the_model_read(provider: FakeProvider) -> None:
    """Exactly the comments after the first version, exactly the approved steps after the second."""
    results = [message["content"] for message in provider.requests[-1]["messages"] if message["role"] == "tool"]
    assert results[0] == (
        "The person sent the plan back. Plan mode stays on; present a new plan with exit_plan_mode.\n\n"
        "Comments:\n"
        "- On “1. Add `retries: int = 3` to `Settings`”: not below 0\n"
        "- On “2. Use it in `Client.send` and make the back-off configurable”: "
        "leave the back-off; and where are the tests?"
    )
    assert results[1] == (
        "The plan is approved in part. Carry it out now.\n\n"
        "Approved steps:\n"
        "1. Add `retries: int = 3` to `Settings`, not below 0\n"
        "2. Use it in `Client.send`; the back-off stays\n"
        "4. Tests: no retry, success after one, giving up\n\n"
        "Refused steps, leave them out:\n"
        "3. Rename the module"
    )
    system = provider.system(2)
    assert "You are in plan mode" in provider.system(1)
    assert "You are in plan mode" not in system
    assert "4. Tests" in system
    assert "Rename the module" not in system
