"""Journals that are well formed and still say what they cannot: each kind of fault is named with its number."""

from typing import Any

import pytest

from decode_core.plans.canonical import canonical_bytes
from decode_core.plans.contract import read_contract
from decode_core.plans.events import read_event
from decode_core.plans.record_faults import record_faults
from plan_bench import NAME, PROMPT, Document, contract, task

FIRST = read_contract(contract())
SECOND = read_contract(
    {**contract(tasks=[task("two")]), "revision": 2, "parent_contract_id": FIRST.id, "title": "without one"}
)


def event(kind: str, /, seq: int = 1, **changes: Any) -> Document:
    payloads: dict[str, Document] = {
        "task_start": {"task": "T-one"},
        "gate_run": {
            "task": "T-one",
            "criterion": "AC-one",
            "command": "true",
            "cwd": ".",
            "timeout_seconds": 1,
            "exit_code": 0,
            "trust": "asserted",
        },
        "selection": {"task": "T-one", "priority_boost": False},
        "delegation": {
            "task": "T-one",
            "delegation_id": "d1",
            "transport": "headless",
            "via": "agentkit",
            "state": "launched",
            "worktree": None,
            "prompt_digest": PROMPT,
        },
    }
    envelope = {
        "schema": "https://deepworkplan.com/schema/journal-event/v7.json",
        "type": kind,
        "seq": seq,
        "ts": "2026-12-01T08:00:00Z",
        "plan": NAME,
        "contract_id": FIRST.id,
        "actor": {"kind": "agent", "identity": "x"},
    }
    return {**envelope, **payloads[kind], **changes}


def faults(*documents: Document) -> list[str]:
    return record_faults([FIRST, SECOND], [read_event(canonical_bytes(document)) for document in documents])


def end(seq: int, **changes: Any) -> Document:
    document = event("delegation", seq, **{"state": "completed", **changes})
    del document["prompt_digest"]
    return document


@pytest.mark.parametrize("kind", ["task_start", "gate_run", "selection", "delegation"])
def test_what_the_contract_knows_is_no_fault(kind: str) -> None:
    assert faults(event(kind)) == []


@pytest.mark.parametrize(
    ("document", "says"),
    [
        (event("task_start", task="T-nine"), "T-nine is no task"),
        (event("gate_run", task="T-nine"), "T-nine is no task"),
        (event("selection", task="T-nine"), "T-nine is no task"),
        (event("delegation", task="T-nine"), "T-nine is no task"),
        (event("gate_run", criterion="AC-two"), "T-one has no gate for AC-two"),
        (event("task_start", contract_id="0" * 64), "cites a contract that is not in this plan"),
        (event("task_start", contract_id=SECOND.id), "T-one is no task of the contract it cites"),
        (event("task_start", plan="PLAN_009_other_plan"), "belongs to PLAN_009_other_plan"),
        (end(1), "cannot be completed here"),
    ],
)
def test_one_event_that_cannot_be(document: Document, says: str) -> None:
    (fault,) = faults(document)
    assert fault.startswith("seq 1: ")
    assert says in fault


def test_a_delegation_is_launched_once_and_ends_once() -> None:
    assert faults(event("delegation", 1), end(2)) == []
    assert faults(event("delegation", 1), event("delegation", 2)) == ["seq 2: delegation d1 cannot be launched here"]
    again = faults(event("delegation", 1), end(2), end(3, state="failed"))
    assert again == ["seq 3: delegation d1 cannot be failed here"]
    assert faults(event("delegation", 1), end(2), event("delegation", 3)) == [
        "seq 3: delegation d1 cannot be launched here"
    ]


@pytest.mark.parametrize(
    "changes", [{"task": "T-two"}, {"via": "herdr"}, {"transport": "interactive"}, {"worktree": "x"}, {"target": "y"}]
)
def test_an_end_tells_of_the_delegate_that_was_launched(changes: Document) -> None:
    (fault,) = faults(event("delegation", 1), end(2, **changes))
    assert fault == f"seq 2: delegation d1 was launched with another {next(iter(changes))}"
