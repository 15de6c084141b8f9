"""Begin a plan, find it again, and read one that was amended."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from decode_core.plans.canonical import canonical_bytes, pretty_bytes
from decode_core.plans.contract import ContractError, Mechanism, read_contract
from decode_core.plans.errors import ExitCode, PlanUsageError
from decode_core.plans.events import ActorKind, Approval
from decode_core.plans.folder import PlanFolder, load_plan, locate_plan
from decode_core.plans.standing import TaskStatus
from decode_core.plans.verbs.delegate import launch
from decode_core.plans.verbs.materialize import DRAFT_FILE, Consent, init_plan, materialize
from decode_core.plans.verbs.reading import check_plan
from decode_core.plans.verbs.statements import sign_off
from decode_core.plans.verbs.tasks import complete_task, start_task
from plan_bench import (
    AMENDMENT,
    NAME,
    Document,
    PlanBench,
    contract,
    criterion,
    fails,
    launch_payload,
    make_bench,
    make_folder,
    make_repository,
    task,
)


@pytest.fixture
def bench(tmp_path: Path) -> PlanBench:
    return make_bench(tmp_path)


class TestInitAndMaterialize:
    def test_a_new_plan_can_be_approved_as_it_is(self, tmp_path: Path) -> None:
        bench = make_bench(tmp_path)
        folder = init_plan(bench.root, "PLAN_003_new_one", bench.writer)
        draft = json.loads((folder.path / DRAFT_FILE).read_text())
        approved = materialize(folder, draft, bench.writer)
        assert (approved.resumed, approved.warnings) == (False, ())
        assert load_plan(folder).contract.id == approved.contract.id

    @pytest.mark.parametrize("name", ["plan", "PLAN_x", "PLAN_a_b_c_d_e_f", "PLAN_A_b", "../PLAN_a_b"])
    def test_a_name_that_is_none(self, bench: PlanBench, name: str) -> None:
        fails(lambda: init_plan(bench.root, name, bench.writer), "no plan name")

    def test_a_plan_is_begun_once(self, bench: PlanBench) -> None:
        fails(lambda: init_plan(bench.root, NAME, bench.writer), "exists")

    def test_the_approval_is_a_persons_and_cites_plan_and_contract(self, bench: PlanBench) -> None:
        first = bench.events[0]
        assert isinstance(first, Approval)
        assert (first.actor.kind, first.actor.identity, first.authority) == (ActorKind.HUMAN, "the owner", "the owner")
        assert first.contract_id == bench.plan.contract.id
        bench.assert_valid()

    def test_consent_can_be_given_by_another(self, tmp_path: Path) -> None:
        root = tmp_path / "repo"
        make_repository(root)
        bench = PlanBench(root, make_folder(root))
        consent = Consent("y" * 120, Mechanism.PRE_AUTHORIZATION, "by phone")
        materialize(bench.folder, contract(), bench.writer, consent)
        first = bench.documents()[0]
        assert (first["authority"], first["mechanism"], first["note"]) == ("y" * 120, "pre_authorization", "by phone")
        assert first["actor"]["identity"] == "y" * 100
        bench.assert_valid()

    def test_done_again_it_changes_nothing(self, bench: PlanBench) -> None:
        before = {file: file.read_bytes() for file in bench.folder.path.rglob("*") if file.is_file()}
        assert materialize(bench.folder, contract(), bench.writer).resumed
        assert {file: file.read_bytes() for file in bench.folder.path.rglob("*") if file.is_file()} == before

    @pytest.mark.parametrize("kept", [(), ("manifest.json",), ("manifest.json", "contract.json")])
    def test_stopped_anywhere_it_goes_on(self, bench: PlanBench, kept: tuple[str, ...]) -> None:
        for name in ("manifest.json", "contract.json", "journal.ndjson", "journal.chain"):
            if name not in kept:
                (bench.folder.path / name).unlink()
        if kept == ("manifest.json",):
            fails(lambda: load_plan(bench.folder), "materialize")
        assert not materialize(bench.folder, contract(), bench.writer).resumed
        assert [event.type for event in bench.events] == ["approval"]
        bench.assert_valid()

    @pytest.mark.parametrize(
        ("document", "says"),
        [
            (contract(title="other"), "another contract"),
            (contract("v6"), "never changes its generation"),
            (contract(plan="PLAN_other_name"), "but the folder is"),
            (contract(tasks=[task("one", surface=" ")]), "touched_surface"),
            ({**contract(), "revision": 2, "parent_contract_id": "0" * 64}, "begins with revision 1"),
        ],
    )
    def test_what_is_not_this_plan_is_refused(self, bench: PlanBench, document: Document, says: str) -> None:
        before = bench.journal
        fails(lambda: materialize(bench.folder, document, bench.writer), says)
        assert bench.journal == before

    def test_draft_faults_are_refused(self, tmp_path: Path) -> None:
        scope = {**contract()["scope"], "allowed_command_classes": ["make"]}
        with pytest.raises(ContractError, match="allowed_command_classes"):
            make_bench(tmp_path, contract(scope=scope))

    def test_a_plan_without_markdown_has_nothing_to_approve(self, tmp_path: Path) -> None:
        root = tmp_path / "repo"
        make_repository(root)
        folder = make_folder(root)
        (folder.path / "README.md").unlink()
        writer = PlanBench(root, folder).writer
        fails(lambda: materialize(folder, contract(), writer), "no Markdown")
        assert not folder.manifest.exists()

    def test_a_plan_with_amendments_is_not_materialized(self, bench: PlanBench) -> None:
        (bench.folder.path / "contracts").mkdir()
        fails(lambda: materialize(bench.folder, contract(), bench.writer), "has amendments")


class TestLocating:
    def test_by_folder_by_file_in_it_and_by_place(self, bench: PlanBench) -> None:
        for given in (bench.folder.path, bench.folder.contract, bench.folder.path / "gates" / "x"):
            assert locate_plan(given, Path("/")).path == bench.folder.path
        for start in (bench.root, bench.root / "src", bench.folder.path):
            assert locate_plan(None, start).path == bench.folder.path

    def test_two_plans_need_a_name(self, bench: PlanBench) -> None:
        make_folder(bench.root, "PLAN_009_the_other")
        fails(lambda: locate_plan(None, bench.root), "there are 2 plans", ExitCode.USAGE)

    def test_none_is_a_usage_error(self, tmp_path: Path) -> None:
        for given in (None, tmp_path, tmp_path / "PLAN_not_there"):
            with pytest.raises(PlanUsageError):
                locate_plan(given, tmp_path)

    def test_the_root_of_a_plan_that_lies_elsewhere_is_its_parent(self, tmp_path: Path) -> None:
        assert PlanFolder(tmp_path / "x" / NAME).root == tmp_path / "x"
        assert PlanFolder(tmp_path / ".dwp" / "plans" / NAME).root == tmp_path


class TestAmendedPlans:
    def amend(self, bench: PlanBench, **changes: Any) -> None:
        parent = bench.plan.contract
        child = {**contract(), "title": "amended", "revision": 2, "parent_contract_id": parent.id, **changes}
        stamped = read_contract(child)
        (bench.folder.path / "contracts").mkdir(exist_ok=True)
        place = bench.folder.path / "contracts" / f"contract.r{stamped.model.revision}.json"
        place.write_bytes(pretty_bytes(stamped.document))
        for kind, payload in (
            ("amendment", {**AMENDMENT, "evidence_invalidated": ["AC-one"]}),
            ("approval", {"authority": "o", "mechanism": "plan_authorship", "plan_digest": "a" * 64}),
        ):
            document = {**bench.documents()[0], "contract_id": stamped.id, "type": kind}
            document["seq"] = bench.plan.last_seq + 1
            for name in ("authority", "mechanism", "plan_digest"):
                document.pop(name, None)
            line = canonical_bytes({**document, **payload}) + b"\n"
            bench.folder.journal.write_bytes(bench.journal + line)

    def test_the_highest_revision_is_live_and_older_evidence_is_void(self, bench: PlanBench) -> None:
        bench.finish("one")
        bench.finish("two")
        self.amend(bench)
        plan = bench.plan
        assert (plan.contract.model.revision, len(plan.contracts)) == (2, 2)
        assert [plan.standing.status(one) for one in plan.contract.model.tasks[:2]] == [
            TaskStatus.IN_PROGRESS,
            TaskStatus.COMPLETED,
        ]
        assert check_plan(plan).faults == ()
        bench.gate("one", may_reuse=False)
        assert complete_task(bench.folder, "T-one", bench.writer).task == "T-one"
        bench.assert_valid()

    def test_a_revision_that_is_not_approved_starts_nothing(self, bench: PlanBench) -> None:
        self.amend(bench)
        lines = bench.journal.splitlines(keepends=True)
        bench.folder.journal.write_bytes(b"".join(lines[:-1]))
        bench.folder.chain.unlink()
        fails(lambda: start_task(bench.folder, "T-one", bench.writer), "no approval", ExitCode.START_REFUSED)

    def test_a_revision_that_is_not_approved_runs_signs_completes_and_delegates_nothing(self, tmp_path: Path) -> None:
        """delegation.md §3: an approved contract alone; whoever can write a file could add a revision."""
        criteria = {"criteria": [criterion("one"), criterion("two", "asserted", "observed"), criterion("three")]}
        bench = make_bench(tmp_path, contract(acceptance=criteria))
        bench.enable("agentkit")
        for name in ("one", "two"):
            bench.start(name)
        marked = task("two", parallel_safe=True)
        self.amend(bench, acceptance=criteria, tasks=[{**task("one"), "gate_intent": []}, marked, task("three")])
        bench.folder.journal.write_bytes(b"".join(bench.journal.splitlines(keepends=True)[:-2]))
        folder, writer = bench.folder, bench.writer
        fails(lambda: bench.gate("two"), "revision 2", ExitCode.START_REFUSED)
        fails(lambda: sign_off(folder, "AC-two", "src/product.py", "A", writer), "revision 2", ExitCode.START_REFUSED)
        fails(lambda: complete_task(folder, "T-one", writer), "revision 2", ExitCode.COMPLETION_REFUSED)
        act = partial(launch, folder, "T-two", launch_payload(), writer, bench.machine())
        fails(act, "revision 2", ExitCode.DELEGATION_REFUSED)
        assert [event.type for event in bench.events][-4:] == ["refusal"] * 4

    def test_a_chain_of_revisions_begins_with_the_first(self, bench: PlanBench) -> None:
        self.amend_unread(bench, {})
        bench.folder.contract.unlink()
        fails(lambda: load_plan(bench.folder), "revision 1 is not there")

    @pytest.mark.parametrize("changes", [{"parent_contract_id": "0" * 64}, {"revision": 3}])
    def test_a_broken_chain_of_revisions_is_not_read(self, bench: PlanBench, changes: Document) -> None:
        self.amend_unread(bench, changes)
        with pytest.raises(ContractError):
            load_plan(bench.folder)

    def amend_unread(self, bench: PlanBench, changes: Document) -> None:
        parent = bench.plan.contract
        child = {**contract(), "title": "amended", "revision": 2, "parent_contract_id": parent.id, **changes}
        (bench.folder.path / "contracts").mkdir()
        place = bench.folder.path / "contracts" / f"contract.r{child['revision']}.json"
        place.write_bytes(pretty_bytes(child))

    def test_an_unfinished_amendment_is_not_live(self, bench: PlanBench) -> None:
        (bench.folder.path / "contracts").mkdir()
        (bench.folder.path / "contracts" / "contract.r2.pending.json").write_text("{")
        assert bench.plan.contract.model.revision == 1
