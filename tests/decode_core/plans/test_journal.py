"""Journals: all fifteen types, torn ends, bad middles, numbers, generations, archives, ten thousand events."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from decode_core.plans.canonical import canonical_bytes
from decode_core.plans.chain import follow_chain
from decode_core.plans.errors import CorruptJournalError, JournalCollisionError, PlanError
from decode_core.plans.events import EventError, read_event
from decode_core.plans.folder import load_plan
from decode_core.plans.generation import Generation
from decode_core.plans.journal import Tear, read_archives, read_journal
from decode_core.plans.ledger import open_ledger
from decode_core.plans.verbs.outputs import projection_of
from decode_core.plans.verbs.reading import check_plan, status_document
from plan_bench import NAME, Document, contract, make_bench, schema_faults

HEX = "a" * 64
FINGERPRINT = {"revision": "abc", "dirty": ""}
LEGS = {"old_leg": {"available": True, "outcome": "FAIL"}, "new_leg": {"outcome": "PASS", "log": "l"}}
ADAPTATION: Document = {
    "kind": "retry",
    "trigger_observation": 1,
    "evidence_artifact": "a",
    "hypothesis": "h",
    "action": "a",
    "rationale": "r",
    "affected_tasks": ["T-one"],
    "affected_criteria": [],
    "authority": "x",
    "evidence_invalidated": [],
    "evidence_preserved": [],
    "decision": "authorized",
}
AMENDMENT: Document = {
    "original_criterion": "o",
    "observed_finding": "f",
    "disposition": "d",
    "revised_criterion": "r",
    "reason": "r",
    "authority": "x",
    "affected_tasks": [],
    "evidence_invalidated": ["AC-one"],
    "evidence_preserved": [],
}
PAIR: Document = {
    "criterion": "AC-one",
    "check_artifacts": ["t.py"],
    "starting_fingerprint": FINGERPRINT,
    **LEGS,
    "verdict": "discriminating",
    "trust": "asserted",
}
GATE: Document = {
    "task": "T-one",
    "criterion": "AC-one",
    "command": "true",
    "cwd": ".",
    "timeout_seconds": 1.5,
    "exit_code": 0,
    "trust": "asserted",
}
PAYLOADS: dict[str, Document] = {
    "approval": {"authority": "o", "mechanism": "plan_authorship", "plan_digest": HEX},
    "task_start": {"task": "T-one", "fingerprint": FINGERPRINT},
    "gate_run": GATE,
    "observation": {"statement": "ü", "trust": "asserted"},
    "resource_sample": {"source": "m", "value": 0, "unit": "h", "limit_id": "hours", "trust": "asserted"},
    "control_pair": PAIR,
    "adaptation": ADAPTATION,
    "amendment": AMENDMENT,
    "intervention": {"category": "missing_intent", "description": "d", "question": "why?"},
    "selection": {"task": "T-one", "priority_boost": False},
    "refusal": {"subject": "T-one", "stage": "gate", "reason": "r"},
    "view_render": {"view": "v", "snapshot_digest": HEX, "digests": {"v": HEX}},
    "reconciliation": {"trigger": "t", "editor": "e", "authority": "a"},
    "journal_repair": {"byte_offset": 0, "cause": "c"},
    "delegation": {
        "task": "T-one",
        "delegation_id": "d1",
        "transport": "headless",
        "via": "agentkit",
        "state": "launched",
        "prompt_digest": f"sha256:{HEX}",
        "worktree": None,
    },
}


def event(kind: str, /, seq: int = 1, generation: str = "v7", **payload: Any) -> Document:
    return {
        "schema": f"https://deepworkplan.com/schema/journal-event/{generation}.json",
        "type": kind,
        "seq": seq,
        "ts": "2026-12-01T00:00:00Z",
        "plan": NAME,
        "contract_id": HEX,
        "actor": {"kind": "agent", "identity": "x"},
        **payload,
    }


def line(kind: str = "observation", /, seq: int = 1, **changes: Any) -> bytes:
    return canonical_bytes(event(kind, seq, **{**PAYLOADS[kind], **changes}))


def journal(*seqs: int) -> bytes:
    return b"".join(line(seq=seq) + b"\n" for seq in seqs)


@pytest.mark.parametrize("kind", PAYLOADS)
def test_every_type_is_read_and_written_again_byte_for_byte(kind: str) -> None:
    data = line(kind)
    assert schema_faults("journal-event-v7", json.loads(data)) == []
    assert canonical_bytes(read_event(data).model_dump(mode="json", by_alias=True, exclude_unset=True)) == data


@pytest.mark.parametrize("kind", [kind for kind in PAYLOADS if kind != "delegation"])
def test_a_v6_journal_has_every_type_but_delegation(kind: str) -> None:
    document = event(kind, generation="v6", **PAYLOADS[kind])
    assert read_event(canonical_bytes(document)).generation is Generation.V6
    assert schema_faults("journal-event-v6", document) == []


BAD_EVENTS: list[tuple[str, Document]] = [
    *[(kind, {"surprise": 1}) for kind in PAYLOADS],
    *[(kind, {"seq": 0}) for kind in PAYLOADS],
    *[(kind, {"note": "x" * 501}) for kind in PAYLOADS],
    *[(kind, {"actor": {"kind": "agent", "identity": "x" * 101}}) for kind in PAYLOADS],
    ("approval", {"mechanism": "nod"}),
    ("approval", {"plan_digest": f"sha256:{HEX}"}),
    ("task_start", {"fingerprint": {"revision": "x"}}),
    ("gate_run", {"command": "x" * 501}),
    ("gate_run", {"timeout_seconds": 0}),
    ("gate_run", {"exit_code": "0"}),
    ("gate_run", {"exit_code": True}),
    ("gate_run", {"trust": "observed"}),
    ("observation", {"trust": "imported"}),
    ("observation", {"trust": "certain"}),
    ("resource_sample", {"value": -1}),
    ("resource_sample", {"value": True}),
    ("control_pair", {"verdict": "non_discriminating"}),
    ("control_pair", {"starting_fingerprint": {"revision": "x", "dirty": " M a"}}),
    ("control_pair", {"old_leg": {"available": False, "outcome": "FAIL"}}),
    ("control_pair", {"old_leg": {"available": True}}),
    ("adaptation", {"decision": "refused"}),
    ("adaptation", {"kind": "give_up"}),
    ("intervention", {"category": "boredom"}),
    ("selection", {"priority_boost": True}),
    ("refusal", {"stage": "lunch"}),
    ("delegation", {"trust": "asserted"}),
    ("delegation", {"evidence_path": "x"}),
    ("delegation", {"via": "A/B"}),
    ("delegation", {"result_path": "x"}),
    ("delegation", {"state": "completed", "result_path": "a/../b"}),
    ("delegation", {"delegation_id": "-x"}),
    ("delegation", {"kind": None}),
]


@pytest.mark.parametrize(("kind", "changes"), BAD_EVENTS)
def test_a_faulty_event_is_refused(kind: str, changes: Document) -> None:
    with pytest.raises(EventError):
        read_event(line(kind, **changes))


def test_a_torn_end_is_reported_and_the_rest_read() -> None:
    data = journal(1, 2)
    read = read_journal(data + b'{"actor":')
    assert read.torn is not None
    assert (read.torn.tear, read.torn.byte_offset, read.torn.length) == (Tear.CUT, len(data), 9)
    assert read.last_seq == 2


def test_a_last_line_of_rubbish_with_its_newline_is_torn_too() -> None:
    read = read_journal(journal(1) + b"\0\0\0\n")
    assert read.torn is not None
    assert (read.torn.byte_offset, read.last_seq) == (len(journal(1)), 1)


def test_a_whole_last_line_without_its_newline_counts() -> None:
    read = read_journal(journal(1, 2)[:-1])
    assert read.torn is not None
    assert (read.torn.tear, read.last_seq) == (Tear.NO_NEWLINE, 2)


@pytest.mark.parametrize(
    "data",
    [
        journal(1) + b"{rubbish\n" + journal(2),
        journal(1) + b"\n" + journal(2),
        journal(1) + b"[]\n" + journal(2),
        journal(2, 1),
        journal(1, 1),
        journal(1) + line(seq=2, surprise=1) + b"\n",
        line(surprise=1) + b"\n",
        journal(1) + canonical_bytes(event("observation", 2, "v6", statement="s", trust="asserted")) + b"\n",
        canonical_bytes(event("delegation", 1, "v6", **PAYLOADS["delegation"])) + b"\n",
    ],
    ids=["rubbish", "empty", "array", "falls", "same", "unknown field", "first", "mixed", "v6 delegation"],
)
def test_a_bad_line_makes_the_whole_journal_unreadable(data: bytes) -> None:
    with pytest.raises(CorruptJournalError, match="nothing is written until the journal is mended"):
        read_journal(data)


def test_gaps_in_the_numbers_are_legal() -> None:
    assert read_journal(journal(1, 5, 100)).last_seq == 100


@settings(max_examples=60)
@given(st.integers(0, 4 * len(line())))
def test_cut_anywhere_the_journal_is_read_up_to_the_cut(cut: int) -> None:
    whole = journal(1, 2, 3, 4)
    data = whole[:cut]
    read = read_journal(data)
    complete = data.count(b"\n")
    assert read.last_seq in (complete, complete + 1)
    assert (read.torn is None) == (data == b"" or data.endswith(b"\n"))


@given(st.lists(st.binary(max_size=40), max_size=4))
def test_no_bytes_whatever_give_a_traceback(parts: list[bytes]) -> None:
    try:
        read_journal(b"\n".join(parts))
    except CorruptJournalError:
        return


def test_archives_come_first_and_numbers_go_on() -> None:
    old = read_archives([("a", journal(1, 2)), ("b", journal(3))])
    assert old.last_seq == 3
    assert read_journal(journal(4), after=old.last_seq).last_seq == 4
    with pytest.raises(CorruptJournalError):
        read_journal(journal(3), after=old.last_seq)
    with pytest.raises(CorruptJournalError, match="never torn"):
        read_archives([("a", journal(1, 2)[:-3])])


def test_a_rolled_plan_reads_archives_and_live(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    bench.finish("one")
    last = bench.plan.last_seq
    archive = bench.folder.path / f"journal-archive-000001-{last:06}.ndjson"
    bench.folder.journal.rename(archive)
    bench.folder.journal.write_bytes(b"")
    assert bench.plan.standing.approval(bench.plan.contract.id) is not None
    assert bench.say("after the roll") == last + 1
    state = projection_of(bench.plan)
    assert state["archives"] == [{"file": archive.name, "first_seq": 1, "last_seq": last}]
    assert state["tasks"][0]["status"] == "completed"
    assert schema_faults("plan-snapshot-v6", state) == []
    assert check_plan(bench.plan).faults == ()


def test_a_corrupt_middle_line_stops_every_writer(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    bench.say("a")
    bench.say("b")
    lines = bench.journal.splitlines()
    bench.folder.journal.write_bytes(b"\n".join([lines[0], b"{oops", lines[2]]) + b"\n")
    before = bench.journal
    with pytest.raises(CorruptJournalError, match="line 2"):
        bench.say("c")
    assert bench.journal == before


@pytest.mark.parametrize("tail", [b'{"x', b"\xff\xfe", b"x\n"])
def test_the_next_writer_mends_a_torn_end_and_records_it(tmp_path: Path, tail: bytes) -> None:
    bench = make_bench(tmp_path)
    size = len(bench.journal)
    bench.folder.journal.write_bytes(bench.journal + tail)
    assert any("TORN TAIL" in warning for warning in check_plan(bench.plan).warnings)
    bench.say("on")
    repair = bench.documents()[-2]
    assert (repair["type"], repair["byte_offset"], repair["actor"]["kind"]) == ("journal_repair", size, "helper")
    bench.assert_valid()
    assert check_plan(bench.plan).warnings == ()


def test_a_missing_newline_comes_back_and_is_recorded(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    bench.folder.journal.write_bytes(bench.journal[:-1])
    bench.say("on")
    assert [document["type"] for document in bench.documents()] == ["approval", "journal_repair", "observation"]
    assert check_plan(bench.plan).faults == ()


def test_a_writer_without_the_lock_is_noticed(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    with open_ledger(bench.folder, bench.writer) as ledger:
        bench.folder.journal.write_bytes(bench.journal + journal(9))
        before = bench.journal
        with pytest.raises(JournalCollisionError, match="without the lock"):
            ledger.append("observation", PAYLOADS["observation"])
        assert bench.journal == before


def test_a_journal_that_is_a_link_is_not_written_through(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    target = tmp_path / "elsewhere"
    bench.folder.journal.rename(target)
    bench.folder.journal.symlink_to(target)
    before = target.read_bytes()
    with pytest.raises(PlanError):
        bench.say("x")
    assert target.read_bytes() == before


def test_the_chain_catches_up_with_lines_of_another_program(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    bench.say("ours")
    foreign = {**bench.documents()[-1], "seq": 3, "statement": "theirs"}
    bench.folder.journal.write_bytes(bench.journal + canonical_bytes(foreign) + b"\n")
    assert len(bench.plan.chain.links) == 2
    bench.say("ours again")
    assert len(bench.plan.chain.links) == 4
    assert bench.plan.chain.fault is None


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (lambda data: data.replace(b"1 ", b"7 ", 1), "seq 1 is not the line"),
        (lambda data: data + b"9 " + b"0" * 64 + b"\n", "are gone"),
        (lambda data: b"x\n" + data, "is no link"),
    ],
)
def test_a_chain_that_does_not_fit_shows_and_is_left_alone(tmp_path: Path, data: Any, says: str) -> None:
    bench = make_bench(tmp_path)
    bench.folder.chain.write_bytes(data(bench.folder.chain.read_bytes()))
    before = bench.folder.chain.read_bytes()
    assert any(says in fault for fault in check_plan(bench.plan).faults)
    bench.say("on")
    assert bench.folder.chain.read_bytes() == before


def test_a_torn_chain_is_mended(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    bench.say("a")
    bench.folder.chain.write_bytes(bench.folder.chain.read_bytes()[:-10])
    bench.say("b")
    assert (bench.plan.chain.fault, len(bench.plan.chain.links)) == (None, 3)


def test_ten_thousand_events_are_read_projected_and_chained(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    identity = bench.plan.contract.id
    more = b"".join(line(seq=seq, contract_id=identity) + b"\n" for seq in range(2, 10_001))
    bench.folder.journal.write_bytes(bench.journal + more)
    plan = load_plan(bench.folder)
    assert (len(plan.events), plan.last_seq) == (10_000, 10_000)
    assert status_document(plan)["approved"]
    assert projection_of(plan)["positions"]["observation"] == {"seq": 10_000}
    assert follow_chain(plan.chain.missing, plan.events[1:], plan.journal.lines[1:]).fault is not None
    assert bench.say("one more") == 10_001
    assert len(bench.plan.chain.links) == 10_001
    assert check_plan(bench.plan).faults == ()


def test_a_v6_plan_is_read_and_written_as_v6(tmp_path: Path) -> None:
    bench = make_bench(tmp_path, contract("v6"))
    bench.finish("one")
    bench.assert_valid()
    assert projection_of(bench.plan)["generated_by"] == "dwp-ledger/6.0"
    assert {
        document["actor"]["identity"] for document in bench.documents() if document["actor"]["kind"] == "helper"
    } == {"dwp-ledger/6.0"}
