"""The agents' side panel on the work screen, by keyboard alone (catalog.md §6, keys.md §7.3)."""

from pathlib import Path

import pytest
from textual.widgets import Input

from agents_panel import Panel, own, panel, text
from decode_core.catalog.definition import Layer
from decode_core.catalog_editing.drafts import AgentDrafts
from decode_core.config import config_dir, make_private
from decode_ui.screens.agent_name import AgentNameScreen
from decode_ui.screens.confirm import ConfirmScreen

SIZES = [(120, 36), (80, 24)]


@pytest.mark.parametrize("size", SIZES)
def test_from_the_list_into_the_editor_saved_and_back_to_the_prompt(tmp_path: Path, size: tuple[int, int]) -> None:
    own().write_bytes(text().replace("\n", "\r\n").encode())

    async def steps(it: Panel) -> None:
        await it.open("release")
        await it.end()
        await it.write("Never push.")
        await it.checked()
        assert "release.md" in it.screen
        await it.press("escape")
        assert it.at == "agents"
        assert "not saved" in it.screen
        await it.press("s")
        await it.until(lambda: not it.bench.work.agents.unsaved)
        assert own().read_bytes() == (text().replace("\n", "\r\n") + "Never push.").encode()
        assert it.session.catalog.agents["release"].prompt.endswith("Never push.")
        await it.press("escape", "escape")
        assert (it.at, it.bench.work.editing) == ("prompt", False)

    panel(tmp_path, steps, size)


def test_the_chat_stays_in_view_beside_the_editor(tmp_path: Path) -> None:
    async def steps(it: Panel) -> None:
        await it.open("build")
        assert it.bench.work.transcript.is_on_screen
        assert it.bench.work.prompt.is_on_screen
        assert "offline model" in it.screen
        # a pane of the folded column comes back by its letter, and the editor too
        await it.press("ctrl+o", "t")
        assert (it.at, "To-do" in it.screen, "build.md" in it.screen) == ("todo", True, False)
        await it.press("ctrl+o", "e")
        assert (it.at, "build.md" in it.screen) == ("editor", True)

    panel(tmp_path, steps)


def test_faults_are_named_with_their_place_while_typing_and_the_last_good_version_stays(tmp_path: Path) -> None:
    own().write_text(text())

    async def steps(it: Panel) -> None:
        await it.open("release")
        assert "in force: 2 tools · mode edit" in it.screen
        field = it.bench.work.agent_text
        assert field is not None
        field.move_cursor((5, 8))
        await it.write("gerp, ")
        await it.checked()
        assert "line 6, column 9: unknown tool 'gerp'; did you mean grep?" in it.screen
        await it.press("escape", "s")
        await it.until(lambda: "release" in it.session.catalog.broken)
        assert "the last good version stays in force" in it.screen
        assert "✗ release" in it.screen
        assert "line 6" in it.screen
        # opened anew, the cursor stands at the fault; F8 goes round
        await it.press("enter")
        await it.until(lambda: it.at == "editor")
        assert field.cursor_location == (5, 8)
        field.move_cursor((0, 0))
        await it.press("f8")
        assert field.cursor_location == (5, 8)

    panel(tmp_path, steps)


def test_tab_completes_tools_and_modes_and_indents_elsewhere(tmp_path: Path) -> None:
    own().write_text(text())

    async def steps(it: Panel) -> None:
        await it.open("release")
        field = it.bench.work.agent_text
        assert field is not None
        field.move_cursor((5, 18))
        await it.write(", web")
        assert "⇥ web_fetch" in it.screen
        await it.press("tab")
        assert "tools: [read, bash, web_fetch]" in it.text
        field.move_cursor((4, 6))
        await it.press("ctrl+k")
        await it.write("do")
        await it.press("tab")
        assert "mode: dont_ask\n" in it.text
        await it.end()
        await it.press("tab")
        assert it.text.endswith("  ")

    panel(tmp_path, steps)


def test_a_new_agent_is_a_template_until_it_is_saved(tmp_path: Path) -> None:
    async def steps(it: Panel) -> None:
        await it.list()
        await it.press("n")
        assert isinstance(it.bench.app.screen, AgentNameScreen)
        await it.write("Bad!")
        assert "a-z, 0-9 and -" in it.screen
        it.bench.app.screen.query_one(Input).value = "build"
        await it.press("enter")
        await it.until(lambda: it.at == "editor")
        assert not (tmp_path / ".decode").exists()
        assert "not saved" in it.screen
        await it.press("f2")
        await it.until(lambda: not it.bench.work.agents.unsaved)
        assert (tmp_path / ".decode" / "agents" / "build.md").read_text().startswith("---\nname: build\n")
        await it.until(lambda: it.session.catalog.agents["build"].layer is Layer.PROJECT)
        assert "overridden" in it.screen
        # the same name once more is refused before anything is typed into it
        await it.list()
        await it.press("n")
        await it.write("build")
        assert "there is one of this name already" in it.screen
        await it.press("tab")
        assert "there is one of this name already" not in it.screen

    panel(tmp_path, steps)


def test_a_built_in_agent_is_read_only_and_is_duplicated_into_the_project(tmp_path: Path) -> None:
    async def steps(it: Panel) -> None:
        await it.open("code-reviewer")
        before = it.text
        await it.write("x")
        assert it.text == before
        assert "read only, built in" in it.screen
        await it.press("escape", "x")
        assert "built-in agents stay" in it.screen
        await it.press("d")
        await it.press("enter")
        await it.until(lambda: bool(it.bench.work.agents.unsaved))
        await it.press("f2")
        await it.until(lambda: not it.bench.work.agents.unsaved)
        copy = tmp_path / ".decode" / "agents" / "code-reviewer.md"
        assert copy.read_bytes() == it.session.agents.live.folders.builtin.joinpath("code-reviewer.md").read_bytes()  # type: ignore[union-attr]

    panel(tmp_path, steps)


def test_deleting_asks_and_names_the_file(tmp_path: Path) -> None:
    own().write_text(text())

    async def steps(it: Panel) -> None:
        await it.list("release")
        await it.press("x")
        assert isinstance(it.bench.app.screen, ConfirmScreen)
        assert "Delete release.md?" in it.screen
        await it.press("n")
        assert own().exists()
        await it.press("x", "y")
        await it.until(lambda: not own().exists())
        await it.until(lambda: "release" not in it.session.catalog.agents)

    panel(tmp_path, steps)


def test_reverting_asks_and_brings_the_text_of_the_file_back(tmp_path: Path) -> None:
    own().write_text(text())

    async def steps(it: Panel) -> None:
        await it.open("release")
        await it.end()
        await it.write("More.")
        await it.press("escape", "r", "y")
        await it.until(lambda: not it.bench.work.agents.unsaved)
        assert it.text == text()
        await it.kept()
        assert AgentDrafts().of(tmp_path) == []

    panel(tmp_path, steps)


def test_using_an_agent_takes_its_mode_and_a_text_that_was_never_saved_cannot_be_used(tmp_path: Path) -> None:
    own().write_text(text())

    async def steps(it: Panel) -> None:
        await it.list("release")
        await it.press("u")
        assert (it.session.agent.name, it.session.mode.value) == ("release", "edit")
        await it.press("n")
        await it.write("fresh")
        await it.press("enter")
        await it.until(lambda: it.at == "editor")
        await it.press("escape", "u")
        assert "save fresh.md first" in it.screen
        assert it.session.agent.name == "release"

    panel(tmp_path, steps)


def test_a_held_version_is_taken_by_its_key(tmp_path: Path) -> None:
    own().write_text(text())

    async def steps(it: Panel) -> None:
        await it.changed_outside(own(), text(more='allow: ["bash(make *)"]\n'))
        await it.until(lambda: "release" in it.session.catalog.held)
        question = it.session.open_question
        assert question is not None
        await it.bench.open_question()
        await it.press("n")
        await it.until(lambda: it.session.open_question is None)
        assert it.session.catalog.agents["release"].rules == ()
        await it.list("release")
        assert "not taken" in it.screen
        await it.press("t")
        assert "+ allow bash(make *)" in it.screen
        await it.press("y")
        await it.until(lambda: len(it.session.catalog.agents["release"].rules) == 1)
        assert it.session.open_question is None

    panel(tmp_path, steps)


def test_hostile_names_and_texts_act_on_nothing(tmp_path: Path) -> None:
    evil = make_private(config_dir() / "agents") / "[@click=app.quit]x[]\x1b[31m.md"
    evil.write_text("---\nname: \x1b[2J[red]\n---\n")

    async def steps(it: Panel) -> None:
        await it.list()
        await it.press("end", "up", "enter")
        await it.bench.idle()
        assert "\x1b" not in it.screen
        await it.press("end", "enter")
        await it.bench.idle()
        assert "\x1b" not in it.screen

    panel(tmp_path, steps)


def test_what_cannot_be_written_is_said_and_the_text_stays(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.mkdir()

    async def steps(it: Panel) -> None:
        await it.list()
        await it.press("n")
        await it.write("fresh")
        await it.press("enter")
        await it.until(lambda: it.at == "editor")
        (tmp_path / ".decode").symlink_to(target)
        await it.press("f2")
        await it.until(lambda: ".decode is a link" in it.screen)
        assert it.bench.work.agents.unsaved
        assert list(target.iterdir()) == []

    panel(tmp_path, steps)


def test_quitting_with_unsaved_text_asks_first(tmp_path: Path) -> None:
    own().write_text(text())

    async def steps(it: Panel) -> None:
        await it.open("release")
        await it.end()
        await it.write("Mine.")
        await it.press("escape", "ctrl+c")
        await it.bench.advance(0.3)
        await it.press("ctrl+c")
        assert "Quit with unsaved text in release.md?" in it.screen
        await it.press("n")
        assert it.bench.app.screen is it.bench.work

    panel(tmp_path, steps)


def test_ctrl_f_in_the_editor_searches_that_file(tmp_path: Path) -> None:
    own().write_text(text(prompt="One.\nTwo.\nOne again."))

    async def steps(it: Panel) -> None:
        await it.open("release")
        await it.press("ctrl+f")
        await it.write("one")
        field = it.bench.work.agent_text
        assert field is not None
        assert field.selection.start == (7, 0)
        await it.press("enter")
        assert field.selection.start == (9, 0)
        await it.press("enter")
        assert field.selection.start == (7, 0)
        await it.press("escape")
        assert it.at == "editor"

    panel(tmp_path, steps)


def test_an_agent_whose_mode_is_bypass_asks_as_bypass_does_and_no_leaves_everything_as_it_was(tmp_path: Path) -> None:
    own().write_text(text().replace("mode: edit", "mode: bypass"))

    async def steps(it: Panel) -> None:
        await it.list("release")
        await it.press("u")
        assert isinstance(it.bench.app.screen, ConfirmScreen)
        assert "bypass" in it.screen
        await it.press("n")
        assert (it.session.agent.name, it.session.mode.value) == ("build", "default")
        await it.press("u", "y")
        assert (it.session.agent.name, it.session.mode.value) == ("release", "bypass")
        # confirmed once a session
        it.session.select_agent("build")
        await it.press("u")
        assert (it.session.agent.name, it.session.mode.value) == ("release", "bypass")

    panel(tmp_path, steps)


@pytest.mark.parametrize("width", [100, 120])
def test_in_a_terminal_of_middle_width_the_chat_keeps_its_room_beside_the_editor(tmp_path: Path, width: int) -> None:
    async def steps(it: Panel) -> None:
        await it.open("build")
        assert it.bench.work.query_one("#middle").outer_size.width >= 62

    panel(tmp_path, steps, (width, 36))
