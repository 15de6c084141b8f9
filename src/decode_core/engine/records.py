"""The records of a verdict and of its answer (permissions.md §10)."""

import hashlib
import json

from decode_core.answer_data import answer_data
from decode_core.decisions import Answered, Question
from decode_core.events import DecisionAnswered, PermissionDecided, RuleRef
from decode_core.permissions.request import PermissionDecision, PermissionRequest


def decided(
    request: PermissionRequest, decision: PermissionDecision, question_id: str | None = None
) -> PermissionDecided:
    """The one record of a verdict; `question_id` names the question that it asks or re-checks."""
    rule = decision.rule
    return PermissionDecided(
        call_id=request.call_id,
        tool=request.tool,
        kind=decision.kind,
        effective_kind=decision.effective_kind,
        subject=request.subject,
        outcome=decision.outcome,
        by=decision.by,
        rule=RuleRef(text=rule.text, list=rule.list, source=rule.source, line=rule.line) if rule else None,
        mode=decision.mode,
        mode_changed_outcome=decision.mode_changed_outcome,
        reason=decision.reason,
        args_digest=digest(request.args),
        question_id=question_id,
        steps=decision.steps,
    )


def answer_record(question: Question, answered: Answered, word: str) -> DecisionAnswered:
    """The second record of an asked call: what the person answered, after how long."""
    return DecisionAnswered(
        id=question.id,
        kind=question.kind,
        call_id=question.call_id,
        answer=word,
        note=answered.answer.note,
        waited_ms=answered.waited_ms,
        content={} if answered.withdrawn else answer_data(answered.answer),
    )


def withdrawn(question: Question) -> DecisionAnswered:
    """The record of a question that nobody answered: the turn was stopped, or a change settled it."""
    return DecisionAnswered(id=question.id, kind=question.kind, call_id=question.call_id, answer="withdrawn")


def digest(args: object) -> str:
    """SHA-256 over the arguments in a canonical form."""
    text = json.dumps(args, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
