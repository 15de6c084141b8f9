"""The core as a program uses it: through the public surface alone."""

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import decode_core
from decode_core import (
    Allow,
    AllowScope,
    AnswerResult,
    CallOutcome,
    DecidedBy,
    DecisionRequested,
    Deny,
    Event,
    EventBase,
    Guard,
    GuardedCall,
    ModeChanged,
    PermissionDecided,
    PermissionMode,
    PermissionOutcome,
    PlanReview,
    Reply,
    Session,
    SubjectKind,
    Tighten,
    TodoChanged,
    ToolCallFinished,
    ToolCallProgress,
    ToolContext,
    ToolKind,
    ToolResult,
    ToolSpec,
    TurnEnd,
    TurnFinished,
    TurnStarted,
    dump_event,
    guard,
    open_session,
    parse_event,
    tool,
)
from sessions import write_script

Answer = Callable[[DecisionRequested, Session], Any]


@dataclass
class Turn:
    """What one turn did."""

    events: list[EventBase] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    @property
    def calls(self) -> list[str]:
        return [f"{event.tool} {event.outcome}" for event in self.events if isinstance(event, ToolCallFinished)]

    @property
    def texts(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, ToolCallFinished)]

    @property
    def verdicts(self) -> list[tuple[str, str]]:
        return [(e.outcome.value, e.by.value) for e in self.events if isinstance(e, PermissionDecided)]

    @property
    def end(self) -> TurnEnd:
        return next(event.end for event in self.events if isinstance(event, TurnFinished))


def deny(question: DecisionRequested, session: Session) -> Deny:
    return Deny()


def allow(question: DecisionRequested, session: Session) -> Allow:
    return Allow.once()


async def turn_of(session: Session, answer: Answer = deny, **more: Any) -> Turn:
    turn = Turn()
    async for event in session.send("go", **more):
        turn.events.append(event)
        if isinstance(event, DecisionRequested):
            turn.asked.append(event.payload.get("by", event.kind))
            if (given := answer(event, session)) is not None:
                session.answer(event.id, given)
    return turn


def calls(*each: tuple[str, Mapping[str, Any]]) -> str:
    import json

    listed = "\n".join(f"    - {json.dumps({'tool': name, 'args': dict(args)})}" for name, args in each)
    return f"- calls:\n{listed}\n- text: Done.\n"


def play(workspace: Path, script: str, answer: Answer = deny, **options: Any) -> Turn:
    async def go() -> Turn:
        async with open_session(workspace, model=write_script(workspace.parent, script), **options) as session:
            return await turn_of(session, answer)

    return asyncio.run(go())


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "a.txt").write_text("hello\n")
    return folder


def rules(workspace: Path, own_home: Path, **lists: list[str]) -> None:
    import json

    config = own_home / "c" / "decode"
    config.mkdir(parents=True, exist_ok=True)
    (config / "settings.json").write_text(json.dumps({"permissions": lists}))


def append(path: Path, text: str) -> str:
    """Append to a file."""
    with path.open("a") as file:
        file.write(text)
    return f"appended {text}"


def lookup(word: str) -> str:
    """Look a word up."""
    return f"{word} means nothing"


APPEND = tool(append, kind=ToolKind.FILE_EDIT, subject="path")
LOOKUP = tool(lookup, subject="word", read_only_hint=True)
DEPLOY = tool(lookup, name="deploy", subject="word")
DO_APPEND = calls(("append", {"path": "a.txt", "text": "x"}))
DO_DEPLOY = calls(("deploy", {"word": "test"}))


def test_every_public_name_is_there_and_no_other() -> None:
    assert [name for name in decode_core.__all__ if not hasattr(decode_core, name)] == []
    assert sorted(decode_core.__all__) == decode_core.__all__
    with pytest.raises(AttributeError, match="no attribute 'Registry'"):
        decode_core.Registry  # noqa: B018 - the access is the test


def test_importing_the_package_costs_nothing() -> None:
    import subprocess
    import sys

    code = "import sys, decode_core; print([m for m in sys.modules if m.startswith(('pydantic', 'decode_core.'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_event_is_public_under_the_name_of_its_type() -> None:
    from typing import get_args

    events = [each for each in get_args(get_args(Event)[0]) if issubclass(each, EventBase)]
    assert len(events) > 20
    assert [each.__name__ for each in events if getattr(decode_core, each.__name__, None) is not each] == []


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


@pytest.mark.parametrize("broken", [lambda: 1 / 0, lambda: None, lambda: "unknown", lambda: 7])
def test_a_function_for_the_mode_that_fails_counts_as_plan(workspace: Path, broken: Any) -> None:
    turn = play(workspace, DO_APPEND, mode=broken, tools=[APPEND])
    assert turn.verdicts == [("deny", "plan_ceiling")]
    assert turn.end is TurnEnd.COMPLETED


def test_a_function_for_the_mode_is_read_at_every_call(workspace: Path) -> None:
    mode = PermissionMode.DONT_ASK

    def tighten(call: GuardedCall) -> None:
        nonlocal mode
        mode = PermissionMode.EDIT if call.args["text"] == "1" else PermissionMode.PLAN

    script = calls(("append", {"path": "a.txt", "text": "1"}), ("append", {"path": "a.txt", "text": "2"}))
    turn = play(workspace, script, mode=lambda: mode, tools=[APPEND], guards=[guard(tighten)])
    assert turn.verdicts == [("allow", "mode"), ("deny", "plan_ceiling")]


def test_a_mode_may_be_given_by_name_everywhere_and_nonsense_is_an_error(workspace: Path) -> None:
    async def go() -> None:
        async with open_session(workspace, mode="acceptEdits") as session:
            assert session.mode.value == "edit"
            session.set_mode("plan", cause="api")
            assert session.mode.value == "plan"
            for wrong in ("plann", "", 5):
                with pytest.raises(ValueError, match="unknown mode"):
                    session.set_mode(wrong)  # type: ignore[arg-type]
                with pytest.raises(ValueError, match="unknown mode"):
                    session.submit("go", mode=wrong)  # type: ignore[arg-type]
                assert not session.running
            with pytest.raises(ValueError, match="ModeCause"):
                session.set_mode("edit", cause="the model")
            assert session.mode.value == "plan"

    asyncio.run(go())
    with pytest.raises(ValueError, match="unknown mode 'plann'"):
        play(workspace, DO_APPEND, mode="plann")


def test_a_mode_for_one_turn_by_name_holds_like_the_value(workspace: Path) -> None:
    async def go() -> Turn:
        async with open_session(
            workspace, mode="bypass", model=write_script(workspace.parent, DO_APPEND), tools=[APPEND]
        ) as s:
            turn = await turn_of(s, mode="plan")
            assert s.mode is PermissionMode.BYPASS
            return turn

    assert asyncio.run(go()).verdicts == [("deny", "plan_ceiling")]


def test_live_values_follow_the_turn(workspace: Path) -> None:
    script = calls(("todo_write", {"items": [{"id": "1", "content": "look"}]}))

    async def go() -> None:
        async with open_session(workspace, model=write_script(workspace.parent, script)) as session:
            assert (session.running, session.todos, session.plan, session.usage) == (False, (), None, None)
            assert session.agent.name == "build"
            seen: list[bool] = []
            session.subscribe(lambda event: seen.append(session.running) if isinstance(event, TodoChanged) else None)
            await turn_of(session)
            assert seen == [True]
            assert [item.content for item in session.todos] == ["look"]
            assert session.usage is not None
            assert session.usage.requests == 2
            assert not session.running
            session.select_agent("plan")
            assert (session.agent.name, session.mode) == ("plan", PermissionMode.PLAN)

    asyncio.run(go())


def test_subscribers_hear_everything_in_order_until_they_leave(workspace: Path) -> None:
    async def go() -> None:
        async with open_session(workspace, model=write_script(workspace.parent, "- text: one\n- text: two")) as session:
            heard: list[EventBase] = []
            leave = session.subscribe(heard.append)
            first = await turn_of(session)
            leave()
            await turn_of(session)
            assert heard == first.events
            assert [type(heard[1]), type(heard[-1])] == [TurnStarted, TurnFinished]
            assert [parse_event(dump_event(event)) for event in heard] == heard

    asyncio.run(go())


def test_a_subscriber_that_raises_costs_nobody_an_event(workspace: Path) -> None:
    reported: list[str] = []

    async def go() -> Turn:
        asyncio.get_running_loop().set_exception_handler(lambda loop, told: reported.append(str(told["exception"])))
        async with open_session(workspace, model=write_script(workspace.parent, "- text: one")) as session:

            def fall(event: EventBase) -> None:
                raise RuntimeError(f"cannot show {type(event).__name__}")

            session.subscribe(fall)
            return await turn_of(session)

    assert asyncio.run(go()).end is TurnEnd.COMPLETED
    assert "cannot show TurnFinished" in reported


@pytest.mark.parametrize(
    ("call", "unfit", "fit"),
    [
        (("bash", {"command": "touch seen"}), [PlanReview("approve"), Reply(("yes",))], Allow(AllowScope.SESSION)),
        (("exit_plan_mode", {"plan": "do it"}), [Allow.once(), Allow.always(), Reply(("yes",))], PlanReview("reject")),
        (("ask_user", {"question": "?"}), [Allow.once(), PlanReview("approve")], Reply(text="yes")),
    ],
)
def test_an_answer_of_the_wrong_sort_is_a_value_and_the_question_waits(
    workspace: Path, call: tuple[str, dict[str, Any]], unfit: Sequence[Any], fit: Any
) -> None:
    results: list[AnswerResult] = []

    def answer(question: DecisionRequested, session: Session) -> None:
        results.append(session.answer("q77", fit))
        results.extend(session.answer(question.id, each) for each in unfit)
        assert session.open_question is not None
        results.append(session.answer(question.id, fit))
        results.append(session.answer(question.id, fit))

    in_plan = call[0] == "exit_plan_mode"
    play(workspace, calls(call), answer, mode="plan" if in_plan else "default")
    wrong = [AnswerResult.UNFIT] * len(unfit)
    assert results == [AnswerResult.UNKNOWN, *wrong, AnswerResult.TAKEN, AnswerResult.LATE]


def test_leaving_the_block_with_an_open_question_denies_it_and_ends(workspace: Path) -> None:
    async def go() -> None:
        async with open_session(workspace, model=write_script(workspace.parent, DO_APPEND), tools=[APPEND]) as session:
            session.submit("go")
            asked = asyncio.Event()
            session.subscribe(lambda event: asked.set() if isinstance(event, DecisionRequested) else None)
            await asked.wait()

    asyncio.run(go())
    assert (workspace / "a.txt").read_text() == "hello\n"


def test_one_liners_over_subscribe_replace_the_callbacks_of_other_libraries(workspace: Path) -> None:
    decided: list[tuple[str, PermissionOutcome, DecidedBy]] = []
    changed: list[PermissionMode] = []

    async def go() -> None:
        async with open_session(workspace, model=write_script(workspace.parent, DO_APPEND), tools=[APPEND]) as session:
            session.subscribe(
                lambda e: decided.append((e.tool, e.outcome, e.by)) if isinstance(e, PermissionDecided) else None
            )
            session.subscribe(lambda e: changed.append(e.to_mode) if isinstance(e, ModeChanged) else None)
            session.set_mode(PermissionMode.EDIT)
            session.set_mode(PermissionMode.EDIT)
            await turn_of(session)

    asyncio.run(go())
    assert decided == [("append", PermissionOutcome.ALLOW, DecidedBy.MODE)]
    assert changed == [PermissionMode.EDIT]


def test_the_types_of_what_is_made() -> None:
    assert isinstance(APPEND, ToolSpec)
    assert APPEND.subject_kind is SubjectKind.PATH
    assert isinstance(guard(lambda call: None), Guard)
    assert guard(lambda call: None, name="x").name == "x"


def test_no_thread_of_a_session_stays(workspace: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    play(workspace, DO_DEPLOY, allow, tools=[DEPLOY], guards=[guard(lambda call: None)])
    assert not [each.name for each in threading.enumerate() if each.name.startswith("decode-")]
    assert not caplog.records
