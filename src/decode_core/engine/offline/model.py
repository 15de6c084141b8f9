"""The offline model: decides by rules what to answer, from the message history alone (core.md §5)."""

import uuid
from collections import deque
from collections.abc import Sequence

from pydantic_ai.messages import ModelMessage

from decode_core.engine.local_model import LocalModel, Offer, Reply
from decode_core.engine.offline.carry_out import carry_out
from decode_core.engine.offline.others import HELP, ask_person, review_diff, set_todos, unknown
from decode_core.engine.offline.plan import make_plan
from decode_core.engine.offline.requests import (
    AskPerson,
    Help,
    MakePlan,
    Request,
    ReviewDiff,
    SetTodos,
    Unknown,
)
from decode_core.engine.offline.turn import read_turn
from decode_core.engine.offline.understanding import understand
from decode_core.engine.offline.work import Desk, Work, advance


class OfflineModel(LocalModel):
    """Answers a small, documented set of requests through the same tools as any model. It uses no tokens."""

    def __init__(self) -> None:
        super().__init__("offline")

    def reply_to(self, messages: Sequence[ModelMessage], offer: Offer) -> Reply:
        """Return what the rules say; see `decide`."""
        return decide(messages, offer)

    def call_id(self, messages: Sequence[ModelMessage], index: int) -> str:
        """A random id: a history may be cut before it is sent, so no count in it is safe to build on."""
        return f"offline-{uuid.uuid4().hex}"


def decide(messages: Sequence[ModelMessage], offer: Offer) -> Reply:
    """Return the next response to a history, and to what the present request offers.

    A pure function: the work of the open prompts is played again from the start with the results that the history
    holds. Prompts that came while the turn ran are answered after the first, in one answer.
    """
    turn = read_turn(messages)
    played = deque(turn.results)
    answers: list[str] = []
    for prompt in turn.prompts:
        step = advance(work_for(understand(prompt), Desk(offer, played)), played)
        if not isinstance(step, str):
            return Reply(calls=step)
        answers.append(step)
    return Reply("\n\n".join(answers) or HELP)


def work_for(request: Request, desk: Desk) -> Work:
    """Return the work of a request, not yet begun."""
    match request:
        case MakePlan():
            return make_plan(request, desk)
        case SetTodos():
            return set_todos(request)
        case AskPerson():
            return ask_person(request)
        case ReviewDiff():
            return review_diff(request)
        case Help():
            return _said(HELP)
        case Unknown():
            return _said(unknown(request))
        case _:
            return carry_out(request)


def _said(answer: str) -> Work:
    """Work that needs no tool."""
    yield from ()
    return answer
