"""`decode permissions list|add|remove|import`: where each rule stands, and nothing stored unseen."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from decode_core.permissions.rules import RuleList
from decode_core.settings.files import project_settings_file, user_settings_file
from decode_core.settings.grants import GrantedRules
from decode_core.trust.folder import Standing, look_at
from decode_ui.command_line import cli


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def decode(*args: str, answer: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["permissions", *args], input=answer)


def bring(workspace: Path, **lists: list[str]) -> Path:
    file = project_settings_file(workspace)
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"permissions": lists}, indent=1))
    return file


def foreign(folder: Path, **lists: Any) -> str:
    file = folder / ".claude" / "settings.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"permissions": lists}))
    return str(file)


def test_list_shows_every_layer_with_file_and_line(workspace: Path) -> None:
    decode("add", "deny", "read(.env)", "--user")
    decode("add", "allow", "bash(make *)")
    shown = decode("list").stdout
    assert f"{user_settings_file()}  (yours)\n  deny      read(.env)  :4" in shown
    assert f"{project_settings_file(workspace)}  (this project's)\n  allow     bash(make *)  :4" in shown
    assert "(of the agent build)\n  readonly  bash" in shown
    rows = json.loads(decode("list", "--json").stdout)
    assert rows[0] == {
        "list": "deny",
        "rule": "read(.env)",
        "source": "user",
        "file": str(user_settings_file()),
        "line": 4,
        "in_force": True,
    }


def test_list_shows_apart_what_an_untrusted_folder_wants(workspace: Path) -> None:
    bring(workspace, allow=["bash(curl *)"], deny=["read(x)"])
    GrantedRules().add(project_settings_file(workspace), RuleList.ALLOW, "bash(make)")
    rows = {row["rule"]: row for row in json.loads(decode("list", "--json").stdout)}
    assert rows["bash(curl *)"]["in_force"] is False
    assert rows["read(x)"]["in_force"] is True
    assert rows["bash(make)"]["file"] == str(GrantedRules().file)
    assert "ignored until you trust the folder" in decode("list").stdout


def test_add_says_where_and_is_idempotent(workspace: Path) -> None:
    file = project_settings_file(workspace)
    assert decode("add", "allow", "bash(make *)").stdout == f"{file}:4: allow bash(make *) added\n"
    before = file.read_bytes()
    assert decode("add", "allow", "bash(make *)").stdout == f"{file}:4: allow bash(make *) was there already\n"
    assert file.read_bytes() == before
    assert look_at(workspace).standing is Standing.TRUSTED, "our own write keeps the folder trusted"


def test_add_for_the_person_is_private(workspace: Path) -> None:
    row = json.loads(decode("add", "deny", "bash(rm *)", "--user", "--json").stdout)
    assert row == {"list": "deny", "rule": "bash(rm *)", "file": str(user_settings_file()), "line": 4, "changed": True}
    assert stat.S_IMODE(user_settings_file().stat().st_mode) == 0o600


def test_add_in_an_untrusted_folder_leaves_its_file_alone(workspace: Path) -> None:
    file = bring(workspace, allow=["bash(curl *)"])
    before = file.read_bytes()
    assert str(GrantedRules().file) in decode("add", "allow", "bash(make)").stdout
    assert file.read_bytes() == before


@pytest.mark.parametrize("rule", ["bash(", "", "a b", "bash()"])
def test_what_is_no_rule_is_a_usage_error(rule: str) -> None:
    result = decode("add", "allow", rule)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_a_tool_that_nobody_knows_is_a_warning(workspace: Path) -> None:
    result = decode("add", "deny", "bsh(rm *)")
    assert result.exit_code == 0
    assert "names no known tool; did you mean bash?" in result.stderr


def test_a_broken_file_is_never_overwritten(workspace: Path) -> None:
    file = user_settings_file()
    file.parent.mkdir(parents=True)
    file.write_text('{"permissions": ')
    result = decode("add", "deny", "bash(rm *)", "--user")
    assert result.exit_code == 1
    assert "was not changed" in result.output
    assert file.read_text() == '{"permissions": '


def test_remove_takes_it_out_wherever_it_stands(workspace: Path) -> None:
    decode("add", "allow", "bash(make)", "--user")
    decode("add", "allow", "bash(make)")
    told = decode("remove", "allow", "bash(make)").stdout
    assert told.count("removed") == 2
    missing = decode("remove", "allow", "bash(make)")
    assert missing.exit_code == 1
    assert "there is no allow rule bash(make)" in missing.output
    decode("add", "allow", "bash(make)", "--user")
    assert decode("remove", "allow", "bash(make)", "--project").exit_code == 1


def test_import_shows_each_rule_and_stores_nothing_without_a_word(workspace: Path) -> None:
    file = foreign(workspace, allow=["Bash(npm run test:*)", "WebSearch"], deny=["Read(./.env)"])
    result = decode("import", file)
    assert result.exit_code == 1
    assert "allow  Bash(npm run test:*)  → bash(npm run test), bash(npm run test *)" in result.stdout
    assert "allow  WebSearch             ✗ left out: decode has no tool like WebSearch" in result.stdout
    assert "nothing was stored" in result.stderr
    assert not project_settings_file(workspace).exists()


def test_import_stores_at_the_persons_word_all_at_once(workspace: Path) -> None:
    file = foreign(workspace, allow=["Bash(npm run test:*)"], deny=["Read(./.env)"], ask=["Bash(git push:*)"])
    assert f"{project_settings_file(workspace)}: 4 rules stored" in decode("import", file, "--yes").stdout
    stored = json.loads(project_settings_file(workspace).read_text())["permissions"]
    assert stored == {
        "deny": ["read(.env)"],
        "ask": ["bash(git push*)"],
        "allow": ["bash(npm run test)", "bash(npm run test *)"],
    }
    assert look_at(workspace).standing is Standing.TRUSTED
    assert "0 rules stored, 4 were there already" in decode("import", file, "--yes").stdout


def test_import_from_elsewhere_goes_to_the_persons_own_settings(tmp_path: Path) -> None:
    file = foreign(tmp_path / "home", deny=["Read(~/.netrc)"])
    row = json.loads(decode("import", file, "--yes", "--json").stdout)
    assert row["file"] == str(user_settings_file())
    assert row["stored"] == [{"list": "deny", "rule": "read(~/.netrc)"}]


def test_import_says_when_a_denial_is_lost(workspace: Path) -> None:
    file = foreign(workspace, deny=["WebSearch", "Read(x)"], defaultMode="acceptEdits")
    result = decode("import", file, "--yes")
    assert "1 deny or ask rule does not hold here" in result.stderr
    assert "permissions.defaultMode is no rule" in result.stdout


@pytest.mark.parametrize(
    ("text", "told"),
    [("{", "brackets"), ("{}", "has no permissions"), ('{"permissions": {"deny": "x"}}', "is not a list")],
)
def test_import_of_a_broken_file_is_one_sentence(workspace: Path, text: str, told: str) -> None:
    (workspace / "x.json").write_text(text)
    result = decode("import", "x.json", "--yes")
    assert result.exit_code == 1
    assert told in result.output
    assert "does not exist" in decode("import", "gone.json").output
