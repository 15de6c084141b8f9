"""What every test stands on: a home of its own, fixed time zone, and no network by accident."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings, data and state of a test live in a folder of its own, never in the person's."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for variable, name in (("CONFIG", "c"), ("DATA", "d"), ("STATE", "s"), ("CACHE", "k")):
        monkeypatch.setenv(f"XDG_{variable}_HOME", str(home / name))
    for variable in ("NO_COLOR", "DECODE_MODEL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("PYDANTIC_AI_NO_BANNER", "1")
    return home
