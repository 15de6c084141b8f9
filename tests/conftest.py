"""What every test stands on: a home of its own, fixed time zone, and no network by accident."""

import gc
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest
from pytest_textual_snapshot import SVGImageExtension
from syrupy.assertion import SnapshotAssertion
from syrupy.location import PyTestLocation

from decode_core.permissions.sandbox.probe import Found
from idleness import look_shortly

look_shortly()

# how long one example takes says something about the machine, not about the program
hypothesis.settings.register_profile("decode", deadline=None)
hypothesis.settings.load_profile("decode")


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


@pytest.fixture(autouse=True)
def no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether this machine has a sandbox must not matter; tests of the sandbox look for it themselves."""
    none = Found(None, why_not="tests run without one")
    monkeypatch.setattr("decode_core.permissions.sandbox.probe.find_sandbox", lambda: none)


SNAPSHOTS = Path(__file__).parent.parent / "snapshots"


class TopLevelSVG(SVGImageExtension):  # type: ignore[misc]
    """One SVG a test, in a folder that is named after the test's module."""

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        """The folder of a test's pictures."""
        return str(SNAPSHOTS / Path(test_location.filepath).stem)


@pytest.fixture
def matches_picture(snapshot: SnapshotAssertion) -> Callable[[str], bool]:
    """Whether an SVG is the one that was looked at and accepted; `make snapshots` draws them anew."""
    pictures = snapshot.use_extension(TopLevelSVG)
    return lambda svg: bool(pictures == svg)


def pytest_collection_finish() -> None:
    """What is loaded by now never goes: collections that walk over it took a third of the suite's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
