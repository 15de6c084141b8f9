"""Start tasks and close them; say things in the journal and sign for them."""

from dataclasses import replace
from pathlib import Path

import pytest

from decode_core.plans.canonical import canonical_bytes
from decode_core.plans.contract import Trust
from decode_core.plans.errors import ExitCode
from decode_core.plans.events import ActorKind, Refusal
from decode_core.plans.standing import TaskStatus
from decode_core.plans.verbs.statements import SIGNOFF_COMMAND, Statement, append_statement, sign_off
from decode_core.plans.verbs.tasks import Completed, complete_task, start_task
from plan_bench import (
    AMENDMENT,
    PlanBench,
    contract,
    criterion,
    fails,
    git,
    make_bench,
    task,
)


@pytest.fixture
def bench(tmp_path: Path) -> PlanBench:
    return make_bench(tmp_path)


class TestStart:
    def test_the_same_world_is_the_same_start(self, bench: PlanBench) -> None:
        first = start_task(bench.folder, "T-one", bench.writer)
        again = start_task(bench.folder, "T-one", bench.writer)
        assert (first.is_new, again.is_new, again.seq) == (True, False, first.seq)

    def test_a_changed_world_is_a_new_start_and_reopens_the_window(self, bench: PlanBench) -> None:
        bench.finish("one")
        assert bench.plan.standing.status(bench.plan.contract.model.tasks[0]) is TaskStatus.COMPLETED
        (bench.root / "src" / "more.py").write_text("x")
        assert start_task(bench.folder, "T-one", bench.writer).is_new
        assert bench.plan.standing.status(bench.plan.contract.model.tasks[0]) is TaskStatus.IN_PROGRESS

    def test_the_fingerprint_is_commit_and_stripped_status(self, bench: PlanBench) -> None:
        (bench.root / "src" / "product.py").write_text("y")
        bench.start("one")
        head = git(bench.root, "rev-parse", "HEAD").strip()
        assert bench.documents()[-1]["fingerprint"] == {"revision": head, "dirty": "M src/product.py"}

    def test_without_git_the_fingerprint_says_none(self, tmp_path: Path) -> None:
        bench = make_bench(tmp_path, with_git=False)
        bench.start("one")
        assert bench.documents()[-1]["fingerprint"] == {"revision": "none", "dirty": "none"}

    def test_an_unknown_task_is_an_error(self, bench: PlanBench) -> None:
        before = bench.journal
        fails(lambda: start_task(bench.folder, "T-nine", bench.writer), "its tasks are T-one, T-two, T-three")
        assert bench.journal == before

    def test_without_an_approval_it_is_refused_and_recorded(self, bench: PlanBench) -> None:
        lines = [{**document, "contract_id": "0" * 64} for document in bench.documents()]
        bench.folder.journal.write_bytes(b"".join(canonical_bytes(line) + b"\n" for line in lines))
        bench.folder.chain.unlink()
        fails(lambda: start_task(bench.folder, "T-one", bench.writer), "no approval", ExitCode.START_REFUSED)
        last = bench.events[-1]
        assert isinstance(last, Refusal)
        assert (last.subject, last.stage) == ("T-one", "task_start")

    def test_stricter_a_task_starts_after_what_it_waits_for(self, bench: PlanBench) -> None:
        fails(lambda: bench.start("three"), "prerequisites are not complete: T-one", ExitCode.START_REFUSED)
        assert bench.documents()[-1]["stage"] == "task_start"
        bench.finish("one")
        bench.start("three")


class TestComplete:
    def test_invariants_must_hold_since_the_start(self, tmp_path: Path) -> None:
        bench = make_bench(tmp_path, contract(invariants=[{"id": "INV-still", "statement": "nothing moved"}]))

        def complete() -> Completed:
            return complete_task(bench.folder, "T-one", bench.writer)

        fails(complete, r"INV-still \(missing\)", ExitCode.COMPLETION_REFUSED)
        bench.say("INV-still: pass")
        bench.finish("one")
        fails(complete, r"INV-still \(stale\)", ExitCode.COMPLETION_REFUSED)
        bench.say("INV-still: fail: it moved")
        fails(complete, r"INV-still \(failed\)", ExitCode.COMPLETION_REFUSED)
        bench.say("INV-still: passed, I think")
        fails(complete, r"INV-still \(failed\)", ExitCode.COMPLETION_REFUSED)
        bench.say("INV-still: pass")
        assert complete().task == "T-one"

    def test_a_task_without_gates_is_complete_at_once(self, tmp_path: Path) -> None:
        bench = make_bench(tmp_path, contract(tasks=[{**task("one"), "gate_intent": []}]))
        assert complete_task(bench.folder, "T-one", bench.writer).evidence == ()
        assert bench.plan.standing.ready() == []

    def test_a_claim_is_not_evidence_for_what_must_be_observed(self, bench: PlanBench) -> None:
        bench.start("one")
        (bench.root / "note.txt").write_text("it works, trust me")
        fails(lambda: sign_off(bench.folder, "AC-one", "note.txt", "me", bench.writer), "only asserted")


class TestAppend:
    @pytest.mark.parametrize("kind", ["gate_run", "delegation", "approval", "journal_repair"])
    def test_what_has_a_verb_of_its_own_is_not_taken_raw(self, bench: PlanBench, kind: str) -> None:
        before = bench.journal
        fails(lambda: append_statement(bench.folder, Statement(kind, {}), bench.writer), f"raw {kind}")
        assert bench.journal == before

    @pytest.mark.parametrize(
        ("statement", "says"),
        [
            (Statement("observation", {"statement": "x"}, Trust.OBSERVED, "src/product.py"), "observed is minted"),
            (Statement("observation", {"statement": "x", "trust": "observed"}), "observed is minted"),
            (
                Statement("resource_sample", {"source": "m", "value": 1, "unit": "h"}, Trust.OBSERVED),
                "observed is minted",
            ),
            (Statement("observation", {"statement": "x"}, Trust.IMPORTED), "needs an evidence_path"),
            (Statement("observation", {"statement": "x"}, Trust.IMPORTED, "nowhere"), "needs an evidence_path"),
            (Statement("observation", {"statement": "x"}, Trust.IMPORTED, "/etc/passwd"), "needs an evidence_path"),
            (Statement("observation", {"statement": "x", "seq": 9}), "writes seq itself"),
            (Statement("observation", {"statement": "x", "actor": {}}), "writes actor itself"),
            (Statement("selection", {"task": "T-one", "priority_boost": False}, Trust.ASSERTED), "carries no trust"),
            (Statement("selection", {"task": "T-nine", "priority_boost": False}), "knows no T-nine"),
            (
                Statement("resource_sample", {"source": "m", "value": 1, "unit": "h", "limit_id": "days"}),
                "knows no days",
            ),
            (Statement("refusal", {"subject": "x", "stage": "gate", "reason": "r", "proposal": 9}), "no event of the"),
            (Statement("gossip", {}), "not valid"),
            (Statement("observation", {"statement": " "}), "blank"),
            (Statement("observation", {"statement": float("nan")}), "JSON"),
            (Statement("amendment", {**AMENDMENT, "evidence_invalidated": []}), "a person's"),
        ],
    )
    def test_what_may_not_be_said(self, bench: PlanBench, statement: Statement, says: str) -> None:
        before = bench.journal
        fails(lambda: append_statement(bench.folder, statement, bench.writer), says)
        assert bench.journal == before

    def test_a_meter_is_observed_by_its_host(self, bench: PlanBench) -> None:
        (bench.root / "meter.txt").write_text("3")
        payload = {"source": "m", "value": 3, "unit": "hours", "limit_id": "hours"}
        host = replace(bench.writer, kind=ActorKind.HOST_ADAPTER)
        append_statement(bench.folder, Statement("resource_sample", payload, Trust.OBSERVED, "meter.txt"), host)
        assert bench.documents()[-1]["trust"] == "observed"
        bench.assert_valid()

    def test_nobody_signs_as_the_ledger(self, bench: PlanBench) -> None:
        helper = replace(bench.writer, kind=ActorKind.HELPER)
        fails(
            lambda: append_statement(bench.folder, Statement("observation", {"statement": "x"}), helper),
            "signs as helper",
        )

    def test_a_person_shows_that_they_were_there(self, bench: PlanBench, tmp_path: Path) -> None:
        person = replace(bench.writer, kind=ActorKind.HUMAN, identity="Ann")
        said = Statement("observation", {"statement": "looked"})
        fails(lambda: append_statement(bench.folder, said, person), "--human-note")
        note = tmp_path / "note"
        note.write_text("hello")
        append_statement(bench.folder, replace(said, human_note=note, note="twice"), person)
        assert bench.documents()[-1]["note"] == f"human note {note} sha256:2cf24dba5fb0a30e; twice"
        append_statement(bench.folder, replace(said, confirmed=True), person)
        assert bench.documents()[-1]["note"] == "confirmed at a terminal"
        bench.assert_valid()

    def test_said_twice_it_stands_once(self, bench: PlanBench) -> None:
        once = Statement("observation", {"statement": "x"}, once=True)
        first = append_statement(bench.folder, once, bench.writer)
        again = append_statement(bench.folder, once, bench.writer)
        assert (first.is_new, again.is_new, again.seq) == (True, False, first.seq)
        assert append_statement(bench.folder, replace(once, payload={"statement": "y"}), bench.writer).is_new

    def test_a_raw_start_keeps_the_rules_of_start(self, bench: PlanBench) -> None:
        raw = Statement("task_start", {"task": "T-three"})
        fails(lambda: append_statement(bench.folder, raw, bench.writer), "prerequisites", ExitCode.START_REFUSED)
        append_statement(bench.folder, Statement("task_start", {"task": "T-one"}), bench.writer)
        assert start_task(bench.folder, "T-one", bench.writer).is_new


class TestSignOff:
    @pytest.fixture
    def bench(self, tmp_path: Path) -> PlanBench:
        criteria = {"criteria": [criterion("one", "asserted"), criterion("two"), criterion("three")]}
        bench = make_bench(tmp_path, contract(acceptance=criteria))
        (bench.folder.path / "REVIEW.md").write_text("hello")
        return bench

    def test_a_persons_word_is_asserted_and_closes(self, bench: PlanBench) -> None:
        bench.start("one")
        sign_off(bench.folder, "AC-one", "REVIEW.md", "Ann", bench.writer)
        event = bench.documents()[-1]
        assert (event["command"], event["cwd"], event["timeout_seconds"]) == (SIGNOFF_COMMAND, ".", 1)
        assert (event["trust"], event["actor"]) == ("asserted", {"kind": "human", "identity": "Ann"})
        assert event["note"] == "human sign-off: asserted, never executed; evidence sha256:2cf24dba5fb0a30e"
        assert complete_task(bench.folder, "T-one", bench.writer).evidence == (event["seq"],)
        bench.assert_valid()

    @pytest.mark.parametrize(
        ("criterion_id", "path", "authority", "says"),
        [
            ("AC-nine", "REVIEW.md", "Ann", "no criterion"),
            ("AC-two", "REVIEW.md", "Ann", "only asserted"),
            ("AC-one", "nowhere", "Ann", "is no file"),
            ("AC-one", "../../../x", "Ann", "is no file"),
            ("AC-one", "REVIEW.md", "", "1 to 100"),
            ("AC-one", "REVIEW.md", "x" * 101, "1 to 100"),
        ],
    )
    def test_what_cannot_be_signed(
        self, bench: PlanBench, criterion_id: str, path: str, authority: str, says: str
    ) -> None:
        bench.start("one")
        fails(lambda: sign_off(bench.folder, criterion_id, path, authority, bench.writer), says)

    def test_its_task_must_have_started(self, bench: PlanBench) -> None:
        fails(lambda: sign_off(bench.folder, "AC-one", "REVIEW.md", "Ann", bench.writer), "no started task owns")
