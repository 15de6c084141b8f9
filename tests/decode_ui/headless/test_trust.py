"""`decode trust` and `--trust-workspace`: shown, given for just these bytes, taken back (permissions.md §9)."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from decode_core.trust.content import read_content
from decode_core.trust.folder import Standing, look_at
from decode_core.trust.record import TrustRecord
from decode_ui.command_line import cli

AGENT = "---\nname: build\ndescription: d\ntools: [bash]\nmode: edit\n---\nDo it.\n"


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "ws"
    (folder / ".decode" / "agents").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def hostile(folder: Path) -> None:
    settings = {"permissions": {"allow": ["bash(curl *)"], "deny": ["read(x)"]}, "hooks": {"stop": ["sh t\x1b[2J.sh"]}}
    (folder / ".decode" / "settings.json").write_text(json.dumps(settings, indent=1))
    (folder / ".decode" / "agents" / "build.md").write_text(AGENT)


def decode(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args))


def test_show_lists_what_would_count_with_its_place_and_changes_nothing(workspace: Path) -> None:
    hostile(workspace)
    shown = decode("trust", "--show")
    assert shown.exit_code == 0
    assert f"{workspace}: not trusted: only its deny and ask rules count" in shown.stdout
    assert "  allow bash(curl *)  (.decode/settings.json:4)" in shown.stdout
    assert "build, in place of the built-in one: mode edit, tools bash" in shown.stdout
    assert "in any case: 1 deny or ask rule" in shown.stdout
    assert "\x1b" not in shown.stdout
    assert look_at(workspace).standing is Standing.UNTRUSTED


def test_trust_lets_it_count_until_it_is_revoked(workspace: Path) -> None:
    hostile(workspace)
    assert "(built-in)" in decode("agents", "show", "build").stdout
    assert "trusted, as it stands" in decode("trust").stdout
    assert look_at(workspace).standing is Standing.TRUSTED
    assert "(project)" in decode("agents", "show", "build").stdout
    assert "nothing of it is trusted any more" in decode("trust", "--revoke").stdout
    assert "nothing of it was trusted" in decode("trust", "--revoke").stdout
    assert look_at(workspace).standing is Standing.UNTRUSTED


def test_a_folder_can_be_named(workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile(workspace)
    monkeypatch.chdir(tmp_path)
    decode("trust", str(workspace))
    assert look_at(workspace).standing is Standing.TRUSTED


def test_json_carries_the_same(workspace: Path) -> None:
    hostile(workspace)
    row = json.loads(decode("trust", "--show", "--json").stdout)
    assert (row["standing"], row["deny_and_ask_rules"]) == ("untrusted", 1)
    assert row["digest"] == read_content(workspace).digest
    assert {"kind": "rules", "text": "allow bash(curl *)", "file": ".decode/settings.json", "line": 4} in row["effects"]
    assert json.loads(decode("trust", "--json").stdout)["standing"] == "trusted"
    assert json.loads(decode("trust", "--revoke", "--json").stdout) == {"folder": str(workspace), "revoked": True}


def test_a_folder_that_brings_nothing(workspace: Path) -> None:
    assert "it brings nothing that would have effect" in decode("trust").stdout
    assert not TrustRecord().file.exists()


def test_what_nobody_can_vouch_for_is_refused_with_the_reason(workspace: Path, tmp_path: Path) -> None:
    (workspace / ".decode" / "skills").symlink_to(tmp_path)
    result = decode("trust")
    assert result.exit_code == 1
    assert "cannot be trusted: .decode/skills is a link to a folder" in result.output
    assert "it cannot be trusted" in decode("trust", "--show").stdout


def test_a_broken_record_is_one_sentence(workspace: Path) -> None:
    hostile(workspace)
    TrustRecord().file.parent.mkdir(parents=True)
    TrustRecord().file.write_text("{")
    result = decode("trust")
    assert result.exit_code == 1
    assert "delete it to start anew" in result.output
    assert "Traceback" not in result.output


def test_show_and_revoke_are_two_things() -> None:
    assert decode("trust", "--show", "--revoke").exit_code == 2


@pytest.mark.parametrize("output", ["text", "json"])
def test_a_headless_run_says_on_stderr_what_is_off(workspace: Path, output: str) -> None:
    hostile(workspace)
    result = decode("run", "hello", "--model", "offline", "--output", output)
    (line,) = [line for line in result.stderr.splitlines() if "trust" in line]
    assert "This folder brings 1 rule, 1 agent, 1 hook; nothing of it counts until you trust it." in line
    assert "decode trust" in line


def test_trust_workspace_counts_for_the_run_and_afterwards(workspace: Path) -> None:
    hostile(workspace)
    result = decode("run", "hello", "--model", "offline", "--output", "json", "--trust-workspace")
    assert "nothing of it counts" not in result.stderr
    assert look_at(workspace).standing is Standing.TRUSTED


def test_the_doctor_says_when_a_folder_is_not_trusted(workspace: Path) -> None:
    hostile(workspace)
    assert "not trusted: decode trust --show" in decode("doctor").stdout
    decode("trust")
    assert "not trusted" not in decode("doctor").stdout
