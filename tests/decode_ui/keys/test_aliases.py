"""Cyrillic and Greek layouts: letters and Ctrl act as the key at the same place, text stays text (keys.md §1.1)."""

from pathlib import Path

import pytest
from textual.events import Key

from decode_core.permissions.modes import PermissionMode
from decode_ui.keys.aliases import ALIASES, latin
from decode_ui.testing import Workbench
from fake_session import FakeSession
from work_screen import run


@pytest.mark.parametrize(
    ("key", "character", "ours"),
    [
        ("т", "т", "n"),
        ("Т", "Т", "N"),
        ("ctrl+щ", None, "ctrl+o"),
        ("ctrl+с", None, "ctrl+c"),
        ("ctrl+ο", None, "ctrl+o"),
        ("υ", "υ", "y"),
        ("і", "і", "s"),
        ("n", "n", "n"),
        ("ctrl+o", None, "ctrl+o"),
        ("escape", "\x1b", "escape"),
    ],
)
def test_the_key_at_the_same_place(key: str, character: str | None, ours: str) -> None:
    event = latin(Key(key, character))
    assert (event.key, event.character) == (ours, character)


def test_every_letter_of_the_alphabet_can_be_pressed_on_a_cyrillic_keyboard() -> None:
    cyrillic = {ours for theirs, ours in ALIASES.items() if "а" <= theirs <= "я"}
    assert cyrillic == set("abcdefghijklmnopqrstuvwxyz")


def test_panes_are_reached_and_text_is_written_as_typed(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press(*"привет")
        assert bench.work.prompt.text == "привет"
        await bench.press("ctrl+щ", "д")
        assert bench.work.focused is not None and bench.work.focused.id == "permissions"
        await bench.press("slash", "т", "enter")
        assert "/ т" in bench.screen
        await bench.press("escape", "ш")
        assert bench.work.focused is bench.work.prompt

    run(steps, tmp_path, (150, 40))


def test_a_question_is_answered_by_the_same_keys_and_a_draft_keeps_its_letters(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.begin()
        asked = session.ask()
        await bench.open_question()
        await bench.press("т")
        await bench.until(lambda: asked.answered is not None)
        assert session.mode is PermissionMode.DEFAULT
        again = session.ask()
        await bench.question(2)
        await bench.advance(0.75)
        await bench.press(*"да")
        assert again.answered is None
        assert bench.work.prompt.text == "да"

    run(steps, tmp_path)
