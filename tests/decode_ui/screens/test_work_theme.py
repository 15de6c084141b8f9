"""`/theme`: arrows show the colours, Enter keeps them in the person's settings, Esc brings the old ones back."""

import json
from pathlib import Path

import pytest

from decode_core.settings.files import user_settings_file
from decode_ui.testing import Workbench
from decode_ui.theme import DARK, SHORT_NAMES
from fake_session import FakeSession
from work_screen import run


def kept() -> object:
    return json.loads(user_settings_file().read_text())["theme"]


async def settled(bench: Workbench) -> None:
    await bench.app.workers.wait_for_complete()
    await bench.idle()


def test_arrows_show_and_enter_keeps(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send("/theme")
        assert bench.app.theme == DARK.name
        await bench.press("down")
        assert bench.app.theme == SHORT_NAMES["light"]
        await bench.press("enter")
        await settled(bench)
        assert bench.app.theme == SHORT_NAMES["light"]
        assert kept() == "light"

    run(steps, tmp_path)


def test_esc_brings_the_old_one_back(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send("/theme")
        await bench.press("down", "down", "escape")
        await settled(bench)
        assert bench.app.theme == DARK.name
        assert not user_settings_file().exists()

    run(steps, tmp_path)


@pytest.mark.parametrize("name", list(SHORT_NAMES))
def test_a_name_is_taken_at_once(tmp_path: Path, name: str) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send(f"/theme {name}")
        await settled(bench)
        assert bench.app.theme == SHORT_NAMES[name]
        assert kept() == name

    run(steps, tmp_path)


def test_an_unknown_name_says_which_there_are(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.send("/theme purple")
        await settled(bench)
        assert "There is no theme 'purple'; there are dark, light, high-contrast, ansi." in bench.screen
        assert bench.app.theme == DARK.name

    run(steps, tmp_path)


def test_settings_that_cannot_be_written_are_said_and_the_theme_holds(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        user_settings_file().parent.mkdir(parents=True)
        user_settings_file().write_text("{ broken")
        await bench.send("/theme light")
        await settled(bench)
        assert "The theme holds for this session only" in bench.screen
        assert bench.app.theme == SHORT_NAMES["light"]
        assert user_settings_file().read_text() == "{ broken"

    run(steps, tmp_path)
