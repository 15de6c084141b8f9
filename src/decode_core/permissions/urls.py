"""URL subjects: what a URL means and which patterns cover it (permissions.md §3.1, §7). Pure: nothing is resolved."""

import ipaddress
import re
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from decode_core.permissions.patterns import Pattern, compile_pattern, matches

DEFAULT_PORTS = {"http": 80, "https": 443}
MAX_URL = 8_192

_NAME = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")
_URL_IN_TEXT = re.compile(r"https?://[^\s<>\"'`]+", re.IGNORECASE)
_LOCAL_NAMES = ("localhost", "local", "internal", "localdomain", "home.arpa")


class UrlError(ValueError):
    """Text that is no URL to fetch; the message is one sentence."""


@dataclass(frozen=True)
class Url:
    """A parsed http or https URL: host in lower case and IDNA, port always explicit, no user-info, no fragment."""

    scheme: str
    host: str
    port: int
    path: str
    """Path and query, beginning with a slash."""

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}{self.path}"

    @property
    def authority(self) -> str:
        """Host and port as a client sends them, the port left out where it is the scheme's own."""
        return self.bracketed if self.port == DEFAULT_PORTS[self.scheme] else f"{self.bracketed}:{self.port}"

    @property
    def bracketed(self) -> str:
        """The host as it stands in a URL."""
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def is_local(self) -> bool:
        """Whether the host, by its text alone, is this machine, a private network, or a metadata service."""
        address = as_address(self.host)
        if address is not None:
            return not is_public(address)
        return any(self.host == name or self.host.endswith("." + name) for name in _LOCAL_NAMES)


def parse_url(text: str) -> Url:
    """Read a URL. Raises UrlError: another scheme, no host, user-info, a bad port, blanks or control characters."""
    if len(text) > MAX_URL:
        raise UrlError(f"the URL is longer than {MAX_URL:,} characters")
    if any(char.isspace() or ord(char) < 0x20 or char == "\\" for char in text):
        raise UrlError("the URL holds blanks, control characters or a backslash")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise UrlError(f"the URL cannot be read: {error}") from None
    scheme = parts.scheme.lower()
    if scheme not in DEFAULT_PORTS:
        raise UrlError("only http and https URLs can be fetched")
    if parts.username is not None or parts.password is not None:
        raise UrlError("the URL holds a user name; the host would not be what it seems")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Url(scheme, _host(parts.hostname), DEFAULT_PORTS[scheme] if port is None else port, path)


def covers_url(pattern: Pattern, url: Url) -> bool:
    """Whether an allow pattern covers the URL: same scheme and port, whole labels of the host, then the path."""
    scheme, _, rest = pattern.text.partition("://")
    cut = next((index for index, char in enumerate(rest) if char in "/?"), len(rest))
    authority, path = rest[:cut], rest[cut:] or "/"
    if scheme not in (url.scheme, "*"):
        return False
    host, port = _split_port(authority)
    if port is None:
        port = DEFAULT_PORTS.get(scheme, url.port)
    if port != url.port or not _covers_host(host.lower(), url.host):
        return False
    return matches(compile_pattern(path), url.path, star_crosses_slash=True)


def touches_url(pattern: Pattern, url: Url, raw: str) -> bool:
    """Whether a deny or ask pattern matches any reading of the URL: as given, as parsed, or its host alone."""
    readings = {raw, raw.lower(), str(url), f"{url.scheme}://{url.bracketed}:{url.port}{url.path}", url.host}
    folded = compile_pattern(pattern.text.lower())
    return any(
        matches(compiled, reading, star_crosses_slash=True) for compiled in (pattern, folded) for reading in readings
    )


def names_host(pattern: Pattern, host: str) -> bool:
    """Whether an allow pattern names this very host, without a wildcard in it."""
    authority = pattern.text.partition("://")[2].partition("/")[0]
    return _split_port(authority)[0].lower() == host


def hosts_in(text: str) -> set[str]:
    """Hosts of every http or https URL in a person's text; a bare word is no URL and names nothing."""
    hosts: set[str] = set()
    for found in _URL_IN_TEXT.findall(text[:1_000_000]):
        with suppress(UrlError):
            hosts.add(parse_url(found.rstrip(".,;:!?)]}'\"")).host)
    return hosts


def as_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that `host` writes out, also in the odd forms that resolvers take (`127.1`, `0x7f000001`)."""
    try:
        return ipaddress.ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return _odd_ipv4(host)


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address belongs to the public Internet; addresses that embed another one are looked into."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is not None:
            return is_public(inner)
        if address in _NAT64:
            return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return address.is_global and not address.is_multicast


_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def _host(host: str | None) -> str:
    if not host:
        raise UrlError("the URL has no host")
    host = host.rstrip(".").lower()
    if as_address(host) is not None:
        return str(as_address(host))
    try:
        name = host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        name = ""
    # IDNA folds look-alikes: `²` becomes 2, and what was a name may now be an address, or hold a blank
    if not _NAME.fullmatch(name) or as_address(name) is not None:
        raise UrlError(f"{host!r} is not a name of a host")
    return name


def _covers_host(pattern: str, host: str) -> bool:
    wanted, given = pattern.split("."), host.split(".")
    if "*" not in pattern:
        return pattern == host
    if as_address(host) is not None:
        return False
    stars = sum(label == "*" for label in wanted)
    fixed = wanted[stars:]
    # `*.example.org`: one or more whole labels before the fixed ones
    return stars > 0 and len(given) >= len(wanted) and given[len(given) - len(fixed) :] == fixed


def _split_port(authority: str) -> tuple[str, int | None]:
    if authority.startswith("["):
        host, _, rest = authority[1:].partition("]")
        port = rest.removeprefix(":")
    else:
        host, _, port = authority.partition(":")
    return host, int(port) if port.isdecimal() and len(port) <= 5 else None


def _odd_ipv4(host: str) -> ipaddress.IPv4Address | None:
    parts = host.split(".")
    if not 1 <= len(parts) <= 4:
        return None
    try:
        numbers = [_number(part) for part in parts]
    except ValueError:
        return None
    *leading, last = numbers
    if any(number > 255 for number in leading) or last >= 256 ** (5 - len(parts)):
        return None
    value = last
    for index, number in enumerate(leading):
        value |= number << (24 - 8 * index)
    return ipaddress.IPv4Address(value)


def _number(text: str) -> int:
    if not text or len(text) > 12 or not text.isascii() or not text[0].isdigit():
        raise ValueError(text)
    if text.lower().startswith("0x"):
        return int(text[2:] or "0", 16)
    return int(text, 8) if text.startswith("0") and len(text) > 1 else int(text)
