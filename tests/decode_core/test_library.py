"""The core as a program uses it: through the public surface alone."""

import asyncio
import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import decode_core
from decode_core import (
    Allow,
    AllowScope,
    AnswerResult,
    DecidedBy,
    DecisionRequested,
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
    TodoChanged,
    ToolSpec,
    TurnEnd,
    TurnFinished,
    TurnStarted,
    dump_event,
    guard,
    open_session,
    parse_event,
)
from library_bench import APPEND, DEPLOY, DO_APPEND, DO_DEPLOY, Turn, allow, calls, play, turn_of
from sessions import write_script


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "a.txt").write_text("hello\n")
    return folder


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
