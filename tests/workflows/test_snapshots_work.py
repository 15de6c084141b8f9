"""What the application looks like along the main road, at the four sizes of keys.md §10."""

from pathlib import Path

import pytest

from decode_core.events import TurnFinished
from decode_core.permissions.modes import PermissionMode
from decode_ui.testing import Workbench
from decode_ui.theme import SHORT_NAMES
from payments import CHANGE, PLAN, PROMPT, QUESTION, script
from pictures import Matches, picture

SIZES = [pytest.param((w, h), id=f"{w}x{h}") for w, h in ((150, 40), (120, 36), (80, 24), (60, 20))]


@pytest.mark.parametrize("size", SIZES)
def test_first_start(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench) -> None:
        pass

    assert matches_picture(picture(own_home, steps, size))


@pytest.mark.parametrize("size", SIZES)
def test_a_turn_that_changed_two_files(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.send(PROMPT)
        await bench.wait_for(TurnFinished)
        await bench.write("and mention it in the docs")

    model = script(own_home, CHANGE)
    assert matches_picture(picture(own_home, steps, size, model=model, mode=PermissionMode.EDIT))


@pytest.mark.parametrize("size", SIZES)
def test_a_question_about_an_edit(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.send(PROMPT)
        await bench.open_question()

    assert matches_picture(picture(own_home, steps, size, model=script(own_home, CHANGE)))


@pytest.mark.parametrize("size", SIZES)
def test_a_question_set_aside(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.send(PROMPT)
        await bench.open_question()
        await bench.press("ctrl+o")

    assert matches_picture(picture(own_home, steps, size, model=script(own_home, CHANGE)))


@pytest.mark.parametrize("size", SIZES)
def test_a_plan_to_review(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.send(PROMPT)
        await bench.open_question()

    model = script(own_home, PLAN)
    assert matches_picture(picture(own_home, steps, size, model=model, mode=PermissionMode.PLAN))


def test_an_approved_plan_beside_the_chat(own_home: Path, matches_picture: Matches) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.send(PROMPT)
        await bench.open_question()
        await bench.press("a")
        await bench.wait_for(TurnFinished)

    model = script(own_home, PLAN)
    assert matches_picture(picture(own_home, steps, (150, 40), model=model, mode=PermissionMode.PLAN))


@pytest.mark.parametrize("size", SIZES)
def test_jump_mode(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.press("ctrl+o")

    assert matches_picture(picture(own_home, steps, size))


@pytest.mark.parametrize("size", SIZES)
def test_the_log_of_permissions(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.send(PROMPT)
        await bench.open_question()
        await bench.press("n")
        await bench.open_question(2)
        await bench.press("y")
        await bench.wait_for(TurnFinished)
        await bench.press("shift+tab", "ctrl+o", "l")

    assert matches_picture(picture(own_home, steps, size, model=script(own_home, CHANGE)))


@pytest.mark.parametrize("size", SIZES)
def test_a_question_of_the_agent(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.send(PROMPT)
        await bench.open_question()
        await bench.press("down")

    assert matches_picture(picture(own_home, steps, size, model=script(own_home, QUESTION)))


@pytest.mark.parametrize("size", SIZES)
def test_the_agents(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.press("ctrl+o", "a", "down")

    assert matches_picture(picture(own_home, steps, size))


@pytest.mark.parametrize("theme", ["light", "high-contrast", "ansi"])
def test_other_colours(own_home: Path, matches_picture: Matches, theme: str) -> None:
    async def steps(bench: Workbench) -> None:
        bench.app.theme = SHORT_NAMES[theme]
        await bench.send(PROMPT)
        await bench.open_question()

    assert matches_picture(picture(own_home, steps, (120, 36), model=script(own_home, CHANGE)))


@pytest.mark.parametrize("size", SIZES)
def test_help(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.press("f1")

    assert matches_picture(picture(own_home, steps, size))


@pytest.mark.parametrize("size", SIZES)
def test_the_palette(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.press("ctrl+p")
        await bench.write("mod")

    assert matches_picture(picture(own_home, steps, size))


@pytest.mark.parametrize("size", [SIZES[1], SIZES[2]])
def test_completing_a_command(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.write("/")
        await bench.press("down", "down")

    assert matches_picture(picture(own_home, steps, size))


def test_bypass_is_unmistakable(own_home: Path, matches_picture: Matches) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.press("shift+tab", "shift+tab", "shift+tab", "y")

    assert matches_picture(picture(own_home, steps, (120, 36)))
