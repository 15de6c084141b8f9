"""`decode plan` says no: exit codes and streams as the publisher's, and nothing runs that a person did not allow."""

import json
import shutil
from pathlib import Path

import pytest

from decode_core.config import config_dir, make_private
from decode_core.settings.files import user_settings_file
from plan_shell import GATE_ONE, Shell


@pytest.mark.parametrize(
    ("line", "code", "stream", "says"),
    [
        ("status --nonsense", 2, "stderr", "No such option"),
        ("nonsense", 2, "stderr", "No such command"),
        ("start --task T-nine", 1, "stderr", "no task"),
        ("start --task T-two", 3, "stderr", "prerequisites"),
        ("complete --task T-one", 4, "stderr", "INV-product"),
        ("delegate launch --task T-one --json {}", 5, "stdout", "has not started"),
        ("delegate launch --task T-one --json {", 1, "stderr", "not JSON"),
        ("delegate launch --task T-one --json []", 1, "stderr", "JSON object"),
        ("delegate launch --task T-one --json {} --caps {", 1, "stderr", "--caps"),
        ("delegate launch --task T-one --json {} --caps '{\"x\": true}'", 1, "stderr", "no ability 'x'"),
        ("delegate collect --task T-one --json {}", 1, "stderr", "name the delegation"),
        ("append --type observation --json nonsense", 1, "stderr", "not JSON"),
        ("append --type gate_run --json {}", 1, "stderr", "raw gate_run"),
        ("append --type delegation --json {}", 1, "stderr", "raw delegation"),
        ("gate --task T-one --criterion AC-one --json nonsense", 1, "stderr", "not JSON"),
        ("gate --task T-one --criterion AC-one --json '\"true\"'", 1, "stderr", "no allowed command class"),
        ("reuse --task T-one --json '\"test\"'", 1, "stdout", "no evidence"),
        ("materialize --contract nowhere.json", 1, "stderr", "could not be read"),
        ("config enable BAD", 2, "stderr", "no addon key"),
        ("config enabled agentkit", 1, "stdout", "not enabled"),
        ("validate --contract nowhere.json", 1, "stderr", "could not be read"),
        ("validate --parent x", 2, "stderr", "--parent needs"),
        ("--actor-identity '' status", 2, "stderr", "1 to 100"),
        ('--actor-kind human append --type observation --json \'{"statement": "x"}\'', 1, "stderr", "--human-note"),
        ("--plan /nowhere status", 2, "stderr", "no plan folder"),
        ("ready", 0, "stdout", "T-one"),
        ("inspect", 0, "stdout", "approval"),
        ("validate", 0, "stdout", "valid:"),
        ("config keys", 0, "stdout", "agentkit"),
        ("delegate observe --json", 0, "stdout", "[]"),
    ],
)
def test_codes_and_streams(approved: Shell, line: str, code: int, stream: str, says: str) -> None:
    result = approved(line, exits=code)
    assert says in getattr(result, stream)
    if code not in (0, 1):
        other = result.stderr if stream == "stdout" else result.stdout
        assert other == ""


@pytest.mark.parametrize("verb", ["launch", "collect", "cancel"])
@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("--json {} --caps {", "--caps: not JSON"),
        ("--json {} --caps '{\"telepathy\": true}'", "no ability 'telepathy'"),
        ("--json {", "not JSON"),
        ("--json []", "JSON object"),
    ],
    ids=["22 caps are no JSON", "22 an unknown ability", "23 no JSON", "24 an array"],
)
def test_22_23_24_what_cannot_be_read_is_one_sentence_and_not_recorded(
    approved: Shell, verb: str, more: str, says: str
) -> None:
    before = approved.events()
    result = approved(f"delegate {verb} --task T-one {more}", exits=1)
    assert says in result.stderr
    assert result.stdout == ""
    assert approved.events() == before


def test_a_delegate_writes_in_no_plan_of_its_parent(approved: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """dwp-records (c): the journal is written by the parent session alone; what it reads is its business."""
    monkeypatch.setenv("DECODE_DELEGATE_DEPTH", "1")
    before = approved.events()
    for line in ("start --task T-one", "complete --task T-one", "project", "append --type observation --json {}"):
        assert "this session is a delegate" in approved(line, exits=1).stderr
    assert approved.events() == before
    approved("status")
    assert "has not started" in approved("delegate launch --task T-one --json {}", exits=5).stdout


@pytest.mark.parametrize(("rule", "runs"), [("bash(test *)", False), ("bash(rm *)", True)])
def test_a_contract_never_lifts_a_persons_deny(approved: Shell, rule: str, *, runs: bool) -> None:
    approved("start --task T-one")
    make_private(config_dir())
    user_settings_file().write_text(json.dumps({"permissions": {"deny": [rule]}}))
    before = len(approved.events())
    result = approved(GATE_ONE, exits=1)
    assert ("your permission rules" in result.stderr) is not runs
    assert len(approved.events()) == before + runs


def test_a_plan_that_came_with_a_clone_runs_nothing_until_a_person_approves_it(
    shell: Shell, first_approval: Path
) -> None:
    """delegation.md §3: its own approval proves nothing here, and there is no terminal to ask at."""
    shutil.copytree(first_approval, shell.root / ".dwp")
    shell("start --task T-one")
    before = len(shell.events())
    assert "was not approved on this machine" in shell(GATE_ONE, exits=1).stderr
    assert "was not approved on this machine" in shell("doctor").stdout
    assert len(shell.events()) == before
    shell(f"materialize --contract {shell.plan / 'contract.json'}")
    assert "exit 1" in shell(GATE_ONE, exits=1).stdout


def test_in_a_folder_that_is_not_trusted_nothing_is_started(approved: Shell) -> None:
    for key in ("agentkit", "herdr"):
        approved(f"config enable {key}")
    approved("start --task T-one")
    (approved.root / ".decode").mkdir()
    (approved.root / ".decode" / "settings.json").write_text('{"permissions": {"allow": ["bash"]}}')
    assert "is not trusted" in approved(GATE_ONE, exits=1).stderr
    refused = approved("delegate launch --task T-one", exits=5, via="agentkit", transport="headless")
    assert "is not trusted" in refused.stdout
    assert "is not trusted" in approved("doctor").stdout
    assert "is not trusted" in approved("config show").stderr


def test_hostile_text_reaches_no_terminal(approved: Shell) -> None:
    shown = approved("delegate launch --task '\x1b[31mT-x' --json {}", exits=5).stdout
    assert "\x1b" not in shown


def test_a_folder_that_cannot_be_used_is_one_sentence(approved: Shell) -> None:
    (approved.plan / "gates").write_text("a file where a folder belongs")
    approved("start --task T-one")
    assert approved(GATE_ONE, exits=1).stderr.startswith("decode: ")
