"""Commands that are proven to only read, in real sessions: unasked, in plan too, and in a closed environment."""

from pathlib import Path

import pytest

from decode_core.decisions import Deny
from decode_core.events import PermissionDecided, ToolCallFinished
from decode_core.permissions.modes import PermissionMode, ToolKind
from sandboxes import use_stand_in
from sessions import Played, play
from shell_workspace import make_workspace, run_git


@pytest.fixture(autouse=True)
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Proofs are whole only where there is a sandbox."""
    use_stand_in(monkeypatch, tmp_path)


def run(ws: Path, *commands: str, mode: PermissionMode = PermissionMode.DEFAULT) -> Played:
    calls = "\n".join(f"    - {{tool: bash, args: {{command: {command!r}}}}}" for command in commands)
    return play(ws, f"- calls:\n{calls}\n- text: Done.\n", answer=lambda question, session: Deny(), mode=mode)


def told(played: Played) -> list[str]:
    return [event.text for event in played.of(ToolCallFinished)]


def test_ls_and_git_status_run_unasked_and_are_recorded_as_reads(tmp_path: Path) -> None:
    played = run(make_workspace(tmp_path), "ls", "git status --short", "git log --oneline")
    assert played.verdicts == [("bash", "allow")] * 3
    assert {event.effective_kind for event in played.of(PermissionDecided)} == {ToolKind.READ_ONLY}
    assert "README.md" in told(played)[0]
    assert "start" in told(played)[2]


def test_in_plan_they_run_and_what_changes_anything_does_not(tmp_path: Path) -> None:
    played = run(make_workspace(tmp_path), "git diff", "touch new", "ls > new", mode=PermissionMode.PLAN)
    assert played.verdicts == [("bash", "allow"), ("bash", "deny"), ("bash", "deny")]
    assert not (tmp_path / "ws" / "new").exists()


def test_a_command_is_judged_where_the_one_before_it_ended(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    (ws / "src" / "out").symlink_to("/etc")
    played = run(ws, "cd src", "cat a.py", "ls out/")
    assert [outcome for _, outcome in played.verdicts] == ["allow", "allow", "ask"]


def test_a_proven_call_sees_nothing_that_could_make_it_run_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = make_workspace(tmp_path)
    (ws / "bin").mkdir()
    (ws / "bin" / "ls").write_text("#!/bin/sh\necho mine > stolen\n")
    (ws / "bin" / "ls").chmod(0o755)
    monkeypatch.setenv("PATH", f"{ws / 'bin'}:{Path('/usr/bin')}:/bin")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "touch stolen")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(ws / "a"))
    (ws / "README.md").write_text("changed\n")
    played = run(ws, "ls", "git diff", "type env")
    assert [outcome for _, outcome in played.calls] == ["ok", "ok", "ok"]
    assert not (ws / "stolen").exists()
    assert "+changed" in told(played)[1]


def test_git_writes_nothing_when_it_is_asked_for_the_status(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    (ws / "README.md").touch()
    before = (ws / ".git" / "index").read_bytes()
    played = run(ws, "git status")
    assert played.calls == [("bash", "ok")]
    assert (ws / ".git" / "index").read_bytes() == before


def test_a_repository_that_runs_programs_asks(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    run_git(ws, "config", "core.fsmonitor", "touch stolen; false")
    played = run(ws, "git status")
    assert played.verdicts[0] == ("bash", "ask")
    assert not (ws / "stolen").exists()
