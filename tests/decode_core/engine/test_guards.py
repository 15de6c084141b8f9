"""Guards in a real session: they tighten, rewrite or block, never loosen; one that fails means ask."""

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from decode_core.decisions import Allow, Answer, Deny
from decode_core.events import (
    CallOutcome,
    DecisionRequested,
    EventBase,
    ModeCause,
    NoticeRaised,
    PermissionDecided,
    ToolCallFinished,
    TurnEnd,
)
from decode_core.guards import Block, Guard, GuardedCall, Opinion, Rewrite, guard
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome, ToolKind
from decode_core.permissions.rules import RuleList, RuleSource, parse_rule
from decode_core.permissions.tighten import Tighten
from decode_core.session import Session
from decode_core.workspace import Workspace
from sessions import Answerer, Played, allow_once, play, write_script

WRITE = "- calls: [{tool: write, args: {path: b.txt, content: x}}]\n- text: ok"
MODES = [PermissionMode.DEFAULT, PermissionMode.EDIT, PermissionMode.BYPASS]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "a.txt").write_text("hello\n")
    return folder


def saying(*opinions: Opinion) -> Guard:
    """A guard that says these things, one a call, the last one for ever."""
    left = list(opinions)
    return guard(lambda call: left.pop(0) if len(left) > 1 else left[0], name="judge")


def guarded(workspace: Path, *guards: Guard, script: str = WRITE, **more: Any) -> Played:
    return play(workspace, script, guards=guards, **more)


def nobody(question: DecisionRequested, session: Session) -> Answer:
    raise AssertionError(f"asked: {question.payload}")


def refuse(question: DecisionRequested, session: Session) -> Answer:
    return Deny()


def test_a_guard_sees_the_call_as_plain_data(workspace: Path) -> None:
    seen: list[GuardedCall] = []
    guarded(workspace, guard(lambda call: seen.append(call)), answer=refuse)
    (call,) = seen
    assert (call.tool, call.kind, call.agent_path) == ("write", ToolKind.FILE_EDIT, ("build",))
    assert call.args == {"path": "b.txt", "content": "x"}


def test_changing_what_a_guard_was_shown_changes_nothing(workspace: Path) -> None:
    def meddle(call: GuardedCall) -> None:
        call.args["path"] = "elsewhere.txt"

    guarded(workspace, guard(meddle))
    assert (workspace / "b.txt").exists()
    assert not (workspace / "elsewhere.txt").exists()


def test_a_silent_guard_leaves_everything_to_rules_and_mode(workspace: Path) -> None:
    asked: list[str] = []

    def answer(question: DecisionRequested, session: Session) -> Answer:
        asked.append(question.payload["by"])
        return Allow.once()

    played = guarded(workspace, saying(None), answer=answer)
    assert (played.calls, asked) == ([("write", "ok")], ["mode"])
    assert guarded(workspace, saying(None), answer=nobody, mode=PermissionMode.EDIT).verdicts == [("write", "allow")]


@pytest.mark.parametrize("mode", MODES)
def test_a_deny_of_a_guard_holds_in_every_mode_and_is_recorded_by_guard(workspace: Path, mode: PermissionMode) -> None:
    played = guarded(workspace, saying(Tighten.deny("not on Fridays")), answer=nobody, mode=mode)
    (record,) = played.of(PermissionDecided)
    assert (record.outcome, record.by) == (PermissionOutcome.DENY, DecidedBy.GUARD)
    assert record.reason == "The guard judge says: not on Fridays"
    assert played.calls == [("write", "denied")]
    assert played.end.end is TurnEnd.COMPLETED


@pytest.mark.parametrize("mode", MODES)
def test_an_ask_of_a_guard_is_answered_by_no_mode_and_no_allow_rule(workspace: Path, mode: PermissionMode) -> None:
    def allow_rule(event: EventBase, session: Session) -> None:
        session._state.gate.add_rule(parse_rule("write", RuleList.ALLOW, RuleSource.USER))

    played = guarded(workspace, saying(Tighten.ask("look first")), mode=mode, answer=refuse, hook=allow_rule)
    record = played.of(PermissionDecided)[0]
    assert (record.outcome, record.by) == (PermissionOutcome.ASK, DecidedBy.GUARD)
    question = played.of(DecisionRequested)[0]
    assert question.payload["reason"] == "The guard judge says: look first"
    assert {"always", "session", "pattern"}.isdisjoint(question.payload["stores"])
    assert played.calls == [("write", "denied")]


def test_an_approval_answers_the_ask_of_a_guard_once(workspace: Path) -> None:
    script = "- calls: [{tool: write, args: {path: b.txt, content: x}}, {tool: write, args: {path: c.txt, content: x}}]"
    played = guarded(
        workspace, saying(Tighten.ask("look first")), script=f"{script}\n- text: ok", mode=PermissionMode.BYPASS
    )
    assert played.calls == [("write", "ok"), ("write", "ok")]
    assert len(played.of(DecisionRequested)) == 2


def test_in_dont_ask_an_ask_of_a_guard_is_a_denial(workspace: Path) -> None:
    script = "- calls: [{tool: read, args: {path: a.txt}}]\n- text: ok"
    played = guarded(workspace, saying(Tighten.ask("look")), script=script, mode=PermissionMode.DONT_ASK, answer=nobody)
    assert played.calls == [("read", "denied")]


def test_an_ask_of_a_guard_holds_for_tools_that_need_nobody(workspace: Path) -> None:
    script = "- calls: [{tool: enter_plan_mode, args: {}}]\n- text: ok"
    played = guarded(workspace, saying(Tighten.ask("stay")), script=script, answer=refuse)
    assert played.calls == [("enter_plan_mode", "denied")]
    assert played.mode is PermissionMode.DEFAULT


def test_loosening_the_mode_while_a_guards_question_is_open_does_not_answer_it(workspace: Path) -> None:
    def answer(question: DecisionRequested, session: Session) -> Answer | None:
        session.set_mode(PermissionMode.BYPASS, ModeCause.KEY)
        asyncio.get_running_loop().call_later(0.05, session.answer, question.id, Deny())
        return None

    played = guarded(workspace, saying(Tighten.ask("look first")), answer=answer)
    assert played.calls == [("write", "denied")]
    assert not (workspace / "b.txt").exists()


def test_of_several_guards_the_strictest_holds_and_a_silent_one_takes_nothing_back(workspace: Path) -> None:
    guards = (saying(Tighten.ask("a")), saying(Tighten.deny("b")), saying(Tighten.ask("c")), saying(None))
    (record,) = guarded(workspace, *guards, answer=nobody).of(PermissionDecided)
    assert (record.outcome, record.reason) == (PermissionOutcome.DENY, "The guard judge says: b")


def test_a_block_ends_the_turn_as_failed(workspace: Path) -> None:
    script = (
        "- calls: [{tool: write, args: {path: b.txt, content: x}}, {tool: read, args: {path: a.txt}}]\n- text: never"
    )
    later: list[GuardedCall] = []
    last = guard(lambda call: later.append(call))
    played = guarded(workspace, saying(Block("production is frozen.")), last, script=script, mode=PermissionMode.BYPASS)
    assert (played.end.end, later) == (TurnEnd.FAILED, [])
    assert played.end.reason == "The turn was stopped: The guard judge blocks it: production is frozen."
    assert played.calls == [("write", "denied"), ("read", "denied")]
    assert [record.by for record in played.of(PermissionDecided)] == [DecidedBy.GUARD, DecidedBy.POLICY]


def test_rewritten_arguments_are_what_runs_and_what_is_asked_about(workspace: Path) -> None:
    shown: list[Any] = []

    def answer(question: DecisionRequested, session: Session) -> Answer:
        shown.append(question.payload["args"])
        return Allow.once()

    move = guard(lambda call: Rewrite({**call.args, "path": f"safe-{Path(call.args['path']).name}"}), name="mover")
    played = guarded(workspace, move, answer=answer)
    assert shown == [{"path": "safe-b.txt", "content": "x"}]
    assert (workspace / "safe-b.txt").read_text() == "x"
    assert not (workspace / "b.txt").exists()
    notices = [event.text for event in played.of(NoticeRaised)]
    assert "The guard mover changed the arguments of write safe-b.txt." in notices


@pytest.mark.parametrize("denied", ["b.txt", "c.txt", "d.txt"])
def test_the_deny_rules_hold_for_the_original_every_step_between_and_the_end(workspace: Path, denied: str) -> None:
    def deny(event: EventBase, session: Session) -> None:
        session._state.gate.add_rule(parse_rule(f"write({denied})", RuleList.DENY, RuleSource.USER))

    guards = [guard(lambda call, to=to: Rewrite({**call.args, "path": to})) for to in ("c.txt", "d.txt")]  # type: ignore[misc]
    played = guarded(workspace, *guards, mode=PermissionMode.BYPASS, hook=deny)
    (record,) = played.of(PermissionDecided)
    assert (record.outcome, record.by) == (PermissionOutcome.DENY, DecidedBy.RULE)
    assert sorted(path.name for path in workspace.iterdir()) == ["a.txt"]


def test_rewritten_arguments_meet_protected_places_as_well(workspace: Path) -> None:
    out = saying(Rewrite({"path": ".decode/settings.json", "content": "{}"}))
    played = guarded(workspace, out, mode=PermissionMode.EDIT, answer=refuse)
    assert played.of(PermissionDecided)[0].by is DecidedBy.PROTECTED
    assert played.calls == [("write", "denied")]


def test_rewriting_to_the_same_is_no_rewriting(workspace: Path) -> None:
    same = guard(lambda call: Rewrite(call.args), name="same")
    played = guarded(workspace, same, mode=PermissionMode.EDIT, answer=nobody)
    assert played.calls == [("write", "ok")]
    assert not [event for event in played.of(NoticeRaised) if "same" in event.text]


def raising(call: GuardedCall) -> Opinion:
    raise LookupError("no such policy")


def leaving(call: GuardedCall) -> Opinion:
    raise SystemExit(1)


async def raising_later(call: GuardedCall) -> Opinion:
    raise LookupError("no such policy")


@pytest.mark.parametrize(
    ("check", "why"),
    [
        (raising, "LookupError: no such policy"),
        (raising_later, "LookupError: no such policy"),
        (leaving, "SystemExit: 1"),
        (lambda call: True, "it returned bool, which says nothing"),
        (lambda call: PermissionOutcome.ALLOW, "it returned PermissionOutcome, which says nothing"),
        (lambda call: Rewrite({"path": 5}), "its arguments cannot be used"),
        (lambda call: Rewrite({"path": "c.txt", "content": "x", "mode": "bypass"}), "there is no argument 'mode'"),
        (
            lambda call: Rewrite(["path"]),  # type: ignore[arg-type]
            "they are no mapping",
        ),
        (lambda call, more: None, "TypeError"),
    ],
)
def test_a_guard_that_fails_means_ask_even_in_bypass(workspace: Path, check: Callable[..., Any], why: str) -> None:
    played = guarded(workspace, guard(check, name="broken"), mode=PermissionMode.BYPASS, answer=refuse)
    record = played.of(PermissionDecided)[0]
    assert (record.outcome, record.by) == (PermissionOutcome.ASK, DecidedBy.GUARD)
    assert record.reason.startswith("The guard broken failed (")
    assert why in record.reason
    assert played.calls == [("write", "denied")]


@pytest.mark.parametrize("is_async", [False, True])
def test_a_guard_that_takes_too_long_means_ask(workspace: Path, is_async: bool) -> None:
    release = threading.Event()

    def hang(call: GuardedCall) -> Opinion:
        release.wait(30)
        return None

    async def hang_later(call: GuardedCall) -> Opinion:
        await asyncio.Event().wait()
        return None

    begun = time.monotonic()
    slow = guard(hang_later if is_async else hang, name="slow", timeout_s=0.05)
    played = guarded(workspace, slow, mode=PermissionMode.BYPASS, answer=refuse)
    release.set()
    assert "The guard slow failed (it took longer than 0.05 s)" in played.of(PermissionDecided)[0].reason
    assert time.monotonic() - begun < 20


def test_a_guard_of_a_denied_unknown_or_invalid_call_is_not_asked(workspace: Path) -> None:
    script = "- calls: [{tool: nope, args: {}}, {tool: write, args: {wrong: 1}}]\n- text: ok"
    played = guarded(workspace, guard(raising), script=script, answer=nobody)
    assert played.verdicts == [("nope", "not_found"), ("write", "invalid")]


def test_edited_arguments_meet_the_guards_again(workspace: Path) -> None:
    def no_secrets(call: GuardedCall) -> Opinion:
        return Tighten.deny("no secrets") if "secret" in call.args["path"] else None

    def answer(question: DecisionRequested, session: Session) -> Answer:
        return Allow(args={"path": "secret.txt", "content": "x"})

    played = guarded(workspace, guard(no_secrets), answer=answer)
    assert played.calls == [("write", "denied")]
    last = played.of(PermissionDecided)[-1]
    assert (last.outcome, last.by) == (PermissionOutcome.DENY, DecidedBy.GUARD)
    assert not (workspace / "secret.txt").exists()


def test_a_guard_that_changes_its_mind_after_the_approval_is_heard(workspace: Path) -> None:
    played = guarded(workspace, saying(None, Tighten.deny("too late")))
    assert played.calls == [("write", "denied")]
    assert not (workspace / "b.txt").exists()
    blocked = guarded(workspace, saying(None, Block("too late")))
    assert blocked.end.end is TurnEnd.FAILED


def test_an_approval_does_not_cover_what_a_guard_makes_of_it_afterwards(workspace: Path) -> None:
    shown: list[str] = []

    def answer(question: DecisionRequested, session: Session) -> Answer:
        shown.append(question.payload["args"]["path"])
        return Allow.once() if len(shown) == 1 else Deny()

    played = guarded(workspace, saying(None, Rewrite({"path": "other.txt", "content": "x"})), answer=answer)
    assert shown == ["b.txt", "other.txt"]
    assert played.calls == [("write", "denied")]


def test_a_rewriting_guard_does_not_ask_twice_for_one_answer(workspace: Path) -> None:
    asked: list[str] = []

    def answer(question: DecisionRequested, session: Session) -> Answer:
        asked.append(question.payload["args"]["path"])
        return Allow.once()

    prefix = guard(lambda call: Rewrite({**call.args, "path": "x-" + call.args["path"]}))
    played = guarded(workspace, prefix, answer=answer)
    assert (asked, played.calls) == (["x-b.txt"], [("write", "ok")])


def test_an_async_guard_runs_on_the_loop_that_opened_the_session(workspace: Path) -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def check(call: GuardedCall) -> Opinion:
        loops.append(asyncio.get_running_loop())
        return None

    async def main() -> bool:
        options = SessionOptions(
            model=write_script(workspace.parent, WRITE), mode=PermissionMode.EDIT, guards=(guard(check),)
        )
        session = new_session(survey(Workspace.open(workspace)), options)
        try:
            outcomes = [e.outcome async for e in session.send("go") if isinstance(e, ToolCallFinished)]
        finally:
            await session.close()
        return outcomes == [CallOutcome.OK] and loops == [asyncio.get_running_loop()]

    assert asyncio.run(main())


def test_there_is_no_word_for_loosening() -> None:
    for outcome in (PermissionOutcome.ALLOW, PermissionOutcome.NOT_FOUND, PermissionOutcome.INVALID):
        with pytest.raises(ValueError, match="a guard can tighten to ask or deny"):
            Tighten(outcome, "x")


@pytest.mark.parametrize("limit", [0, -1, float("nan")])
def test_a_guard_needs_a_time_limit(limit: float) -> None:
    with pytest.raises(ValueError, match="above zero"):
        guard(lambda call: None, timeout_s=limit)


@pytest.mark.parametrize("mode", list(PermissionMode))
def test_a_tool_that_the_agent_does_not_have_is_refused_in_every_mode(workspace: Path, mode: PermissionMode) -> None:
    answer: Answerer = allow_once
    played = play(workspace, WRITE, agent="explore", mode=mode, answer=answer)
    (record,) = played.of(PermissionDecided)
    assert record.outcome is PermissionOutcome.DENY
    in_plan = mode is PermissionMode.PLAN
    assert record.by is (DecidedBy.PLAN_CEILING if in_plan else DecidedBy.POLICY)
    assert ("explore" in record.reason) is not in_plan
