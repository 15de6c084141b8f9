"""Turns through the real session: order of calls, questions one at a time, refusals, steering, stopping."""

import asyncio
from pathlib import Path

import pytest

from decode_core.decisions import Allow, AllowScope, Answer, AnswerResult, Deny
from decode_core.events import (
    CallOutcome,
    DecisionAnswered,
    DecisionRequested,
    EventBase,
    ModeCause,
    ModeChanged,
    NoticeRaised,
    PermissionDecided,
    SteeringTaken,
    TextDelta,
    ToolCallFinished,
    ToolCallStarted,
    TurnEnd,
    TurnFinished,
    TurnStarted,
)
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome
from decode_core.session import Session
from sessions import play

BATCH = """
- text: I will look.
  calls:
    - {tool: read, args: {path: a.txt}}
    - {tool: write, args: {path: b.txt, content: "new"}}
    - {tool: read, args: {path: b.txt}}
    - {tool: bash, args: {command: "grep -c . b.txt > n.txt; cat b.txt"}}
    - {tool: write, args: {path: c.txt, content: "new"}}
- text: Done.
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "a.txt").write_text("hello\n")
    return folder


def test_a_batch_keeps_its_order_and_asks_one_question_at_a_time(workspace: Path) -> None:
    waiting: list[int] = []
    before_first: list[str] = []

    def answer(question: DecisionRequested, session: Session) -> Answer:
        waiting.append(session.waiting)
        if len(waiting) == 1:
            before_first.extend(event.tool for event in session.events if isinstance(event, ToolCallFinished))
        return Allow.once()

    played = play(workspace, BATCH, answer=answer)
    assert played.calls == [(tool, "ok") for tool in ("read", "write", "read", "bash", "write")]
    assert waiting == [1, 1, 1]
    assert before_first == ["read"]
    bash = next(event for event in played.of(ToolCallFinished) if event.tool == "bash")
    assert "new" in bash.text
    assert (workspace / "c.txt").read_text() == "new"


def test_a_mode_change_between_two_questions_counts_for_the_second(workspace: Path) -> None:
    asked: list[str] = []

    def answer(question: DecisionRequested, session: Session) -> Answer:
        asked.append(question.payload["tool"])
        if len(asked) == 2:
            session.set_mode(PermissionMode.EDIT, ModeCause.KEY)  # commands still ask in edit, the write after it not
        return Allow.once()

    played = play(workspace, BATCH, answer=answer)
    assert asked == ["write", "bash"]
    last = played.of(PermissionDecided)[-1]
    assert (last.outcome, last.mode) == (PermissionOutcome.ALLOW, PermissionMode.EDIT)


def test_tightening_while_a_question_is_open_turns_it_into_a_denial(workspace: Path) -> None:
    def answer(question: DecisionRequested, session: Session) -> None:
        session.set_mode(PermissionMode.PLAN, ModeCause.KEY)

    script = "- calls: [{tool: write, args: {path: b.txt, content: x}}]\n- text: ok"
    played = play(workspace, script, answer=answer)
    assert played.calls == [("write", "denied")]
    assert played.of(DecisionAnswered)[0].answer == "withdrawn"
    assert not (workspace / "b.txt").exists()


@pytest.mark.parametrize(("cause", "runs"), [(ModeCause.COMMAND, True), (ModeCause.AGENT_SELECTED, False)])
def test_only_the_persons_own_act_turns_an_open_question_into_a_run(
    workspace: Path, cause: ModeCause, runs: bool
) -> None:
    def answer(question: DecisionRequested, session: Session) -> Answer | None:
        session.set_mode(PermissionMode.EDIT, cause)
        if not runs:
            asyncio.get_running_loop().call_later(0.05, session.answer, question.id, Deny())
        return None

    script = "- calls: [{tool: write, args: {path: b.txt, content: x}}]\n- text: ok"
    assert play(workspace, script, answer=answer).calls == [("write", "ok" if runs else "denied")]


def test_a_hidden_tool_is_denied_with_its_real_reason_and_an_unknown_one_is_not_found(workspace: Path) -> None:
    script = """
    - calls: [{tool: write, args: {path: b.txt, content: x}}, {tool: nope, args: {}}]
    - calls: [{tool: nope, args: {}}, {tool: write, args: {path: d.txt, content: x}}]
    - expect:
        results:
          - {tool: nope, outcome: failed, contains: "no tool named"}
          - {tool: write, outcome: denied, contains: "plan mode"}
        tools_exclude: [write, edit]
        tools_include: [read]
        instructions_contain: plan mode
      text: I see.
    """
    played = play(workspace, script, mode=PermissionMode.PLAN)
    assert played.verdicts == [("write", "deny"), ("nope", "not_found"), ("nope", "not_found"), ("write", "deny")]
    assert played.of(PermissionDecided)[0].by is DecidedBy.PLAN_CEILING
    assert played.end.end is TurnEnd.COMPLETED


def test_exactly_one_verdict_is_recorded_per_call_whatever_becomes_of_it(workspace: Path) -> None:
    script = """
    - calls:
        - {tool: read, args: {path: a.txt}}
        - {tool: read, args: {wrong: 1}}
        - {tool: nope, args: {}}
        - {tool: bash, args: {command: "exit 3"}}
        - {tool: write, args: {path: b.txt, content: x}}
    - text: ok
    """
    played = play(workspace, script, answer=lambda question, session: Deny("not now"))
    started = [event.call_id for event in played.of(ToolCallStarted)]
    assert [event.call_id for event in played.of(PermissionDecided)] == started
    # reads side by side may end in any order
    assert sorted(event.call_id for event in played.of(ToolCallFinished)) == started
    assert len(started) == 5


def test_the_persons_note_reaches_the_model(workspace: Path) -> None:
    script = """
    - calls: [{tool: write, args: {path: b.txt, content: x}}]
    - expect: {results: [{tool: write, outcome: denied, contains: "put it into docs"}]}
      text: I see.
    """
    played = play(workspace, script, answer=lambda question, session: Deny("put it into docs"))
    assert played.end.end is TurnEnd.COMPLETED
    assert played.of(DecisionAnswered)[0].note == "put it into docs"


def test_an_answer_that_comes_late_twice_or_for_nothing_is_a_value(workspace: Path) -> None:
    results: list[AnswerResult] = []

    def hook(event: EventBase, session: Session) -> None:
        if isinstance(event, DecisionRequested):
            results.append(session.answer("q99", Allow.once()))
            results.append(session.answer(event.id, Allow.once()))
            results.append(session.answer(event.id, Deny()))

    script = "- calls: [{tool: write, args: {path: b.txt, content: x}}]\n- text: ok"
    play(workspace, script, answer=lambda question, session: None, hook=hook)
    assert results == [AnswerResult.UNKNOWN, AnswerResult.TAKEN, AnswerResult.LATE]


def test_deny_and_stop_ends_the_turn_before_the_next_request(workspace: Path) -> None:
    played = play(workspace, BATCH, answer=lambda question, session: Deny(stop_turn=True))
    assert played.end.end is TurnEnd.CANCELLED
    assert [event.text for event in played.of(TextDelta)] == ["I will look."]
    assert not (workspace / "b.txt").exists()
    assert len(played.of(DecisionRequested)) == 1
    assert len(played.of(PermissionDecided)) == 5


def test_a_file_that_changed_under_an_open_question_is_asked_about_again(workspace: Path) -> None:
    shown: list[str] = []

    def answer(question: DecisionRequested, session: Session) -> Answer:
        shown.append(question.payload["preview"]["before"])
        if len(shown) == 1:
            (workspace / "a.txt").write_text("changed by somebody\n")
        return Allow.once()

    script = """
    - calls: [{tool: read, args: {path: a.txt}}]
    - calls: [{tool: write, args: {path: a.txt, content: "mine"}}]
    - text: ok
    """
    played = play(workspace, script, answer=answer)
    assert shown[0] == "hello\n"
    assert len(played.of(DecisionRequested)) == 2
    # the second approval was for a file that the model has not read, so the tool refuses
    assert played.calls[-1] == ("write", "failed")
    assert (workspace / "a.txt").read_text() == "changed by somebody\n"


def test_edited_arguments_are_judged_anew(workspace: Path) -> None:
    def answer(question: DecisionRequested, session: Session) -> Answer:
        return Allow(args={"path": "d.txt", "content": "edited"})

    script = "- calls: [{tool: write, args: {path: b.txt, content: x}}]\n- text: ok"
    played = play(workspace, script, answer=answer)
    assert played.calls == [("write", "ok")]
    assert (workspace / "d.txt").read_text() == "edited"
    assert not (workspace / "b.txt").exists()


def test_always_is_stored_for_exactly_this_file_and_counts_in_the_next_session(workspace: Path) -> None:
    script = """
    - calls: [{tool: write, args: {path: b.txt, content: x}}]
    - calls: [{tool: write, args: {path: c.txt, content: x}}]
    - text: ok
    """
    asked: list[str] = []

    def answer(question: DecisionRequested, session: Session) -> Answer:
        asked.append(question.payload["subject"])
        return Allow(AllowScope.ALWAYS if question.payload["subject"] == "b.txt" else AllowScope.ONCE)

    play(workspace, script, answer=answer)
    assert '"write(b.txt)"' in (workspace / ".decode" / "settings.json").read_text()
    (workspace / "b.txt").unlink()
    (workspace / "c.txt").unlink()
    played = play(workspace, script, answer=answer)
    assert asked == ["b.txt", "c.txt", "c.txt"]
    first = played.of(PermissionDecided)[0]
    assert (first.outcome, first.by) == (PermissionOutcome.ALLOW, DecidedBy.RULE)
    assert first.rule is not None
    assert first.rule.text == "write(b.txt)"


def test_an_allow_rule_that_the_repository_brought_does_not_count(workspace: Path) -> None:
    (workspace / ".decode").mkdir()
    (workspace / ".decode" / "settings.json").write_text('{"permissions": {"allow": ["bash"]}}')
    script = "- calls: [{tool: bash, args: {command: touch x}}]\n- text: ok"
    played = play(workspace, script, answer=lambda question, session: Deny())
    assert played.calls == [("bash", "denied")]
    assert any("This folder brings 1 rule; nothing of it counts" in event.text for event in played.of(NoticeRaised))


def test_a_rule_that_cannot_be_stored_is_told_and_counts_as_once(workspace: Path) -> None:
    (workspace / ".decode").write_text("a file where the folder should be")
    script = "- calls: [{tool: write, args: {path: b.txt, content: x}}]\n- text: ok"
    played = play(workspace, script, answer=lambda question, session: Allow.always())
    assert played.calls == [("write", "ok")]
    assert any("was not stored" in event.text for event in played.of(NoticeRaised))


def test_the_same_refused_call_three_times_stops_the_turn(workspace: Path) -> None:
    call = "- calls: [{tool: write, args: {path: b.txt, content: x}}]"
    played = play(workspace, "\n".join([call] * 5), mode=PermissionMode.PLAN)
    assert played.calls == [("write", "denied")] * 3
    assert played.end.end is TurnEnd.FAILED
    assert "three" in played.end.reason or "3 times" in played.end.reason


def test_steering_is_read_before_the_next_request_and_a_queued_prompt_after_the_turn(workspace: Path) -> None:
    def hook(event: EventBase, session: Session) -> None:
        if isinstance(event, ToolCallStarted):
            session.steer("also the docs")

    script = "- calls: [{tool: read, args: {path: a.txt}}]\n- text: Done."
    played = play(workspace, script, hook=hook)
    assert [event.text for event in played.of(SteeringTaken)] == ["also the docs"]
    assert len(played.of(TurnFinished)) == 1


def test_a_queued_prompt_starts_its_own_turn_when_the_first_has_ended(workspace: Path) -> None:
    prompts: list[str] = []

    def hook(event: EventBase, session: Session) -> None:
        if isinstance(event, TextDelta) and event.text == "one":
            session.queue("second")
            session.subscribe(lambda later: prompts.append(later.prompt) if isinstance(later, TurnStarted) else None)
        if isinstance(event, TurnFinished):
            assert session.queued == ()

    play(workspace, "- text: one\n- text: two", hook=hook)
    assert prompts == ["second"]


def test_cancelling_stops_a_running_command_and_gives_unread_messages_back(workspace: Path) -> None:
    def hook(event: EventBase, session: Session) -> None:
        if isinstance(event, PermissionDecided):
            session.steer("hey")
            session.queue("later")
            cancelling.append(asyncio.ensure_future(session.cancel()))

    cancelling: list[asyncio.Future[None]] = []
    script = "- calls: [{tool: bash, args: {command: sleep 60}}]\n- text: never"
    played = play(workspace, script, hook=hook, mode=PermissionMode.BYPASS)
    assert played.end.end is TurnEnd.CANCELLED
    assert played.end.undelivered == ("hey", "later")
    assert played.of(ToolCallFinished)[0].outcome is CallOutcome.FAILED
    assert played.end.elapsed_ms < 30_000


def test_history_stays_valid_after_a_stop(workspace: Path) -> None:
    def answer(question: DecisionRequested, session: Session) -> None:
        cancelling.append(asyncio.ensure_future(session.cancel()))

    cancelling: list[asyncio.Future[None]] = []
    script = "- calls: [{tool: write, args: {path: b.txt, content: x}}]\n- text: Going on."
    played = play(workspace, script, prompts=("go", "on"), answer=answer)
    assert [event.end for event in played.of(TurnFinished)] == [TurnEnd.CANCELLED, TurnEnd.COMPLETED]


def test_a_mode_for_one_turn_ends_with_it(workspace: Path) -> None:
    async def go() -> list[EventBase]:
        from decode_core.opening import SessionOptions, new_session, survey
        from decode_core.workspace import Workspace
        from sessions import write_script

        script = "- calls: [{tool: write, args: {path: b.txt, content: x}}]\n- text: ok"
        options = SessionOptions(model=write_script(workspace.parent, script))
        session = new_session(survey(Workspace.open(workspace)), options)
        try:
            events = [event async for event in session.send("go", mode=lambda: PermissionMode.EDIT)]
            assert session.mode is PermissionMode.DEFAULT
        finally:
            await session.close()
        return events

    events = asyncio.run(go())
    assert [event.outcome for event in events if isinstance(event, ToolCallFinished)] == [CallOutcome.OK]
    assert [event.this_turn_only for event in events if isinstance(event, ModeChanged)] == [True]


def test_a_turn_limit_ends_with_limit(workspace: Path) -> None:
    call = "- calls: [{tool: read, args: {path: a.txt}}]"
    played = play(workspace, "\n".join([call] * 5), max_turns=2)
    assert played.end.end is TurnEnd.LIMIT
    assert len(played.of(ToolCallFinished)) == 2


def test_events_survive_a_round_trip_and_seq_rises(workspace: Path) -> None:
    from decode_core.events import dump_event, parse_event

    played = play(workspace, BATCH)
    assert [parse_event(dump_event(event)) for event in played.events] == played.events
    numbers = [event.seq for event in played.events]
    assert numbers == sorted(set(numbers))
    assert {event.turn_id for event in played.events[1:]} <= {"t1", None}
