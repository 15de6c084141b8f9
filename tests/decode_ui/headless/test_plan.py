"""`decode plan`: a plan from its beginning to its end by command line, and what its verbs say on the way."""

import json
import shlex
from pathlib import Path
from typing import Any

from plan_bench import PROMPT, git, schema_faults
from plan_shell import GATE_ONE, NAME, Shell

DIGEST = PROMPT


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
    assert "exit 1" in approved(GATE_ONE, exits=1).stdout
    assert approved.events()[-1]["exit_code"] == 1
    assert "REUSED: exit 1" in approved(GATE_ONE, exits=1).stdout
    assert "REUSED" not in approved(f"{GATE_ONE} --no-reuse --timeout 5", exits=1).stdout
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


def test_a_plan_in_markdown_becomes_a_draft(shell: Shell) -> None:
    (shell.root / "PLAN.md").write_text(
        "# Mend it\n\n## Steps\n1. Mend `src/one.py`. Check: `test -e src/one.py`\n2. Tell\n"
    )
    shown = shell("import PLAN.md").stdout
    assert "drafted: " in shown
    assert "check     test -e src/one.py" in shown
    assert "no delegation addon is enabled" in shown
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
