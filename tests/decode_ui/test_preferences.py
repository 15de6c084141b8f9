"""What settings say about the interface, and what of it reaches the running application."""

import asyncio
from pathlib import Path

from decode_core.events import NoticeRaised
from decode_core.settings.schema import SettingsValues
from decode_ui.app import DecodeApp
from decode_ui.preferences import Preferences, read_preferences
from decode_ui.testing import FrozenClock, workbench
from decode_ui.theme import HIGH_CONTRAST, LIGHT


def read(**values: object) -> Preferences:
    return read_preferences(SettingsValues.model_validate(values))


def test_settings_are_read_and_unmet_wishes_are_told() -> None:
    assert read(theme="light").theme == LIGHT.name
    assert read(theme="high-contrast", guard_scale=3).guard_scale == 3
    assert read(keys={"mode.cycle": "f2"}).keymap.keys == {"mode.cycle": "f2"}
    odd = read(theme="neon", keys={"ask.once": "n"})
    assert odd.theme == Preferences().theme
    assert len(odd.problems) == 2


def test_the_environment_decides_about_motion_where_it_is_set() -> None:
    values = SettingsValues.model_validate({"reduced_motion": True})
    assert read_preferences(values).reduced_motion
    assert not read_preferences(values, "0").reduced_motion
    assert read_preferences(SettingsValues(), "1").reduced_motion


def test_theme_keys_and_problems_reach_the_application(tmp_path: Path) -> None:
    async def go() -> None:
        async with workbench(tmp_path) as bench:
            preferences = read(theme="high-contrast", keys={"mode.cycle": "f2", "prompt.queue": "f4", "zzz": "f3"})
            app = DecodeApp(bench.session, clock=FrozenClock(), preferences=preferences)
            async with app.run_test() as pilot:
                assert app.theme == HIGH_CONTRAST.name
                await pilot.press("shift+tab")
                assert app.session.mode.value == "default"
                await pilot.press("f2")
                assert app.session.mode.value == "edit"
                notices = [event.text for event in app.session.events if isinstance(event, NoticeRaised)]
                assert notices == ["keys.zzz: there is no such action"]

    asyncio.run(go())
