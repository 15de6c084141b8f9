"""The command line as a person meets it: sentences, exit codes, what is imported, and valid streams."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from decode_core.events import DecisionRequested, TurnFinished, parse_event
from sessions import write_script

WRITE = """
- text: I will write.
  calls: [{tool: write, args: {path: b.txt, content: x}}]
- text: Done.
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "README.md").write_text("retries and retries\n")
    return folder


def decode(*args: str, cwd: Path, stdin: str | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "decode_ui", *args],
        cwd=cwd,
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **env},
        check=False,
    )


def assert_one_sentence(run: subprocess.CompletedProcess[str], code: int, *says: str) -> None:
    assert run.returncode == code, run.stderr
    assert "Traceback" not in run.stderr
    assert run.stdout == ""
    assert len(run.stderr.strip().splitlines()) == 1, run.stderr
    for word in says:
        assert word in run.stderr


def test_a_lone_version_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['decode', '--version']\n"
        "from decode_ui.cli import main; main()\n"
        "heavy = {'click', 'textual', 'pydantic_ai', 'pydantic', 'importlib.metadata'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("decode ")


def test_headless_commands_never_import_textual(workspace: Path) -> None:
    code = (
        "import sys; from decode_ui.command_line import run\n"
        "try: run(['permissions', 'check', 'read', 'README.md'])\n"
        "except SystemExit as done: assert done.code == 0\n"
        "assert not {'textual', 'rich', 'pydantic_ai'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=workspace, capture_output=True, check=True)


def test_the_core_can_be_imported_without_the_interface_and_without_the_model_library() -> None:
    code = (
        "import sys, decode_core; decode_core.open_session; decode_core.Session\n"
        "assert not {'textual', 'rich', 'click', 'pydantic_ai'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (["run", "--agent", "biuld", "x"], 2, ["biuld", "build"]),
        (["run", "--mode", "yolo", "x"], 2, ["yolo", "default, plan, edit"]),
        (["run", "--model", "nonsense", "x"], 2, ["nonsense", "offline"]),
        (["run", "--model", "script:none.yaml", "x"], 2, ["none.yaml"]),
        (["run", "--model", "nowhere:gpt", "x"], 2, ["nowhere:gpt"]),
        (["run", "--model", "openai:gpt-5", "x"], 1, ["OPENAI_API_KEY"]),
        (["run", "--model", "anthropic:claude", "x"], 1, ["pip install 'decode[anthropic]'"]),
        (["run", "-C", "missing", "x"], 1, ["missing", "does not exist"]),
        (["run", "-C", "README.md", "x"], 1, ["not a folder"]),
        (["run", ""], 2, ["empty"]),
        (["run", "--nonsense"], 2, ["--nonsense"]),
        (["permissions", "check", "read", "x", "--deny", "read("], 2, ["malformed"]),
        ([], 1, ["needs a terminal", "decode run"]),
        (["."], 1, ["needs a terminal"]),
    ],
)
def test_faults_are_one_sentence_with_the_right_code(
    workspace: Path, args: list[str], code: int, says: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert_one_sentence(decode(*args, cwd=workspace), code, *says)


def test_an_unreadable_folder_is_one_sentence(workspace: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    locked = workspace / "locked"
    locked.mkdir(mode=0o000)
    assert_one_sentence(decode("run", "-C", "locked", "x", cwd=workspace), 1, "cannot be read")


def test_stream_json_is_one_valid_event_a_line(workspace: Path) -> None:
    model = write_script(workspace.parent, WRITE)
    run = decode("run", "--model", model, "--mode", "edit", "--output", "stream-json", "go", cwd=workspace)
    assert run.returncode == 0, run.stderr
    events = [parse_event(line) for line in run.stdout.splitlines()]
    assert [event.type for event in events][:2] == ["session_opened", "turn_started"]
    assert isinstance(events[-1], TurnFinished)
    assert not any(isinstance(event, DecisionRequested) for event in events)
    assert (workspace / "b.txt").read_text() == "x"


def test_headless_refuses_what_would_ask_and_a_denial_does_not_change_the_exit_code(workspace: Path) -> None:
    model = write_script(workspace.parent, WRITE)
    run = decode("run", "--model", model, "--output", "json", "go", cwd=workspace)
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout)
    assert result["text"] == "Done."
    assert [denial["tool"] for denial in result["denials"]] == ["write"]
    assert not (workspace / "b.txt").exists()


@pytest.mark.parametrize(
    ("script", "args", "code"),
    [
        (WRITE, ["--mode", "default", "--on-ask", "fail"], 1),
        (WRITE, ["--mode", "default", "--on-ask", "deny"], 0),
        (WRITE, ["--mode", "edit", "--max-turns", "1"], 4),
        ("- expect: {tools_include: [nothing]}\n  text: x", [], 1),
        ("- error: {status: 401}", [], 1),
    ],
)
def test_exit_codes(workspace: Path, script: str, args: list[str], code: int) -> None:
    run = decode("run", "--model", write_script(workspace.parent, script), *args, "go", cwd=workspace)
    assert run.returncode == code, run.stderr
    assert "Traceback" not in run.stderr


def test_text_output_carries_results_only_and_the_prompt_may_come_from_stdin(workspace: Path) -> None:
    model = write_script(
        workspace.parent, "- text: |\n    one\n    two\n  calls: [{tool: nope, args: {}}]\n- text: three"
    )
    run = decode("run", "--model", model, "-", cwd=workspace, stdin="go")
    assert run.stdout == "one\ntwo\nthree\n"
    assert "nope" in run.stderr


def test_hostile_answers_reach_the_terminal_inert(workspace: Path) -> None:
    model = write_script(workspace.parent, '- text: "a\\e]0;title\\a\\e[2J\\u202eb"')
    run = decode("run", "--model", model, "go", cwd=workspace)
    assert "\x1b" not in run.stdout
    assert "␛[2J" in run.stdout


def test_the_offline_model_changes_a_real_file_in_edit_mode(workspace: Path) -> None:
    run = decode("run", "--mode", "edit", "replace retries with attempts in README.md", cwd=workspace)
    assert run.returncode == 0, run.stderr
    assert (workspace / "README.md").read_text() == "attempts and attempts\n"


def test_in_plan_the_same_request_is_refused_with_the_reason(workspace: Path) -> None:
    run = decode("run", "--mode", "plan", "replace retries with attempts in README.md", cwd=workspace)
    assert run.returncode == 0
    assert "plan mode" in run.stdout + run.stderr
    assert (workspace / "README.md").read_text() == "retries and retries\n"


def test_a_broken_settings_file_is_told_with_its_line_and_loses_nothing(workspace: Path) -> None:
    from decode_core.config import config_dir, make_private

    file = make_private(config_dir()) / "settings.json"
    file.write_text('{\n  "permissions": {"deny": ["bash(rm *)",]}\n}\n')
    before = file.read_text()
    run = decode("run", "--model", write_script(workspace.parent, WRITE), "--mode", "bypass", "go", cwd=workspace)
    assert run.returncode == 0
    assert "settings.json:2" in run.stderr
    assert not (workspace / "b.txt").exists()
    assert file.read_text() == before


def test_check_explains_a_verdict_step_by_step(workspace: Path) -> None:
    run = decode("permissions", "check", "bash", "rm -rf x", "--deny", "bash(rm *)", "--mode", "bypass", cwd=workspace)
    assert run.returncode == 0
    assert run.stdout.startswith("deny  bash rm -rf x\n")
    assert "bash(rm *)" in run.stdout
    row = json.loads(decode("permissions", "check", "write", "a.md", "--json", cwd=workspace).stdout)
    assert (row["outcome"], row["by"], row["kind"]) == ("ask", "mode", "file_edit")


def test_batch_answers_line_by_line_and_stops_at_a_bad_line_with_its_number(workspace: Path) -> None:
    lines = [
        {"id": "1", "tool": "write", "args": {"path": "a", "content": ""}, "mode": "edit", "rules": {}},
        {"id": "2", "tool": "bash", "args": {"command": "rm x"}, "mode": "bypass", "rules": {"deny": ["bash(rm *)"]}},
        {"id": "3", "tool": "nope", "args": {}, "mode": "default", "rules": {}},
        {"id": "4", "tool": "read", "args": {}, "mode": "default", "rules": {}},
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    run = decode("permissions", "check", "--batch", "-", cwd=workspace, stdin=text)
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert [(row["id"], row["outcome"]) for row in rows] == [
        ("1", "allow"),
        ("2", "deny"),
        ("3", "not_found"),
        ("4", "invalid"),
    ]
    assert set(rows[0]) == {"id", "outcome", "by", "rule", "kind", "effective_kind", "subject", "reason"}
    assert run.returncode == 0
    bad = decode("permissions", "check", "--batch", "-", cwd=workspace, stdin=text + "nonsense\n")
    assert bad.returncode == 2
    assert "line 5" in bad.stderr
    assert len(bad.stdout.splitlines()) == 4
