"""A finished plan that the publisher's own tools wrote: read whole, and written again byte for byte."""

import json
import shutil
from pathlib import Path

import pytest

from decode_core.plans import canonical
from decode_core.plans.canonical import canonical_bytes, parse_object, pretty_bytes
from decode_core.plans.events import Delegation, TaskStart
from decode_core.plans.folder import PlanFolder, load_plan, manifest_document
from decode_core.plans.standing import TaskStatus
from decode_core.plans.tree import publishers_mark
from decode_core.plans.verbs.delegate import observe
from decode_core.plans.verbs.outputs import projection_of
from decode_core.plans.verbs.reading import check_plan, inspect_document
from plan_bench import GOLDEN, schema_faults

FOLDER = PlanFolder(GOLDEN)


def test_the_contract_has_the_identity_that_it_was_approved_under() -> None:
    document = parse_object((GOLDEN / "contract.json").read_bytes())
    assert canonical.contract_id(document) == document["contract_id"]
    assert load_plan(FOLDER).contract.id == document["contract_id"]


def test_every_journal_line_is_written_again_byte_for_byte() -> None:
    lines = (GOLDEN / "journal.ndjson").read_bytes().splitlines()
    plan = load_plan(FOLDER)
    assert len(lines) == len(plan.events) == 29
    for line, event in zip(lines, plan.events, strict=True):
        assert canonical_bytes(parse_object(line)) == line
        assert canonical_bytes(event.model_dump(mode="json", by_alias=True, exclude_unset=True)) == line


def test_the_projection_is_the_publishers_file() -> None:
    assert pretty_bytes(projection_of(load_plan(FOLDER))) == (GOLDEN / "state.json").read_bytes()


def test_contract_and_manifest_are_printed_as_the_publisher_prints_them() -> None:
    plan = load_plan(FOLDER)
    assert pretty_bytes(plan.contract.document) == (GOLDEN / "contract.json").read_bytes()
    assert pretty_bytes(manifest_document(plan.contract)) == (GOLDEN / "manifest.json").read_bytes()


def test_the_approval_cites_the_markdown_that_lies_there() -> None:
    first = load_plan(FOLDER).events[0]
    assert first.type == "approval"
    assert canonical.plan_digest(FOLDER.markdown()) == first.plan_digest


def test_everything_is_sound_and_both_tasks_are_done() -> None:
    plan = load_plan(FOLDER)
    assert check_plan(plan).faults == ()
    assert [plan.standing.status(task) for task in plan.contract.model.tasks] == [TaskStatus.COMPLETED] * 2
    assert plan.standing.ready() == []
    types = inspect_document(plan)["types"]
    assert types == {
        "approval": 1,
        "delegation": 8,
        "gate_run": 3,
        "observation": 3,
        "refusal": 12,
        "task_start": 2,
    }


def test_the_delegations_end_as_the_record_says() -> None:
    ends = {one.launch.delegation_id: one.latest.state.value for one in observe(FOLDER)}
    assert ends == {"d1": "completed", "r1": "failed", "r2": "completed", "h1": "cancelled"}
    assert [one.launch.delegation_id for one in observe(FOLDER, "T-add-greeter")] == ["d1"]


def test_read_only_marks_are_what_the_publisher_computes() -> None:
    """The tree at the three launches: the commit that T-review started at, and the registry not committed yet."""
    events = load_plan(FOLDER).events
    head = next(
        one.fingerprint.revision for one in events if one.seq == 17 and isinstance(one, TaskStart) and one.fingerprint
    )
    due = f"read-only tree {publishers_mark(head, '?? .dwp/config.json')}"
    assert [one.note for one in events if isinstance(one, Delegation) and one.prompt_digest and one.is_read_only] == [
        due
    ] * 3


def test_result_digests_are_those_of_the_result_files() -> None:
    for event in load_plan(FOLDER).events:
        if isinstance(event, Delegation) and event.result_path is not None:
            assert event.result_digest == canonical.labelled_digest((GOLDEN / event.result_path).read_bytes())


def test_the_files_are_valid_under_the_published_schemas() -> None:
    for name in ("contract", "manifest"):
        assert schema_faults(f"plan-{name}-v7", json.loads((GOLDEN / f"{name}.json").read_text())) == []
    for line in (GOLDEN / "journal.ndjson").read_text().splitlines():
        assert schema_faults("journal-event-v7", json.loads(line)) == []
    assert schema_faults("plan-snapshot-v6", projection_of(load_plan(FOLDER))) == []


@pytest.mark.parametrize("number", range(29))
def test_a_changed_line_is_seen_by_the_chain(tmp_path: Path, number: int) -> None:
    folder = PlanFolder(shutil.copytree(GOLDEN, tmp_path / GOLDEN.name))
    folder.chain.write_bytes(load_plan(folder).chain.missing)
    lines = folder.journal.read_bytes().splitlines()
    assert check_plan(load_plan(folder)).faults == ()
    lines[number] = lines[number].replace(b"2026-11-30T22", b"2026-11-30T21")
    folder.journal.write_bytes(b"\n".join(lines) + b"\n")
    assert [fault for fault in check_plan(load_plan(folder)).faults if f"seq {number + 1} is not the line" in fault]
