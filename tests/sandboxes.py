"""Sandboxes for tests: the machine's own where it has one, and a stand-in that runs everything and holds nothing."""

from pathlib import Path

import pytest

from decode_core.permissions.sandbox.probe import Found, Mechanism, find_sandbox

_FOUND = find_sandbox()

needs_bubblewrap = pytest.mark.skipif(
    _FOUND.mechanism is not Mechanism.BUBBLEWRAP, reason=f"no bubblewrap here: {_FOUND.why_not}"
)


def use_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> Found:
    """Let sessions and tools of this test find the machine's own sandbox."""
    monkeypatch.setattr("decode_core.permissions.sandbox.probe.find_sandbox", lambda: _FOUND)
    return _FOUND


def use_stand_in(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Found:
    """Let them find a program that takes a profile, sets IN_SANDBOX and runs the command as it is."""
    program = folder / "stand-in"
    program.write_text('#!/bin/sh\nshift 2\nIN_SANDBOX=1 exec "$@"\n')
    program.chmod(0o755)
    found = Found(Mechanism.SEATBELT, program)
    monkeypatch.setattr("decode_core.permissions.sandbox.probe.find_sandbox", lambda: found)
    return found
