"""A small OpenAI-compatible server on 127.0.0.1 that streams over real HTTP and SSE, for tests of the wire.

Each request takes the next `Reply` of the list; requests are kept for assertions.
"""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """One answer: text pieces, tool calls as (name, JSON arguments), or a status; `cut` breaks the stream off."""

    text: Sequence[str] = ()
    calls: Sequence[tuple[str, str]] = ()
    reasoning: str = ""
    status: int = 200
    retry_after: float | None = None
    cut: bool = False
    error: str = "no"


@dataclass
class FakeProvider:
    """The running server: its address and what it was asked."""

    base_url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    authorisations: list[str | None] = field(default_factory=list)

    def system(self, index: int) -> str:
        """The system message of request `index`."""
        return str(next((m["content"] for m in self.requests[index]["messages"] if m["role"] == "system"), ""))

    def tools(self, index: int) -> list[str]:
        """Names of the tools that request `index` offered."""
        return [tool["function"]["name"] for tool in self.requests[index].get("tools", [])]


@contextmanager
def fake_provider(*replies: Reply) -> Iterator[FakeProvider]:
    """Serve `replies` in order; a request beyond them gets a 500."""
    waiting = list(replies)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            provider.requests.append(body)
            provider.authorisations.append(self.headers.get("Authorization"))
            reply = waiting.pop(0) if waiting else Reply(status=500, error="no more replies")
            if reply.status != 200:
                self._refuse(reply)
            else:
                self._stream(reply, body["model"])

        def _refuse(self, reply: Reply) -> None:
            data = json.dumps({"error": {"message": reply.error, "code": reply.error}}).encode()
            self.send_response(reply.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            if reply.retry_after is not None:
                self.send_header("Retry-After", f"{reply.retry_after:g}")
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, reply: Reply, model: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for event in stream_events(reply, model):
                self._chunk(event)
            if reply.cut:
                self.close_connection = True
                self.connection.close()
                return
            self.wfile.write(b"0\r\n\r\n")

        def _chunk(self, data: bytes) -> None:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider = FakeProvider(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def stream_events(reply: Reply, model: str, *, prefix: str = "call_") -> Iterator[bytes]:
    """The server-sent events of a reply, without an end where it is cut; `prefix` begins the ids of its calls."""
    for delta in _deltas(reply, prefix):
        yield _event(model, [{"index": 0, "delta": delta, "finish_reason": None}])
    if reply.cut:
        return
    finish = "tool_calls" if reply.calls else "stop"
    yield _event(model, [{"index": 0, "delta": {}, "finish_reason": finish}])
    usage = {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17}
    yield _event(model, [], usage=usage)
    yield b"data: [DONE]\n\n"


def _deltas(reply: Reply, prefix: str) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    if reply.reasoning:
        yield {"reasoning_content": reply.reasoning}
    for piece in reply.text:
        yield {"content": piece}
    for index, (name, arguments) in enumerate(reply.calls):
        call = {"index": index, "id": f"{prefix}{index}", "type": "function"}
        yield {"tool_calls": [{**call, "function": {"name": name, "arguments": ""}}]}
        for start in range(0, len(arguments), 7):
            yield {"tool_calls": [{"index": index, "function": {"arguments": arguments[start : start + 7]}}]}


def _event(model: str, choices: list[dict[str, Any]], usage: dict[str, int] | None = None) -> bytes:
    event = {"id": "c1", "object": "chat.completion.chunk", "created": 0, "model": model, "choices": choices}
    if usage is not None:
        event["usage"] = usage
    return b"data: " + json.dumps(event).encode() + b"\n\n"
