"""The log of decisions as people read it: newest first, answers in the rows of their questions (ui.md §4)."""

from decode_core.decision_log import records
from decode_core.events import (
    DecisionAnswered,
    EventBase,
    ModeCause,
    ModeChanged,
    PermissionDecided,
    QuestionKind,
    RuleRef,
    ToolCallStarted,
)
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome, ToolKind
from decode_core.permissions.rules import RuleList, RuleSource


def verdict(seq: int, tool: str, subject: str, outcome: str = "allow", **more: object) -> PermissionDecided:
    values: dict[str, object] = {
        "by": DecidedBy.MODE,
        "reason": f"Mode default: {outcome}.",
        "agent_path": ("build",),
        **more,
    }
    return PermissionDecided(
        seq=seq,
        call_id=f"c{seq}",
        tool=tool,
        kind=ToolKind.OTHER,
        effective_kind=ToolKind.OTHER,
        subject=subject,
        outcome=PermissionOutcome(outcome),
        mode=PermissionMode.DEFAULT,
        **values,  # type: ignore[arg-type]
    )


DENY_RM = RuleRef(text="bash(rm *)", list=RuleList.DENY, source=RuleSource.USER)

LOG: list[EventBase] = [
    ToolCallStarted(seq=1, call_id="c2", tool="bash", subject="git push"),
    verdict(2, "bash", "git push", "ask", question_id="q1"),
    DecisionAnswered(seq=3, id="q1", kind=QuestionKind.PERMISSION, call_id="c2", answer="denied", note="not on main"),
    verdict(4, "read", "a.py"),
    ModeChanged(seq=5, from_mode=PermissionMode.DEFAULT, to_mode=PermissionMode.EDIT, cause=ModeCause.KEY),
    verdict(
        6,
        "bash",
        "rm x",
        "deny",
        by=DecidedBy.RULE,
        rule=DENY_RM,
    ),
    verdict(7, "bash", "answered", by=DecidedBy.HUMAN, question_id="q1"),
    verdict(8, "grep", "x", agent_path=("build", "explore")),
]


def seqs(*words: str, before: int | None = None) -> list[int]:
    return [record.event.seq for record in records(LOG, before=before, words=words)]


def test_records_come_newest_first_and_answers_stand_with_their_questions() -> None:
    found = list(records(LOG))
    assert [record.event.seq for record in found] == [8, 6, 5, 4, 2]
    assert found[-1].answer is not None and found[-1].answer.note == "not on main"
    assert found[-1].label == "git push"


def test_older_records_begin_before_a_given_one() -> None:
    assert seqs(before=6) == [5, 4, 2]


def test_a_search_looks_at_tool_agent_outcome_rule_reason_subject_and_note() -> None:
    assert seqs("tool:bash") == [6, 2]
    assert seqs("agent:explore") == [8]
    assert seqs("outcome:deny") == [6]
    assert seqs("by:rule", "RM") == [6]
    assert seqs("main") == [2]
    assert seqs("push") == [2]
    assert seqs("mode", "edit") == [5]
    assert seqs("nothing of this") == []
