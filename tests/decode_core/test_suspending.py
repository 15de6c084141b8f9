"""Questions that wait for days: a suspended turn goes on as if nothing had happened (core.md §3, permissions.md §2)."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from decode_core.decisions import Allow, Answer, DecisionQueue, Deny, PlanReview, Question, Reply, Suspended
from decode_core.events import (
    AssistantMessage,
    DecisionAnswered,
    DecisionRequested,
    EventBase,
    PermissionDecided,
    PlanDecided,
    PlanProposed,
    QuestionKind,
    ToolCallFinished,
    ToolCallStarted,
    TurnEnd,
    TurnFinished,
    TurnResumed,
)
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.permissions.modes import PermissionMode
from decode_core.resuming import take_up
from decode_core.session import TurnRunning
from decode_core.settings.files import user_settings_file
from decode_core.spill import spill_root
from decode_core.workspace import Workspace
from sessions import Played, write_script

Answers = Callable[[DecisionRequested], Answer | None]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "README.md").write_text("hello\n")
    return folder.resolve()


def ask_and_leave(workspace: Path, responses: str, answers: Answers = lambda question: None, **options: Any) -> Played:
    """Play until a question is open for which `answers` has nothing, and quit then."""
    options["model"] = write_script(workspace.parent, responses)

    async def main() -> Played:
        played = Played()
        session = new_session(survey(Workspace.open(workspace)), SessionOptions(**options))
        session.subscribe(played.events.append)
        async for event in session.send("go"):
            if isinstance(event, DecisionRequested):
                if (given := answers(event)) is not None:
                    session.answer(event.id, given)
                else:
                    closing = asyncio.ensure_future(session.close())
        await closing
        return played

    return asyncio.run(main())


def come_back(workspace: Path, responses: str, answers: Answers, **options: Any) -> Played:
    """Resume the session in what is a new process to it, answer, and play on with the rest of the script."""
    options["model"] = write_script(workspace.parent, responses)

    async def main() -> Played:
        played = Played()
        resumed = take_up(None, workspace)
        session = new_session(survey(resumed.workspace), SessionOptions(resumed=resumed, **options))
        assert session.suspended
        since = session.events[-1].seq
        session.subscribe(lambda event: played.events.append(event) if event.seq > since else None)
        async for event in session.resume():
            if isinstance(event, DecisionRequested):
                if (given := answers(event)) is None:
                    await session.suspend()
                else:
                    session.answer(event.id, given)
        played.mode = session.mode
        await session.close()
        return played

    return asyncio.run(main())


def always(answer: Answer) -> Answers:
    return lambda question: answer


WRITE = """
- text: "I write."
  calls:
    - {tool: write, args: {path: a.txt, content: "one"}}
"""
DONE = "- text: Done.\n"


def test_quitting_with_an_open_question_suspends_the_turn_and_another_day_it_goes_on(workspace: Path) -> None:
    left = ask_and_leave(workspace, WRITE)
    assert left.end.end is TurnEnd.SUSPENDED
    assert not left.of(DecisionAnswered)
    assert not left.of(ToolCallFinished)
    back = come_back(workspace, DONE, always(Allow.once()))
    assert (workspace / "a.txt").read_text() == "one"
    (asked,), (again,) = left.of(DecisionRequested), back.of(DecisionRequested)
    assert (again.id, again.kind, again.payload["preview"]) == (asked.id, asked.kind, asked.payload["preview"])
    assert back.calls == [("write", "ok")]
    assert back.of(TurnResumed)[0].turn_id == left.end.turn_id == back.end.turn_id
    assert back.end.end is TurnEnd.COMPLETED
    # one record of the verdict, one start, one answer, whatever lay between
    assert not back.of(PermissionDecided)
    assert not back.of(ToolCallStarted)
    assert [answer.answer for answer in back.of(DecisionAnswered)] == ["once"]


def test_a_denial_of_another_day_reaches_the_model_with_its_note(workspace: Path) -> None:
    ask_and_leave(workspace, WRITE)
    expects = '- {expect: {results: [{tool: write, outcome: denied, contains: "not today"}]}, text: Fine.}\n'
    back = come_back(workspace, expects, always(Deny("not today")))
    assert back.end.end is TurnEnd.COMPLETED
    assert not (workspace / "a.txt").exists()


def test_a_question_may_be_left_open_again_and_again(workspace: Path) -> None:
    ask_and_leave(workspace, WRITE)
    for _ in range(2):
        again = come_back(workspace, DONE, lambda question: None)
        assert again.end.end is TurnEnd.SUSPENDED
    assert come_back(workspace, DONE, always(Allow.once())).calls == [("write", "ok")]


BATCH = """
- calls:
    - {tool: read, args: {path: a.txt}}
    - {tool: write, args: {path: a.txt, content: "two", }}
    - {tool: read, args: {path: a.txt}}
    - {tool: bash, args: {command: "cat a.txt > b.txt"}}
    - {tool: read, args: {path: b.txt}}
"""
IN_ORDER = """
- expect:
    results:
      - {tool: read, outcome: ok, contains: one}
      - {tool: write, outcome: ok}
      - {tool: read, outcome: ok, contains: two}
      - {tool: bash, outcome: ok}
      - {tool: read, outcome: ok, contains: two}
  text: Done.
"""


@pytest.mark.parametrize("answered_before", [0, 1])
def test_several_asks_with_reads_between_keep_the_order_of_the_calls(workspace: Path, answered_before: int) -> None:
    """core.md §3: what stands after a gated call sees its change, before and after the day it was suspended."""
    (workspace / "a.txt").write_text("one")
    answers = iter([Allow.once()] * answered_before)
    left = ask_and_leave(workspace, BATCH, lambda question: next(answers, None))
    assert left.end.end is TurnEnd.SUSPENDED
    back = come_back(workspace, IN_ORDER, always(Allow.once()))
    assert back.end.end is TurnEnd.COMPLETED, back.end.reason
    ended = [*left.of(ToolCallFinished), *back.of(ToolCallFinished)]
    assert [event.tool for event in ended] == ["read", "write", "read", "bash", "read"]
    assert [event.tool for event in left.of(ToolCallFinished)] == ["read", "write", "read"][: 1 + 2 * answered_before]
    begun = [event.call_id for event in (*left.of(ToolCallStarted), *back.of(ToolCallStarted))]
    assert len(begun) == len(set(begun)) == 5


def test_an_approval_does_not_outlive_the_facts_that_it_was_given_for(workspace: Path) -> None:
    """permissions.md §2: facts differ, so it is asked again, under another id, with today's file."""
    (workspace / "a.txt").write_text("old")
    script = """
    - calls: [{tool: read, args: {path: a.txt}}]
    - calls: [{tool: write, args: {path: a.txt, content: "one"}}]
    """
    left = ask_and_leave(workspace, script)
    (workspace / "a.txt").write_text("changed meanwhile")
    back = come_back(workspace, DONE, always(Deny()))
    (asked,), (again,) = left.of(DecisionRequested), back.of(DecisionRequested)
    assert again.id != asked.id
    assert again.payload["preview"]["before"] == "changed meanwhile"
    assert [(one.id, one.answer) for one in back.of(DecisionAnswered)] == [
        (asked.id, "withdrawn"),
        (again.id, "denied"),
    ]


def test_what_was_read_before_counts_as_read_after_the_resume(workspace: Path) -> None:
    """core.md §4: an existing file must have been read in this session and be unchanged since."""
    script = """
    - calls: [{tool: read, args: {path: README.md}}]
    - calls: [{tool: write, args: {path: README.md, content: "new"}}]
    """
    ask_and_leave(workspace, script)
    back = come_back(workspace, DONE, always(Allow.once()))
    assert back.calls == [("write", "ok")]
    assert (workspace / "README.md").read_text() == "new"


def test_the_folder_of_the_shell_is_kept_over_the_resume(workspace: Path) -> None:
    (workspace / "sub").mkdir()
    script = """
    - calls: [{tool: bash, args: {command: "cd sub"}}]
    - calls: [{tool: bash, args: {command: "touch here"}}]
    """
    ask_and_leave(workspace, script)
    back = come_back(workspace, DONE, always(Allow.once()))
    assert back.calls == [("bash", "ok")]
    assert (workspace / "sub" / "here").exists()
    assert len(back.of(DecisionRequested)) == 1


def test_in_plan_mode_a_write_of_before_is_refused_when_it_is_resumed(workspace: Path) -> None:
    left = ask_and_leave(workspace, WRITE)
    back = come_back(workspace, DONE, always(Allow.once()), mode=PermissionMode.PLAN)
    (verdict,) = back.of(PermissionDecided)
    assert (verdict.outcome.value, verdict.by.value) == ("deny", "plan_ceiling")
    assert verdict.question_id == left.of(DecisionRequested)[0].id
    assert back.calls == [("write", "denied")]
    assert not back.of(DecisionRequested)
    assert not (workspace / "a.txt").exists()


def test_edited_arguments_that_a_deny_rule_matches_are_refused(workspace: Path) -> None:
    """permissions.md §2, Approvals: steps 1 to 7 run again on the final arguments."""
    settings = workspace / ".decode" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"permissions": {"deny": ["write(secret*)"]}}')
    ask_and_leave(workspace, WRITE)
    edited = Allow(args={"path": "secret.txt", "content": "one"})
    back = come_back(workspace, DONE, always(edited))
    assert [one.answer for one in back.of(DecisionAnswered)] == ["edited"]
    assert [(one.outcome.value, one.by.value) for one in back.of(PermissionDecided)] == [("deny", "rule")]
    assert list(workspace.glob("*.txt")) == []


def test_an_allow_rule_that_came_meanwhile_does_not_answer_the_question(workspace: Path) -> None:
    """While a question is open: a settings reload never turns it into a run."""
    ask_and_leave(workspace, WRITE)
    user = user_settings_file()
    user.parent.mkdir(parents=True, exist_ok=True)
    user.write_text('{"permissions": {"allow": ["write"]}}')
    back = come_back(workspace, DONE, lambda question: None)
    assert back.end.end is TurnEnd.SUSPENDED
    assert back.of(DecisionRequested)[0].payload["by"] == "mode"
    assert not (workspace / "a.txt").exists()


ASK = """
- calls:
    - {tool: ask_user, args: {question: "Which one?", options: [a, b]}}
    - {tool: read, args: {path: README.md}}
"""


def test_a_question_of_the_agent_waits_as_well(workspace: Path) -> None:
    left = ask_and_leave(workspace, ASK)
    assert left.end.end is TurnEnd.SUSPENDED
    expects = '- {expect: {results: [{tool: ask_user, outcome: ok, contains: "chose: b"}, {tool: read}]}, text: ok}\n'
    back = come_back(workspace, expects, always(Reply(("b",))))
    assert back.end.end is TurnEnd.COMPLETED, back.end.reason
    assert back.of(DecisionRequested)[0].payload == left.of(DecisionRequested)[0].payload


PLAN = """
- calls:
    - {tool: exit_plan_mode, args: {title: A plan, plan: "# Steps\\n1. write\\n2. read"}}
"""


def test_a_plan_waits_for_its_review_and_is_decided_once(workspace: Path) -> None:
    left = ask_and_leave(workspace, PLAN, mode=PermissionMode.PLAN)
    (proposed,) = left.of(PlanProposed)
    back = come_back(workspace, DONE, always(PlanReview("approve", approved=(1,))))
    assert not back.of(PlanProposed)
    (decided,) = back.of(PlanDecided)
    assert (decided.plan.version, decided.plan.approved) == (proposed.plan.version, (1,))
    assert back.mode is PermissionMode.EDIT
    assert back.calls == [("exit_plan_mode", "ok")]


@pytest.mark.parametrize(
    ("script", "mode", "answer", "told"),
    [
        (ASK, PermissionMode.DEFAULT, Reply(("b",)), "chose: b"),
        (PLAN, PermissionMode.PLAN, PlanReview("refine", note="smaller"), "smaller"),
    ],
)
def test_an_answer_that_was_given_counts_although_decode_died_right_after_it(
    workspace: Path, script: str, mode: PermissionMode, answer: Answer, told: str
) -> None:
    left = ask_and_leave(workspace, script, mode=mode)
    record_answer(left.of(DecisionRequested)[0], answer)
    back = come_back(workspace, DONE, lambda question: pytest.fail("asked twice"))
    ended = back.of(ToolCallFinished)[0]
    assert told in ended.text
    assert not back.of(DecisionAnswered)


def record_answer(asked: DecisionRequested, answer: Answer) -> None:
    """What stands in the store when decode is killed between an answer and what it brings about."""
    from decode_core.decisions import Answered, Question
    from decode_core.engine.records import answer_record
    from decode_core.store.database import Database
    from decode_core.store.records import Records
    from decode_core.store.sessions import Sessions

    database = Database.open()
    (info,) = Sessions(database).recent()
    question = Question(asked.id, asked.kind, asked.payload, asked.call_id)
    event = answer_record(question, Answered(answer, 10), "answered").model_copy(
        update={"seq": info.last_seq + 1, "ts": asked.ts, "session_id": info.id, "turn_id": asked.turn_id}
    )
    Records(database).append(info.id, event)
    database.close()


def test_a_suspended_turn_can_be_dropped(workspace: Path) -> None:
    ask_and_leave(workspace, WRITE)

    async def main() -> list[EventBase]:
        resumed = take_up(None, workspace)
        model = write_script(workspace.parent, "- {expect: {results: [{tool: write, outcome: failed}]}, text: Next.}\n")
        session = new_session(survey(resumed.workspace), SessionOptions(resumed=resumed, model=model))
        await session.cancel()
        assert not session.suspended
        async for _ in session.send("something else"):
            pass
        await session.close()
        return list(session.events)

    played = Played(asyncio.run(main()))
    assert [one.answer for one in played.of(DecisionAnswered)] == ["withdrawn"]
    assert played.calls == [("write", "failed")]
    assert [one.end for one in played.of(TurnFinished)] == [
        TurnEnd.SUSPENDED,
        TurnEnd.CANCELLED,
        TurnEnd.COMPLETED,
    ]
    assert played.of(AssistantMessage)[-1].text == "Next."


def test_while_a_question_waits_no_other_prompt_is_taken(workspace: Path) -> None:
    ask_and_leave(workspace, WRITE)

    async def main() -> None:
        resumed = take_up(None, workspace)
        session = new_session(survey(resumed.workspace), SessionOptions(resumed=resumed, model="offline"))
        with pytest.raises(TurnRunning, match="waits"):
            session.submit("something else")
        await session.close()

    asyncio.run(main())


def test_an_unknown_name_in_the_batch_keeps_its_reason(workspace: Path) -> None:
    script = """
    - calls:
        - {tool: write, args: {path: a.txt, content: "one"}}
        - {tool: fly, args: {}}
    """
    ask_and_leave(workspace, script)
    back = come_back(workspace, DONE, always(Allow.once()))
    assert back.calls == [("write", "ok"), ("fly", "failed")]
    assert [one.outcome.value for one in back.of(PermissionDecided)] == ["not_found"]


def test_only_questions_about_calls_are_suspended() -> None:
    """One about a changed file is asked again by what is found another day; its asker must not see an exception."""

    async def main() -> tuple[bool, str]:
        queue = DecisionQueue(lambda question, waiting: None)
        changed = Question(queue.new_id(), QuestionKind.OUTSIDE_CHANGE, {})
        call = Question(queue.new_id(), QuestionKind.PERMISSION, {}, "c1")
        asking = [asyncio.ensure_future(queue.ask(question)) for question in (changed, call)]
        await asyncio.sleep(0)
        queue.suspend()
        with pytest.raises(Suspended):
            await asking[1]
        assert not queue.holds_call
        queue.close()
        answered = await asking[0]
        return answered.withdrawn, changed.id

    assert asyncio.run(main()) == (True, "q1")


def test_outputs_that_were_spilled_outlive_the_suspension_and_end_with_the_session(workspace: Path) -> None:
    """What the model was told to read in full is there when the turn goes on."""
    left = ask_and_leave(workspace, WRITE)
    folder = spill_root() / left.end.session_id
    assert folder.is_dir()
    come_back(workspace, DONE, always(Allow.once()))
    assert not folder.exists()
