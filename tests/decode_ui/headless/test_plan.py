"""`decode plan`: a plan from its beginning to its end by command line, exit codes and streams as the publisher's."""

import json
import os
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from decode_core.config import config_dir, make_private
from decode_core.settings.files import user_settings_file
from decode_ui.command_line import cli
from plan_bench import PROMPT, git, make_repository, schema_faults, task

NAME = "PLAN_001_from_shell"
DIGEST = PROMPT


class Shell:
    """A person at a shell in the repository."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.plan = root / ".dwp" / "plans" / NAME

    def __call__(self, line: str, *, exits: int = 0, **payload: Any) -> Result:
        words = [*shlex.split(line), *(["--json", json.dumps(payload)] if payload else [])]
        result = CliRunner().invoke(cli, ["plan", *words])
        assert result.exit_code == exits, (result.output, result.stderr, result.exception)
        assert "Traceback" not in result.output
        return result

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.plan / "journal.ndjson").read_text().splitlines()]


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    root = tmp_path / "repo"
    make_repository(root)
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for name, says in (("ak", '{"interface": 1}'), ("herdr-peers", "herdr-peers 0.1.0 (protocol 1)")):
        (bin_folder / name).write_text(f"#!/bin/sh\necho '{says}'\n")
        (bin_folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(root)
    return Shell(root)


@pytest.fixture(scope="module")
def first_approval(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records of a plan that was approved by command line, to be copied."""
    root = tmp_path_factory.mktemp("approved") / "repo"
    make_repository(root)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        _approve(Shell(root))
    return root / ".dwp"


@pytest.fixture
def approved(shell: Shell, first_approval: Path) -> Shell:
    """A plan with the tasks one (parallel_safe) and two, approved here."""
    shutil.copytree(first_approval, shell.root / ".dwp")
    shell(f"materialize --contract {shell.plan / 'contract.json'}")
    return shell


def _approve(shell: Shell) -> None:
    shell(f"init {NAME}")
    draft = shell.plan / "contract.draft.json"
    document = json.loads(draft.read_text())
    document["permissions"]["granted"].append("agent_delegation")
    document["scope"]["allowed_command_classes"] = ["test"]
    document["invariants"] = [{"id": "INV-product", "statement": "product.py stays"}]
    document["acceptance"]["criteria"] = [
        {"id": f"AC-{name}", "statement": name, "observable_check": name, "accepted_evidence": [label]}
        for name, label in (("one", "observed"), ("two", "observed"), ("word", "asserted"))
    ]
    document["tasks"] = [task("one", parallel_safe=True), task("two", after=("one",), surface="src/one.py")]
    document["tasks"][1]["gate_intent"].append({"criterion": "AC-word", "check": "a person reads it"})
    draft.write_text(json.dumps(document))
    shell(f"materialize --contract {draft}")


def test_a_plan_from_init_to_complete(approved: Shell, tmp_path: Path) -> None:
    shell = approved
    launch: dict[str, Any] = {
        "transport": "headless",
        "via": "agentkit",
        "kind": "claude",
        "prompt_digest": DIGEST,
        "worktree": None,
    }
    worktree = str(tmp_path / "wt")

    # six launches that are refused
    shell("delegate launch --task T-one", exits=5, **launch)
    shell("start --task T-one")
    shell("delegate launch --task T-one", exits=5, **launch)
    for key in ("agentkit", "herdr"):
        shell(f"config enable {key}")
    git(shell.root, "add", "-A")
    git(shell.root, "commit", "-q", "-m", "addons")
    shell("start --task T-one")
    shell("delegate launch --task T-one", exits=5, **{**launch, "transport": "interactive"})
    shell("delegate launch --task T-nine", exits=5, **launch)
    shell("delegate launch --task T-one", exits=5, **{**launch, "worktree": worktree})
    git(shell.root, "worktree", "add", "-q", worktree, "-b", f"dwp/{NAME}/d1")
    shell("delegate launch --task T-one", **{**launch, "delegation_id": "d1", "worktree": worktree, "target": worktree})
    refused = shell("delegate launch --task T-one", exits=5, **{**launch, "delegation_id": "d1"})
    assert refused.stdout == "REFUSED: delegation_id d1 already recorded\n"
    assert refused.stderr == ""

    # a headless writing delegate is collected, and only our own gate completes its task
    shell("append --type observation", statement="INV-product: pass")
    waiting = shell("complete --task T-one", exits=4)
    assert "delegation(s) still open: d1" in waiting.stderr
    assert waiting.stdout == ""
    result = shell.plan / "analysis_results" / "delegations" / "d1" / "result.json"
    result.parent.mkdir(parents=True)
    result.write_text('{"exit": 0}')
    path = "analysis_results/delegations/d1/result.json"
    shell("delegate collect --task T-one", delegation_id="d1", state="completed", result_path=path)
    (shell.root / "src" / "one.py").write_text("x = 1\n")
    shell("complete --task T-one", exits=4)
    gate = ["gate", "--task", "T-one", "--criterion", "AC-one", "--json", '"test -e src/one.py"']
    shell(shlex.join(gate))
    shell("complete --task T-one")
    git(shell.root, "add", "-A")
    git(shell.root, "commit", "-q", "-m", "one")

    # a read-only delegate on a tree that moves, another on one that stays, an interactive one that is cancelled
    shell("start --task T-two")
    shell("delegate launch --task T-two", **{**launch, "delegation_id": "r1"})
    (shell.root / "moved.txt").write_text("x")
    moved = shell("delegate collect --task T-two", exits=5, delegation_id="r1", state="completed")
    assert "the working tree changed" in moved.stdout
    (shell.root / "moved.txt").unlink()
    shell("delegate launch --task T-two", **{**launch, "delegation_id": "r2"})
    shell("delegate collect --task T-two", delegation_id="r2", state="completed")
    pane = {**launch, "delegation_id": "h1", "transport": "interactive", "via": "herdr", "target": "local:w1:p2"}
    shell("delegate launch --task T-two", **pane)
    shell("delegate cancel --task T-two", delegation_id="h1")

    (shell.root / "src" / "two.py").write_text("x = 1\n")
    shell(shlex.join(["gate", "--task", "T-two", "--criterion", "AC-two", "--json", '["test", "-e", "src/two.py"]']))
    shell("append --type observation", statement="INV-product: pass")
    shell("complete --task T-two", exits=4)
    (shell.plan / "REVIEW.md").write_text("read it")
    shell("signoff --criterion AC-word --evidence-path REVIEW.md --authority Ann")
    shell("complete --task T-two")
    shell("project")
    shell("doctor")
    shell("validate")

    events = shell.events()
    refusals = [event for event in events if event["type"] == "refusal"]
    assert [event["stage"] for event in refusals].count("dispatch") == 7
    assert [event["stage"] for event in refusals].count("gate") == 3
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    for event in events:
        assert schema_faults("journal-event-v7", event) == []
    for schema, file in (
        ("plan-contract-v7", "contract.json"),
        ("plan-manifest-v7", "manifest.json"),
        ("plan-snapshot-v6", "state.json"),
    ):
        assert schema_faults(schema, json.loads((shell.plan / file).read_text())) == []
    config = json.loads((shell.root / ".dwp" / "config.json").read_text())
    assert schema_faults("dwp-config-v1", config) == []
    status = json.loads(shell("status --json").stdout)
    assert [one["status"] for one in status["tasks"]] == ["completed", "completed"]
    assert {one["delegation_id"]: one["state"] for one in status["delegations"]} == {
        "d1": "completed",
        "r1": "failed",
        "r2": "completed",
        "h1": "cancelled",
    }


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


def test_status_says_where_the_plan_stands_and_what_comes_next(approved: Shell) -> None:
    lines = approved("status").stdout.splitlines()
    assert lines == [
        f"{NAME}  revision 1, approved, 0 of 2 tasks complete",
        "  T-one  ready        Do one",
        "    AC-one  not shown: test -e src/one.py",
        "  T-two  pending      Do two  (waits for T-one)",
        "    AC-two  not shown: test -e src/two.py",
        "    AC-word  not shown: a person reads it",
        "invariants",
        "  INV-product  not looked at yet  product.py stays",
        "next: decode plan start --task T-one",
    ]
    approved("start --task T-one")
    approved("append --type observation", statement="INV-product: fail: it went")
    shown = approved("status").stdout
    assert "T-one  in progress" in shown
    assert "INV-product  fail (seq 3)" in shown
    assert "decode plan complete --task T-one" in shown


def test_a_failing_gate_exits_1_and_is_recorded(approved: Shell) -> None:
    approved("start --task T-one")
    line = shlex.join(["gate", "--task", "T-one", "--criterion", "AC-one", "--json", '"test -e src/one.py"'])
    assert "exit 1" in approved(line, exits=1).stdout
    assert approved.events()[-1]["exit_code"] == 1
    assert "REUSED: exit 1" in approved(line, exits=1).stdout
    assert "REUSED" not in approved(f"{line} --no-reuse --timeout 5", exits=1).stdout
    assert approved.events()[-1]["timeout_seconds"] == 5


def test_without_a_command_the_approved_checks_run_up_to_the_first_that_fails(approved: Shell) -> None:
    approved("start --task T-one")
    assert "AC-one" in approved("gate --task T-one", exits=1).stdout
    (approved.root / "src" / "one.py").write_text("x")
    assert approved("gate --task T-one").stdout.startswith("exit 0")
    assert approved.events()[-1]["command"] == "test -e src/one.py"
    assert approved("gate --task T-one --criterion AC-one").stdout.startswith("REUSED: exit 0")
    assert "signoff" in approved("gate --task T-two --criterion AC-word", exits=1).stderr
    assert "no task" in approved("gate --task T-nine", exits=1).stderr
    assert "--criterion" in approved("gate --task T-one --json '\"true\"'", exits=2).stderr


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
    line = shlex.join(["gate", "--task", "T-one", "--criterion", "AC-one", "--json", '"test -e src/one.py"'])
    result = approved(line, exits=1)
    assert ("your permission rules" in result.stderr) is not runs
    assert len(approved.events()) == before + runs


def test_a_plan_that_came_with_a_clone_runs_nothing_until_a_person_approves_it(
    shell: Shell, first_approval: Path
) -> None:
    """delegation.md §3: its own approval proves nothing here, and there is no terminal to ask at."""
    shutil.copytree(first_approval, shell.root / ".dwp")
    shell("start --task T-one")
    line = shlex.join(["gate", "--task", "T-one", "--criterion", "AC-one", "--json", '"test -e src/one.py"'])
    before = len(shell.events())
    assert "was not approved on this machine" in shell(line, exits=1).stderr
    assert len(shell.events()) == before
    shell(f"materialize --contract {shell.plan / 'contract.json'}")
    assert "exit 1" in shell(line, exits=1).stdout


def test_in_a_folder_that_is_not_trusted_nothing_is_started(approved: Shell) -> None:
    for key in ("agentkit", "herdr"):
        approved(f"config enable {key}")
    approved("start --task T-one")
    (approved.root / ".decode").mkdir()
    (approved.root / ".decode" / "settings.json").write_text('{"permissions": {"allow": ["bash"]}}')
    line = shlex.join(["gate", "--task", "T-one", "--criterion", "AC-one", "--json", '"test -e src/one.py"'])
    assert "is not trusted" in approved(line, exits=1).stderr
    refused = approved("delegate launch --task T-one", exits=5, via="agentkit", transport="headless")
    assert "is not trusted" in refused.stdout
    assert "is not trusted" in approved("doctor").stdout
    assert "is not trusted" in approved("config show").stderr


def test_results_can_be_json(approved: Shell) -> None:
    assert json.loads(approved("--output json start --task T-one").stdout) == {
        "task": "T-one",
        "seq": 2,
        "is_new": True,
    }
    refused = json.loads(approved("--output json delegate launch --task T-one --json {}", exits=5).stdout)
    assert refused["refused"] is True
    assert json.loads(approved("validate --json").stdout)["valid"] is True


def test_a_contract_and_a_journal_are_checked_by_themselves(approved: Shell) -> None:
    contract, journal = approved.plan / "contract.json", approved.plan / "journal.ndjson"
    identity = json.loads(contract.read_text())["contract_id"]
    assert identity in approved(f"validate --contract {contract}").stdout
    assert approved(f"validate --journal {journal} --contract {contract}").stdout == "valid\n"
    contract.write_text(contract.read_text().replace("product.py stays", "product.py goes"))
    assert "contract_id" in approved(f"validate --contract {contract}", exits=1).stdout
    assert "contract_id" in approved("status", exits=1).stderr


def test_hostile_text_reaches_no_terminal(approved: Shell) -> None:
    shown = approved("delegate launch --task '\x1b[31mT-x' --json {}", exits=5).stdout
    assert "\x1b" not in shown


def test_a_folder_that_cannot_be_used_is_one_sentence(approved: Shell) -> None:
    (approved.plan / "gates").write_text("a file where a folder belongs")
    approved("start --task T-one")
    line = shlex.join(["gate", "--task", "T-one", "--criterion", "AC-one", "--json", '"test -e src/one.py"'])
    assert approved(line, exits=1).stderr.startswith("decode: ")


def test_a_plan_in_markdown_becomes_a_draft(shell: Shell) -> None:
    (shell.root / "PLAN.md").write_text(
        "# Mend it\n\n## Steps\n1. Mend `src/one.py`. Check: `test -e src/one.py`\n2. Tell\n"
    )
    shown = shell("import PLAN.md").stdout
    assert "drafted: " in shown
    assert "check     test -e src/one.py" in shown
    assert "a delegation addon is enabled: none is" in shown
    draft = ".dwp/plans/PLAN_001_mend_it/contract.draft.json"
    assert f"decode plan materialize --contract {draft}" in shown
    shell(f"validate --contract {draft}")
    shell(f"materialize --contract {draft}")
    assert [row["task"] for row in json.loads(shell("ready --json").stdout)] == ["T-mend-src-one-py"]
    assert "could not be read" in shell("import nowhere.md", exits=1).stderr


def test_export_holds_what_the_publisher_forgets(approved: Shell, tmp_path: Path) -> None:
    approved(f"export --dest {tmp_path / 'copy'}")
    assert (tmp_path / "copy" / "manifest.json").exists()
    assert (tmp_path / "copy" / "README.md").exists()
    approved(f"export --dest {tmp_path / 'copy'}", exits=1)
