"""An OpenAI-compatible server in a process of its own, so that what it costs is not counted to the program under test.

It prints its address. The last user message says what it streams: `burst N` (deltas as fast as they are taken),
`paced N RATE` (deltas a second), `calls N EACH` (N responses of EACH calls of the tool `nothing`); anything else gets
one short answer. Every answer ends with END_MARK.
"""

import itertools
import json
import re
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

END_MARK = "Ωend"
WORDS = ("the", "cache", "holds", "what", "every", "caller", "expects", "until", "the", "next", "request", "arrives")


def markdown_deltas(count: int) -> Iterator[str]:
    """Pieces of a Markdown answer: paragraphs, lists, tables and code."""
    return itertools.islice(_sections(), count)


def _sections() -> Iterator[str]:
    for section in itertools.count(1):
        yield from ("\n\n## ", "Section ", f"{section}", "\n\n")
        yield from (f"{WORDS[index % len(WORDS)]} " for index in range(60))
        yield "\n\n"
        for item in range(5):
            yield from ("- ", "item ", f"**{item}** ", "with ", "`code` ", "and ", "text\n")
        if section % 3 == 0:
            yield from ("\n", "| a ", "| b ", "|\n", "|---", "|---", "|\n")
            for row in range(4):
                yield from (f"| {row} ", "| `x` ", "|\n")
        yield "\n```python\n"
        for number in range(8):
            yield from ("def ", f"f{number}(", "x, ", "y):\n", "    return ", "x ", "+ ", "y\n")
        yield "```\n"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.flush()
        try:
            self._answer(body["messages"])
            self._send(_chunk(None, usage={"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}))
            self._send(b"data: [DONE]\n\n")
            self.wfile.write(b"0\r\n\r\n")
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client is gone: nobody to answer

    def _answer(self, messages: list[dict[str, Any]]) -> None:
        prompts = [index for index, message in enumerate(messages) if message["role"] == "user"]
        prompt = str(messages[prompts[-1]]["content"])
        if found := re.search(r"burst (\d+)", prompt):
            self._text(int(found[1]), 0)
        elif found := re.search(r"paced (\d+) (\d+)", prompt):
            self._text(int(found[1]), int(found[2]))
        elif found := re.search(r"calls (\d+) (\d+)", prompt):
            answered = sum(message["role"] == "assistant" for message in messages[prompts[-1] :])
            self._calls(answered, int(found[2])) if answered < int(found[1]) else self._text(1, 0)
        else:
            self._text(1, 0)

    def _text(self, count: int, rate: int) -> None:
        begun = time.perf_counter()
        for index, piece in enumerate(markdown_deltas(count)):
            if rate and (wait := begun + index / rate - time.perf_counter()) > 0:
                time.sleep(wait)
            self._send(_chunk({"content": piece}))
        self._send(_chunk({"content": f"\n\n{END_MARK}\n"}))
        self._send(_chunk({}, finish="stop"))

    def _calls(self, response: int, count: int) -> None:
        for index in range(count):
            function = {"name": "nothing", "arguments": '{"path": "notes.md"}'}
            call = {"index": index, "id": f"call_{response}_{index}", "type": "function", "function": function}
            self._send(_chunk({"tool_calls": [call]}))
        self._send(_chunk({}, finish="tool_calls"))

    def _send(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


def _chunk(delta: dict[str, Any] | None, finish: str | None = None, usage: dict[str, int] | None = None) -> bytes:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    event = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "bench", "choices": choices}
    return b"data: " + json.dumps(event if usage is None else {**event, "usage": usage}).encode() + b"\n\n"


def main() -> None:
    """Serve until the process is ended."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    sys.stdout.write(f"http://127.0.0.1:{server.server_address[1]}/v1\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main()
