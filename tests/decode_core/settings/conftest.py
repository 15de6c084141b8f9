"""Settings tests never see the settings of whoever runs them."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home; the application's folders lie below it."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(folder / name.lower()))
    return folder


@pytest.fixture
def user_file(home: Path) -> Path:
    """The person's settings file, which does not exist yet; its folder does."""
    file = home / "config" / "decode" / "settings.json"
    file.parent.mkdir(parents=True)
    return file


@pytest.fixture
def project_file(tmp_path: Path) -> Path:
    """A project's settings file, which does not exist yet; its folder does."""
    file = tmp_path / "project" / ".decode" / "settings.json"
    file.parent.mkdir(parents=True)
    return file
