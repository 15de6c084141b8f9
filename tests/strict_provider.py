"""An OpenAI-compatible server that takes only a valid history, as strict providers do, and plays a list of responses.

Which response comes next is told by the assistant messages in the request, so that a conversation that was cut off goes
on where it was. A request whose calls and results do not pair up is refused with status 400 and one sentence.
"""

import json
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from fake_provider import Reply, stream_events


def pairing_fault(messages: Sequence[dict[str, Any]]) -> str | None:
    """What a strict provider finds wrong with calls and results; None where each call has its one result behind it."""
    waiting: list[str] = []
    for place, message in enumerate(messages):
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                return f"message {place}: a result for {message['tool_call_id']}, which no call before it waits for"
            waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            return f"message {place}: the calls {waiting} have no results"
        if message["role"] == "assistant":
            waiting = [call["id"] for call in message.get("tool_calls") or ()]
            if len(set(waiting)) != len(waiting):
                return f"message {place}: two calls with one id"
            if not waiting and not message.get("content"):
                return f"message {place}: an assistant message with nothing in it"
            for call in message.get("tool_calls") or ():
                json.loads(call["function"]["arguments"])
    if waiting:
        return f"at the end: the calls {waiting} have no results"
    return None


def strict_server(replies: Sequence[Reply]) -> ThreadingHTTPServer:
    """The server, bound to a free port of 127.0.0.1 and not yet serving."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            pass

        def do_POST(self) -> None:
            messages = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"]
            fault = pairing_fault(messages)
            given = sum(message["role"] == "assistant" for message in messages)
            if fault is not None:
                self._send(400, json.dumps({"error": {"message": fault}}).encode(), "application/json")
                return
            reply = replies[min(given, len(replies) - 1)]
            self._send(200, b"".join(stream_events(reply, "strict", prefix=f"r{given}_")), "text/event-stream")

        def _send(self, status: int, data: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)
