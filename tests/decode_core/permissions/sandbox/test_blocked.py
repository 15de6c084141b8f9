"""What the output of a failed command says about the sandbox."""

from pathlib import Path

import pytest

from decode_core.permissions.sandbox.blocked import MAX_SHOWN, blocked_by
from decode_core.permissions.sandbox.profile import Access, Profile, ProfileKind

PLACES = {Path("/home/me/.ssh"): Access.HIDDEN, Path("/ws/.vscode"): Access.READ, Path("/ws"): Access.WRITE}


def told(output: str, *, network: bool = True) -> str:
    return blocked_by(output, Profile(ProfileKind.WORKSPACE, PLACES, network)) or ""


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("touch: cannot touch '/etc/x': Read-only file system", "writing outside"),
        ("mv: cannot move '.git' to 'g': Device or resource busy", "writing outside"),
        ("cat: /home/me/.ssh/id: No such file or directory", "a place that it hides"),
        ("mkdir: cannot create directory '.vscode/x': Permission denied", "a protected place"),
        ("Cannot connect to the Docker daemon at unix:///var/run/docker.sock.", "a socket"),
    ],
)
def test_what_was_blocked_is_named_with_the_line_that_tells_it(line: str, says: str) -> None:
    found = told(f"before\n{line}\nafter")
    assert says in found
    assert line in found


@pytest.mark.parametrize(
    "output",
    ["", "cat: nothing: No such file or directory", "Permission denied", "connect: Connection refused", "1 failed"],
)
def test_other_failures_are_not_put_down_to_the_sandbox(output: str) -> None:
    assert told(output) == ""


def test_the_network_counts_only_where_it_was_taken_away() -> None:
    line = "curl: (6) Could not resolve host: example.org"
    assert told(line) == ""
    assert "the network" in told(line, network=False)


def test_a_long_line_is_cut() -> None:
    assert len(told("x" * 5_000 + ": Read-only file system")) < MAX_SHOWN + 60
