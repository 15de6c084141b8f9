"""Text deltas that come together go on as one; nothing is lost, reordered or held back, whatever the stream holds."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from typing import Any

import httpx2
import pytest
from hypothesis import given, strategies as st

from decode_core.engine.joined_stream import JoinedStream, join_events, join_response


def chunk(delta: dict[str, Any], *, identity: str = "c", finish: str | None = None, **more: Any) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return b"data: " + json.dumps({"id": identity, "model": "m", "choices": [choice], **more}).encode() + b"\n\n"


def text(piece: str, **more: Any) -> bytes:
    return chunk({"content": piece}, **more)


def deltas(data: bytes) -> list[dict[str, Any]]:
    events = [json.loads(block[6:]) for block in data.split(b"\n\n") if block.startswith(b"data: {")]
    return [choice["delta"] for event in events for choice in event["choices"]]


class Pieces(httpx2.AsyncByteStream):
    """A body in pieces; a float is a pause, an exception breaks the connection."""

    def __init__(self, *pieces: bytes | float | Exception) -> None:
        self.pieces = pieces
        self.closed = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            match piece:
                case bytes():
                    yield piece
                case Exception():
                    raise piece
                case _:
                    await asyncio.Event().wait()  # as long as it takes: nothing more comes

    async def aclose(self) -> None:
        self.closed += 1


def read(stream: JoinedStream) -> list[bytes]:
    async def whole() -> list[bytes]:
        return [piece async for piece in stream]

    return asyncio.run(whole())


def test_a_run_of_text_becomes_one_delta() -> None:
    joined = join_events(text("a") + text("b") + text("ä\n\n"))
    assert deltas(joined) == [{"content": "abä\n\n"}]


@pytest.mark.parametrize(
    "between",
    [
        chunk({"reasoning_content": "hm"}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": "{"}}]}),
        chunk({"content": "x"}, finish="length"),
        chunk({"content": "x", "refusal": "no"}),
        text("x", identity="other"),
        text("x", usage={"total_tokens": 3}),
        text("x", error={"message": "no"}),
        b'data: {"choices": []}\n\n',
        b'data: {"error": {"message": "overloaded"}}\n\n',
        b"data: {broken\n\n",
        b": a comment\n\n",
        b'event: x\ndata: {"choices": [{"delta": {"content": "y"}}]}\n\n',
        b"data: [DONE]\n\n",
    ],
)
def test_anything_else_stays_as_it_is_and_where_it_is(between: bytes) -> None:
    joined = join_events(text("a") + text("b") + between + text("c") + text("d"))
    before, after = joined.split(between)
    assert deltas(before) == [{"content": "ab"}]
    assert deltas(after) == [{"content": "cd"}]


def test_text_that_stands_alone_is_passed_on_byte_for_byte() -> None:
    alone = b'data:  {"choices" : [{"delta":{"content":"a"},"index":0}]}\n\n'
    assert join_events(alone + b": ping\n\n") == alone + b": ping\n\n"


def test_carriage_returns_are_left_to_the_reader() -> None:
    data = (text("a") + text("b")).replace(b"\n", b"\r\n")
    assert join_events(data) == data


EVENTS = st.one_of(
    st.text(max_size=5).map(text),
    st.text(max_size=5).map(lambda piece: chunk({"role": "assistant", "content": piece})),
    st.text(max_size=5).map(lambda piece: chunk({"reasoning": piece})),
    st.sampled_from([b": ping\n\n", b"data: [DONE]\n\n", chunk({}, finish="stop"), b"\n\n", b"data: {\n\n"]),
)


@given(st.lists(EVENTS, max_size=12), st.lists(st.integers(0, 400), max_size=6))
def test_all_text_arrives_in_order_however_it_is_cut(events: list[bytes], cuts: Sequence[int]) -> None:
    data = b"".join(events)
    places = sorted({min(cut, len(data)) for cut in (0, *cuts, len(data))})
    pieces = [data[start:end] for start, end in pairwise(places)]

    def said(stream: bytes) -> list[tuple[str, str]]:
        runs: list[tuple[str, str]] = []
        for block in stream.split(b"\n\n"):
            if not block.startswith(b"data: {") or block == b"data: {":
                runs.append(("other", block.decode()))
                continue
            for name, value in json.loads(block[6:])["choices"][0]["delta"].items():
                if name == "role":
                    continue
                if runs and runs[-1][0] == name:
                    runs[-1] = (name, runs[-1][1] + value)
                else:
                    runs.append((name, value))
        return runs

    assert said(b"".join(read(JoinedStream(Pieces(*pieces))))) == said(data)


def test_the_first_text_goes_on_at_once_though_nothing_follows() -> None:
    async def first() -> bytes:
        stream = JoinedStream(Pieces(text("a"), 0.0))
        async for piece in stream:
            await stream.aclose()
            return piece
        raise AssertionError("nothing came")

    assert deltas(asyncio.run(first())) == [{"content": "a"}]


def test_what_arrived_before_the_connection_broke_comes_before_the_error() -> None:
    async def broken() -> tuple[list[bytes], str]:
        got: list[bytes] = []
        try:
            async for piece in JoinedStream(Pieces(text("a"), text("b"), httpx2.ReadError("cut"))):
                got += [piece]
        except httpx2.ReadError as error:
            return got, str(error)
        raise AssertionError("the error was lost")

    got, error = asyncio.run(broken())
    assert "".join(delta["content"] for delta in deltas(b"".join(got))) == "ab"
    assert error == "cut"


def test_closing_ends_the_reading_and_closes_the_connection() -> None:
    async def closed() -> tuple[int, int]:
        inner = Pieces(text("a"), 0.0)
        stream = JoinedStream(inner)
        async for _ in stream:
            await stream.aclose()
            break
        return inner.closed, len(asyncio.all_tasks())

    assert asyncio.run(closed()) == (1, 1)


@pytest.mark.parametrize(
    ("headers", "joined"),
    [
        ({"content-type": "text/event-stream; charset=utf-8"}, True),
        ({"content-type": "application/json"}, False),
        ({"content-type": "text/event-stream", "content-encoding": "gzip"}, False),
        ({}, False),
    ],
)
def test_only_plain_event_streams_are_joined(headers: dict[str, str], joined: bool) -> None:
    response = httpx2.Response(200, headers=headers, stream=Pieces(b""))
    asyncio.run(join_response(response))
    assert isinstance(response.stream, JoinedStream) is joined
