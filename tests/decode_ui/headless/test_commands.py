"""`decode settings`, `agents`, `models`, `doctor`, `completion`: what they print and how they exit."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from decode_core.catalog.errors import UnknownAgent
from decode_core.config import config_dir, make_private
from decode_ui.command_line import cli

BROKEN_AGENT = "---\nname: x\ndescription: d\ntools: [gerp]\nmode: default\n---\nPrompt.\n"


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def decode(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args))


def test_settings_list_shows_every_key_with_its_source(workspace: Path) -> None:
    decode("settings", "set", "limits.max_turns", "50")
    rows = {row["key"]: row for row in json.loads(decode("settings", "list", "--json").stdout)}
    assert rows["limits.max_turns"] == {"key": "limits.max_turns", "value": 50, "source": "user"}
    assert rows["limits.sleep_max_s"]["source"] == "default"
    assert "permissions.deny" in rows
    assert "limits.max_turns" in decode("settings", "list").stdout


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [("theme", "light", '"light"'), ("memory", "false", "false"), ("directories", '["/tmp"]', '["/tmp"]')],
)
def test_what_is_set_can_be_got_and_unset(key: str, value: str, shown: str) -> None:
    before = decode("settings", "get", key).stdout
    assert decode("settings", "set", key, value).exit_code == 0
    assert decode("settings", "get", key).stdout.strip() == shown
    assert decode("settings", "set", key, "--unset").exit_code == 0
    assert decode("settings", "get", key).stdout == before


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (["get", "limit.max_turns"], 2, "there is no setting"),
        (["set", "limits.max_turns", "many"], 1, "max_turns"),
        (["set", "mode", "bypass"], 1, "bypass"),
        (["set", "theme"], 2, "VALUE"),
        (["set", "--project", "sandbox.mode", "off"], 1, "project"),
    ],
)
def test_faulty_settings_are_refused_and_nothing_is_written(args: list[str], code: int, says: str) -> None:
    result = decode("settings", *args)
    assert result.exit_code == code
    assert says in result.output
    assert not (config_dir() / "settings.json").exists()


def test_a_key_that_a_project_may_not_set_is_ignored_with_a_warning(workspace: Path) -> None:
    (workspace / ".decode").mkdir()
    (workspace / ".decode" / "settings.json").write_text('{\n "permissions": {"plan_ceiling": false}\n}')
    result = decode("settings", "list")
    assert "settings.json:2: permissions.plan_ceiling" in result.stderr
    assert json.loads(decode("settings", "get", "permissions.plan_ceiling").stdout) is True


def test_the_schema_is_json_schema() -> None:
    schema = json.loads(decode("settings", "schema").stdout)
    assert schema["properties"]["limits"]
    assert "bypass" not in json.dumps(schema["$defs"]["PermissionMode"]["enum"])


def test_edit_opens_the_editor_and_checks_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\necho "{" > "$1"\n')
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    result = decode("settings", "edit")
    assert result.exit_code == 1
    assert "broken" in result.output
    monkeypatch.delenv("VISUAL")
    monkeypatch.delenv("EDITOR", raising=False)
    assert "there is no editor" in decode("settings", "edit").output


def test_agents_are_listed_and_shown() -> None:
    listed = json.loads(decode("agents", "list", "--json").stdout)
    assert {row["name"] for row in listed} == {"build", "plan", "explore", "code-reviewer"}
    assert "code-reviewer" in decode("agents", "list").stdout
    shown = decode("agents", "show", "plan").stdout
    assert "mode         plan" in shown
    assert "exit_plan_mode" in shown


def test_validate_exits_1_with_a_place_a_line_so_that_it_serves_as_a_hook(workspace: Path) -> None:
    file = workspace / "x.md"
    file.write_text(BROKEN_AGENT)
    result = decode("agents", "validate", str(file))
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{file}:4:9: ")
    assert "did you mean" in result.stdout
    assert json.loads(decode("agents", "validate", "--json", str(file)).stdout)[0]["line"] == 4
    file.write_text(BROKEN_AGENT.replace("gerp", "grep"))
    assert decode("agents", "validate", str(file)).exit_code == 0


def test_a_new_agent_is_written_checked_and_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = decode("agents", "new", "release")
    assert (made.exit_code, made.stdout) == (0, f"{tmp_path}/.decode/agents/release.md\n")
    assert decode("agents", "validate").exit_code == 0
    again = decode("agents", "new", "release")
    assert again.exit_code == 1
    assert "is there already; choose another name" in again.stderr
    own = json.loads(decode("agents", "new", "mine", "--from", "code-reviewer", "--layer", "user", "--json").stdout)
    assert own == {"name": "mine", "layer": "user", "path": str(config_dir() / "agents" / "mine.md")}
    assert "mine" in decode("agents", "list").stdout
    assert decode("agents", "show", "mine", "--json").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(["Bad Name"], "a-z, 0-9 and -"), (["x", "--layer", "z"], "z")],
)
def test_a_new_agent_that_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert isinstance(decode("agents", "new", "x", "--from", "bild").exception, UnknownAgent)
    result = decode("agents", "new", *arguments)
    assert (result.exit_code, says in result.stderr) == (2, True)
    assert not (tmp_path / ".decode").exists()


def test_an_agent_that_overrides_another_one_says_so() -> None:
    assert decode("agents", "new", "plan", "--from", "plan", "--layer", "user").exit_code == 0
    assert "(overrides built-in)" in decode("agents", "list").stdout
    (mine,) = [row for row in json.loads(decode("agents", "list", "--json").stdout) if row["name"] == "plan"]
    assert (mine["layer"], mine["overrides"]) == ("user", ["built-in"])


def test_a_broken_agent_file_of_the_person_stops_nothing(workspace: Path) -> None:
    folder = make_private(config_dir() / "agents")
    (folder / "x.md").write_text(BROKEN_AGENT)
    result = decode("agents", "list")
    assert result.exit_code == 0
    assert "x.md:4:9" in result.stderr
    assert "build" in result.stdout


def test_models_say_what_each_still_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {row["name"]: row["state"] for row in json.loads(decode("models", "--json").stdout)}
    assert rows["openai:gpt-5"] == "set OPENAI_API_KEY"
    assert "no network" in rows["offline"]
    monkeypatch.setenv("OPENAI_API_KEY", "sk")
    assert "openai:gpt-5" in decode("models").stdout
    assert dict(line.split(maxsplit=1) for line in decode("models").stdout.splitlines())["openai:gpt-5"] == "ready"


def test_doctor_names_folders_log_and_faults(workspace: Path) -> None:
    rows = json.loads(decode("doctor", "--json").stdout)
    names = {row["name"] for row in rows}
    assert {"decode", "workspace", "config", "data", "state", "log", "settings", "agents", "ripgrep", "git"} <= names
    told = {row["name"]: row["text"] for row in rows}
    assert told["sandbox"] == "Commands run without a sandbox: tests run without one."
    (make_private(config_dir()) / "settings.json").write_text("{")
    broken = decode("doctor")
    assert broken.exit_code == 1
    assert "settings.json:1" in broken.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_for_decode(shell: str) -> None:
    assert "_DECODE_COMPLETE" in decode("completion", shell).stdout


def test_completion_knows_commands_and_modes(monkeypatch: pytest.MonkeyPatch) -> None:
    from click.shell_completion import ShellComplete

    complete = ShellComplete(cli, {}, "decode", "_DECODE_COMPLETE")
    assert {item.value for item in complete.get_completions([], "")} >= {"run", "permissions", "settings"}
    assert [item.value for item in complete.get_completions(["run", "--mode"], "pl")] == ["plan"]
