"""Gates run in the sandbox of `bash`, and what they do to protected files is no evidence (delegation.md §3)."""

from pathlib import Path

import pytest

from decode_core.permissions.sandbox.standing import SandboxMode
from decode_core.plans.errors import PlanError
from decode_core.plans.verbs.gate import GateOutcome, GateRequest, gate
from decode_core.settings.schema import SandboxSettings
from decode_core.work_plans.gate_walls import gate_walls
from decode_core.workspace import Workspace
from plan_bench import PlanBench, contract, make_bench, task
from sandboxes import needs_bubblewrap, use_bubblewrap, use_stand_in

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}


@pytest.fixture
def bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    use_bubblewrap(monkeypatch)


def bench_for(place: Path, check: str) -> PlanBench:
    """A started task whose gate is this shell text."""
    first = task("one")
    first["gate_intent"][0]["check"] = check
    bench = make_bench(place, contract(tasks=[first, task("two")]))
    bench.start("one")
    return bench


def run(bench: PlanBench, *, timeout_s: float = 20, wishes: SandboxSettings | None = None) -> GateOutcome:
    check = bench.plan.contract.model.tasks[0].gate_intent[0].check
    walls = gate_walls(Workspace.open(bench.root), wishes or SandboxSettings(), ENVIRONMENT)
    return gate(bench.folder, GateRequest("T-one", "AC-one", check, timeout_s), bench.writer, lambda *_: walls)


def output(bench: PlanBench, outcome: GateOutcome) -> str:
    return (bench.folder.path / outcome.log).read_text()


@needs_bubblewrap
@pytest.mark.usefixtures("bubblewrap")
def test_a_gate_works_in_the_workspace_and_its_streams_are_kept_apart(tmp_path: Path) -> None:
    bench = bench_for(tmp_path, "sh -c 'echo out; echo err >&2; touch src/made; exit 3'")
    outcome = run(bench)
    assert outcome.exit_code == 3
    assert "--- stdout ---\nout\n\n--- stderr ---\nerr\n\n--- exit 3 ---" in output(bench, outcome)
    assert (bench.root / "src" / "made").exists()


@needs_bubblewrap
@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize(
    "place", ["{home}/made", ".dwp/plans/{plan}/journal.ndjson", ".dwp/config.json", ".git/config"]
)
def test_a_gate_writes_neither_outside_nor_in_what_is_protected(tmp_path: Path, place: str) -> None:
    name = place.format(home=tmp_path / "home", plan="PLAN_002_small_bench")
    bench = bench_for(tmp_path, f"sh -c 'echo x >> {name}'")
    (bench.root / ".dwp" / "config.json").write_text("{}")
    before = {file: file.read_bytes() for file in (bench.folder.journal, bench.root / ".git" / "config")}
    outcome = run(bench)
    assert outcome.exit_code != 0
    # what lies outside may not even be seen; what is protected is said by name
    assert (outcome.blocked or "").startswith("writing outside") is place.startswith(".")
    assert not (tmp_path / "home" / "made").exists()
    assert bench.folder.journal.read_bytes().startswith(before[bench.folder.journal])
    assert (bench.root / ".git" / "config").read_bytes() == before[bench.root / ".git" / "config"]
    bench.assert_valid()


@needs_bubblewrap
@pytest.mark.usefixtures("bubblewrap")
def test_a_gate_that_makes_what_must_not_be_is_ended_and_not_recorded(tmp_path: Path) -> None:
    bench = bench_for(tmp_path, "sh -c 'touch .envrc; sleep 60'")
    before = bench.journal
    with pytest.raises(PlanError, match="nothing is recorded"):
        run(bench)
    assert bench.journal == before
    assert not (bench.root / ".envrc").exists()


@needs_bubblewrap
@pytest.mark.usefixtures("bubblewrap")
def test_a_gate_that_is_quick_to_make_it_is_no_evidence_either(tmp_path: Path) -> None:
    bench = bench_for(tmp_path, "sh -c 'touch .envrc'")
    before = bench.journal
    with pytest.raises(PlanError, match=r"made \.envrc, which is protected; it was put back"):
        run(bench)
    assert bench.journal == before
    assert not (bench.root / ".envrc").exists()


@needs_bubblewrap
@pytest.mark.usefixtures("bubblewrap")
def test_out_of_time_ends_everything_in_the_sandbox(tmp_path: Path) -> None:
    bench = bench_for(tmp_path, "sh -c 'sleep 61.5 & sleep 61.5'")
    outcome = run(bench, timeout_s=0.5)
    assert (outcome.exit_code, outcome.timed_out) == (124, True)
    running = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert not any(b"sleep\x0061.5" in line for line in running)


def test_who_wants_no_sandbox_has_none(tmp_path: Path) -> None:
    bench = bench_for(tmp_path, "sh -c 'echo x > ../outside'")
    assert run(bench, wishes=SandboxSettings(mode=SandboxMode.OFF)).exit_code == 0
    assert (tmp_path / "outside").exists()


def test_any_sandbox_is_put_around_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_stand_in(monkeypatch, tmp_path)
    assert run(bench_for(tmp_path / "bench", "sh -c 'test -n \"$IN_SANDBOX\"'")).exit_code == 0


def test_who_requires_one_runs_nothing_without_it(tmp_path: Path) -> None:
    bench = bench_for(tmp_path, "test -e src/one.py")
    before = bench.journal
    with pytest.raises(PlanError, match=r"require a sandbox .* tests run without one"):
        run(bench, wishes=SandboxSettings(mode=SandboxMode.REQUIRE))
    assert bench.journal == before
    assert run(bench, wishes=SandboxSettings()).exit_code == 1
