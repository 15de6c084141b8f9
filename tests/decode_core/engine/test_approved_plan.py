"""What the model is told of mode and plan at each request (plan-mode.md §2 and §4; peers.md cases 35 and 38)."""

import asyncio
from pathlib import Path

import pytest
from pydantic_ai import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart

from decode_core import open_session, tool
from decode_core.config import config_dir, make_private
from decode_core.decisions import Answer, PlanReview, Reply as UserReply
from decode_core.engine.approved_plan import approved_paragraph, holds_plan
from decode_core.engine.instructions import PLAN_MODE
from decode_core.events import DecisionRequested, Plan, PlanStep
from decode_core.permissions.modes import PermissionMode, ToolKind
from decode_core.session import Session
from fake_provider import FakeProvider, Reply, fake_provider
from sessions import Answerer, Played, play
from wire_model import use_provider

TEXT = "## Steps\n1. one\n2. two\n\n## Risk\nNone worth a word."
STEPS = (PlanStep(number=1, text="one", line=1), PlanStep(number=2, text="two", line=2))
PLAN = Plan(version=3, title="Re\ntries", text=TEXT, steps=STEPS, approved=(2,))


def call(plan: object = TEXT) -> ModelMessage:
    return ModelResponse([ToolCallPart("exit_plan_mode", {"plan": plan}, tool_call_id="c")])


def result(text: str) -> ModelMessage:
    return ModelRequest([ToolReturnPart("exit_plan_mode", text, tool_call_id="c")])


def test_the_paragraph_names_the_plan_and_the_approved_steps_alone() -> None:
    assert approved_paragraph(PLAN, [call()]) == (
        "The person approved the plan “Re tries” (version 3). Of the plan carry out these steps and no others; items "
        "of the to-do list name the step that they serve (`step`):\n2. two"
    )


@pytest.mark.parametrize(
    "history",
    [[], [ModelResponse([TextPart(TEXT)])], [call("another")], [call(7)], [result("approved")]],
    ids=["empty", "in another place", "another plan", "no text", "no edited text"],
)
def test_a_history_without_the_plan_gets_its_whole_text(history: list[ModelMessage]) -> None:
    assert not holds_plan(history, PLAN)
    assert approved_paragraph(PLAN, history).endswith(f"The whole plan, for reference:\n\n{TEXT}")


@pytest.mark.parametrize("history", [[call()], [call(f"\n{TEXT}\n")], [result(f"it holds:\n\n{TEXT}"), call("old")]])
def test_a_history_with_the_plan_is_not_told_it_twice(history: list[ModelMessage]) -> None:
    assert holds_plan(history, PLAN)
    assert "Risk" not in approved_paragraph(PLAN, history)


def test_arguments_that_are_no_json_hold_no_plan() -> None:
    broken = ModelResponse([ToolCallPart("exit_plan_mode", '{"plan": ', tool_call_id="c")])
    assert not holds_plan([broken], PLAN)


# -- over the wire, on the recorded requests

PROPOSE = Reply(calls=[("exit_plan_mode", '{"title": "T", "plan": "## Steps\\n1. one\\n2. two"}')])


def approve_first(question: DecisionRequested, session: Session) -> Answer:
    return PlanReview("approve", approved=(1,))


def over_the_wire(workspace: Path, provider: FakeProvider, answer: Answerer = approve_first, **more: object) -> Played:
    use_provider(provider)
    return play(workspace, answer=answer, **more)  # type: ignore[arg-type]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    return folder


def test_a_switch_of_the_mode_counts_for_the_very_next_request_of_a_running_turn(workspace: Path) -> None:
    """peers.md case 38: instructions and tools of the new mode, exactly one paragraph, and none afterwards."""
    pause = Reply(calls=[("ask_user", '{"question": "well?"}')])
    modes = iter([PermissionMode.PLAN, PermissionMode.PLAN, PermissionMode.EDIT])

    def step(question: DecisionRequested, session: Session) -> Answer:
        session.set_mode(next(modes), "key")
        return UserReply(text="go on")

    with fake_provider(pause, pause, pause, Reply(text=["ok"])) as provider:
        over_the_wire(workspace, provider, step)
    assert [provider.system(n).count(PLAN_MODE) for n in range(4)] == [0, 1, 1, 0]
    assert ["write" in provider.tools(n) for n in range(4)] == [True, False, False, True]
    assert ["exit_plan_mode" in provider.tools(n) for n in range(4)] == [False, True, True, False]
    assert ["enter_plan_mode" in provider.tools(n) for n in range(4)] == [True, False, False, True]


def test_after_an_approval_the_next_request_has_the_steps_and_no_word_of_plan_mode(workspace: Path) -> None:
    with fake_provider(PROPOSE, Reply(text=["ok"]), Reply(text=["ok"])) as provider:
        over_the_wire(workspace, provider, mode=PermissionMode.PLAN, prompts=("go", "and now?"))
    assert PLAN_MODE in provider.system(0)
    for number in (1, 2):
        system = provider.system(number)
        assert PLAN_MODE not in system
        assert system.count("The person approved the plan") == 1
        assert "1. one" in system
        assert "2. two" not in system
    assert str(provider.requests[2]["messages"]).count("The plan is approved") == 1


def test_a_plan_that_is_carried_out_is_told_no_more(workspace: Path) -> None:
    done = Reply(calls=[("todo_write", '{"items": [{"id": "a", "content": "one", "status": "completed", "step": 1}]}')])
    with fake_provider(PROPOSE, done, Reply(text=["ok"])) as provider:
        over_the_wire(workspace, provider, mode=PermissionMode.PLAN)
    assert "The person approved the plan" in provider.system(1)
    assert "The person approved the plan" not in provider.system(2)


def test_while_a_new_plan_is_made_the_old_one_is_not_told(workspace: Path) -> None:
    enter = Reply(calls=[("enter_plan_mode", "{}")])
    with fake_provider(PROPOSE, enter, Reply(text=["ok"])) as provider:
        over_the_wire(workspace, provider, mode=PermissionMode.PLAN)
    assert provider.system(2).count(PLAN_MODE) == 1
    assert "approved the plan" not in provider.system(2)


def test_a_resumed_session_tells_the_model_its_approved_plan_again(workspace: Path) -> None:
    from decode_core.resuming import take_up

    with fake_provider(PROPOSE, Reply(text=["ok"]), Reply(text=["ok"])) as provider:
        over_the_wire(workspace, provider, mode=PermissionMode.PLAN)
        resumed = take_up(None, workspace)
        played = over_the_wire(workspace, provider, prompts=("on",), resumed=resumed)
    assert played.mode is PermissionMode.EDIT
    assert "1. one" in provider.system(2).partition("The person approved the plan")[2]


def test_an_agent_without_exit_plan_mode_is_told_to_answer_with_its_plan(workspace: Path) -> None:
    with fake_provider(Reply(text=["ok"])) as provider:
        over_the_wire(workspace, provider, mode=PermissionMode.PLAN, agent="explore")
    assert provider.system(0).count("You are in plan mode") == 1
    assert "finish with your plan as the answer" in provider.system(0)
    assert "exit_plan_mode" not in provider.system(0)


@pytest.mark.parametrize(("agent", "bash"), [("build", True), ("carpenter", False)])
def test_in_plan_the_model_is_shown_no_tool_that_the_mode_always_refuses(
    workspace: Path, agent: str, bash: bool
) -> None:
    """plan-mode.md §4: bash stays in view where a readonly rule may prove a command harmless."""
    folder = make_private(config_dir()) / "agents"
    folder.mkdir()
    front = "name: carpenter\ndescription: d\ntools: ['*']\nmode: default"
    (folder / "carpenter.md").write_text(f"---\n{front}\n---\nWork.\n")

    def stamp(name: str) -> str:
        """Write."""
        return name

    async def main(provider: FakeProvider) -> None:
        use_provider(provider)
        writing = tool(stamp, kind=ToolKind.OTHER)
        async with open_session(workspace, agent=agent, mode="plan", model="local", tools=[writing]) as session:
            assert [event async for event in session.send("go")]

    with fake_provider(Reply(text=["ok"])) as provider:
        asyncio.run(main(provider))
    shown = set(provider.tools(0))
    assert not shown & {"write", "edit", "multi_edit", "stamp", "enter_plan_mode"}
    assert {"read", "grep", "glob", "todo_write", "ask_user", "exit_plan_mode"} <= shown
    assert ("bash" in shown) is bash
