"""A person at a shell: `decode plan` in a small repository, and a plan with two tasks to work on."""

import json
import shlex
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from decode_ui.command_line import cli
from plan_bench import task

NAME = "PLAN_001_from_shell"
GATE_ONE = shlex.join(["gate", "--task", "T-one", "--criterion", "AC-one", "--json", '"test -e src/one.py"'])
"""Runs the check of the first task."""


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


def approve(shell: Shell) -> None:
    """Begin a plan with the tasks one (parallel_safe) and two, edit its draft, and approve it."""
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
