"""Lines that the person runs in a shell: not gated, recorded as theirs, told to the model only by `!!` (ui.md §2)."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from decode_core.engine.runtime import Engine
from decode_core.engine.thread import EngineThread
from decode_core.event_log import EventLog
from decode_core.events import (
    EventBase,
    PermissionDecided,
    ShellLineFinished,
    ShellLineStarted,
    ToolCallProgress,
    TurnFinished,
)
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome
from decode_core.shell_lines import STOPPED, ShellLineError, ShellLines
from decode_core.store.audit import AUDITED_TYPES
from decode_core.workspace import Workspace

Steps = Callable[[ShellLines, "list[EventBase]"], Awaitable[None]]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    (folder / "src").mkdir(parents=True)
    return folder.resolve()


def play(workspace: Path, steps: Steps, refused: str = "") -> list[EventBase]:
    """Do `steps` with the lines of a workspace and return what was logged."""

    async def main() -> list[EventBase]:
        log = EventLog("s", asyncio.get_running_loop())
        events: list[EventBase] = []
        log.subscribe(events.append)
        lines = ShellLines(log, Workspace.open(workspace), workspace, lambda: PermissionMode.PLAN, refused)
        try:
            await steps(lines, events)
        finally:
            await asyncio.to_thread(lines.close)
        await asyncio.sleep(0)
        return events

    return asyncio.run(main())


async def ended(events: list[EventBase], count: int = 1) -> ShellLineFinished:
    """Wait for the `count`th end."""
    await until(lambda: sum(isinstance(event, ShellLineFinished) for event in events) >= count)
    return [event for event in events if isinstance(event, ShellLineFinished)][count - 1]


async def until(condition: Callable[[], bool]) -> None:
    """Wait for what the thread of the lines brings about."""
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - what is waited for happens in another thread
            await asyncio.sleep(0.005)


def test_a_line_runs_in_any_mode_and_is_recorded_as_human(workspace: Path) -> None:
    async def steps(lines: ShellLines, events: list[EventBase]) -> None:
        lines.run("touch made; echo hello")
        end = await ended(events)
        assert (end.exit_code, end.text, end.summary, end.for_model) == (0, "hello\n", "exit 0", False)
        assert not lines.running

    events = play(workspace, steps)
    assert (workspace / "made").exists()
    (record,) = [event for event in events if isinstance(event, PermissionDecided)]
    assert (record.by, record.outcome, record.subject) == (
        DecidedBy.HUMAN,
        PermissionOutcome.ALLOW,
        "touch made; echo hello",
    )
    assert record.type in AUDITED_TYPES
    assert isinstance(events[0], ShellLineStarted)


def test_the_environment_is_the_persons_own(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_TOKEN", "mine")

    async def steps(lines: ShellLines, events: list[EventBase]) -> None:
        lines.run("echo $SOME_TOKEN $TERM")
        assert (await ended(events)).text == "mine dumb\n"

    play(workspace, steps)


def test_the_folder_is_kept_for_the_next_line(workspace: Path) -> None:
    async def steps(lines: ShellLines, events: list[EventBase]) -> None:
        lines.run("cd src")
        assert (await ended(events)).summary == "exit 0 · now in src"
        lines.run("pwd; false")
        end = await ended(events, 2)
        assert (end.text, end.exit_code) == (f"{workspace}/src\n", 1)

    play(workspace, steps)


def test_a_line_that_is_stopped_says_so_and_leaves_nothing_running(workspace: Path) -> None:
    async def steps(lines: ShellLines, events: list[EventBase]) -> None:
        lines.run("echo started; sleep 60; touch late")
        await until(lambda: any(isinstance(event, ToolCallProgress) for event in events))
        with pytest.raises(ShellLineError, match="Esc stops it"):
            lines.run("echo second")
        lines.cancel()
        end = await ended(events)
        assert (end.summary, end.exit_code, end.text) == (STOPPED, None, "started\n")
        lines.run("echo again")
        assert (await ended(events, 2)).text == "again\n"

    play(workspace, steps)
    assert not (workspace / "late").exists()


def test_one_that_is_stopped_before_it_began_ends_as_well(workspace: Path) -> None:
    async def steps(lines: ShellLines, events: list[EventBase]) -> None:
        lines.run("echo x")
        lines.cancel()
        assert (await ended(events)).summary == STOPPED
        assert not lines.running

    events = play(workspace, steps)
    assert len([event for event in events if isinstance(event, ShellLineFinished)]) == 1


def test_a_fault_of_ours_ends_the_line_with_a_sentence(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(workspace: Workspace) -> Path | None:
        raise RuntimeError("broken")

    monkeypatch.setattr("decode_core.tools.shell.find_bash", broken)

    async def steps(lines: ShellLines, events: list[EventBase]) -> None:
        lines.run("echo x")
        assert (await ended(events)).summary == "not run: RuntimeError: broken"

    play(workspace, steps)


def test_a_session_that_is_held_elsewhere_runs_none(workspace: Path) -> None:
    async def steps(lines: ShellLines, events: list[EventBase]) -> None:
        with pytest.raises(ShellLineError, match="held by another decode"):
            lines.run("touch made")

    assert play(workspace, steps, refused="held by another decode") == []


def test_only_what_was_meant_for_the_model_goes_with_the_next_prompt_and_only_once(workspace: Path) -> None:
    async def steps(lines: ShellLines, events: list[EventBase]) -> None:
        lines.run("echo private")
        await ended(events)
        lines.run("echo shared; exit 3", for_model=True)
        await ended(events, 2)
        assert lines.for_model == ("echo shared; exit 3",)
        told = "I ran this command myself:\n\n$ echo shared; exit 3\nshared\n(exit 3)\n\nwhy?"
        assert lines.with_outputs("why?") == told
        assert lines.with_outputs("and?") == "and?"

    play(workspace, steps)


def test_the_model_reads_it_and_the_prompt_stays_the_persons(workspace: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text('version: 1\nresponses:\n  - text: "Seen."\n')

    async def main() -> tuple[str, list[str]]:
        session = new_session(survey(Workspace.open(workspace)), SessionOptions(model=f"script:{script}"))
        events: list[EventBase] = []
        session.subscribe(events.append)
        session.lines.run("echo shared", for_model=True)
        await ended(events)
        async for _ in session.send("what does it say?"):
            pass
        history = await asyncio.wrap_future(session._engine.run(_history))
        await session.close()
        assert isinstance(events[-1], TurnFinished)
        return history, [event.prompt for event in events if hasattr(event, "prompt")]

    history, prompts = asyncio.run(main())
    assert "$ echo shared\\nshared\\n(exit 0)\\n\\nwhat does it say?" in history
    assert prompts == ["what does it say?"]


async def _history(engine: Engine) -> str:
    return repr(engine._history.messages)


def test_threads_are_started_on_first_use_alone(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def started(self: "EngineThread[object]") -> None:
        raise AssertionError("a thread was started")

    monkeypatch.setattr(EngineThread, "start", started)

    async def steps(lines: ShellLines, events: list[EventBase]) -> None:
        assert lines.with_outputs("x") == "x"

    play(workspace, steps)
