"""Joins what a provider streams faster than anybody reads: many small text deltas become one.

SDK and pydantic-ai build a dozen objects for each delta, a fifth of a millisecond in all. A server that sends thousands
a second would keep the processor, and with it the interpreter's lock, from the person's keys. Joined on the way in, the
rest of the program sees at most 1 / `HOLD_S` pieces of text a second; the first piece after a pause goes on at once.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2

HOLD_S = 0.015
"""How long text may be held that follows another piece; a screen is drawn twice as slowly."""
MAX_WAITING_BYTES = 1_000_000
"""No more is read ahead than this."""
TEXT_FIELDS = frozenset({"content", "reasoning_content", "reasoning"})
"""Fields of a delta whose texts may be joined."""

_END = b"\n\n"


async def join_response(response: httpx2.Response) -> None:
    """Event hook of a client: join the stream of this response, if it is one of plain server-sent events."""
    is_events = response.headers.get("content-type", "").startswith("text/event-stream")
    if is_events and "content-encoding" not in response.headers and isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = JoinedStream(response.stream)


class JoinedStream(httpx2.AsyncByteStream):
    """The same events in the same order, runs of text joined; an error of the connection comes after what arrived."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner
        self._waiting = bytearray()
        self._arrived = asyncio.Event()
        self._room = asyncio.Event()
        self._ended = False
        self._error: Exception | None = None
        self._reader: asyncio.Task[None] | None = None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield whole events, and at the end whatever is left."""
        self._reader = asyncio.create_task(self._read())
        try:
            while not self._ended:
                await self._arrived.wait()
                self._arrived.clear()
                if ready := self._take_events():
                    yield join_events(ready)
                    await self._hold()
            if rest := bytes(self._waiting):
                yield join_events(rest)
            if self._error is not None:
                raise self._error
        finally:
            await self._stop_reading()

    async def aclose(self) -> None:
        """Close the connection."""
        await self._stop_reading()
        await self._inner.aclose()

    async def _read(self) -> None:
        let_others_run = time.monotonic()
        try:
            async for piece in self._inner:
                self._waiting += piece
                self._arrived.set()
                if len(self._waiting) > MAX_WAITING_BYTES:
                    self._room.clear()
                    await self._room.wait()
                elif time.monotonic() - let_others_run > HOLD_S:
                    # reading what has already come never waits, so nobody else would get a turn
                    await asyncio.sleep(0)
                    let_others_run = time.monotonic()
        except Exception as error:  # raised again where the stream is read
            self._error = error
        finally:
            self._ended = True
            self._arrived.set()

    async def _hold(self) -> None:
        """Let text gather for a while, but not at the end of the stream."""
        if self._reader is not None and not self._ended:
            await asyncio.wait({self._reader}, timeout=HOLD_S)

    async def _stop_reading(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reader

    def _take_events(self) -> bytes:
        self._room.set()
        end = self._waiting.rfind(_END)
        if end < 0:
            return b""
        end += len(_END)
        ready = bytes(self._waiting[:end])
        del self._waiting[:end]
        return ready


def join_events(data: bytes) -> bytes:
    """Join runs of text deltas in whole events; everything else stays as it is, byte for byte."""
    if data.count(_END) < 2 or b"\r" in data:
        return data
    return b"".join(_joined(data.split(_END)))


def _joined(blocks: list[bytes]) -> Iterator[bytes]:
    run: list[str] = []
    first: dict[str, Any] = {}
    field = ""
    raw = b""
    for position, block in enumerate(blocks):
        is_last = position == len(blocks) - 1
        event = None if is_last else _text_event(block)
        if event is not None:
            name, text = _text_of(event)
            if run and name == field and _like(first, event):
                run.append(text)
                continue
        if run:
            yield _as_event(first, field, run, raw)
            run = []
        if event is None:
            yield block if is_last else block + _END
        else:
            first, field, run, raw = event, name, [text], block


def _text_event(block: bytes) -> dict[str, Any] | None:
    """The event if it is one chunk with nothing in it but a piece of text, else None."""
    if not block.startswith(b"data: {") or b"\n" in block:
        return None
    try:
        event = json.loads(block[6:])
    except ValueError:
        return None  # not ours to judge: whoever reads it will say so
    match event:
        case {"choices": [{"delta": dict() as delta, **choice}], **rest}:
            # some servers repeat the role in every delta
            texts = {name: value for name, value in delta.items() if value is not None and name != "role"}
            bare = not rest.get("usage") and not rest.get("error") and set(choice) <= _CHOICE
            plain = not choice.get("finish_reason") and not choice.get("logprobs")
            if bare and plain and len(texts) == 1 and texts.keys() <= TEXT_FIELDS:
                return event if all(isinstance(value, str) for value in texts.values()) else None
    return None


def _text_of(event: dict[str, Any]) -> tuple[str, str]:
    delta: dict[str, str | None] = event["choices"][0]["delta"]
    return next((name, value) for name, value in delta.items() if value is not None and name in TEXT_FIELDS)


def _like(first: dict[str, Any], event: dict[str, Any]) -> bool:
    same = all(first.get(key) == event.get(key) for key in ("id", "model", "object"))
    return same and first["choices"][0].get("index") == event["choices"][0].get("index")


def _as_event(first: dict[str, Any], field: str, run: list[str], raw: bytes) -> bytes:
    if len(run) == 1:
        return raw + _END
    first["choices"][0]["delta"][field] = "".join(run)
    return b"data: " + json.dumps(first).encode() + _END


_CHOICE = frozenset({"index", "finish_reason", "logprobs"})
