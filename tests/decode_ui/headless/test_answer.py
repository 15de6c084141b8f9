"""`decode run --on-ask suspend` and `decode sessions answer`: questions that are answered in another process."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from decode_core.store.database import store_path
from decode_core.store.holding import hold
from decode_ui.command_line import cli
from sessions import write_script

WRITE_AND_ASK = """
- text: "I write."
  calls:
    - {tool: write, args: {path: a.txt, content: "one"}}
    - {tool: ask_user, args: {question: "Which one?", options: [red, blue]}}
- expect: {results: [{tool: write}, {tool: ask_user, contains: blue}]}
  text: "Done."
"""
PLAN = """
- calls: [{tool: exit_plan_mode, args: {title: A plan, plan: "# Steps\\n1. write\\n2. read"}}]
- text: "Done."
"""


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder.resolve()


def decode(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args))


def suspend(tmp_path: Path, script: str = WRITE_AND_ASK, *args: str) -> tuple[str, dict[str, Any]]:
    """Run a script to its first question; the session's id, and what was printed."""
    model = write_script(tmp_path, script)
    done = decode("run", "go", "--model", model, "--on-ask", "suspend", "--output", "json", *args)
    assert done.exit_code == 3, done.stderr
    printed = json.loads(done.stdout)
    assert printed["end"] == "suspended"
    return printed["session_id"], printed


def test_a_suspended_run_exits_with_3_and_prints_the_command_that_answers(tmp_path: Path) -> None:
    """core.md §9: 3 suspended (the command that answers is printed)."""
    model = write_script(tmp_path, WRITE_AND_ASK)
    done = decode("run", "go", "--model", model, "--on-ask", "suspend")
    (row,) = json.loads(decode("sessions", "list", "--json").stdout)
    assert done.exit_code == 3
    assert "suspended: write a.txt" in done.stderr
    assert f"decode sessions answer {row['id']} --question q1 --allow" in done.stderr
    assert not Path("a.txt").exists()


def test_the_printed_commands_answer_one_question_after_the_other(tmp_path: Path) -> None:
    session_id, printed = suspend(tmp_path)
    first = decode(*printed["question"]["answer_with"].split()[1:], "--allow")
    assert first.exit_code == 3
    assert Path("a.txt").read_text() == "one"
    assert "Which one?" in first.stderr
    second = decode("sessions", "answer", session_id, "--choose", "2")
    assert (second.exit_code, second.stdout) == (0, "Done.\n")


def test_without_an_answer_the_question_is_shown_and_stays_open(tmp_path: Path) -> None:
    session_id, _ = suspend(tmp_path)
    shown = decode("sessions", "answer", session_id)
    assert shown.exit_code == 0
    assert "+one" in shown.stdout
    assert "--allow" in shown.stdout
    assert json.loads(decode("sessions", "answer", session_id, "--output", "json").stdout)["id"] == "q1"
    assert not Path("a.txt").exists()


def test_a_denial_reaches_the_model_with_its_note(tmp_path: Path) -> None:
    script = """
    - calls: [{tool: write, args: {path: a.txt, content: "one"}}]
    - {expect: {results: [{tool: write, outcome: denied, contains: "not here"}]}, text: "Fine."}
    """
    session_id, _ = suspend(tmp_path, script)
    done = decode("sessions", "answer", session_id, "--deny", "--note", "not here")
    assert (done.exit_code, done.stdout) == (0, "Fine.\n"), done.stderr
    assert not Path("a.txt").exists()


def test_edited_arguments_are_judged_anew(tmp_path: Path) -> None:
    """core.md §3: an approval may carry edited arguments (validated, re-checked)."""
    Path(".decode").mkdir()
    Path(".decode/settings.json").write_text('{"permissions": {"deny": ["write(secret*)"]}}')
    script = "- calls: [{tool: write, args: {path: a.txt, content: one}}]\n- text: Done.\n"
    session_id, _ = suspend(tmp_path, script)
    edited = json.dumps({"path": "secret.txt", "content": "one"})
    done = decode("sessions", "answer", session_id, "--allow", "--args", edited)
    assert done.exit_code == 0
    assert "denied write secret.txt" in done.stderr
    assert not Path("secret.txt").exists()


def test_two_answers_to_one_question_one_wins_and_the_other_is_told(tmp_path: Path) -> None:
    _, printed = suspend(tmp_path)
    command = [*printed["question"]["answer_with"].split()[1:], "--allow"]
    assert decode(*command).exit_code == 3
    late = decode(*command)
    assert late.exit_code == 1
    assert "q1 was settled before (once" in late.stderr
    assert "q2 waits now: Which one?" in late.stderr


def test_two_processes_that_answer_at_once_one_wins_and_the_other_is_told(tmp_path: Path) -> None:
    """The lock of the session is the kernel's: whoever has it answers, the other one names it and changes nothing."""
    _, printed = suspend(tmp_path)
    argv = [sys.executable, "-m", "decode_ui", *printed["question"]["answer_with"].split()[1:], "--allow"]
    both = [subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    told = [(process.communicate(timeout=60)[1], process.returncode) for process in both]
    assert sorted(code for _, code in told) == [1, 3], told
    (loser,) = [text for text, code in told if code == 1]
    assert "is open in process" in loser or "was settled before" in loser
    shown = decode("sessions", "show", printed["session_id"], "--json")
    events = json.loads(shown.stdout)["events"]
    assert [one["answer"] for one in events if one["type"] == "decision_answered"] == ["once"]
    assert len([one for one in events if one["type"] == "tool_call_finished"]) == 1


def test_a_session_that_is_open_elsewhere_is_not_answered(tmp_path: Path) -> None:
    session_id, _ = suspend(tmp_path)
    with hold(store_path().parent, session_id):
        refused = decode("sessions", "answer", session_id, "--allow")
    assert refused.exit_code == 1
    assert "is open in process" in refused.stderr


def test_a_file_that_changed_meanwhile_is_asked_about_anew(tmp_path: Path) -> None:
    Path("a.txt").write_text("old")
    script = """
    - calls: [{tool: read, args: {path: a.txt}}]
    - calls: [{tool: write, args: {path: a.txt, content: "one"}}]
    - text: Done.
    """
    session_id, _ = suspend(tmp_path, script)
    Path("a.txt").write_text("newer")
    done = decode("sessions", "answer", session_id, "--question", "q1", "--allow")
    assert done.exit_code == 3
    assert "--question q2 --allow" in done.stderr
    assert Path("a.txt").read_text() == "newer"


def test_a_prompt_does_not_pass_a_question_that_waits(tmp_path: Path) -> None:
    session_id, _ = suspend(tmp_path)
    refused = decode("run", "and now?", "--resume", session_id)
    assert refused.exit_code == 3
    assert f"decode sessions answer {session_id}" in refused.stderr
    hold(store_path().parent, session_id).release()


@pytest.mark.parametrize(
    ("answer", "word", "mode"),
    [
        (["--allow"], "approve", "edit"),
        (["--allow", "--ask-edits", "--steps", "2"], "approve_ask", "default"),
        (["--refine", "--note", "smaller"], "refine", "plan"),
        (["--deny"], "reject", "plan"),
    ],
)
def test_a_plan_is_reviewed_from_the_command_line(tmp_path: Path, answer: list[str], word: str, mode: str) -> None:
    session_id, _ = suspend(tmp_path, PLAN, "--mode", "plan")
    assert "1. write" in decode("sessions", "answer", session_id).stdout
    decode("sessions", "answer", session_id, *answer)
    row = json.loads(decode("sessions", "show", session_id, "--json").stdout)
    (decided,) = [event for event in row["events"] if event["type"] == "plan_decided"]
    assert (decided["answer"], row["mode"]) == (word, mode)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--allow", "--deny"], "choose one answer"),
        (["--choose", "red"], "no answer to this question"),
        (["--allow", "--args", "["], "no JSON"),
        (["--allow", "--args", "[]"], "object"),
        (["--allow", "--question", "q9"], "no question 'q9'"),
    ],
)
def test_an_answer_that_does_not_fit_changes_nothing(tmp_path: Path, args: list[str], says: str) -> None:
    session_id, _ = suspend(tmp_path)
    refused = decode("sessions", "answer", session_id, *args)
    assert refused.exit_code in (1, 2)
    assert says in refused.stderr
    assert decode("sessions", "answer", session_id, "--output", "json").exit_code == 0


def test_a_session_without_a_question_says_so(tmp_path: Path) -> None:
    decode("run", "go", "--model", write_script(tmp_path, "- text: Done.\n"))
    (row,) = json.loads(decode("sessions", "list", "--json").stdout)
    done = decode("sessions", "answer", row["id"], "--allow")
    assert done.exit_code == 1
    assert "waits for an answer" in done.stderr


def test_the_first_ask_fails_the_run_where_that_was_chosen(tmp_path: Path) -> None:
    model = write_script(tmp_path, WRITE_AND_ASK)
    done = decode("run", "go", "--model", model, "--on-ask", "fail")
    assert done.exit_code == 1
    assert "--on-ask fail" in done.stderr
