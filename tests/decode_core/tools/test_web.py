"""web_fetch against a local server: pages, encodings, limits, redirects, and names that lead to private places."""

import asyncio
import gzip
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from decode_core.events import CallOutcome
from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import SubjectKind
from decode_core.permissions.resolve import resolve
from decode_core.tools import web
from decode_core.tools.pages import page_text
from decode_core.tools.spec import FileMemory, Limits, ToolContext, ToolResult
from decode_core.workspace import Workspace

Handler = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def server(handle: Handler) -> Iterator[str]:
    class Pages(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            pass

        def do_GET(self) -> None:
            with suppress(BrokenPipeError, ConnectionResetError):
                handle(self)

    running = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    running.daemon_threads = True
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{running.server_address[1]}"
    finally:
        running.shutdown()
        thread.join()
        running.server_close()


def page(body: bytes, content_type: str = "text/html", status: int = 200, **headers: str) -> Handler:
    def handle(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        request.send_header("Content-Type", content_type)
        request.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body)

    return handle


def fetch(url: str, limits: Limits | None = None) -> ToolResult:
    request = resolve(
        call_id="c1",
        tool="web_fetch",
        kind=ToolKind.READ_ONLY,
        subject=url,
        subject_kind=SubjectKind.URL,
        args={"url": url},
        workspace=Workspace.open(None),
    )
    context = ToolContext(
        workspace=Workspace.open(None),
        request=request,
        files=FileMemory(),
        control=None,  # type: ignore[arg-type]
        limits=limits or Limits(),
        progress=lambda text: None,
        spill_folder=Path(),
        shell_state={},
    )
    return asyncio.run(web.fetch(web.FetchArgs(url=url), context))


def test_html_becomes_markdown_without_scripts() -> None:
    body = b"<html><head><title>t</title></head><body><h1>Hi</h1><script>evil()</script><p>a <b>b</b></p></body></html>"
    with server(page(body)) as base:
        result = fetch(base + "/x?y=1")
    assert result.outcome is CallOutcome.OK
    assert "# Hi" in result.text
    assert "a **b**" in result.text
    assert "evil" not in result.text
    assert "status 200" in result.summary


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "target", ["http://169.254.169.254/latest", "http://other.example/", "http://localhost/", "file:///etc/passwd"]
)
def test_a_redirect_to_another_place_is_told_not_followed(code: int, target: str) -> None:
    with server(page(b"", status=code, Location=target)) as base:
        result = fetch(base)
    assert result.outcome is CallOutcome.FAILED
    assert "redirects to" in result.text


def test_a_redirect_on_the_same_host_is_followed_and_a_loop_ends() -> None:
    def handle(request: BaseHTTPRequestHandler) -> None:
        target = page(b"there", "text/plain") if request.path == "/b" else page(b"", status=302, Location="/b")
        target(request)

    with server(handle) as base:
        assert "there" in fetch(base + "/a").text
    with server(page(b"", status=302, Location="/again")) as base:
        assert "more than 5 times" in fetch(base).text


def test_a_redirect_to_another_port_is_another_place() -> None:
    with server(page(b"secret", "text/plain")) as inner, server(page(b"", status=302, Location=inner)) as base:
        result = fetch(base)
    assert "secret" not in result.text


def test_a_huge_page_is_cut_after_decompression() -> None:
    bomb = gzip.compress(b"x" * (web.MAX_BYTES * 4))
    with server(page(bomb, "text/plain", Content_Encoding="gzip")) as base:
        result = fetch(base)
    assert result.outcome is CallOutcome.OK
    assert "the rest was not read" in result.text
    assert len(result.text) < 60_000


def test_a_slow_drip_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "TIMEOUT_S", 0.2)
    stopped = threading.Event()

    def drip(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/plain")
        request.end_headers()
        while not stopped.wait(0.02):
            request.wfile.write(b".")

    with server(drip) as base:
        begun = time.monotonic()
        result = fetch(base)
        stopped.set()
    assert "did not answer within" in result.text
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize(
    ("body", "content_type", "shown"),
    [
        ("caf\u00e9".encode(), "text/plain", "caf\u00e9"),
        ("caf\u00e9".encode("latin-1"), "text/plain; charset=iso-8859-1", "caf\u00e9"),
        ("<meta charset=latin-1><p>caf\u00e9".encode("latin-1"), "text/html", "caf\u00e9"),
        (b"caf\xe9", "text/plain; charset=utf-8", "caf\ufffd"),
        (b"plain", "text/plain; charset=no-such-thing", "plain"),
        (b"plain", "text/plain; charset=base64", "plain"),
        (b'{"a": 1}', "application/json", '{"a": 1}'),
    ],
)
def test_wrong_encodings_never_stop_a_page(body: bytes, content_type: str, shown: str) -> None:
    with server(page(body, content_type)) as base:
        assert shown in fetch(base).text


def test_what_is_no_text_is_named_not_dumped() -> None:
    with server(page(b"\x89PNG\r\n", "image/png")) as base:
        result = fetch(base)
    assert result.outcome is CallOutcome.FAILED
    assert "image/png" in result.text
    assert "PNG\r" not in result.text


def test_an_error_page_is_a_failed_result_with_its_status() -> None:
    with server(page(b"gone", "text/plain", status=404)) as base:
        result = fetch(base)
    assert (result.outcome, result.summary) == (CallOutcome.FAILED, "status 404")
    assert "gone" in result.text


def test_a_name_that_leads_to_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolved(self: Any, host: str, port: int, **more: Any) -> list[Any]:
        return [(2, 1, 6, "", ("93.184.216.34", port)), (2, 1, 6, "", ("10.0.0.8", port))]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", resolved)
    result = fetch("http://rebinding.example/")
    assert result.outcome is CallOutcome.FAILED
    assert "leads to 10.0.0.8, a private address" in result.text


def test_nobody_there_is_one_sentence() -> None:
    result = fetch("http://127.0.0.1:1/")
    assert result.outcome is CallOutcome.FAILED
    assert result.text.startswith("127.0.0.1 could not be read (")


def test_a_page_nested_thousands_deep_still_gives_its_words() -> None:
    text = page_text(b"<div>" * 5_000 + b"word" + b"</div>" * 5_000, "text/html", None)
    assert text is not None
    assert "word" in text
