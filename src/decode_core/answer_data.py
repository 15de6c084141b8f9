"""Answers of the person as plain data, so that one that was given is applied even if decode dies right after it."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter, ValidationError

from decode_core.decisions import Allow, Answer, Deny, PlanReview, Reply

_KINDS: dict[str, type[Allow] | type[Deny] | type[PlanReview] | type[Reply]] = {
    "allow": Allow,
    "deny": Deny,
    "plan_review": PlanReview,
    "reply": Reply,
}


def answer_data(answer: Answer) -> dict[str, Any]:
    """The answer as JSON can hold it."""
    kind = next(name for name, made in _KINDS.items() if isinstance(answer, made))
    return {"type": kind, **asdict(answer)}


def answer_from(data: Mapping[str, Any]) -> Answer | None:
    """The answer that `answer_data` wrote, None where there is none that can be read."""
    made = _KINDS.get(str(data.get("type")))
    if made is None:
        return None
    fields = {name: value for name, value in data.items() if name != "type"}
    try:
        answer: Answer = TypeAdapter(made).validate_python(fields)
    except ValidationError:
        return None
    return answer
