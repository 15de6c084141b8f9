"""A program's own tools, through the public surface alone: judged like the built-in ones (core.md §1)."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from decode_core import (
    Allow,
    CallOutcome,
    PermissionDecided,
    Tighten,
    ToolCallFinished,
    ToolCallProgress,
    ToolContext,
    ToolResult,
    TurnEnd,
    open_session,
    tool,
)
from library_bench import (
    APPEND,
    DEPLOY,
    DO_APPEND,
    DO_DEPLOY,
    LOOKUP,
    Turn,
    append,
    calls,
    lookup,
    play,
    rules,
    turn_of,
)
from sessions import write_script


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "a.txt").write_text("hello\n")
    return folder


@pytest.mark.parametrize(
    ("mode", "outcome", "by"),
    [
        ("default", "ask", "mode"),
        ("plan", "deny", "plan_ceiling"),
        ("edit", "allow", "mode"),
        ("dont_ask", "deny", "mode"),
        ("bypass", "allow", "mode"),
    ],
)
def test_a_file_editing_tool_is_judged_like_write(workspace: Path, mode: str, outcome: str, by: str) -> None:
    turn = play(workspace, DO_APPEND, mode=mode, tools=[APPEND])
    assert turn.verdicts[0] == (outcome, by)
    assert (workspace / "a.txt").read_text() == ("hello\nx" if outcome == "allow" else "hello\n")


@pytest.mark.parametrize(
    ("path", "rule"),
    [("a.txt", "append(*.txt)"), ("sub/../a.txt", "append(a.txt)"), ("link.txt", "append(a.txt)"), ("a.txt", "append")],
)
def test_a_deny_rule_on_its_path_holds_in_bypass(workspace: Path, own_home: Path, path: str, rule: str) -> None:
    (workspace / "sub").mkdir()
    (workspace / "link.txt").symlink_to("a.txt")
    rules(workspace, own_home, deny=[rule])
    turn = play(workspace, calls(("append", {"path": path, "text": "x"})), mode="bypass", tools=[APPEND])
    assert turn.verdicts == [("deny", "rule")]
    assert (workspace / "a.txt").read_text() == "hello\n"


@pytest.mark.parametrize("path", [".decode/settings.json", "../outside.txt", ".git/config", ".env"])
def test_protected_places_are_protected_from_it_in_edit(workspace: Path, path: str) -> None:
    turn = play(workspace, calls(("append", {"path": path, "text": "x"})), mode="edit", tools=[APPEND])
    assert (turn.verdicts[0], turn.asked) == (("ask", "protected"), ["protected"])
    assert not (workspace / path).exists()


def test_a_link_that_leads_out_is_outside(workspace: Path) -> None:
    (workspace.parent / "secret.txt").write_text("s")
    (workspace / "link.txt").symlink_to("../secret.txt")
    turn = play(workspace, calls(("append", {"path": "link.txt", "text": "x"})), mode="edit", tools=[APPEND])
    assert turn.verdicts[0] == ("ask", "protected")
    assert (workspace.parent / "secret.txt").read_text() == "s"


def test_always_is_stored_for_exactly_this_file(workspace: Path) -> None:
    turn = play(workspace, DO_APPEND, lambda question, session: Allow.always(), tools=[APPEND])
    assert turn.calls == ["append ok"]
    assert '"append(a.txt)"' in (workspace / ".decode" / "settings.json").read_text()


@pytest.mark.parametrize(
    ("wish", "mode", "verdict"),
    [
        (None, "default", ("ask", "mode")),
        (False, "default", ("allow", "policy")),
        (False, "plan", ("deny", "plan_ceiling")),
        (True, "edit", ("ask", "policy")),
        (True, "bypass", ("allow", "mode")),
        (True, "dont_ask", ("deny", "mode")),
        (lambda args: args["word"] != "test", "default", ("allow", "policy")),
        (lambda args: args["word"] == "test", "default", ("ask", "policy")),
        (lambda args: None, "default", ("ask", "mode")),
        (lambda args: Tighten.deny("never"), "bypass", ("deny", "policy")),
        (lambda args: Tighten.ask("look"), "default", ("ask", "policy")),
        (lambda args: 1 / 0, "bypass", ("deny", "arguments")),
        (lambda args: "no", "bypass", ("deny", "arguments")),
        (lambda: True, "bypass", ("deny", "arguments")),
    ],
)
def test_a_tools_own_wish(workspace: Path, wish: Any, mode: str, verdict: tuple[str, str]) -> None:
    spec = tool(lookup, name="deploy", subject="word", needs_approval=wish)
    turn = play(workspace, DO_DEPLOY, mode=mode, tools=[spec])
    assert turn.verdicts[0] == verdict


def test_no_wish_of_a_tool_gets_past_a_deny_or_ask_rule(workspace: Path, own_home: Path) -> None:
    eager = tool(lookup, name="deploy", subject="word", needs_approval=False)
    rules(workspace, own_home, ask=["deploy(test)"])
    assert play(workspace, DO_DEPLOY, mode="bypass", tools=[eager]).verdicts[0] == ("ask", "rule")
    rules(workspace, own_home, deny=["deploy(t*)"])
    assert play(workspace, DO_DEPLOY, mode="bypass", tools=[eager]).verdicts[0] == ("deny", "rule")


def test_a_read_only_tool_runs_in_plan_and_the_model_sees_it(workspace: Path) -> None:
    script = calls(("lookup", {"word": "x"})).replace(
        "- text", "- expect: {tools_include: [lookup], tools_exclude: [append]}\n  text"
    )
    turn = play(workspace, script, mode="plan", tools=[LOOKUP, APPEND])
    assert (turn.calls, turn.texts, turn.end) == (["lookup ok"], ["x means nothing"], TurnEnd.COMPLETED)


def test_an_agent_that_does_not_name_the_tool_does_not_have_it(workspace: Path) -> None:
    script = calls(("deploy", {"word": "test"})).replace("- text", "- expect: {tools_exclude: [deploy]}\n  text")
    turn = play(workspace, script, agent="explore", mode="bypass", tools=[DEPLOY])
    assert turn.verdicts == [("deny", "policy")]
    assert turn.texts == ["Not permitted: The agent explore does not have the tool deploy."]


@pytest.mark.parametrize("name", ["write", "bash", "exit_plan_mode"])
def test_a_built_in_tool_cannot_be_replaced(workspace: Path, name: str) -> None:
    with pytest.raises(ValueError, match=f"there is a built-in tool named '{name}'"):
        play(workspace, DO_APPEND, tools=[tool(lookup, name=name)])


def test_two_tools_of_one_name_are_an_error(workspace: Path) -> None:
    with pytest.raises(ValueError, match="two tools are named 'append'"):
        play(workspace, DO_APPEND, tools=[APPEND, APPEND])


@pytest.mark.parametrize("wrong", [{"tools": [append]}, {"guards": [lambda call: None]}])
def test_what_is_no_tool_or_guard_is_told_with_the_way_out(workspace: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"make one with (tool|guard)\(function\)"):
        play(workspace, DO_APPEND, **wrong)


def test_a_tool_that_fails_is_a_failed_result_and_ends_nothing(workspace: Path) -> None:
    def broken(word: str) -> str:
        """Fails."""
        raise OSError("disk full")

    spec = tool(broken, name="deploy", needs_approval=False)
    turn = play(workspace, DO_DEPLOY, tools=[spec])
    assert (turn.calls, turn.end) == (["deploy failed"], TurnEnd.COMPLETED)
    assert turn.texts == ["deploy failed unexpectedly (OSError: disk full)."]


def test_progress_and_structured_results_arrive_as_events(workspace: Path) -> None:
    async def build(ctx: ToolContext, word: str) -> ToolResult:
        """Build."""
        ctx.progress("half-way\n")
        await asyncio.sleep(0)
        return ToolResult("not built", "2 errors", CallOutcome.FAILED, {"errors": 2})

    turn = play(workspace, DO_DEPLOY, tools=[tool(build, name="deploy", needs_approval=False)])
    assert [event.text for event in turn.events if isinstance(event, ToolCallProgress)] == ["half-way\n"]
    (done,) = [event for event in turn.events if isinstance(event, ToolCallFinished)]
    assert (done.outcome, done.summary, done.detail) == (CallOutcome.FAILED, "2 errors", {"errors": 2})


def test_an_async_tool_may_use_what_lives_on_the_programs_loop(workspace: Path) -> None:
    async def go() -> Turn:
        gone_through = asyncio.Event()

        async def wait(word: str) -> str:
            """Wait for the program."""
            await gone_through.wait()
            return "the program came by"

        model = write_script(workspace.parent, DO_DEPLOY)
        spec = tool(wait, name="deploy", needs_approval=False)
        async with open_session(workspace, model=model, tools=[spec]) as session:
            session.subscribe(lambda event: gone_through.set() if isinstance(event, PermissionDecided) else None)
            return await turn_of(session)

    assert asyncio.run(go()).texts == ["the program came by"]


def test_cancelling_the_turn_cancels_an_async_tool(workspace: Path) -> None:
    ended: list[str] = []

    async def go() -> TurnEnd:
        started, stopped = asyncio.Event(), asyncio.Event()

        async def forever(word: str) -> str:
            """Never ends."""
            started.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.append("cancelled")
                stopped.set()
            return ""

        spec = tool(forever, name="deploy", needs_approval=False)
        async with open_session(workspace, model=write_script(workspace.parent, DO_DEPLOY), tools=[spec]) as session:
            running = asyncio.ensure_future(turn_of(session))
            await started.wait()
            await session.cancel()
            await stopped.wait()
            return (await running).end

    assert asyncio.run(go()) is TurnEnd.CANCELLED
    assert ended == ["cancelled"]
