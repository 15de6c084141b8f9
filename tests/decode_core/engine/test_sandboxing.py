"""The sandbox in real sessions: who is asked, what is told, and what its walls mean later (permissions.md §11)."""

from pathlib import Path
from typing import Any

import pytest

from decode_core.decisions import Allow, Answer, Deny
from decode_core.events import (
    DecisionAnswered,
    DecisionRequested,
    ModeCause,
    NoticeRaised,
    PermissionDecided,
    ToolCallFinished,
)
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome
from decode_core.permissions.sandbox.standing import SandboxMode
from decode_core.session import Session
from decode_core.settings.files import user_settings_file
from sandboxes import use_stand_in
from sessions import Played, play
from shell_workspace import make_workspace

BLOCKED = '[ -z "$IN_SANDBOX" ] && echo outside || { echo "touch: /etc/x: Read-only file system"; exit 1; }'
EDIT = PermissionMode.EDIT


def settings(text: str) -> None:
    file = user_settings_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def run(ws: Path, *commands: str, **options: Any) -> Played:
    calls = "\n".join(f"    - {{tool: bash, args: {{command: {command!r}}}}}" for command in commands)
    return play(ws, f"- calls:\n{calls}\n- text: Done.\n", **options)


def told(played: Played) -> list[str]:
    return [event.text for event in played.of(ToolCallFinished)]


def by(played: Played) -> list[tuple[PermissionOutcome, DecidedBy]]:
    return [(event.outcome, event.by) for event in played.of(PermissionDecided)]


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    return make_workspace(tmp_path)


def test_without_a_sandbox_one_line_says_so_and_git_asks(ws: Path) -> None:
    played = run(ws, "ls", "git status", "cat a", answer=lambda question, session: Deny())
    notices = [event.text for event in played.of(NoticeRaised) if "sandbox" in event.text]
    assert notices == ["Commands run without a sandbox: tests run without one."]
    assert [outcome for _, outcome in played.verdicts] == ["allow", "ask", "allow"]


def test_with_a_sandbox_git_is_proven_and_nothing_is_said(
    ws: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_stand_in(monkeypatch, tmp_path)
    played = run(ws, "git status")
    assert [outcome for _, outcome in played.verdicts] == ["allow"]
    assert not [event for event in played.of(NoticeRaised) if "sandbox" in event.text]


def test_the_setting_require_refuses_bash_where_there_is_none(ws: Path) -> None:
    settings('{"sandbox": "require"}')
    played = run(ws, "ls", mode=PermissionMode.BYPASS)
    assert by(played) == [(PermissionOutcome.DENY, DecidedBy.SANDBOX)]
    assert "The settings require a sandbox for commands" in told(played)[0]


def test_the_setting_off_never_uses_one(ws: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_stand_in(monkeypatch, tmp_path)
    settings('{"sandbox": "off"}')
    assert "[]" in told(run(ws, "touch new && echo [$IN_SANDBOX]"))[0]
    settings('{"sandbox": "auto"}')
    assert "[1]" in told(run(ws, "touch new && echo [$IN_SANDBOX]"))[0]
    assert "[]" in told(run(ws, "touch new && echo [$IN_SANDBOX]", sandbox=SandboxMode.OFF))[0]


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_stand_in(monkeypatch, tmp_path)


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("mode", [PermissionMode.DEFAULT, EDIT])
def test_a_blocked_call_may_run_once_outside_if_the_person_says_so(ws: Path, mode: PermissionMode) -> None:
    played = run(ws, BLOCKED, BLOCKED, mode=mode)
    asked = [event for event in played.of(DecisionRequested) if event.payload["by"] == "sandbox"]
    assert len(asked) == 2  # once is once
    assert "The sandbox blocked writing outside" in asked[0].payload["reason"]
    assert asked[0].payload["offers"] == ["once", "deny", "tell", "stop"]
    assert [text.splitlines()[0] for text in told(played)] == ["outside", "outside"]
    assert "Run once outside the sandbox, as the person allowed" in told(played)[0]
    assert (PermissionOutcome.ASK, DecidedBy.SANDBOX) in by(played)
    assert [event.answer for event in played.of(DecisionAnswered)] == ["once"] * 4


@pytest.mark.usefixtures("stand_in")
def test_a_refusal_leaves_the_failed_result_with_the_persons_word(ws: Path) -> None:
    def answer(question: DecisionRequested, session: Session) -> Answer:
        return Deny(note="never there") if question.payload["by"] == "sandbox" else Allow.once()

    (text,) = told(run(ws, BLOCKED, answer=answer))
    assert "(The sandbox blocked writing outside" in text
    assert "never there" in text
    assert "outside\n" not in text


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("mode", [PermissionMode.PLAN, PermissionMode.DONT_ASK, PermissionMode.BYPASS])
def test_in_other_modes_nobody_is_asked_to_leave_the_sandbox(ws: Path, mode: PermissionMode) -> None:
    settings('{"permissions": {"allow": ["bash"], "plan_ceiling": false}}')
    played = run(ws, BLOCKED, mode=mode)
    assert not played.of(DecisionRequested)
    assert "(The sandbox blocked writing outside" in told(played)[0]


@pytest.mark.usefixtures("stand_in")
def test_a_change_to_plan_while_the_question_is_open_is_a_no(ws: Path) -> None:
    def answer(question: DecisionRequested, session: Session) -> Answer | None:
        if question.payload["by"] != "sandbox":
            return Allow.once()
        session.set_mode(PermissionMode.PLAN, cause=ModeCause.KEY)
        return None

    played = run(ws, BLOCKED, answer=answer)
    assert played.of(DecisionAnswered)[-1].answer == "withdrawn"
    assert not told(played)[0].startswith("outside")


@pytest.mark.usefixtures("stand_in")
def test_a_looser_mode_while_the_question_is_open_is_no_yes(ws: Path) -> None:
    def answer(question: DecisionRequested, session: Session) -> Answer | None:
        if question.payload["by"] != "sandbox":
            return Allow.once()
        session.set_mode(PermissionMode.BYPASS, cause=ModeCause.KEY)
        return None

    played = run(ws, BLOCKED, answer=answer)
    assert not told(played)[0].startswith("outside")


@pytest.mark.usefixtures("stand_in")
def test_a_proven_call_that_was_blocked_loses_its_proof_for_the_session(ws: Path) -> None:
    (ws / "list").write_text("cat: x: Read-only file system\n")
    played = run(ws, "cat list missing", "cat list missing", "cat list", mode=PermissionMode.PLAN)
    assert [outcome for _, outcome in played.verdicts] == ["allow", "deny", "allow"]
    assert [outcome for _, outcome in played.calls] == ["failed", "denied", "ok"]


AUTO_ALLOW = '{"sandbox": {"auto_allow": true}}'


@pytest.mark.usefixtures("stand_in")
def test_with_auto_allow_a_command_without_hazard_runs_unasked_in_edit_alone(ws: Path) -> None:
    settings(AUTO_ALLOW)
    never = lambda question, session: Deny()  # noqa: E731
    played = run(ws, "touch new", "echo x > new", mode=EDIT, answer=never)
    assert by(played) == [(PermissionOutcome.ALLOW, DecidedBy.SANDBOX)] * 2
    for mode in (PermissionMode.DEFAULT, PermissionMode.PLAN, PermissionMode.DONT_ASK):
        assert by(run(ws, "touch new", mode=mode, answer=never))[0][0] is not PermissionOutcome.ALLOW


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize(
    "command",
    [
        "python3 -c 1",
        "git -c a.b=c status",
        "touch .vscode",
        "echo x > AGENTS.md",
        "touch /etc/x",
        "$X",
        "echo $(",
        "sh x",
    ],
)
def test_auto_allow_leaves_hazards_and_protected_paths_to_the_person(ws: Path, command: str) -> None:
    settings(AUTO_ALLOW)
    played = run(ws, command, mode=EDIT, answer=lambda question, session: Deny())
    assert by(played)[0][0] is PermissionOutcome.ASK


def test_auto_allow_means_nothing_without_a_sandbox(ws: Path) -> None:
    settings(AUTO_ALLOW)
    played = run(ws, "touch new", mode=EDIT, answer=lambda question, session: Deny())
    assert by(played)[0] == (PermissionOutcome.ASK, DecidedBy.MODE)


@pytest.mark.usefixtures("stand_in")
def test_auto_allow_is_offered_once_after_five_approvals(ws: Path) -> None:
    played = run(ws, *(f"touch new{number}" for number in range(7)), mode=EDIT)
    offers = [event for event in played.of(NoticeRaised) if "run unasked" in event.text]
    assert [event.hint for event in offers] == ["decode settings set sandbox.auto_allow true"]
    before = [event for event in played.events if isinstance(event, ToolCallFinished) and event.seq < offers[0].seq]
    assert len(before) == 4
