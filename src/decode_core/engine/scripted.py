"""The scripted model: plays the responses of a script, one a request, for demos, tests and bug reports (core.md §5)."""

from collections.abc import Sequence

from pydantic_ai.exceptions import (
    ModelAuthenticationError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelOverloadedError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelServerError,
    ModelUnavailableError,
)
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.usage import RequestUsage

from decode_core.engine.local_model import Call, LocalModel, Offer, Reply
from decode_core.engine.script_file import (
    Expectation,
    ExpectedOutcome,
    ExpectedResult,
    Script,
    ScriptFault,
    ScriptResponse,
)

NO_MORE = "The script has no more responses."
"""What the model says once the script is used up."""

_Category = type[
    ModelQuotaExceededError | ModelRateLimitError | ModelRequestRejectedError | ModelServerError | ModelUnavailableError
]

SHOWN = 200
"""Characters of a text that a mismatch quotes."""


class ScriptMismatch(Exception):  # noqa: N818 - a verdict over the run, not a fault of the program
    """A request was not what the script expects. `response` counts from 1; `difference` is one sentence."""

    def __init__(self, script: str, response: int, difference: str) -> None:
        self.script = script
        self.response = response
        self.difference = difference
        super().__init__(f"response {response} of {script} does not fit the run: {difference}")


class ScriptedModel(LocalModel):
    """Plays a script. Each request takes the next response, whatever the history holds; an error is a response, too."""

    def __init__(self, script: Script, history: Sequence[ModelMessage] = ()) -> None:
        """`history` is that of a session that goes on with the same script: what it holds was given before."""
        super().__init__(f"script:{script.name}", chunk=script.chunk, delay_s=script.delay_ms / 1000)
        self._script = script
        self._given = _given_before(script, history, self.model_name)

    def reply_to(self, messages: Sequence[ModelMessage], offer: Offer) -> Reply:
        """Return the next response. Raises ScriptMismatch where the request is not what it expects."""
        self._given += 1
        if self._given > len(self._script.responses):
            return Reply(NO_MORE)
        response = self._script.responses[self._given - 1]
        if response.expect is not None:
            difference = difference_from(response.expect, messages, offer)
            if difference is not None:
                raise ScriptMismatch(self._script.name, self._given, difference)
        return self._reply(response)

    def call_id(self, messages: Sequence[ModelMessage], index: int) -> str:
        """Ids are the same in every run of a script; a resumed history that holds them already gets a suffix."""
        taken = {part.tool_call_id for message in messages for part in message.parts if isinstance(part, ToolCallPart)}
        wanted = f"script-{self._given}-{index + 1}"
        round_ = 1
        while (name := wanted if round_ == 1 else f"{wanted}-{round_}") in taken:
            round_ += 1
        return name

    def _reply(self, response: ScriptResponse) -> Reply:
        usage = response.usage
        return Reply(
            text=response.text,
            thinking=response.thinking,
            calls=tuple(Call(call.tool, call.args) for call in response.calls),
            usage=RequestUsage(input_tokens=usage.input, output_tokens=usage.output) if usage else RequestUsage(),
            error=_error(response.error, self.model_name) if response.error else None,
        )


def difference_from(expect: Expectation, messages: Sequence[ModelMessage], offer: Offer) -> str | None:
    """Say in one sentence how a request differs from what is expected; None where it does not."""
    if expect.results is not None:
        difference = _results_difference(expect.results, last_results(messages))
        if difference is not None:
            return difference
    offered = ", ".join(sorted(offer.tools)) or "none"
    for name in expect.tools_include:
        if name not in offer.tools:
            return f"the tool {name} is not offered; offered: {offered}"
    for name in expect.tools_exclude:
        if name in offer.tools:
            return f"the tool {name} is offered, and must not be"
    wanted = expect.instructions_contain
    if wanted is not None and wanted not in offer.instructions:
        return f"the instructions do not contain {_quoted(wanted)}"
    return None


def last_results(messages: Sequence[ModelMessage]) -> tuple[ToolReturnPart, ...]:
    """The results since the last response, in the order of its calls."""
    results: list[ToolReturnPart] = []
    order: dict[str, int] = {}
    for message in reversed(messages):
        if isinstance(message, ModelResponse):
            calls = (part for part in message.parts if isinstance(part, ToolCallPart))
            order = {call.tool_call_id: index for index, call in enumerate(calls)}
            break
        if isinstance(message, ModelRequest):
            results[:0] = [part for part in message.parts if isinstance(part, ToolReturnPart)]
    return tuple(sorted(results, key=lambda part: order.get(part.tool_call_id, len(order))))


def outcome_of(part: ToolReturnPart) -> ExpectedOutcome:
    """How a result came out, in the words of scripts: sent back for another try, and interrupted, are failed."""
    match part.outcome:
        case "success":
            return ExpectedOutcome.OK
        case "denied":
            return ExpectedOutcome.DENIED
        case _:
            return ExpectedOutcome.FAILED


def _results_difference(expected: tuple[ExpectedResult, ...], actual: tuple[ToolReturnPart, ...]) -> str | None:
    for number, (want, part) in enumerate(zip(expected, actual, strict=False), start=1):
        text = part.model_response_str(wrap_if_error=False)
        outcome = outcome_of(part)
        if part.tool_name != want.tool:
            return f"result {number} is of the tool {part.tool_name}, expected {want.tool}"
        if want.outcome not in (None, outcome):
            return f"result {number} ({want.tool}) is {outcome}, expected {want.outcome}; it says {_quoted(text)}"
        if want.contains is not None and want.contains not in text:
            return f"result {number} ({want.tool}) does not contain {_quoted(want.contains)}; it says {_quoted(text)}"
    if len(expected) != len(actual):
        names = ", ".join(part.tool_name for part in actual) or "none"
        return f"{len(expected)} results were expected, there are {len(actual)}: {names}"
    return None


def _quoted(text: str) -> str:
    cut = text if len(text) <= SHOWN else text[:SHOWN] + "…"
    return f"{cut!r}"


def _given_before(script: Script, history: Sequence[ModelMessage], name: str) -> int:
    """How many responses of the script were used up for those in the history; errors leave nothing there."""
    kept = sum(isinstance(message, ModelResponse) and message.model_name == name for message in history)
    given = 0
    for response in script.responses:
        if not kept:
            break
        given += 1
        kept -= response.error is None
    return given


def _error(fault: ScriptFault, model_name: str) -> ModelHTTPError:
    """The error that a provider's client raises for a status."""
    return ModelHTTPError.for_category(
        _category(fault.status),
        status_code=fault.status,
        model_name=model_name,
        body=f"error {fault.status} of the script",
        retry_after=fault.retry_after,
    )


def _category(status: int) -> _Category | None:
    match status:
        case 400 | 422:
            return ModelRequestRejectedError
        case 401 | 403:
            return ModelAuthenticationError
        case 402:
            return ModelQuotaExceededError
        case 404:
            return ModelNotFoundError
        case 429:
            return ModelRateLimitError
        case 503:
            return ModelUnavailableError
        case 529:
            return ModelOverloadedError
        case _:
            return ModelServerError if status >= 500 else None
