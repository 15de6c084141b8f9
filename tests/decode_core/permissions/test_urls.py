"""URLs: what is a host and what only looks like one, narrow and wide patterns, new and private hosts."""

import pytest
from hypothesis import given, strategies as st

from decode_core.permissions.gate import PermissionGate
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome, ToolKind
from decode_core.permissions.request import PermissionDecision, SubjectKind
from decode_core.permissions.resolve import resolve
from decode_core.permissions.rules import RuleList, RuleSource, parse_rule
from decode_core.permissions.urls import Url, UrlError, hosts_in, parse_url
from decode_core.workspace import Workspace


def check(url: str, mode: str = "default", named: tuple[str, ...] = (), **lists: list[str]) -> PermissionDecision:
    rules = [parse_rule(text, RuleList(name), RuleSource.USER) for name, texts in lists.items() for text in texts]
    request = resolve(
        call_id="c1",
        tool="web_fetch",
        kind=ToolKind.READ_ONLY,
        subject=url,
        subject_kind=SubjectKind.URL,
        args={"url": url},
        workspace=Workspace.open(None),
        named_hosts=named,
    )
    return PermissionGate(PermissionMode(mode), rules).check(request)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("https://Docs.Python.org/3/", "docs.python.org", 443),
        ("http://example.org", "example.org", 80),
        ("http://example.org:8080/x?y#z", "example.org", 8080),
        ("https://b\u00fccher.example/", "xn--bcher-kva.example", 443),
        ("https://example.org./", "example.org", 443),
        ("http://[::1]:80/", "::1", 80),
        ("http://0x7f000001/", "127.0.0.1", 80),
        ("http://127.1/", "127.0.0.1", 80),
        ("http://2130706433/", "127.0.0.1", 80),
        ("http://017700000001/", "127.0.0.1", 80),
    ],
)
def test_a_host_is_what_a_client_would_connect_to(text: str, host: str, port: int) -> None:
    url = parse_url(text)
    assert (url.host, url.port) == (host, port)


@pytest.mark.parametrize(
    "text",
    [
        "ftp://x/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://",
        "https://docs.python.org@evil.example/",
        "https://user:pass@x/",
        "https://x:99999/",
        "https://x/ y",
        "https://x\\@evil.example/",
        "https://x/\n",
        "example.org",
        "",
        "https://x/" + "y" * 9_000,
    ],
)
def test_what_is_no_url_is_invalid(text: str) -> None:
    with pytest.raises(UrlError):
        parse_url(text)
    assert check(text).outcome is PermissionOutcome.INVALID


@pytest.mark.parametrize(
    ("pattern", "url", "covered"),
    [
        ("https://docs.python.org/*", "https://docs.python.org/3/", True),
        ("https://docs.python.org/*", "https://DOCS.python.org:443/3/", True),
        ("https://docs.python.org/*", "http://docs.python.org/3/", False),
        ("https://docs.python.org/*", "https://docs.python.org:8443/3/", False),
        ("https://docs.python.org/*", "https://docs.python.org.evil.example/3/", False),
        ("https://docs.python.org/*", "https://evil.example/docs.python.org/", False),
        ("https://*.python.org/*", "https://docs.python.org/", True),
        ("https://*.python.org/*", "https://a.b.python.org/", True),
        ("https://*.python.org/*", "https://python.org/", False),
        ("https://*.python.org/*", "https://evilpython.org/", False),
        ("https://docs.python.org/3/*", "https://docs.python.org/2/", False),
        ("https://docs.python.org", "https://docs.python.org/", True),
        ("https://docs.python.org", "https://docs.python.org/3", False),
    ],
)
def test_narrow_patterns(pattern: str, url: str, covered: bool) -> None:
    expected = PermissionOutcome.ALLOW if covered else PermissionOutcome.ASK
    assert check(url, allow=[f"web_fetch({pattern})"]).outcome is expected


@pytest.mark.parametrize("url", ["https://EVIL.example/x", "https://a.evil.example/", "http://evil.example:8080/"])
def test_wide_patterns_take_any_reading(url: str) -> None:
    assert check(url, "bypass", deny=["web_fetch(*evil.example*)"]).outcome is PermissionOutcome.DENY


def test_a_new_host_asks_until_the_person_names_it() -> None:
    assert check("https://example.com/").by is DecidedBy.PROTECTED
    assert check("https://example.com/?d=secret", "plan").outcome is PermissionOutcome.ASK
    assert check("https://example.com/", "dont_ask").outcome is PermissionOutcome.DENY
    assert check("https://example.com/", named=("example.com",)).outcome is PermissionOutcome.ALLOW
    assert check("https://example.com/", "bypass").outcome is PermissionOutcome.ALLOW


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000/",
        "http://127.1/",
        "http://localhost/",
        "http://db.internal/",
        "http://10.0.0.8/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[fe80::1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://0.0.0.0/",
    ],
)
def test_private_places_ask_unless_a_rule_names_the_very_host(url: str) -> None:
    host = parse_url(url).host
    assert check(url, named=(host,)).outcome is PermissionOutcome.ASK
    assert check(url, "plan", allow=["web_fetch"]).outcome is PermissionOutcome.ASK
    port = "" if parse_url(url).port == 80 else f":{parse_url(url).port}"
    exact = f"web_fetch(http://{parse_url(url).bracketed}{port}/*)"
    assert check(url, allow=[exact]).outcome is PermissionOutcome.ALLOW


def test_hosts_in_a_prompt() -> None:
    text = "see https://Docs.python.org/3/, (http://example.org/x). not evil.example nor ftp://x.example"
    assert hosts_in(text) == {"docs.python.org", "example.org"}


@given(st.text(max_size=60).map(lambda text: "https://" + text))
def test_reading_never_raises_anything_else_and_is_stable(text: str) -> None:
    try:
        url = parse_url(text)
    except UrlError:
        return
    assert parse_url(str(url)) == url
    assert isinstance(url, Url)


@pytest.mark.parametrize("host", ["\u00b2", "\u2460\u2461\u2466.1", "\u00b4", "a b", "\uff11\uff12\uff17.1"])
def test_look_alikes_that_fold_into_an_address_or_a_blank_are_no_hosts(host: str) -> None:
    with pytest.raises(UrlError):
        parse_url(f"https://{host}/")
