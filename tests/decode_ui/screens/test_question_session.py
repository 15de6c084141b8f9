"""A question of the agent on the real application: scripted model, real session; the answer is in its next request."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from decode_core.events import DecisionAnswered, TurnEnd, TurnFinished
from decode_ui.screens.question import QuestionScreen
from decode_ui.testing import Workbench, workbench
from decode_ui.widgets.prompt import Prompt
from decode_ui.widgets.question_bar import QuestionBar
from sessions import write_script

ASKS = """
- calls:
  - tool: ask_user
    args: {{question: "Which port?", options: ["8080", "9090", "let it choose"], multiple: {multiple}}}
- expect:
    results: [{{tool: ask_user, outcome: ok, contains: "{expected}"}}]
  text: Understood.
"""


def play(
    folder: Path, expected: str, steps: Callable[[Workbench], Awaitable[None]], *, multiple: bool = False
) -> list[DecisionAnswered]:
    """Run `steps` from the opened question on; the script fails the turn where the answer is not what it expects."""
    workspace = folder / "workspace"
    workspace.mkdir()
    model = write_script(folder, ASKS.format(expected=expected, multiple=str(multiple).lower()))

    async def run() -> list[DecisionAnswered]:
        async with workbench(workspace, model=model) as bench:
            await bench.send("go")
            await bench.open_question()
            assert isinstance(bench.app.screen, QuestionScreen)
            await steps(bench)
            end = await bench.wait_for(TurnFinished)
            assert end.end is TurnEnd.COMPLETED, bench.screen
            assert "Understood." in bench.screen
            return bench.all_of(DecisionAnswered)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("keys", "expected", "multiple"),
    [
        ("2", "The person chose: 9090", False),
        ("down down enter", "The person chose: let it choose", False),
        ("1 3 enter", "The person chose: 8080; let it choose", True),
        ("tab 7 enter", "The person wrote: 7", False),
        ("tab n o escape 1", "The person chose: 8080\\nThe person wrote: no", False),
    ],
)
def test_the_models_next_request_holds_the_answer(tmp_path: Path, keys: str, expected: str, multiple: bool) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.press(*keys.split())

    answers = play(tmp_path, expected, steps, multiple=multiple)
    assert [answer.answer for answer in answers] == ["answered"]


def test_declining_tells_the_model_and_keeps_the_text_in_the_history(tmp_path: Path) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.press("tab", *"9091", "escape", "escape")
        prompt = bench.work.query_one(Prompt)
        assert bench.work.focused is prompt
        await bench.wait_for(TurnFinished)
        await bench.press("up")
        assert prompt.text == "9091"
        await bench.press("up")
        assert prompt.text == "go"

    answers = play(tmp_path, "does not want to answer", steps)
    assert [answer.answer for answer in answers] == ["declined"]


def test_a_question_set_aside_waits_in_the_bar_and_opens_with_its_draft(tmp_path: Path) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.press("3", "tab", *"soon", "ctrl+o")
        bar = bench.work.query_one(QuestionBar)
        assert bar.display
        assert "Which port?" in bench.screen
        await bench.press("enter")
        await bench.advance(0.5)
        assert isinstance(bench.app.screen, QuestionScreen)
        bench.app.screen.show_guard()
        assert "soon" in bench.screen
        assert "3 ☑ let it choose" in bench.screen
        await bench.press("enter")

    play(tmp_path, "The person chose: let it choose\\nThe person wrote: soon", steps, multiple=True)


def test_ctrl_c_declines_and_stops_the_turn(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    model = write_script(tmp_path, ASKS.format(expected="never sent", multiple="false"))

    async def run() -> None:
        async with workbench(workspace, model=model) as bench:
            await bench.send("go")
            await bench.open_question()
            await bench.press("ctrl+c")
            end = await bench.wait_for(TurnFinished)
            assert end.end is TurnEnd.CANCELLED
            assert "Understood." not in bench.screen

    asyncio.run(run())


def test_text_of_a_question_that_was_set_aside_and_withdrawn_is_kept_and_goes_to_no_other(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    asks = '- calls: [{tool: ask_user, args: {question: "%s"}}]\n'
    model = write_script(tmp_path, asks % "First?" + asks % "Second?" + "- text: Done.\n")

    async def run() -> None:
        async with workbench(workspace, model=model) as bench:
            await bench.send("go")
            await bench.open_question()
            await bench.press(*"half", "ctrl+o", "escape", "escape")
            await bench.wait_for(TurnFinished)
            await bench.press("up")
            assert bench.work.query_one(Prompt).text == "half"
            await bench.press("down")
            await bench.send("again")
            await bench.open_question(2)
            dialog = bench.app.screen
            assert isinstance(dialog, QuestionScreen)
            assert "Second?" in bench.screen
            assert dialog.field.text == ""
            await bench.press(*"yes", "enter")
            await bench.wait_for(TurnFinished, 2)

    asyncio.run(run())
