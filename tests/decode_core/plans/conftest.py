"""Plans are written durably; their tests need not wait for the disk."""

import os

import pytest


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sync is no wait here; that syncs are done, and where, is what test_durable.py and test_crashes.py look at."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
