"""A plan is handed over by keyboard: seen, written, edited, approved; nothing is approved unseen (delegation.md §4)."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from decode_core.plans.addon_registry import set_addon
from decode_core.plans.folder import list_plans, load_plan
from decode_core.work_plans.gate_permission import is_approved_here
from decode_core.work_plans.handover import outline_of
from decode_ui.external_editor import EditorError
from decode_ui.screens import work_plan
from decode_ui.screens.work_plan import Stage, WorkPlanScreen
from dialog_host import Host, play

PLAN = """# Retry failed downloads

## Steps
1. Add a loop
   - Check: `pytest -q`
   - Files: `src/net.py`
2. Look again
"""

Steps = Callable[[Host, Pilot[None], WorkPlanScreen], Awaitable[None]]


def run(root: Path, steps: Steps, text: str = PLAN, size: tuple[int, int] = (150, 40)) -> Host:
    screen = WorkPlanScreen(root, outline_of(text), text)

    async def go(host: Host, pilot: Pilot[None]) -> None:
        await settle(host, pilot)
        await steps(host, pilot, screen)

    return play(screen, go, size)


async def settle(host: Host, pilot: Pilot[None]) -> None:
    await host.workers.wait_for_complete()
    await pilot.pause()


async def press(host: Host, pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settle(host, pilot)


def edited(monkeypatch: pytest.MonkeyPatch, change: Callable[[dict[str, Any]], object] | str) -> None:
    """The person's editor makes this change of the draft, or leaves this text."""

    def edit(text: str, *_: object) -> str:
        if isinstance(change, str):
            return change
        document = json.loads(text)
        change(document)
        return json.dumps(document)

    monkeypatch.setattr(work_plan, "edit_text", edit)


@pytest.mark.parametrize("size", [(150, 40), (80, 24)])
def test_first_it_shows_what_the_plan_would_become_and_writes_nothing(tmp_path: Path, size: tuple[int, int]) -> None:
    async def look(host: Host, _: Pilot[None], screen: WorkPlanScreen) -> None:
        shown = host.shown
        assert "Work plan · not written yet" in shown
        assert "step 1  Add a loop" in shown
        assert "check     pytest -q" in shown
        assert "no delegation addon is enabled" in screen.body.text
        assert "the plan states no check, so that a person signs it off" in screen.body.text
        assert "w write the draft" in shown
        assert "approve…" not in shown
        assert list_plans(tmp_path) == []

    run(tmp_path, look, size=size)


def test_written_it_can_be_approved_by_a_clear_yes_alone(tmp_path: Path) -> None:
    async def go(host: Host, pilot: Pilot[None], screen: WorkPlanScreen) -> None:
        await press(host, pilot, "w")
        assert screen.stage is Stage.DRAFTED
        assert "PLAN_001_retry_failed_downloads · draft" in host.shown
        await press(host, pilot, "a")
        assert "Approve this contract? Its check may run on this machine." in host.shown
        await press(host, pilot, "enter")
        assert screen.stage is Stage.DRAFTED
        await press(host, pilot, "a", "escape")
        assert screen.stage is Stage.DRAFTED
        assert host.screen is screen
        await press(host, pilot, "a", "y")
        assert "PLAN_001_retry_failed_downloads · approved" in host.shown
        assert "start --task T-add-loop" in host.shown
        await press(host, pilot, "c", "escape")
        assert host.copied == [
            f"decode plan --plan {tmp_path}/.dwp/plans/PLAN_001_retry_failed_downloads start --task T-add-loop"
        ]

    assert run(tmp_path, go).result is None
    (folder,) = list_plans(tmp_path)
    plan = load_plan(folder)
    assert is_approved_here(plan)
    assert [event.type for event in plan.events] == ["approval"]


def test_what_was_edited_is_checked_before_it_can_be_approved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def go(host: Host, pilot: Pilot[None], screen: WorkPlanScreen) -> None:
        await press(host, pilot, "w")
        assert screen.done is not None
        sound = screen.done.draft.read_text()
        edited(monkeypatch, lambda draft: draft["scope"].update(allowed_command_classes=["make"]))
        await press(host, pilot, "e")
        assert "✗ the gate of T-add-loop" in host.shown
        await press(host, pilot, "a")
        assert "Approve this contract?" not in host.shown
        edited(monkeypatch, "{")
        await press(host, pilot, "e")
        assert "not JSON" in host.shown
        assert "no valid contract" in host.shown
        edited(monkeypatch, sound)
        await press(host, pilot, "e", "a", "y")
        assert screen.stage is Stage.APPROVED

    run(tmp_path, go)


def test_without_an_editor_the_draft_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> str:
        raise EditorError("There is no editor; set VISUAL or EDITOR.")

    monkeypatch.setattr(work_plan, "edit_text", fail)

    async def go(host: Host, pilot: Pilot[None], screen: WorkPlanScreen) -> None:
        await press(host, pilot, "w", "e")
        assert "There is no editor" in host.shown
        assert screen.stage is Stage.DRAFTED

    run(tmp_path, go)


def test_a_draft_that_somebody_changed_meanwhile_is_not_approved(tmp_path: Path) -> None:
    async def go(host: Host, pilot: Pilot[None], screen: WorkPlanScreen) -> None:
        await press(host, pilot, "w", "a")
        assert screen.done is not None
        document = json.loads(screen.done.draft.read_text())
        document["tasks"][0]["gate_intent"][0]["check"] = "pytest --rm-everything"
        screen.done.draft.write_text(json.dumps(document))
        await press(host, pilot, "y")
        assert "the draft was changed meanwhile" in host.shown
        await press(host, pilot, "a")
        assert "Approve this contract?" not in host.shown
        assert not screen.done.folder.contract.exists()

    run(tmp_path, go)


def test_a_delegation_addon_makes_the_proposal(tmp_path: Path) -> None:
    set_addon(tmp_path, "decode", enabled=True)

    async def go(host: Host, pilot: Pilot[None], screen: WorkPlanScreen) -> None:
        assert "may be delegated beside others (proposed)" in host.shown
        await press(host, pilot, "w")
        assert "parallel_safe" in host.shown

    run(tmp_path, go)


def test_a_plan_without_steps_says_so(tmp_path: Path) -> None:
    async def look(host: Host, pilot: Pilot[None], screen: WorkPlanScreen) -> None:
        assert "the plan has no steps" in host.shown
        await press(host, pilot, "w")
        assert screen.stage is Stage.PROPOSED

    run(tmp_path, look, text="")
    assert list_plans(tmp_path) == []


def test_hostile_text_is_shown_as_signs(tmp_path: Path) -> None:
    async def look(host: Host, _: Pilot[None], screen: WorkPlanScreen) -> None:
        assert "\x1b" not in host.shown
        assert "[bold]" in host.shown

    run(tmp_path, look, text="# T\n## Steps\n1. Do \x1b[31m[bold]it[/bold]\n")
