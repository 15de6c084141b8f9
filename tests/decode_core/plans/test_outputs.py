"""What is made from a plan, and what is found wrong with it."""

import json
from pathlib import Path

import pytest

from decode_core.plans.reuse import CACHE_FILE
from decode_core.plans.verbs.outputs import EXPORT_MANIFEST, export_plan, write_projection
from decode_core.plans.verbs.reading import check_plan, examine
from decode_core.plans.verbs.statements import Statement, append_statement
from plan_bench import (
    Document,
    PlanBench,
    fails,
    make_bench,
    schema_faults,
)


@pytest.fixture
def bench(tmp_path: Path) -> PlanBench:
    return make_bench(tmp_path)


class TestOutputs:
    def test_the_projection_is_a_function_of_the_records(self, bench: PlanBench) -> None:
        bench.finish("one")
        first = write_projection(bench.folder, bench.writer).read_bytes()
        bench.folder.path.joinpath("state.json").unlink()
        assert write_projection(bench.folder, bench.writer).read_bytes() == first
        assert schema_faults("plan-snapshot-v6", json.loads(first)) == []

    def test_an_unshown_criterion_names_what_came_too_early(self, bench: PlanBench) -> None:
        bench.finish("one")
        (bench.root / "x").write_text("x")
        bench.start("one")
        state = json.loads(write_projection(bench.folder, bench.writer).read_bytes())
        assert state["tasks"][0]["criteria"] == [
            {"criterion": "AC-one", "satisfied": False, "started_seq": 4, "stale_seqs": [3]}
        ]
        assert schema_faults("plan-snapshot-v6", state) == []

    def test_an_open_question_is_the_checkpoint(self, bench: PlanBench) -> None:
        asked: Document = {"category": "missing_intent", "description": "d", "question": "which?"}
        append_statement(bench.folder, Statement("intervention", asked), bench.writer)
        assert json.loads(write_projection(bench.folder, bench.writer).read_bytes())["checkpoint"] == "which?"
        append_statement(bench.folder, Statement("intervention", {**asked, "resolution": "this"}), bench.writer)
        assert json.loads(write_projection(bench.folder, bench.writer).read_bytes())["checkpoint"] is None

    def test_an_export_holds_the_records_and_their_digests(self, bench: PlanBench, tmp_path: Path) -> None:
        bench.finish("one")
        (tmp_path / "secret").write_text("s")
        (bench.folder.path / "STEAL.md").symlink_to(tmp_path / "secret")
        done = export_plan(bench.folder, tmp_path / "copy", bench.writer)
        listing = json.loads((done.folder / EXPORT_MANIFEST).read_text())
        names = {entry["path"] for entry in listing["files"]}
        assert {"manifest.json", "contract.json", "journal.ndjson", "state.json", "README.md", CACHE_FILE} <= names
        assert any(name.startswith("gates/T-one/") for name in names)
        assert "STEAL.md" not in names
        fails(lambda: export_plan(bench.folder, tmp_path / "copy", bench.writer), "exists")
        fails(lambda: export_plan(bench.folder, bench.folder.path / "x", bench.writer), "into itself")

    def test_lost_evidence_is_a_fault(self, bench: PlanBench) -> None:
        bench.finish("one")
        next(bench.folder.path.glob("gates/*/*.log")).unlink()
        assert any("is not there" in fault for fault in check_plan(bench.plan).faults)

    def test_the_doctor_names_what_hinders(self, bench: PlanBench) -> None:
        assert examine(bench.plan).warnings == ()
        (bench.root / ".gitignore").unlink()
        (bench.folder.path / ".ledger.lock").mkdir()
        warnings = " ".join(examine(bench.plan).warnings)
        assert ".dwp is not ignored" in warnings
        assert ".ledger.lock is there" in warnings
