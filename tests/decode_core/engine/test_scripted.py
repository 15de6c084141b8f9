"""The scripted model in a real agent: what it streams, what it expects, how it fails."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic_ai import Agent, FunctionToolset, ToolDenied, ToolFailed
from pydantic_ai.exceptions import (
    ModelAuthenticationError,
    ModelHTTPError,
    ModelOverloadedError,
    ModelRateLimitError,
    ModelServerError,
)
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
)

from decode_core.engine.script_file import parse_script
from decode_core.engine.scripted import NO_MORE, ScriptedModel, ScriptMismatch

tools: FunctionToolset[None] = FunctionToolset()


@tools.tool_plain
def read(path: str) -> str:
    """Read a file."""
    if path == "gone":
        raise ToolFailed("gone does not exist")
    return f"hello from {path}"


@tools.tool_plain
def write(path: str, content: str) -> Any:
    """Write a file."""
    return ToolDenied("Not permitted: plan changes nothing") if path == "secret" else f"wrote {content} to {path}"


def model(script: str) -> ScriptedModel:
    return ScriptedModel(parse_script(f"version: 1\n{script}".encode()))


def agent(scripted: ScriptedModel, instructions: str | None = None) -> Agent[None, str]:
    return Agent(scripted, toolsets=[tools], instructions=instructions)


def run(script: str, instructions: str | None = None) -> tuple[str, list[ModelMessage]]:
    result = asyncio.run(agent(model(script), instructions).run("go"))
    return result.output, result.all_messages()


async def deltas(scripted: ScriptedModel) -> AsyncIterator[tuple[str, str]]:
    async with agent(scripted).run_stream_events("go") as events:
        async for event in events:
            match event:
                case PartStartEvent(part=TextPart(content=content)):
                    yield "text", content
                case PartDeltaEvent(delta=TextPartDelta(content_delta=content)):
                    yield "text", content
                case PartStartEvent(part=ThinkingPart(content=content)):
                    yield "thinking", content
                case PartDeltaEvent(delta=ThinkingPartDelta(content_delta=str(content))):
                    yield "thinking", content
                case PartStartEvent(part=ToolCallPart(tool_name=name)):
                    yield "call", name


def streamed(script: str) -> list[tuple[str, str]]:
    async def collect() -> list[tuple[str, str]]:
        return [delta async for delta in deltas(model(script))]

    return asyncio.run(collect())


def test_text_and_thinking_are_streamed_in_pieces_of_the_chunk_size() -> None:
    assert streamed("chunk: 4\nresponses: [{thinking: abcdefgh, text: 0123456789}]") == [
        ("thinking", "abcd"),
        ("thinking", "efgh"),
        ("text", "0123"),
        ("text", "4567"),
        ("text", "89"),
    ]


def test_calls_come_after_the_text_in_their_order() -> None:
    calls = "[{tool: write, args: {path: a, content: b}}, {tool: read, args: {path: a}}]"
    script = f"responses: [{{calls: {calls}, text: x}}, {{text: y}}]"
    assert streamed(script) == [("text", "x"), ("call", "write"), ("call", "read"), ("text", "y")]


def test_the_delay_lies_between_deltas_only(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    real_sleep = asyncio.sleep

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        await real_sleep(0)

    monkeypatch.setattr("decode_core.engine.local_model.asyncio.sleep", sleep)
    streamed("chunk: 1\ndelay_ms: 250\nresponses: [{text: abc}]")
    assert waits == [0.25, 0.25]


def test_a_whole_answer_equals_the_streamed_one() -> None:
    script = "responses: [{thinking: t, text: long enough to be cut into pieces}]"
    output, messages = run(script)
    last = messages[-1]
    assert output == "".join(text for kind, text in streamed(script) if kind == "text")
    assert isinstance(last, ModelResponse)
    assert [type(part) for part in last.parts] == [ThinkingPart, TextPart]


def test_usage_is_what_the_script_reports() -> None:
    async def usage() -> tuple[int, int]:
        scripted = model("responses: [{text: hi, usage: {input: 120, output: 30}}]")
        async with agent(scripted).run_stream_events("go") as events:
            async for event in events:
                if event.event_kind == "agent_run_result":
                    return event.result.usage.input_tokens, event.result.usage.output_tokens
        return (0, 0)

    assert asyncio.run(usage()) == (120, 30)


def test_a_used_up_script_says_so_and_stops() -> None:
    scripted = model("responses: [{text: one}]")

    async def twice() -> tuple[str, str]:
        first = await agent(scripted).run("go")
        second = await agent(scripted).run("go on", message_history=first.all_messages())
        return first.output, second.output

    assert asyncio.run(twice()) == ("one", NO_MORE)


CALLS = """\
  - calls:
      - {tool: read, args: {path: a}}
      - {tool: write, args: {path: secret, content: x}}
      - {tool: read, args: {path: gone}}
"""


def test_an_expectation_that_holds_changes_nothing() -> None:
    output, _ = run(
        "responses:\n" + CALLS + "  - expect:\n"
        "      results: [{tool: read, outcome: ok, contains: hello}, {tool: write, outcome: denied, contains: plan},"
        " {tool: read, outcome: failed}]\n"
        "      tools_include: [read, write]\n"
        "      tools_exclude: [bash]\n"
        "      instructions_contain: plan mode\n"
        "    text: Done.\n",
        instructions="You are in plan mode now.",
    )
    assert output == "Done."


@pytest.mark.parametrize(
    ("expect", "difference"),
    [
        ("results: []", "0 results were expected, there are 3: read, write, read"),
        ("results: [{tool: bash}]", "result 1 is of the tool read, expected bash"),
        (
            "results: [{tool: read, outcome: denied}]",
            "result 1 (read) is ok, expected denied; it says 'hello from a'",
        ),
        (
            "results: [{tool: read}, {tool: write, outcome: ok}]",
            "result 2 (write) is denied, expected ok; it says 'Not permitted: plan changes nothing'",
        ),
        (
            "results: [{tool: read, contains: bye}]",
            "result 1 (read) does not contain 'bye'; it says 'hello from a'",
        ),
        ("results: [{tool: read}, {tool: write}]", "2 results were expected, there are 3: read, write, read"),
        ("tools_include: [edit]", "the tool edit is not offered; offered: read, write"),
        ("tools_exclude: [read]", "the tool read is offered, and must not be"),
        ("instructions_contain: plan mode", "the instructions do not contain 'plan mode'"),
    ],
)
def test_a_mismatch_names_the_response_and_the_difference(expect: str, difference: str) -> None:
    with pytest.raises(ScriptMismatch) as caught:
        run("responses:\n" + CALLS + "  - expect: {" + expect + "}\n    text: Done.\n", instructions="Build.")
    assert caught.value.response == 2
    assert str(caught.value) == f"response 2 of script.yaml does not fit the run: {difference}"


def test_a_mismatch_ends_a_streamed_run_as_well() -> None:
    with pytest.raises(ScriptMismatch):
        streamed("responses: [{expect: {tools_include: [edit]}, text: x}]")


def test_results_are_those_since_the_last_response_only() -> None:
    output, _ = run(
        "responses:\n"
        "  - calls: [{tool: read, args: {path: a}}]\n"
        "  - calls: [{tool: read, args: {path: b}}]\n"
        "  - expect: {results: [{tool: read, contains: from b}]}\n"
        "    text: ok\n"
    )
    assert output == "ok"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, ModelAuthenticationError),
        (418, ModelHTTPError),
        (429, ModelRateLimitError),
        (500, ModelServerError),
        (529, ModelOverloadedError),
    ],
)
def test_an_error_is_what_a_provider_raises(status: int, kind: type[ModelHTTPError]) -> None:
    with pytest.raises(kind) as caught:
        streamed(f"responses: [{{error: {{status: {status}, retry_after: 1.5}}}}]")
    assert isinstance(caught.value, ModelHTTPError)
    assert caught.value.status_code == status
    assert caught.value.retry_after == 1.5


def test_a_request_after_an_error_gets_the_next_response() -> None:
    scripted = model("responses: [{error: {status: 429}}, {text: fine}]")
    with pytest.raises(ModelRateLimitError):
        asyncio.run(agent(scripted).run("go"))
    assert asyncio.run(agent(scripted).run("go")).output == "fine"


def test_text_before_an_error_has_arrived_when_the_stream_breaks() -> None:
    scripted = model("chunk: 3\nresponses: [{text: abcdef, error: {status: 500}}]")
    arrived: list[tuple[str, str]] = []

    async def collect() -> None:
        async for delta in deltas(scripted):
            arrived.append(delta)  # noqa: PERF401 - what arrived before the error counts

    with pytest.raises(ModelServerError):
        asyncio.run(collect())
    assert arrived == [("text", "abc"), ("text", "def")]


def test_ids_of_calls_are_the_same_in_every_run_and_never_taken_twice() -> None:
    script = "responses:\n" + CALLS + "  - text: done\n"

    async def resumed() -> list[str]:
        first = await agent(model(script)).run("go")
        again = await agent(model(script)).run("go", message_history=first.all_messages())
        return [
            part.tool_call_id
            for message in again.all_messages()
            for part in message.parts
            if isinstance(part, ToolCallPart)
        ]

    assert asyncio.run(resumed()) == [
        "script-1-1",
        "script-1-2",
        "script-1-3",
        "script-1-1-2",
        "script-1-2-2",
        "script-1-3-2",
    ]
