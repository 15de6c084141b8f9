"""`/keys`: every key, the changed ones marked, and what the terminal sends for one (keys.md §1.9)."""

import asyncio
from pathlib import Path

from decode_ui.app import DecodeApp
from decode_ui.keys.keymap import Keymap, read_keymap
from decode_ui.preferences import Preferences
from decode_ui.screens.key_probe import KeyProbeScreen, meanings_of
from decode_ui.testing import FrozenClock, Workbench
from fake_session import FakeSession


def test_keys_shows_all_marks_the_changed_ones_and_shows_what_is_sent(tmp_path: Path) -> None:
    keymap = read_keymap({"pane.tasks": "f2", "chat.find": ""})
    assert keymap.problems == ()

    async def main() -> None:
        clock = FrozenClock()
        session = FakeSession.open(tmp_path, clock.utc)
        app = DecodeApp(session, clock=clock, preferences=Preferences(keymap=keymap))
        async with app.run_test(size=(150, 40)) as pilot:
            bench = Workbench(app, pilot, clock)
            await bench.idle()
            assert "F2 tasks" in bench.screen.splitlines()[-1]
            await bench.send("/keys")
            await bench.write("changed, was")
            assert "F2" in bench.screen and "changed, was ^T · pane.tasks" in bench.screen
            assert "changed, was ^F · chat.find" in bench.screen
            for _ in "changed, was":
                await bench.press("backspace")
            await bench.press("enter")
            assert isinstance(app.screen, KeyProbeScreen)
            await bench.press("f2", "ctrl+x", "y", "escape")
            assert "f2" in bench.screen and "work: tasks" in bench.screen
            assert "permission question: once" in bench.screen
            assert "nothing of decode's own" in bench.screen
            await bench.press("escape")
            assert len(app.screen_stack) == 2
        await session.close()

    asyncio.run(main())


def test_what_a_key_does_is_told_by_scope() -> None:
    told = meanings_of("tab", Keymap())
    assert "work: next pane" in told and "prompt: complete" in told


def test_help_and_palette_show_the_keys_that_hold() -> None:
    from decode_ui.screens.choices import help_items, palette_items

    keymap = read_keymap({"pane.tasks": "f2"})
    assert any(item.note.startswith("F2  to-do list") for item in palette_items(keymap, "prompt"))
    assert any(item.label == "F2" and item.group == "everywhere" for item in help_items("prompt", keymap))
