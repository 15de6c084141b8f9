"""What may be started for a plan: trust, the person's rules, and questions that only a person answers."""

import json
import os
from pathlib import Path

import pytest

from decode_core.config import config_dir, make_private
from decode_core.plans.addon_descriptors import read_descriptor
from decode_core.plans.errors import PlanError
from decode_core.plans.folder import load_plan
from decode_core.plans.verbs.gate import GateRequest, gate
from decode_core.settings.files import user_settings_file
from decode_core.trust.content import read_content
from decode_core.trust.record import TrustRecord
from decode_core.work_plans.gate_permission import (
    NOBODY,
    Confirm,
    GateQuestion,
    approve_here,
    gate_permit,
    is_approved_here,
    trusting_probe,
)
from plan_bench import PlanBench, contract, make_bench, task

COMMAND = "test -e src/one.py"


@pytest.fixture
def bench(tmp_path: Path) -> PlanBench:
    return make_bench(tmp_path)


class Person:
    """Answers every question the same way, and remembers them."""

    def __init__(self, *, says_yes: bool) -> None:
        self.says_yes = says_yes
        self.asked: list[GateQuestion] = []

    def __call__(self, question: GateQuestion) -> bool:
        self.asked.append(question)
        return self.says_yes


def rules(**lists: list[str]) -> None:
    make_private(config_dir())
    user_settings_file().write_text(json.dumps({"permissions": lists}))


def refusal(bench: PlanBench, confirm: Confirm = NOBODY, command: str = COMMAND) -> str:
    with pytest.raises(PlanError) as error:
        gate_permit(confirm)(bench.plan, command)
    return str(error.value)


def test_what_was_approved_here_runs_without_a_question(bench: PlanBench) -> None:
    approve_here(bench.plan)
    with gate_permit()(bench.plan, COMMAND)() as inside:
        assert inside.environment["TERM"] == "dumb"


def test_a_contract_that_says_itself_that_it_was_approved_asks_once(bench: PlanBench) -> None:
    assert "not approved on this machine" in refusal(bench)
    person = Person(says_yes=True)
    gate_permit(person)(bench.plan, COMMAND)
    gate_permit(person)(bench.plan, COMMAND)
    assert [(one.plan, one.command) for one in person.asked] == [(bench.folder.name, COMMAND)]


def test_a_no_is_not_remembered_as_a_yes(bench: PlanBench) -> None:
    assert "not approved" in refusal(bench, Person(says_yes=False))
    assert not is_approved_here(bench.plan)


def test_another_contract_or_another_place_is_not_what_was_approved(bench: PlanBench, tmp_path: Path) -> None:
    approve_here(bench.plan)
    elsewhere = bench.copied(tmp_path / "clone")
    assert not is_approved_here(elsewhere.plan)
    other = make_bench(tmp_path / "other", contract(tasks=[task("one", surface="docs/")]))
    for name in ("contract.json", "manifest.json", "journal.ndjson"):
        (bench.folder.path / name).write_bytes((other.folder.path / name).read_bytes())
    bench.folder.chain.unlink()
    assert not is_approved_here(load_plan(bench.folder))


def test_a_folder_that_brings_something_must_be_trusted_first(bench: PlanBench) -> None:
    """delegation.md §3: detect commands and gates."""
    approve_here(bench.plan)
    (bench.root / ".mcp.json").write_text("{}")
    agentkit = read_descriptor("agentkit")
    assert agentkit is not None
    assert "is not trusted" in refusal(bench, Person(says_yes=True))
    assert "is not trusted" in trusting_probe(bench.root, bench.home)(agentkit).reason
    TrustRecord().trust(read_content(bench.root))
    gate_permit()(bench.plan, COMMAND)
    assert "is not trusted" not in trusting_probe(bench.root, bench.home)(agentkit).reason


def test_a_record_of_trust_that_cannot_be_read_trusts_nothing(bench: PlanBench) -> None:
    approve_here(bench.plan)
    (bench.root / ".mcp.json").write_text("{}")
    TrustRecord().trust(read_content(bench.root))
    TrustRecord().file.write_text("{")
    assert "cannot be used" in refusal(bench, Person(says_yes=True))
    assert not is_approved_here(bench.plan)


def test_a_deny_is_never_lifted(bench: PlanBench) -> None:
    approve_here(bench.plan)
    rules(deny=["bash(test *)"])
    assert "your permission rules" in refusal(bench, Person(says_yes=True))


def test_an_ask_rule_asks_every_time(bench: PlanBench) -> None:
    approve_here(bench.plan)
    rules(ask=["bash(test *)"])
    assert "at a terminal" in refusal(bench)
    person = Person(says_yes=True)
    for _ in range(2):
        gate_permit(person)(bench.plan, COMMAND)
    assert len(person.asked) == 2


def test_broken_settings_ask(bench: PlanBench) -> None:
    """permissions.md §3.3: a deny rule may be among what cannot be read."""
    approve_here(bench.plan)
    make_private(config_dir())
    user_settings_file().write_text("{")
    assert "Settings are broken" in refusal(bench)


def test_a_gate_sees_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """core.md §4: the environment of a gate is that of bash."""
    monkeypatch.setenv("MY_API_KEY", "hunter2-hunter2")
    monkeypatch.setenv("OPEN_VALUE", "seen")
    check = "sh -c 'env > out'"
    one = task("one")
    one["gate_intent"][0]["check"] = check
    bench = make_bench(tmp_path, contract(tasks=[one]))
    approve_here(bench.plan)
    bench.start("one")
    assert gate(bench.folder, GateRequest("T-one", "AC-one", check), bench.writer, gate_permit()).exit_code == 0
    seen = (bench.root / "out").read_text()
    assert "OPEN_VALUE=seen" in seen
    assert "hunter2" not in seen
    assert os.environ["MY_API_KEY"] == "hunter2-hunter2"
