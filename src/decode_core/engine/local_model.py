"""What the models without a network share: a reply as a value, and its way out as a stream.

A local model decides a whole `Reply` at once; `LocalModel` hands it to the agent as a provider would: first the
thinking, then the text in small deltas, then the calls of tools, then, where the reply says so, an error.
"""

import asyncio
import json
from abc import abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponsePart,
    ModelResponseStreamEvent,
    TextPart,
    ThinkingPart,
    ToolCallPart,
)
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

DEFAULT_CHUNK = 24
"""Characters in one streamed delta."""


@dataclass(frozen=True)
class Call:
    """One call of a tool that a reply makes."""

    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Reply:
    """One response of a local model. `error` ends it after whatever text it has, as a broken stream would."""

    text: str = ""
    thinking: str = ""
    calls: tuple[Call, ...] = ()
    usage: RequestUsage = field(default_factory=RequestUsage)
    error: ModelHTTPError | None = None


@dataclass(frozen=True)
class Offer:
    """What one request offers a model: the names of its tools and its instructions."""

    tools: frozenset[str] = frozenset()
    instructions: str = ""


class LocalModel(Model[None]):
    """A model that answers inside this process.

    Subclasses say what to answer (`reply_to`) and how calls are numbered (`call_id`). `chunk` counts characters in a
    delta, `delay_s` the seconds between two deltas; without a delay the event loop still gets its turn after each.
    """

    def __init__(self, name: str, *, chunk: int = DEFAULT_CHUNK, delay_s: float = 0.0) -> None:
        # System notes stay system notes: wrapped as user text they would read as requests of the person.
        super().__init__(profile=ModelProfile(supports_inline_system_prompts=True))
        self._name = name
        self._chunk = chunk
        self._delay_s = delay_s

    @abstractmethod
    def reply_to(self, messages: Sequence[ModelMessage], offer: Offer) -> Reply:
        """Return the answer to one request."""

    @abstractmethod
    def call_id(self, messages: Sequence[ModelMessage], index: int) -> str:
        """Return an id for call `index` of the reply to `messages` that no call before it has."""

    @property
    def model_name(self) -> str:
        """The name that responses carry."""
        return self._name

    @property
    def system(self) -> str:
        """The provider: this program."""
        return "decode"

    @property
    def provider(self) -> None:
        """There is no provider to connect to."""
        return

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Answer in one piece. Raises the reply's error, if it has one."""
        _, parameters = self.prepare_request(model_settings, model_request_parameters)
        reply = self.reply_to(messages, offer_of(messages, parameters))
        if reply.error is not None:
            raise reply.error
        parts: list[ModelResponsePart] = []
        if reply.thinking:
            parts.append(ThinkingPart(reply.thinking))
        if reply.text:
            parts.append(TextPart(reply.text))
        for call_id, call in self._numbered(messages, reply):
            parts.append(ToolCallPart(call.tool, _json(call.args), tool_call_id=call_id))
        return ModelResponse(parts=parts, model_name=self._name, usage=reply.usage)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Answer as a stream. A reply with nothing but an error fails here, before the stream is open."""
        _, parameters = self.prepare_request(model_settings, model_request_parameters)
        reply = self.reply_to(messages, offer_of(messages, parameters))
        if reply.error is not None and not (reply.text or reply.thinking):
            raise reply.error
        yield _ReplyStream(
            model_request_parameters=parameters,
            name=self._name,
            reply=reply,
            calls=tuple(self._numbered(messages, reply)),
            chunk=self._chunk,
            delay_s=self._delay_s,
        )

    def _numbered(self, messages: Sequence[ModelMessage], reply: Reply) -> Iterator[tuple[str, Call]]:
        for index, call in enumerate(reply.calls):
            yield self.call_id(messages, index), call


def offer_of(messages: Sequence[ModelMessage], parameters: ModelRequestParameters) -> Offer:
    """Read what a request offers: the tools that it declares, and the instructions in force."""
    tools = frozenset(tool.name for tool in parameters.declared_function_tools)
    if parameters.instruction_parts is not None:
        return Offer(tools, "\n\n".join(part.content for part in parameters.instruction_parts))
    requests = (message for message in reversed(messages) if isinstance(message, ModelRequest))
    return Offer(tools, next((request.instructions for request in requests if request.instructions), ""))


@dataclass
class _ReplyStream(StreamedResponse):
    """A reply on its way out."""

    name: str
    reply: Reply
    calls: tuple[tuple[str, Call], ...]
    chunk: int
    delay_s: float
    started: datetime = field(default_factory=lambda: datetime.now(UTC))

    async def _get_event_iterator(self) -> AsyncIterator[ModelResponseStreamEvent]:
        first = True
        for events in self._deltas():
            if not first:
                await asyncio.sleep(self.delay_s)
            first = False
            for event in events:
                yield event
        self._usage = self.reply.usage
        if self.reply.error is not None:
            raise self.reply.error
        self.finish_reason = "tool_call" if self.calls else "stop"

    def _deltas(self) -> Iterator[Iterator[ModelResponseStreamEvent]]:
        parts = self._parts_manager
        for piece in pieces(self.reply.thinking, self.chunk):
            yield parts.handle_thinking_delta(vendor_part_id="thinking", content=piece)
        for piece in pieces(self.reply.text, self.chunk):
            yield parts.handle_text_delta(vendor_part_id="text", content=piece)
        for call_id, call in self.calls:
            yield parts.handle_tool_call_delta_events(
                vendor_part_id=call_id, tool_name=call.tool, args=_json(call.args), tool_call_id=call_id
            )

    async def close_stream(self) -> None:
        """There is no connection to close."""

    @property
    def model_name(self) -> str:
        """The name of the model."""
        return self.name

    @property
    def provider_name(self) -> None:
        """There is no provider."""
        return

    @property
    def provider_url(self) -> None:
        """There is no address."""
        return

    @property
    def timestamp(self) -> datetime:
        """When the answer began."""
        return self.started


def pieces(text: str, size: int) -> Iterator[str]:
    """Cut `text` into pieces of `size` characters; the last may be shorter."""
    return (text[start : start + size] for start in range(0, len(text), size))


def _json(args: Mapping[str, Any]) -> str:
    return json.dumps(args, ensure_ascii=False)
