"""The messages of the model: written as they grow, read back when a session is resumed."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from pydantic import ValidationError
from pydantic_ai import ModelMessage, ModelMessagesTypeAdapter, ModelRequest, ModelResponse, ToolReturnPart

from decode_core.call_progress import NEVER_RAN, CallSoFar
from decode_core.event_log import EventLog
from decode_core.events import CallOutcome, NoticeLevel, NoticeRaised
from decode_core.store.lines import StoredMessage, writable

PutMessages = Callable[[int, Sequence[StoredMessage]], str | None]
"""Writes messages from a number on; see `SessionRecord.put_messages`."""


class History:
    """The history of one session. Each message stands in the store before the event that shows it."""

    def __init__(
        self,
        log: EventLog,
        put: PutMessages | None = None,
        stored: Sequence[StoredMessage] = (),
        calls: Mapping[str, CallSoFar] | None = None,
        *,
        is_suspended: bool = False,
    ) -> None:
        """`stored` is the history of a resumed session; where it cannot be read, the person is told.

        `calls` tells how far the calls of its last response had come. Their results are handed in, so that nothing is
        done twice; those of a suspended turn stay open, since the turn goes on with them.
        """
        self._log = log
        self._put = put
        self._bodies = [message.body for message in stored]
        self.messages: list[ModelMessage] = []
        try:
            self.messages = _parsed(self._bodies)
        except ValidationError:
            hint = "the chat above is what you see, not what the model knows; tell it what matters"
            text = "What the model had read and said cannot be read back; it begins anew."
            log.append(NoticeRaised(level=NoticeLevel.ERROR, text=text, hint=hint))
        self._written: list[ModelMessage] = list(self.messages)
        if self.messages and not is_suspended:
            after = stored[-1].after_seq
            self.close_calls({key: call for key, call in (calls or {}).items() if call.started.seq > after})

    @property
    def has_open_calls(self) -> bool:
        """Whether the last response has calls without results, so that a turn can go on with them."""
        return bool(self.messages) and isinstance(last := self.messages[-1], ModelResponse) and bool(last.tool_calls)

    def save(self, messages: Sequence[ModelMessage]) -> None:
        """Take `messages` as the history and write what is new or has changed."""
        self.messages = list(messages)
        if self._put is None:
            return
        same = 0
        for old, new in zip(self._written, self.messages, strict=False):
            if old is not new:
                break
            same += 1
        # the last message may have grown in place
        start = max(same - 1, 0)
        bodies = [_dumped(message) for message in self.messages[start:]]
        if same and bodies[0] == self._bodies[start]:
            start, bodies = start + 1, bodies[1:]
        if bodies or start < len(self._bodies):
            self._put(start, [StoredMessage(body, self._log.last_seq) for body in bodies])
        self._bodies[start:] = bodies
        self._written = list(self.messages)

    def close_calls(self, calls: Mapping[str, CallSoFar]) -> None:
        """Give calls that the history leaves open the results that were reported."""
        if self.has_open_calls and isinstance(last := self.messages[-1], ModelResponse):
            results = [_result(call.tool_call_id, call.tool_name, calls) for call in last.tool_calls]
            self.save([*self.messages, ModelRequest(results)])


def _result(call_id: str, tool: str, calls: Mapping[str, CallSoFar]) -> ToolReturnPart:
    call = calls.get(call_id)
    if call is None:
        return ToolReturnPart(tool, NEVER_RAN, tool_call_id=call_id, outcome="interrupted")
    end = call.finished or call.as_closed()
    return ToolReturnPart(tool, end.text, tool_call_id=call_id, outcome=_OUTCOMES[end.outcome])


_OUTCOMES: dict[CallOutcome, Literal["success", "failed", "denied"]] = {
    CallOutcome.OK: "success",
    CallOutcome.FAILED: "failed",
    CallOutcome.DENIED: "denied",
}


def _parsed(bodies: Sequence[str]) -> list[ModelMessage]:
    return ModelMessagesTypeAdapter.validate_json(f"[{','.join(bodies)}]") if bodies else []


def _dumped(message: ModelMessage) -> str:
    try:
        return ModelMessagesTypeAdapter.dump_json([message]).decode()[1:-1]
    except ValueError:
        # half a surrogate pair, such as in a file's name that is no UTF-8
        return json.dumps(writable(ModelMessagesTypeAdapter.dump_python([message])[0]), ensure_ascii=False)
