"""A profile as the text that `sandbox-exec` reads (macOS). Pure.

There are no mounts: the text says which operations are refused, and the last rule that matches counts. So names that
do not exist can be refused as well. Private folders
are those that macOS gives each person, so that they stay what they are. No sockets are listed: all but the one that
looks up names are refused.
"""

from collections.abc import Iterator
from pathlib import Path

from decode_core.permissions.sandbox.profile import Access, Profile, ProfileKind

PROGRAM = Path("/usr/bin/sandbox-exec")

_NAME_LOOKUP = "/private/var/run/mDNSResponder"


def seatbelt_arguments(profile: Profile) -> list[str]:
    """The arguments that stand between `sandbox-exec` and the command."""
    return ["-p", seatbelt_text(profile)]


def seatbelt_text(profile: Profile) -> str:
    """The profile in the language of `sandbox-exec`."""
    return "\n".join(_lines(profile)) + "\n"


def _lines(profile: Profile) -> Iterator[str]:
    yield "(version 1)"
    yield "(allow default)"
    yield '(deny file-write* (subpath "/"))'
    yield '(allow file-write* (regex #"^/dev/(null|zero|tty|fd/|dtracehelper)"))'
    yield "(deny process-info* (target others))"
    yield "(deny signal (target others))"
    yield "(allow signal (target same-sandbox))"
    for path, access in profile.in_order():
        place = f"(subpath {_quoted(path)})"
        match access:
            case Access.READ:
                yield f"(allow file-read* {place})"
                yield f"(deny file-write* {place})"
            case Access.PRIVATE if profile.kind is ProfileKind.READ_ONLY:
                yield f"(deny file-write* {place})"
            case Access.WRITE | Access.PRIVATE:
                yield f"(allow file-read* file-write* {place})"
            case Access.HIDDEN:
                yield f"(deny file-read* file-write* {place})"
    for path in profile.absent:
        yield f"(deny file-write* (subpath {_quoted(path)}))"
    for path in profile.pinned:
        yield f"(deny file-write-unlink (literal {_quoted(path)}))"
    if not profile.network:
        yield "(deny network*)"
    else:
        yield "(deny network* (local unix-socket) (remote unix-socket))"
        yield f"(allow network-outbound (remote unix-socket (path-literal {_quoted(Path(_NAME_LOOKUP))})))"


def _quoted(path: Path) -> str:
    text = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
