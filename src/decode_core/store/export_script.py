"""A session as a script for the scripted model (core.md §5): the same responses, calls included, in the same order.

Played with the same prompts in a workspace as it was, with the same answers, it gives the same events again.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from decode_core.events import (
    AssistantMessage,
    EventBase,
    ToolCallStarted,
    TurnEnd,
    TurnFinished,
    TurnStarted,
    UsageUpdated,
)
from decode_core.store.exported import REDACTION_NOTE


def script(title: str, events: Iterable[EventBase]) -> Iterator[str]:
    """The pieces of the file; the prompts that belong to it stand in comments."""
    yield f"# {_comment(title)}\n# {REDACTION_NOTE}\nversion: 1\nresponses:\n"
    empty = True
    for item in _responses(events):
        match item:
            case str():
                yield f"  # prompt: {_comment(item)}\n"
            case _Response():
                empty = False
                yield from _lines(item)
    if empty:
        yield "  []\n"


@dataclass
class _Response:
    """One response of the model."""

    text: str = ""
    thinking: str = ""
    calls: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, int] | None = None

    @property
    def is_empty(self) -> bool:
        return not (self.text or self.thinking or self.calls or self.usage)


def _responses(events: Iterable[EventBase]) -> Iterator[_Response | str]:
    """The responses, and the prompts between them.

    The sums of tokens come after a response's text and before its calls: they part one response from the next.
    """
    now = _Response()
    before = (0, 0)
    for event in events:
        match event:
            case TurnStarted(prompt=prompt):
                yield prompt
            case AssistantMessage(text=text, thinking=thinking):
                if not now.is_empty:
                    yield now
                now = _Response(text, thinking)
            case UsageUpdated(input_tokens=taken, output_tokens=given):
                if now.usage is not None:
                    yield now
                    now = _Response()
                now.usage = {"input": max(taken - before[0], 0), "output": max(given - before[1], 0)}
                before = (taken, given)
            case ToolCallStarted(tool=tool, args=args):
                now.calls.append({"tool": tool, "args": args})
            case TurnFinished(end=end) if end is not TurnEnd.SUSPENDED:
                # a suspended turn goes on with the calls of the same response
                if not now.is_empty:
                    yield now
                now = _Response()
            case _:
                pass
    if not now.is_empty:
        yield now


def _lines(response: _Response) -> Iterator[str]:
    """One entry of the list. Its values are JSON, which is YAML as well and needs no quoting rules of its own."""
    fields: list[str] = []
    if response.thinking:
        fields.append(f"thinking: {_json(response.thinking)}")
    if response.text or not (response.thinking or response.calls):
        fields.append(f"text: {_json(response.text)}")
    if response.calls:
        fields.append("calls:")
        fields.extend(f"  - {_json(call)}" for call in response.calls)
    if response.usage is not None:
        fields.append(f"usage: {_json(response.usage)}")
    for place, line in enumerate(fields):
        yield f"  {'- ' if place == 0 else '  '}{line}\n"


def _json(value: Any) -> str:
    # ASCII: YAML forbids some signs that JSON may hold as they are. It reads no pairs of surrogate escapes, so that
    # what lies beyond the basic plane gets YAML's long escape.
    text = json.dumps(value, ensure_ascii=False)
    return "".join(sign if " " <= sign <= "~" else _escaped(sign) for sign in text)


def _escaped(sign: str) -> str:
    code = ord(sign)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _comment(text: str) -> str:
    return _json(" ".join(text.split())[:200])[1:-1]
