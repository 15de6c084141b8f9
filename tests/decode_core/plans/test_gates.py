"""Gates run here, exactly as approved, and need not run twice in the same world."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from decode_core.plans import gate_process
from decode_core.plans.events import GateRun
from decode_core.plans.gate_process import TIMEOUT_EXIT
from decode_core.plans.lock import LOCK_FOLDER, Clock
from decode_core.plans.reuse import CACHE_FILE, surface_digest
from decode_core.plans.verbs.gate import GateRequest, gate, reuse
from decode_core.plans.verbs.reading import check_plan, status_document
from decode_core.plans.verbs.tasks import complete_task
from plan_bench import (
    NAME,
    Document,
    PlanBench,
    contract,
    fails,
    git,
    make_bench,
    permitted,
    task,
)


@pytest.fixture
def bench(tmp_path: Path) -> PlanBench:
    return make_bench(tmp_path)


class TestGate:
    def test_it_runs_here_and_records_what_it_saw(self, bench: PlanBench) -> None:
        bench.start("one")
        outcome = bench.gate("one")
        assert outcome.exit_code == 1
        run = bench.events[-1]
        assert isinstance(run, GateRun)
        assert (run.actor.kind, run.trust, run.exit_code, run.cwd) == ("helper", "observed", 1, str(bench.root))
        assert run.evidence_path == "gates/T-one/003-test--e-src-one.py.log"
        log = (bench.folder.path / run.evidence_path).read_text()
        assert log == "$ test -e src/one.py\n\n--- stdout ---\n\n--- stderr ---\n\n--- exit 1 ---\n"
        bench.assert_valid()

    def test_output_is_kept_raw(self, tmp_path: Path) -> None:
        shell = r"sh -c 'printf \\377; printf e >&2'"
        bench = make_bench(tmp_path, with_check(shell))
        bench.start("one")
        outcome = gate(bench.folder, GateRequest("T-one", "AC-one", shell), bench.writer, permitted)
        assert b"--- stdout ---\n\xff\n--- stderr ---\ne\n" in (bench.folder.path / outcome.log).read_bytes()

    def test_out_of_time_is_124_and_nothing_goes_on(self, tmp_path: Path) -> None:
        check = "sh -c 'sleep 60 & echo $! > pid; wait'"
        bench = make_bench(tmp_path, with_check(check))
        bench.start("one")
        outcome = gate(bench.folder, GateRequest("T-one", "AC-one", check, timeout_s=0.3), bench.writer, permitted)
        assert (outcome.exit_code, outcome.timed_out) == (TIMEOUT_EXIT, True)
        assert bench.documents()[-1]["timeout_seconds"] == 0.3
        assert is_gone(int((bench.root / "pid").read_text()))

    @pytest.mark.parametrize(
        ("task_id", "criterion_id", "command", "says"),
        [
            ("T-nine", "AC-one", "true", "no task"),
            ("T-one", "AC-two", "test -e src/two.py", "no gate for AC-two"),
            ("T-one", "AC-one", "make x", "no allowed command class"),
            ("T-one", "AC-one", ["make"], "no allowed command class"),
            ("T-one", "AC-one", "true", "only that runs as its gate"),
            ("T-one", "AC-one", "test -e src/one.py; rm -rf .", "only that runs as its gate"),
            ("T-one", "AC-one", ["test", "-e", "src/two.py"], "only that runs as its gate"),
            ("T-one", "AC-one", "", "JSON string or an array"),
            ("T-one", "AC-one", [], "JSON string or an array"),
            ("T-one", "AC-one", ["test", 1], "JSON string or an array"),
            ("T-one", "AC-one", {"a": 1}, "JSON string or an array"),
            ("T-one", "AC-one", "x" * 501, "at most 500"),
        ],
    )
    def test_what_is_not_the_approved_check_does_not_run(
        self, bench: PlanBench, task_id: str, criterion_id: str, command: object, says: str
    ) -> None:
        bench.start("one")
        before = bench.journal
        fails(lambda: gate(bench.folder, GateRequest(task_id, criterion_id, command), bench.writer, permitted), says)
        assert bench.journal == before
        assert not (bench.folder.path / "gates").exists()

    def test_words_are_the_check_when_they_split_to_it(self, bench: PlanBench) -> None:
        bench.start("one")
        request = GateRequest("T-one", "AC-one", ["test", "-e", "src/one.py"])
        assert gate(bench.folder, request, bench.writer, permitted).exit_code == 1

    def test_a_task_that_has_not_started_has_no_gates(self, bench: PlanBench) -> None:
        fails(lambda: bench.gate("one"), "has not started")

    def test_a_program_that_is_not_there_records_nothing(self, tmp_path: Path) -> None:
        scope = {**contract()["scope"], "allowed_command_classes": ["test", "no-such-program"]}
        bench = make_bench(tmp_path, {**with_check("no-such-program x"), "scope": scope})
        bench.start("one")
        before = bench.journal
        request = GateRequest("T-one", "AC-one", ["no-such-program", "x"])
        fails(lambda: gate(bench.folder, request, bench.writer, permitted), "could not be started")
        assert bench.journal == before

    def test_logs_never_leave_the_plan(self, bench: PlanBench, tmp_path: Path) -> None:
        bench.start("one")
        (tmp_path / "out").mkdir()
        (bench.folder.path / "gates").symlink_to(tmp_path / "out")
        fails(lambda: bench.gate("one"), "is a link")

    def test_a_later_failure_does_not_undo_it_but_shows(self, bench: PlanBench) -> None:
        bench.finish("one")
        (bench.root / "src" / "one.py").unlink()
        assert bench.gate("one").exit_code == 1
        assert complete_task(bench.folder, "T-one", bench.writer)
        assert any("latest run" in warning for warning in check_plan(bench.plan).warnings)
        assert status_document(bench.plan)["tasks"][0]["criteria"][0]["latest_failed"]


class TestLongGates:
    @pytest.fixture(autouse=True)
    def quick_ticks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(gate_process, "TICK_S", 0.02)

    def test_a_long_gate_keeps_its_lock_fresh(self, tmp_path: Path) -> None:
        times = iter(range(1_000_000, 2_000_000, 100))
        owner = f".dwp/plans/{NAME}/{LOCK_FOLDER}/owner.json"
        # the gate ends when its owner file is no longer the one it began with
        check = f"sh -c 'cp {owner} first; while cmp -s {owner} first; do :; done'"
        bench = make_bench(tmp_path, with_check(check))
        bench.start("one")
        bench.writer = replace(bench.writer, clock=Clock(now=lambda: float(next(times))), wait_s=1e6)
        request = GateRequest("T-one", "AC-one", check, timeout_s=60)
        assert gate(bench.folder, request, bench.writer, permitted).exit_code == 0

    def test_a_gate_whose_lock_was_broken_records_nothing(self, tmp_path: Path) -> None:
        owner = f".dwp/plans/{NAME}/{LOCK_FOLDER}/owner.json"
        check = f"sh -c 'echo {{}} > {owner}; sleep 60'"
        bench = make_bench(tmp_path, with_check(check))
        bench.start("one")
        before = bench.journal
        request = GateRequest("T-one", "AC-one", check)
        fails(lambda: gate(bench.folder, request, bench.writer, permitted), "was broken by another writer")
        assert bench.journal == before


class TestReuse:
    def test_the_same_world_is_not_run_again(self, bench: PlanBench) -> None:
        bench.finish("one")
        before = bench.journal
        outcome = bench.gate("one")
        assert (outcome.reused, outcome.exit_code) == (True, 0)
        assert bench.journal == before
        assert reuse(bench.folder, GateRequest("T-one", "AC-one", "test -e src/one.py"), None) == outcome

    def test_a_failure_is_replayed_too(self, bench: PlanBench) -> None:
        bench.start("one")
        bench.gate("one")
        outcome = bench.gate("one")
        assert (outcome.reused, outcome.exit_code) == (True, 1)

    @pytest.mark.parametrize(
        "change", ["file", "commit", "surface", "environment", "selection", "log", "cache", "start"]
    )
    def test_any_change_runs_it_again(self, bench: PlanBench, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
        bench.finish("one")
        match change:
            case "file":
                (bench.root / "other.txt").write_text("x")
            case "commit":
                git(bench.root, "commit", "-q", "--allow-empty", "-m", "x")
            case "surface":
                (bench.root / "src" / "one.py").write_text("x = 2\n")
            case "environment":
                monkeypatch.setenv("PYTHONPATH", "/x")
            case "log":
                next(bench.folder.path.glob("gates/*/*.log")).unlink()
            case "cache":
                cache = bench.folder.path / CACHE_FILE
                cache.write_text(cache.read_text().replace('"exit_code":0', '"exit_code":1') + '{"torn')
            case "start":
                (bench.root / "other.txt").write_text("x")
                bench.start("one")
                (bench.root / "other.txt").unlink()
        selection = "fast" if change == "selection" else None
        assert not bench.gate("one", selection=selection).reused

    def test_no_reuse_runs_it(self, bench: PlanBench) -> None:
        bench.finish("one")
        assert not bench.gate("one", may_reuse=False).reused

    def test_without_git_nothing_is_reused(self, tmp_path: Path) -> None:
        bench = make_bench(tmp_path, with_git=False)
        bench.finish("one")
        assert not bench.gate("one").reused

    def test_a_surface_names_links_and_reads_nothing_outside(self, tmp_path: Path) -> None:
        root, outside = tmp_path / "r", tmp_path / "o"
        (root / "d").mkdir(parents=True)
        outside.mkdir()
        (root / "d" / "a").write_text("1")
        (root / "link").symlink_to(outside)
        digests = {entry: surface_digest(root, entry) for entry in ("d", "d/*", "**/a", "link", "link/x", "*")}
        (outside / "x").write_text("changed")
        assert {entry: surface_digest(root, entry) for entry in digests if entry != "link/x"} == {
            entry: digest for entry, digest in digests.items() if entry != "link/x"
        }
        assert surface_digest(root, "../o") == surface_digest(root, "/etc/passwd") == "outside"
        (root / "d" / "a").write_text("2")
        assert surface_digest(root, "d") != digests["d"]
        assert surface_digest(root, "d/*") != digests["d/*"]


def with_check(check: str) -> Document:
    """The contract with another check for the first task."""
    first = task("one")
    first["gate_intent"][0]["check"] = check
    return contract(tasks=[first, task("two")])


def is_gone(pid: int) -> bool:
    """Whether a process has ended; one that only waits to be buried has."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] == "Z"
