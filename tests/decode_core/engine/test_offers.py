"""Which answers a question offers, and what each keeps (permissions.md §3.2 and §7, keys.md §5.2), in real sessions."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from decode_core.config import config_dir
from decode_core.decisions import Allow, AllowScope, Answer, Deny, DenyScope
from decode_core.events import (
    DecisionAnswered,
    DecisionRequested,
    ModeCause,
    ModeChanged,
    NoticeRaised,
    PermissionDecided,
    TurnFinished,
)
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome
from decode_core.permissions.rules import RuleList, RuleSource, parse_rule
from decode_core.session import Session
from decode_core.settings.files import user_settings_file
from sessions import Played, play


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    root = tmp_path / "ws"
    root.mkdir()
    return root


def script(*calls: str) -> str:
    return "\n".join([*(f"- calls: [{call}]" for call in calls), "- text: done"])


def write(path: str) -> str:
    return f"{{tool: write, args: {{path: {path}, content: x}}}}"


def bash(command: str) -> str:
    return f"{{tool: bash, args: {{command: {json.dumps(command)}}}}}"


def read(path: str) -> str:
    return f"{{tool: read, args: {{path: {path}}}}}"


def answering(*answers: Answer) -> Callable[[DecisionRequested, Session], Answer]:
    left = list(answers)

    def answer(question: DecisionRequested, session: Session) -> Answer:
        return left.pop(0) if left else Deny()

    return answer


def offered(played: Played, number: int = 0) -> list[str]:
    names: list[str] = played.of(DecisionRequested)[number].payload["offers"]
    return [name for name in names if name not in ("deny", "tell", "stop")]


def stored(played: Played) -> dict[str, Any]:
    found: dict[str, Any] = played.of(DecisionRequested)[0].payload["stores"]
    return found


def settings(workspace: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((workspace / ".decode" / "settings.json").read_text())["permissions"]
    return found


def test_an_edit_offers_everything(workspace: Path) -> None:
    (workspace / "src").mkdir()
    played = play(workspace, script(write("src/new.py")), answer=answering(Deny()))
    assert offered(played) == ["once", "session", "always", "pattern", "mode", "edit", "never"]
    assert stored(played)["always"]["rule"] == "write(src/new.py)"
    assert stored(played)["always"]["note"] == "any change of this file"
    assert stored(played)["pattern"]["rules"] == ["write(src/**)", "write(src/*.py)", "write(src/new.py)"]
    assert stored(played)["never"] == {
        "rule": "write(src/new.py)",
        "list": "deny",
        "file": ".decode/settings.json",
        "layer": "project",
        "note": "any change of this file",
    }


def test_a_command_offers_no_mode(workspace: Path) -> None:
    played = play(workspace, script(bash("touch a b")), answer=answering(Deny()))
    assert offered(played) == ["once", "session", "always", "pattern", "edit", "never"]


def test_a_command_with_a_hazard_can_only_be_kept_literally(workspace: Path) -> None:
    played = play(workspace, script(bash("find . -name x -delete")), answer=answering(Deny()))
    assert stored(played)["pattern"]["rules"] == ["bash(find . -name x -delete)"]


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (write(".decode/settings.json"), ["once", "edit", "never"]),
        (write(".git/config"), ["once", "edit", "never"]),
        (write(".husky/pre-commit"), ["once", "edit", "never"]),
        (write(".mcp.json"), ["once", "edit", "never"]),
        (write(".github/workflows/ci.yml"), ["once", "edit", "never"]),
        (write("AGENTS.md"), ["once", "session", "edit", "never"]),
        (read(".env"), ["once", "session", "edit", "never"]),
        (bash("cat .env"), ["once", "edit", "never"]),
    ],
)
def test_a_protected_resource_offers_once_and_this_path_where_that_may_last(
    workspace: Path, call: str, names: list[str]
) -> None:
    (workspace / ".env").write_text("KEY=1")
    played = play(workspace, script(call), answer=answering(Deny()))
    assert offered(played) == names


def test_an_ask_rule_leaves_only_once(workspace: Path) -> None:
    file = user_settings_file()
    file.parent.mkdir(parents=True)
    file.write_text('{"permissions": {"ask": ["bash(touch *)"]}}')
    played = play(workspace, script(bash("touch a")), answer=answering(Deny()))
    assert offered(played) == ["once", "edit", "never"]


def test_for_the_session_holds_over_turns_and_modes_and_no_other_subject(workspace: Path) -> None:
    # peers.md §3, case 32
    calls = script(bash("touch a"), bash("touch a"), bash("touch b"))
    responses = f"{calls}\n{calls}"

    def hook(event: object, session: Session) -> None:
        if isinstance(event, DecisionAnswered) and event.answer == "denied":
            session.set_mode(PermissionMode.EDIT)

    played = play(workspace, responses, prompts=("one", "two"), answer=answering(Allow(AllowScope.SESSION)), hook=hook)
    assert [question.payload["subject"] for question in played.of(DecisionRequested)] == [
        "touch a",
        "touch b",
        "touch b",
    ]
    repeated = [event for event in played.of(PermissionDecided) if event.subject == "touch a"][1:]
    assert {(event.outcome, event.by) for event in repeated} == {(PermissionOutcome.ALLOW, DecidedBy.REMEMBERED)}
    assert played.of(DecisionAnswered)[0].answer == "session"
    assert not (workspace / ".decode").exists()


def test_this_session_this_path_opens_a_secret_for_this_tool_alone(workspace: Path) -> None:
    (workspace / ".env").write_text("KEY=1")
    (workspace / ".env.local").write_text("KEY=2")
    calls = script(read(".env"), read(".env"), read(".env.local"), "{tool: grep, args: {pattern: KEY, path: .env}}")
    played = play(workspace, calls, answer=answering(Allow(AllowScope.SESSION)))
    assert [question.payload["subject"] for question in played.of(DecisionRequested)] == [".env", ".env.local", ".env"]


def test_an_opened_path_that_became_a_link_elsewhere_is_asked_about_again(workspace: Path) -> None:
    secret, other = workspace / ".env", workspace.parent / "other.env"
    secret.write_text("KEY=1")
    other.write_text("KEY=2")

    def hook(event: object, session: Session) -> None:
        if isinstance(event, TurnFinished) and not secret.is_symlink():
            secret.unlink()
            secret.symlink_to(other)

    twice = f"{script(read('.env'))}\n{script(read('.env'))}"
    answers = answering(Allow(AllowScope.SESSION))
    played = play(workspace, twice, prompts=("one", "two"), answer=answers, hook=hook)
    assert len(played.of(DecisionRequested)) == 2


def test_a_folder_outside_can_be_added_for_reading_and_secrets_in_it_still_ask(
    workspace: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "lib"
    outside.mkdir()
    (outside / "a.txt").write_text("a")
    (outside / "b.txt").write_text("b")
    (outside / ".env").write_text("K=1")
    calls = script(
        read(str(outside / "a.txt")), read(str(outside / "b.txt")), read(str(outside / ".env")), write(f"{outside}/c")
    )
    played = play(workspace, calls, answer=answering(Allow(AllowScope.FOLDER)))
    assert "folder" in offered(played)
    assert stored(played)["folder"]["folder"] == str(outside)
    asked = [Path(question.payload["subject"]).name for question in played.of(DecisionRequested)]
    assert asked == ["a.txt", ".env", "c"]
    assert played.calls[:2] == [("read", "ok"), ("read", "ok")]
    assert played.of(DecisionAnswered)[0].answer == "session"


def test_a_pattern_is_kept_where_the_person_said(workspace: Path) -> None:
    answer = Allow(AllowScope.ALWAYS, rule="bash(touch *)", place=RuleSource.USER)
    played = play(workspace, script(bash("touch a x"), bash("touch b y")), answer=answering(answer))
    assert len(played.of(DecisionRequested)) == 1
    assert json.loads(user_settings_file().read_text())["permissions"]["allow"] == ["bash(touch *)"]
    assert not (workspace / ".decode").exists()


@pytest.mark.parametrize("rule", ["bash", "bash(*)", "bash(rm *)", "bash(touch", "edit(touch *)"])
def test_a_pattern_that_does_not_fit_the_call_is_told_and_counts_as_once(workspace: Path, rule: str) -> None:
    played = play(workspace, script(bash("touch a")), answer=answering(Allow(AllowScope.ALWAYS, rule=rule)))
    assert played.calls == [("bash", "ok")]
    assert any("Nothing was stored" in event.text and "once" in event.text for event in played.of(NoticeRaised))
    assert not (workspace / ".decode").exists()


def test_allow_and_mode_edit_changes_the_mode_after_the_call_was_approved(workspace: Path) -> None:
    played = play(workspace, script(write("a.txt"), write("b.txt")), answer=answering(Allow(AllowScope.EDITS)))
    assert len(played.of(DecisionRequested)) == 1
    assert played.calls == [("write", "ok"), ("write", "ok")]
    change = played.of(ModeChanged)[-1]
    assert (change.from_mode, change.to_mode, change.cause) == (
        PermissionMode.DEFAULT,
        PermissionMode.EDIT,
        ModeCause.KEY,
    )
    assert played.of(DecisionAnswered)[0].answer == "once"


def test_always_deny_stores_a_deny_rule_that_holds_at_once(workspace: Path) -> None:
    answer = Deny(scope=DenyScope.ALWAYS)
    played = play(workspace, script(bash("touch a"), bash("sudo touch a")), answer=answering(answer))
    assert settings(workspace) == {"deny": ["bash(touch a)"]}
    assert len(played.of(DecisionRequested)) == 1
    last = played.of(PermissionDecided)[-1]
    assert (last.outcome, last.by) == (PermissionOutcome.DENY, DecidedBy.RULE)
    assert played.of(DecisionAnswered)[0].answer == "denied"


def test_a_refusal_that_cannot_be_stored_is_told_and_the_call_is_refused(workspace: Path) -> None:
    (workspace / ".decode").write_text("a file where the folder should be")
    played = play(workspace, script(bash("touch a")), answer=answering(Deny(scope=DenyScope.ALWAYS)))
    assert played.calls == [("bash", "denied")]
    assert any("was not stored" in event.text and "refused once" in event.text for event in played.of(NoticeRaised))


def test_always_counts_under_an_agent_with_rules_of_its_own(workspace: Path) -> None:
    # peers.md §3, cases 27 and 28
    file = config_dir() / "agents" / "release.md"
    file.parent.mkdir(parents=True)
    keys = "name: release\ndescription: Releases.\ntools: [bash]\nmode: default\nask: [bash(git push *)]"
    file.write_text(f"---\n{keys}\n---\nRelease it.\n")
    calls = script(bash("touch a"))
    played = play(workspace, calls, answer=answering(Allow.always()), agent="release")
    assert len(played.of(DecisionRequested)) == 1
    again = play(workspace, calls, answer=answering(Deny()), agent="release")
    assert again.of(DecisionRequested) == []
    assert again.calls == [("bash", "ok")]
    other = workspace.parent / "other"
    other.mkdir()
    assert len(play(other, calls, answer=answering(Deny())).of(DecisionRequested)) == 1


@pytest.mark.parametrize(("in_list", "outcome"), [(RuleList.ALLOW, "ok"), (RuleList.DENY, "denied")])
def test_a_rule_that_the_person_writes_settles_the_open_question(
    workspace: Path, in_list: RuleList, outcome: str
) -> None:
    # permissions.md §2, "While a question is open"
    def write_rule(question: DecisionRequested, session: Session) -> None:
        session.rule_book.store(in_list, "bash(touch *)", RuleSource.SESSION)

    played = play(workspace, script(bash("touch a")), answer=write_rule)
    assert played.calls == [("bash", outcome)]
    assert [answer.answer for answer in played.of(DecisionAnswered)] == ["withdrawn"]
    asked, settled = played.of(PermissionDecided)
    assert asked.question_id == settled.question_id == played.of(DecisionRequested)[0].id


def test_a_rule_that_arrives_by_itself_runs_nothing(workspace: Path) -> None:
    # permissions.md §2: a settings reload never turns an open question into a run
    def reload_then_deny(question: DecisionRequested, session: Session) -> Answer:
        state = session._state
        state.gate.add_rule(parse_rule("bash(touch *)", RuleList.ALLOW, RuleSource.USER))
        state._policy_changed(persons_act=False)
        return Deny()

    played = play(workspace, script(bash("touch a")), answer=reload_then_deny)
    assert played.calls == [("bash", "denied")]


def test_a_verdict_is_recorded_once_with_its_steps_and_the_answer_names_the_question(workspace: Path) -> None:
    # permissions.md §2, step 11
    played = play(workspace, script(bash("touch a")), answer=answering(Allow.once()))
    (record,) = played.of(PermissionDecided)
    (answer,) = played.of(DecisionAnswered)
    assert answer.id == record.question_id and answer.call_id == record.call_id
    assert record.steps[0] == "bash is a tool of kind other" and record.steps[-1] == "mode default: ask"


@pytest.mark.parametrize("command", ["for f in a b; do\n  touch $f\ndone", "touch a\ntouch b"])
def test_a_command_of_several_lines_is_kept_whole_and_has_no_pattern_to_edit(workspace: Path, command: str) -> None:
    # peers.md §3, case 29
    played = play(workspace, script(bash(command), bash(command)), answer=answering(Allow.always()))
    assert "pattern" not in offered(played)
    assert len(played.of(DecisionRequested)) == 1
    assert settings(workspace)["allow"][0].startswith("bash(")
