"""Answers survive as data: what was written in one process means the same in another one."""

import json
from typing import Any

import pytest

from decode_core.answer_data import answer_data, answer_from
from decode_core.decisions import Allow, AllowScope, Answer, Deny, DenyScope, PlanReview, Reply


@pytest.mark.parametrize(
    "answer",
    [
        Allow.once(),
        Allow(AllowScope.ALWAYS, {"path": "a", "lines": [1, 2]}, "why", rule="write(a)"),
        Deny("no", stop_turn=True, scope=DenyScope.ALWAYS),
        PlanReview("approve_ask", (1, 3), "note", (("a line", "a comment"),), "# Steps\n1. x"),
        PlanReview("refine"),
        Reply(("a", "b"), "text", "note"),
    ],
)
def test_an_answer_comes_back_as_it_was(answer: Answer) -> None:
    assert answer_from(json.loads(json.dumps(answer_data(answer)))) == answer


@pytest.mark.parametrize(
    "data",
    [{}, {"type": "allow", "scope": "for ever"}, {"type": "vote"}, {"type": "deny", "note": ["x"]}, {"note": "x"}],
)
def test_what_is_no_answer_is_none(data: dict[str, Any]) -> None:
    assert answer_from(data) is None
