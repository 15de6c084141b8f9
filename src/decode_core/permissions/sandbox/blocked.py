"""What of a failed command's output says that the sandbox stood in its way (permissions.md §11). Pure."""

import re
from pathlib import Path

from decode_core.permissions.sandbox.profile import Access, Profile, ProfileKind

MAX_LINES = 400
MAX_SHOWN = 200

_NO_WRITING = ("Read-only file system", "Device or resource busy")
_NO_NETWORK = (
    "Could not resolve host",
    "Temporary failure in name resolution",
    "Name or service not known",
    "Network is unreachable",
    "Network unreachable",
    "nodename nor servname provided",
    "Could not connect to server",
)
_NO_SOCKET = ("Cannot connect to the Docker daemon", "Connection refused", "Could not open a connection to your auth")
_REFUSED = ("Operation not permitted", "Permission denied", "No such file or directory", "Is a directory")
"""Failures of many causes: they count where the line names a place that the sandbox hides or masks."""


def blocked_by(output: str, profile: Profile) -> str | None:
    """What the sandbox blocked, as a clause for people; None where nothing in the output tells of it."""
    refused = [path for path, access in profile.places.items() if access is Access.HIDDEN]
    guarded = [path for path, access in profile.places.items() if access is Access.READ]
    for line in output.splitlines()[-MAX_LINES:]:
        if any(sign in line for sign in _NO_WRITING):
            return f"writing outside of what it may change ({_shown(line)})"
        if not profile.network and any(sign in line for sign in _NO_NETWORK):
            return f"the network ({_shown(line)})"
        if any(sign in line for sign in (*_REFUSED, *_NO_SOCKET)):
            if any(_names(line, path) for path in refused):
                return f"a place that it hides ({_shown(line)})"
            if profile.kind is ProfileKind.WORKSPACE and any(_names(line, path) for path in guarded):
                return f"a protected place ({_shown(line)})"
        if any(sign in line for sign in _NO_SOCKET[::2]):
            return f"a socket of this machine ({_shown(line)})"
    return None


def _names(line: str, path: Path) -> bool:
    """Whether the line holds the path, or its last name as a name of its own."""
    return str(path) in line or re.search(rf"(?<![\w.-]){re.escape(path.name)}(?![\w.-])", line) is not None


def _shown(line: str) -> str:
    text = " ".join(line.split())
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"
