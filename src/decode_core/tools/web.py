"""web_fetch: one page over HTTP, to a checked and pinned address, within limits of size and time.

The gate has already decided on the host (permissions.md §7). Here the name is resolved once, every address is checked,
and the connection goes to the checked address; a redirect to another host is reported instead of followed, so that the
new place meets the gate as a call of its own.
"""

import asyncio
import ipaddress
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from pydantic import Field

from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import SubjectKind
from decode_core.permissions.urls import Url, UrlError, is_public, parse_url
from decode_core.tools.pages import page_text
from decode_core.tools.spec import ToolArgs, ToolContext, ToolResult, ToolSpec, failed

if TYPE_CHECKING:
    import httpx2

MAX_BYTES = 5 * 1024 * 1024
"""Bytes of a page after decompression; what lies behind is left out, and said so."""
TIMEOUT_S = 30.0
"""For the whole fetch, redirects included: a slow drip ends as well."""
MAX_REDIRECTS = 5

_HEADERS = {
    "User-Agent": "decode (terminal coding agent)",
    "Accept": "text/html, text/plain, application/json, */*;q=0.5",
    "Accept-Encoding": "gzip, deflate",
}


class FetchArgs(ToolArgs):
    """Arguments of web_fetch."""

    url: str = Field(description="Address of the page; http or https.", min_length=1)


class FetchProblem(Exception):  # noqa: N818 - a problem to tell, in the words of the tool's results
    """The page cannot be had. The message is one sentence for the model and the person."""


@dataclass(frozen=True)
class Page:
    """What came back: the URL at the end of the redirects, the bytes, and what they are said to be."""

    url: Url
    status: int
    media_type: str
    charset: str | None
    data: bytes
    is_cut: bool


async def fetch(args: FetchArgs, context: ToolContext) -> ToolResult:
    """Run the tool."""
    url = context.request.url
    if url is None:
        return failed("The URL was not judged; call web_fetch with an http or https URL.")
    try:
        async with asyncio.timeout(TIMEOUT_S):
            page = await _get(url)
        text = await asyncio.to_thread(page_text, page.data, page.media_type, page.charset)
    except TimeoutError:
        return failed(f"{url} did not answer within {TIMEOUT_S:g} s.", "timed out")
    except FetchProblem as problem:
        return failed(str(problem))
    return _result(page, text, context)


WEB_FETCH = ToolSpec(
    name="web_fetch",
    description=(
        "Fetch one web page and return it as Markdown or text. Only hosts that the person has named are fetched "
        "unasked. A redirect to another host is reported: call again with the new address if you need it."
    ),
    kind=ToolKind.READ_ONLY,
    args=FetchArgs,
    run=fetch,
    subject="url",
    subject_kind=SubjectKind.URL,
)


def _result(page: Page, text: str | None, context: ToolContext) -> ToolResult:
    size = f"{len(page.data):,} bytes"
    if text is None:
        return failed(f"{page.url} is {page.media_type or 'of no stated type'} ({size}), not text.", page.media_type)
    lines = text.splitlines()
    kept = "\n".join(lines[: context.limits.output_lines])
    kept = kept.encode()[: context.limits.output_bytes].decode(errors="ignore")
    notes = [f"{page.url} · status {page.status} · {page.media_type}"]
    if len(kept) < len(text.rstrip("\n")):
        notes.append(f"only the first {len(kept):,} of {len(text):,} characters are shown")
    if page.is_cut:
        notes.append(f"the page is longer than {MAX_BYTES:,} bytes; the rest was not read")
    body = f"{'; '.join(notes)}\n\n{kept}"
    if page.status >= 400:
        return failed(body, f"status {page.status}")
    return ToolResult(body, f"status {page.status} · {size}", detail={"status": page.status, "url": str(page.url)})


async def _get(url: Url) -> Page:
    import httpx2

    begun_local = url.is_local
    for _ in range(MAX_REDIRECTS + 1):
        address = await _checked_address(url, local_is_fine=begun_local)
        # trust_env off: a proxy of the environment would resolve the name again, past the check
        async with httpx2.AsyncClient(trust_env=False, timeout=TIMEOUT_S) as client:
            pinned = Url(url.scheme, address, url.port, url.path)
            request = client.build_request(
                "GET", str(pinned), headers={**_HEADERS, "Host": url.authority}, extensions={"sni_hostname": url.host}
            )
            try:
                response = await client.send(request, stream=True)
                try:
                    if response.has_redirect_location:
                        url = _redirected(url, response.headers["location"])
                        continue
                    return await _read(url, response)
                finally:
                    await response.aclose()
            except (httpx2.HTTPError, OSError) as error:
                what = f"{type(error).__name__} {error}".strip()
                raise FetchProblem(f"{url.host} could not be read ({what}).") from None
    raise FetchProblem(f"The page redirects more than {MAX_REDIRECTS} times.")


async def _read(url: Url, response: "httpx2.Response") -> Page:
    data = bytearray()
    is_cut = False
    async for chunk in response.aiter_bytes():
        data += chunk
        if len(data) > MAX_BYTES:
            del data[MAX_BYTES:]
            is_cut = True
            break
    content_type = response.headers.get("content-type", "")
    media_type = content_type.partition(";")[0].strip().lower()
    return Page(url, response.status_code, media_type, response.charset_encoding, bytes(data), is_cut)


def _redirected(url: Url, location: str) -> Url:
    try:
        target = parse_url(urljoin(str(url), location))
    except UrlError as error:
        raise FetchProblem(f"The page redirects to something that cannot be fetched: {error}.") from None
    same_place = target.host == url.host and (target.scheme, target.port) in ((url.scheme, url.port), ("https", 443))
    if not same_place:
        raise FetchProblem(f"The page redirects to {target}; call web_fetch with that address if you need it.")
    return target


async def _checked_address(url: Url, *, local_is_fine: bool) -> str:
    """Resolve the host once and return an address to connect to.

    A name that leads to this machine or a private network is refused, whatever else it leads to: the gate has judged
    a public name. An address that is written out was judged as what it is.
    """
    try:
        found = await asyncio.get_running_loop().getaddrinfo(url.host, url.port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise FetchProblem(f"{url.host} is not known ({error.strerror or error}).") from None
    addresses = [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]
    private = next((address for address in addresses if not is_public(address)), None)
    if private is not None and not local_is_fine:
        way_out = "name that address itself if it is meant"
        raise FetchProblem(f"{url.host} leads to {private}, a private address; {way_out}.")
    return str(addresses[0])
