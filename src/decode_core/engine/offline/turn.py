"""The turn so far, read from the message history: what was asked, and what the calls gave."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextContent,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from decode_core.events import CallOutcome


@dataclass(frozen=True)
class Result:
    """How one call came out, and what it told the model."""

    tool: str
    outcome: CallOutcome
    text: str
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Turn:
    """The open part of a conversation: prompts that no answer followed yet, and the results of their calls.

    More than one prompt is open when the person steered the turn. `results` holds one group for each response that
    made calls, in the order of its calls.
    """

    prompts: tuple[str, ...]
    results: tuple[tuple[Result, ...], ...] = ()


def read_turn(messages: Sequence[ModelMessage]) -> Turn:
    """Return the open turn. A run that a suspension split in two is one turn; an older, cut off run is none."""
    prompts: list[str] = []
    groups: list[list[ToolCallPart]] = []
    returns: dict[str, ToolReturnPart] = {}
    for message in messages[_start(messages) :]:
        match message:
            case ModelRequest(parts=parts):
                prompts += [_text(part) for part in parts if isinstance(part, UserPromptPart)]
                returns |= {part.tool_call_id: part for part in parts if isinstance(part, ToolReturnPart)}
            case ModelResponse(parts=response_parts):
                calls = [part for part in response_parts if isinstance(part, ToolCallPart)]
                if calls:
                    groups.append(calls)
                else:
                    prompts, groups = [], []
    return Turn(tuple(prompts), tuple(tuple(_result(call, returns) for call in calls) for calls in groups))


def _start(messages: Sequence[ModelMessage]) -> int:
    """Where the run of the last prompt begins."""
    last = next(
        (index for index in range(len(messages) - 1, -1, -1) if _holds_prompt(messages[index])),
        len(messages),
    )
    run_id = messages[last].run_id if last < len(messages) else None
    while run_id is not None and last > 0 and messages[last - 1].run_id == run_id:
        last -= 1
    return last


def _holds_prompt(message: ModelMessage) -> bool:
    return isinstance(message, ModelRequest) and any(isinstance(part, UserPromptPart) for part in message.parts)


def _text(part: UserPromptPart) -> str:
    if isinstance(part.content, str):
        return part.content
    pieces = (item.content if isinstance(item, TextContent) else item for item in part.content)
    return "\n".join(piece for piece in pieces if isinstance(piece, str))


def _result(call: ToolCallPart, returns: Mapping[str, ToolReturnPart]) -> Result:
    part = returns.get(call.tool_call_id)
    args = _args(call)
    if part is None:
        return Result(call.tool_name, CallOutcome.FAILED, "the call gave no result", args)
    return Result(call.tool_name, _outcome(part), part.model_response_str(wrap_if_error=False), args)


def _outcome(part: ToolReturnPart) -> CallOutcome:
    match part.outcome:
        case "success":
            return CallOutcome.OK
        case "denied":
            return CallOutcome.DENIED
        case _:
            return CallOutcome.FAILED


def _args(call: ToolCallPart) -> dict[str, Any]:
    if isinstance(call.args, dict):
        return call.args
    try:
        args = json.loads(call.args or "{}")
    except ValueError:
        return {}
    return args if isinstance(args, dict) else {}
