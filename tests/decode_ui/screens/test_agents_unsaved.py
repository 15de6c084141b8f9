"""Text of the agents panel that is not saved: when its file changes, and when decode ends (catalog.md §6)."""

from pathlib import Path

import pytest

from agents_panel import Panel, own, panel, text
from decode_core.catalog.definition import Layer
from decode_core.catalog_editing.drafts import AgentDraft, AgentDrafts
from decode_core.catalog_editing.files import AgentFile
from decode_ui.screens.reader import ReaderScreen


def test_a_change_underneath_of_a_text_without_changes_is_shown(tmp_path: Path) -> None:
    own().write_text(text())

    async def steps(it: Panel) -> None:
        await it.open("release")
        await it.changed_outside(own(), text(prompt="Theirs."))
        assert it.text.endswith("Theirs.\n")
        assert "Theirs." in it.screen

    panel(tmp_path, steps)


@pytest.mark.parametrize(("choice", "size"), [("keep mine", (150, 40)), ("take theirs", (80, 24))])
def test_a_change_underneath_of_an_unsaved_text_is_a_choice(tmp_path: Path, choice: str, size: tuple[int, int]) -> None:
    own().write_text(text())
    theirs = text(prompt="Theirs.")

    async def steps(it: Panel) -> None:
        await it.open("release")
        await it.end()
        await it.write("Mine.")
        await it.changed_outside(own(), theirs)
        assert "changed on disk" in it.screen
        assert it.text.endswith("Mine.")
        await it.press("f2")
        await it.until(lambda: "m keeps yours" in it.screen)
        assert own().read_text() == theirs
        await it.press("escape", "v")
        assert isinstance(it.bench.app.screen, ReaderScreen)
        assert "− Theirs." in it.screen.replace("-", "−")
        assert "Mine." in it.screen
        await it.press("escape")
        await it.list("release")
        if choice == "keep mine":
            await it.press("m", "s")
            await it.until(lambda: own().read_text() == text() + "Mine.")
        else:
            await it.press("h")
            await it.until(lambda: it.text == theirs)
        await it.until(lambda: not it.bench.work.agents.unsaved)
        assert "changed on disk" not in it.screen

    panel(tmp_path, steps, size)


def test_a_file_that_is_deleted_underneath_can_be_written_again(tmp_path: Path) -> None:
    own().write_text(text())

    async def steps(it: Panel) -> None:
        await it.open("release")
        await it.changed_outside(own(), None)
        assert "deleted on disk" in it.screen
        await it.press("escape")
        await it.list("release")
        await it.press("m", "s")
        await it.until(own().exists)
        assert own().read_text() == text()

    panel(tmp_path, steps)


def test_unsaved_text_survives_quitting_and_comes_back(tmp_path: Path) -> None:
    own().write_text(text())

    async def leave(it: Panel) -> None:
        await it.open("release")
        await it.end()
        await it.write("Mine.")

    async def come_back(it: Panel) -> None:
        await it.until(lambda: bool(it.bench.work.agents.unsaved))
        assert "not saved" in it.screen
        await it.open("release")
        assert it.text == text() + "Mine."
        assert own().read_text() == text()

    panel(tmp_path, leave)
    panel(tmp_path, come_back)


def test_a_kept_text_whose_file_changed_meanwhile_is_a_choice_when_it_comes_back(tmp_path: Path) -> None:
    own().write_text(text(prompt="Theirs."))
    file = AgentFile(own(), Layer.USER, tmp_path)
    assert AgentDrafts().keep(AgentDraft(file, text() + "Mine.", text().encode())) is None

    async def steps(it: Panel) -> None:
        await it.until(lambda: bool(it.bench.work.agents.unsaved))
        await it.open("release")
        assert "changed on disk" in it.screen
        assert it.text.endswith("Mine.")

    panel(tmp_path, steps)
