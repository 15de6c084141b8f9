"""The model's history: written as it grows, read back whole, open calls closed with what was reported of them."""

import asyncio
import json
from collections.abc import Sequence

import pytest
from pydantic_ai import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from decode_core.call_progress import NEVER_RAN, CallSoFar, CallsSoFar
from decode_core.engine.history import History
from decode_core.event_log import EventLog
from decode_core.events import CallOutcome, EventBase, NoticeRaised, ToolCallFinished, ToolCallStarted
from decode_core.store.lines import StoredMessage
from stored import stamped


class Written:
    """What a history has put, as the store would hold it, and how often it put anything."""

    def __init__(self) -> None:
        self.messages: list[StoredMessage] = []
        self.puts: list[tuple[int, int]] = []

    def put(self, start: int, messages: Sequence[StoredMessage]) -> str | None:
        assert start <= len(self.messages), "a gap"
        self.messages[start:] = messages
        self.puts.append((start, len(messages)))
        return None


def calls_of(*events: EventBase, first: int = 10) -> dict[str, CallSoFar]:
    """How far calls have come after these events."""
    calls = CallsSoFar()
    for event in stamped(events, first=first):
        calls.take(event)
    return calls.by_id


def log_with(*events: EventBase) -> EventLog:
    loop = asyncio.new_event_loop()
    loop.close()
    return EventLog("s1", loop, before=stamped(events, first=10))


def prompt(text: str) -> ModelRequest:
    return ModelRequest([UserPromptPart(text)])


def answer(text: str) -> ModelResponse:
    return ModelResponse([TextPart(text)])


def test_only_what_is_new_is_written_and_all_of_it_comes_back() -> None:
    written, log = Written(), log_with()
    history = History(log, written.put)
    messages: list[ModelMessage] = []
    for number in range(4):
        messages.append(prompt(f"p{number}") if number % 2 == 0 else answer(f"a{number}"))
        history.save(messages)
        history.save(messages)
    assert written.puts == [(0, 1), (1, 1), (2, 1), (3, 1)]
    assert History(log, None, written.messages).messages == messages


def test_a_message_that_grew_in_place_is_written_again() -> None:
    written = Written()
    history = History(log_with(), written.put)
    first, second = prompt("a"), answer("b")
    history.save([first, second])
    second.parts = [*second.parts, TextPart("more")]
    history.save([first, second])
    assert written.puts == [(0, 2), (1, 1)]
    assert "more" in written.messages[1].body


def test_what_is_taken_back_is_taken_out() -> None:
    written = Written()
    history = History(log_with(), written.put)
    first, second, other = prompt("a"), answer("b"), answer("c")
    history.save([first, second])
    history.save([first])
    assert len(written.messages) == 1
    history.save([first, other])
    assert '"c"' in written.messages[1].body


@pytest.mark.parametrize(
    ("events", "contents"),
    [
        ([], [NEVER_RAN, NEVER_RAN]),
        ([ToolCallFinished(call_id="c1", tool="read", outcome=CallOutcome.OK, text="found")], ["found", NEVER_RAN]),
        ([ToolCallFinished(call_id="c2", tool="bash", outcome=CallOutcome.DENIED, text="no")], [NEVER_RAN, "no"]),
    ],
)
def test_open_calls_get_the_results_that_were_reported(events: list[EventBase], contents: list[str]) -> None:
    calls = ModelResponse([ToolCallPart("read", {"path": "x"}, "c1"), ToolCallPart("bash", {"command": "x"}, "c2")])
    written = Written()
    History(log_with(), written.put).save([prompt("a"), calls])
    resumed = Written()
    resumed.messages = [StoredMessage(message.body, 9) for message in written.messages]
    started = [ToolCallStarted(call_id=call.tool_call_id, tool=call.tool_name) for call in calls.tool_calls]
    history = History(log_with(), resumed.put, resumed.messages, calls_of(*started, *events))
    results = history.messages[-1].parts
    assert [part.content for part in results if isinstance(part, ToolReturnPart)] == contents
    assert [part.tool_call_id for part in results if isinstance(part, ToolReturnPart)] == ["c1", "c2"]
    assert len(resumed.messages) == 3


def test_a_result_of_an_earlier_call_with_the_same_id_is_not_taken() -> None:
    calls = ModelResponse([ToolCallPart("read", {"path": "x"}, "c1")])
    written = Written()
    History(log_with(), written.put).save([prompt("a"), calls])
    stored = [StoredMessage(message.body, 50) for message in written.messages]
    early = ToolCallFinished(call_id="c1", tool="read", outcome=CallOutcome.OK, text="of long ago")
    begun = calls_of(ToolCallStarted(call_id="c1", tool="read"), early)
    history = History(log_with(), None, stored, begun)
    (part,) = history.messages[-1].parts
    assert isinstance(part, ToolReturnPart)
    assert part.content == NEVER_RAN


def test_half_a_surrogate_pair_does_not_stop_the_writing() -> None:
    written = Written()
    History(log_with(), written.put).save([prompt("a\udcff"), answer("b")])
    back = History(log_with(), None, written.messages).messages
    assert json.loads(written.messages[0].body)["parts"][0]["content"] == "a?"
    assert len(back) == 2


@pytest.mark.parametrize("body", ["{", '{"kind": "of tomorrow"}', "[]"])
def test_a_history_that_cannot_be_read_is_told_and_begins_anew(body: str) -> None:
    log = log_with()
    history = History(log, None, [StoredMessage(body, 1)])
    assert history.messages == []
    (notice,) = [event for event in log.kept if isinstance(event, NoticeRaised)]
    assert "begins anew" in notice.text
