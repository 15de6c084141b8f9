"""The main job, by keyboard, on real files: ask, allow, refuse, plan, and nothing that was not meant."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from decode_core.events import DecisionAnswered, NoticeRaised, PermissionDecided, PlanDecided, TurnFinished
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome
from decode_ui.screens.ask import AskScreen
from decode_ui.testing import Workbench, workbench
from decode_ui.widgets.prompt import Prompt
from sessions import write_script

REPLACE = "replace retries with attempts in README.md"
WRITE = """
- calls: [{tool: write, args: {path: b.txt, content: x}}]
- text: Done.
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "README.md").write_text("one\nretries here\nthree\n")
    return folder


def play(workspace: Path, steps: Callable[[Workbench], Awaitable[None]], **options: object) -> None:
    async def go() -> None:
        async with workbench(workspace, **options) as bench:  # type: ignore[arg-type]
            await steps(bench)

    asyncio.run(go())


def test_an_ask_shows_the_diff_y_writes_the_file_and_the_log_says_who_allowed_it(workspace: Path) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.send(REPLACE)
        await bench.open_question()
        assert "Allow this edit?" in bench.screen
        assert "− retries here" in bench.screen
        assert "+ attempts here" in bench.screen
        assert "Mode default asks before file edits" in bench.screen
        assert (workspace / "README.md").read_text() == "one\nretries here\nthree\n"
        await bench.press("y")
        await bench.wait_for(TurnFinished)
        assert (workspace / "README.md").read_text() == "one\nattempts here\nthree\n"
        assert "asked you: allowed once" in bench.screen
        assert "you: once" in bench.screen

    play(workspace, steps, size=(150, 40))


def test_in_plan_the_same_request_is_refused_with_its_reason(workspace: Path) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.press("shift+tab", "shift+tab")
        assert bench.session.mode is PermissionMode.PLAN
        assert " PLAN " in bench.screen
        await bench.send(REPLACE)
        await bench.wait_for(TurnFinished)
        denied = [event for event in bench.all_of(PermissionDecided) if event.outcome is PermissionOutcome.DENY]
        assert [event.by for event in denied] == [DecidedBy.PLAN_CEILING]
        assert "denied: plan changes nothing" in bench.screen
        assert (workspace / "README.md").read_text() == "one\nretries here\nthree\n"

    play(workspace, steps, size=(150, 40))


def test_a_plan_is_approved_by_one_key_and_the_mode_is_then_edit(workspace: Path) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.send(f"plan: {REPLACE}")
        await bench.open_question()
        assert "Plan · " in bench.screen
        modes = [bench.session.mode]
        await bench.press("a", "a")
        await bench.wait_for(TurnFinished)
        modes.append(bench.session.mode)
        assert modes == [PermissionMode.PLAN, PermissionMode.EDIT]
        assert [event.answer for event in bench.all_of(PlanDecided)] == ["approve"]
        assert (workspace / "README.md").read_text() == "one\nattempts here\nthree\n"

    play(workspace, steps, size=(150, 40))


def test_a_plan_is_sent_back_with_a_note_and_then_rejected(workspace: Path) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.send(f"plan: {REPLACE}")
        await bench.open_question()
        await bench.press("tab")
        await bench.write("keep the word")
        await bench.press("enter", "r")
        await bench.open_question(2)
        assert bench.all_of(PlanDecided)[0].note == "keep the word"
        assert bench.session.mode is PermissionMode.PLAN
        await bench.press("x", "y")
        await bench.wait_for(TurnFinished)
        assert [event.answer for event in bench.all_of(PlanDecided)] == ["refine", "reject"]
        assert bench.session.mode is PermissionMode.PLAN
        assert (workspace / "README.md").read_text() == "one\nretries here\nthree\n"

    play(workspace, steps, size=(150, 40))


def test_typing_while_a_question_comes_answers_nothing_and_keeps_the_draft(workspace: Path, tmp_path: Path) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.send("go")
        await bench.question()
        await bench.write("yes a ")
        assert not isinstance(bench.app.screen, AskScreen)
        assert "1 question waits" in bench.screen
        await bench.advance(0.75)
        await bench.until(lambda: isinstance(bench.app.screen, AskScreen), "the dialog")
        await bench.write("yes a ")
        assert bench.all_of(DecisionAnswered) == []
        assert not (workspace / "b.txt").exists()
        await bench.advance(0.35)
        await bench.press("n")
        await bench.wait_for(TurnFinished)
        assert [event.answer for event in bench.all_of(DecisionAnswered)] == ["denied"]
        assert bench.app.screen.query_one(Prompt).text == "yes a yes a "

    play(workspace, steps, model=write_script(tmp_path, WRITE))


def test_shift_tab_under_a_dialog_moves_the_focus_and_never_the_mode(workspace: Path, tmp_path: Path) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.send("go")
        await bench.open_question()
        await bench.press("shift+tab", "ctrl+t", "ctrl+p")
        assert isinstance(bench.app.screen, AskScreen)
        assert bench.session.mode is PermissionMode.DEFAULT
        await bench.press("escape")
        await bench.wait_for(TurnFinished)
        assert not (workspace / "b.txt").exists()

    play(workspace, steps, model=write_script(tmp_path, WRITE))


def test_hostile_text_is_shown_inert_in_dialog_chat_and_log(workspace: Path, tmp_path: Path) -> None:
    evil = "[@click=app.quit]x[/] \\e[2J\\e]0;t\\a \\u202egnp.exe \\x9b31m"
    script = f"""
    - text: "{evil}"
      calls: [{{tool: bash, args: {{command: "echo {evil}"}}}}, {{tool: "n\\u202eope", args: {{}}}}]
    - text: Done.
    """

    async def steps(bench: Workbench) -> None:
        await bench.send("go")
        await bench.open_question()
        for shown in (bench.screen, await bench.picture()):
            assert not set(shown) & {"\x1b", "\u202e", "\x9b", "\x07"}
        assert "@click=app.quit" in bench.screen
        assert "␛[2J" in bench.screen
        await bench.press("n")
        await bench.wait_for(TurnFinished)
        assert not set(bench.screen) & {"\x1b", "\u202e", "\x9b", "\x07"}
        assert bench.app.is_running

    play(workspace, steps, size=(150, 40), model=write_script(tmp_path, script))


def test_esc_stops_a_running_command_and_what_was_not_read_returns_to_the_prompt(
    workspace: Path, tmp_path: Path
) -> None:
    script = "- calls: [{tool: bash, args: {command: sleep 60}}]\n- text: never"

    async def steps(bench: Workbench) -> None:
        await bench.send("go")
        await bench.wait_for(PermissionDecided)
        await bench.send("and then this")
        await bench.press("escape")
        await bench.wait_for(TurnFinished)
        assert bench.app.screen.query_one(Prompt).text == "and then this"
        assert "stopped" in bench.screen

    play(workspace, steps, mode=PermissionMode.BYPASS, model=write_script(tmp_path, script))


def test_slash_commands_choose_agent_and_mode_and_help_lists_the_keys(workspace: Path) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.send("/agent plan")
        assert (bench.session.agent.name, bench.session.mode) == ("plan", PermissionMode.PLAN)
        await bench.send("/mode edit")
        assert bench.session.mode is PermissionMode.EDIT
        await bench.send("/agnet build")
        assert "did you mean /agent?" in bench.screen
        await bench.press("ctrl+c")
        await bench.send("/help")
        assert "everywhere" in bench.screen
        await bench.press("escape")
        await bench.send("/quit")
        await bench.until(lambda: not bench.app.is_running or bench.app._exit, "the end")

    play(workspace, steps, size=(150, 40))


def test_typing_works_before_the_model_library_is_there(workspace: Path) -> None:
    code = """
import asyncio, sys
from pathlib import Path
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.workspace import Workspace
from decode_ui.app import DecodeApp
from decode_ui.widgets.prompt import Prompt

async def main():
    session = new_session(survey(Workspace.open(Path("."))), SessionOptions())
    session.warm_up = lambda then=None: None
    app = DecodeApp(session)
    async with app.run_test() as pilot:
        await pilot.press(*"hello")
        assert app.screen.query_one(Prompt).text == "hello"
        assert "pydantic_ai" not in sys.modules, "imported too early"
    await session.close()

asyncio.run(main())
"""
    run = subprocess.run([sys.executable, "-c", code], cwd=workspace, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_five_thousand_messages_cost_no_widgets_and_draw_only_what_is_in_view(workspace: Path) -> None:
    from decode_ui.transcript.entry import AnswerEntry, UserEntry
    from decode_ui.transcript.view import Transcript

    async def steps(bench: Workbench) -> None:
        transcript = bench.app.screen.query_one(Transcript)
        before = len(list(bench.app.screen.walk_children()))
        drawn = transcript.renders
        entries = [(UserEntry(f"question {n}"), AnswerEntry(f"# answer {n}\n\n- one\n- two")) for n in range(2_500)]
        transcript.extend(entry for pair in entries for entry in pair)
        await bench.idle()
        widgets = len(list(bench.app.screen.walk_children()))
        assert widgets == before
        assert widgets <= 150
        assert transcript.renders - drawn <= 60
        drawn = transcript.renders
        await bench.write("hello")
        assert transcript.renders - drawn <= 2
        await bench.pilot.resize_terminal(100, 30)
        await bench.idle()
        assert transcript.renders - drawn <= 120

    play(workspace, steps)


def test_a_model_without_its_key_is_said_before_the_first_prompt(workspace: Path) -> None:
    async def steps(bench: Workbench) -> None:
        notice = await bench.wait_for(NoticeRaised)
        assert "OPENAI_API_KEY" in notice.text
        await bench.idle()
        assert "OPENAI_API_KEY" in bench.screen
        assert "/model chooses another" in bench.screen

    play(workspace, steps, model="openai:gpt-5")
