"""Any sequence of verbs keeps the records sound: hypothesis tries them in all orders."""

import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from decode_core.plans.canonical import canonical_bytes
from decode_core.plans.errors import ExitCode, PlanError, RefusedError
from decode_core.plans.events import AnyEvent, Delegation, DelegationState
from decode_core.plans.folder import LoadedPlan
from decode_core.plans.standing import TaskStatus
from decode_core.plans.verbs.delegate import cancel, collect, launch
from decode_core.plans.verbs.outputs import projection_of, write_projection
from decode_core.plans.verbs.reading import check_plan
from decode_core.plans.verbs.statements import sign_off
from decode_core.plans.verbs.tasks import complete_task
from plan_bench import Document, contract, criterion, launch_payload, line_faults, make_bench, schema_faults

NAMES = st.sampled_from(["one", "two", "three", "nine"])
IDS = st.sampled_from(["d1", "d2", "a b"])


class AnyOrder(RuleBasedStateMachine):
    """A plan and whoever drives it, sensibly or not."""

    def __init__(self) -> None:
        super().__init__()
        self.place = Path(mkdtemp())
        invariants = [{"id": "INV-still", "statement": "nothing moved"}]
        criteria = {"criteria": [criterion("one"), criterion("two", "observed", "asserted"), criterion("three")]}
        self.bench = make_bench(self.place, contract(invariants=invariants, acceptance=criteria), with_git=False)
        self.bench.enable("agentkit")
        self.lines: list[bytes] = []

    def teardown(self) -> None:
        assert schema_faults("plan-snapshot-v6", projection_of(self.bench.plan)) == []
        shutil.rmtree(self.place)

    @rule(name=NAMES)
    def start(self, name: str) -> None:
        with suppress(PlanError):
            self.bench.start(name)

    @rule(name=NAMES, exists=st.booleans())
    def gate(self, name: str, *, exists: bool) -> None:
        file = self.bench.root / "src" / f"{name}.py"
        if exists:
            file.write_text("x")
        else:
            file.unlink(missing_ok=True)
        with suppress(PlanError):
            outcome = self.bench.gate(name)
            assert (outcome.exit_code == 0) == exists

    @rule(verdict=st.sampled_from(["pass", "fail", "fail: why", "maybe"]))
    def say(self, verdict: str) -> None:
        self.bench.say(f"INV-still: {verdict}")

    @rule(name=NAMES, delegation=IDS, place=st.sampled_from([None, "absent", "/nowhere"]))
    def launch(self, name: str, delegation: str, place: str | None) -> None:
        payload = launch_payload(delegation, worktree=place)
        with suppress(PlanError):
            launch(self.bench.folder, f"T-{name}", payload, self.bench.writer, self.bench.machine())

    @rule(name=NAMES, delegation=IDS, state=st.sampled_from(["completed", "failed", "launched"]))
    def collect(self, name: str, delegation: str, state: str) -> None:
        payload = {"delegation_id": delegation, "state": state}
        with suppress(PlanError):
            collect(self.bench.folder, f"T-{name}", payload, self.bench.writer)

    @rule(name=NAMES, delegation=IDS)
    def cancel(self, name: str, delegation: str) -> None:
        with suppress(PlanError):
            cancel(self.bench.folder, f"T-{name}", {"delegation_id": delegation}, self.bench.writer)

    @rule(name=NAMES)
    def complete(self, name: str) -> None:
        before = self.bench.plan
        try:
            complete_task(self.bench.folder, f"T-{name}", self.bench.writer)
        except RefusedError as refused:
            assert refused.exit_code is ExitCode.COMPLETION_REFUSED
            return
        except PlanError:
            return
        task = before.contract.model.task(f"T-{name}")
        assert task is not None
        assert before.standing.status(task) is TaskStatus.COMPLETED
        assert before.standing.open_delegations(task.id) == []

    @rule(name=NAMES)
    def sign_off(self, name: str) -> None:
        with suppress(PlanError):
            sign_off(self.bench.folder, f"AC-{name}", "src/product.py", "Ann", self.bench.writer)

    @rule()
    def project(self) -> None:
        with suppress(PlanError):
            write_projection(self.bench.folder, self.bench.writer)

    @rule(gap=st.integers(1, 3))
    def another_program_appends(self, gap: int) -> None:
        """It takes the lock in its turn, and knows nothing of our hash chain; numbers may have gaps."""
        if self.bench.plan.journal.torn is not None:
            return
        last = self.bench.documents()[-1]
        envelope = {key: last[key] for key in ("schema", "plan", "contract_id", "ts")}
        event = {**envelope, "type": "view_render", "seq": last["seq"] + gap, "view": "v", "snapshot_digest": "a" * 64}
        line = canonical_bytes({**event, "actor": {"kind": "helper", "identity": "another"}})
        self.bench.folder.journal.write_bytes(self.bench.journal + line + b"\n")

    @rule(tail=st.binary(max_size=20).filter(lambda tail: b"\n" not in tail))
    def tear(self, tail: bytes) -> None:
        journal = self.bench.folder.journal
        journal.write_bytes(journal.read_bytes() + b'{"' + tail)

    @invariant()
    def the_records_are_sound(self) -> None:
        plan = self.bench.plan
        if list(plan.journal.lines) == self.lines and plan.journal.torn is None:
            return
        self._nothing_that_was_recorded_changes(plan)
        _a_delegation_ends_once(plan.events)
        _the_projection_follows(projection_of(plan))

    def _nothing_that_was_recorded_changes(self, plan: LoadedPlan) -> None:
        lines = list(plan.journal.lines)
        assert lines[: len(self.lines)] == self.lines
        for line in lines[len(self.lines) :]:
            assert line_faults("v7", line) == ()
        self.lines = lines
        seqs = [event.seq for event in plan.events]
        assert seqs == sorted(set(seqs))
        assert check_plan(plan).faults == ()


def _a_delegation_ends_once(events: Sequence[AnyEvent]) -> None:
    ends: dict[str, list[DelegationState]] = {}
    for event in events:
        if isinstance(event, Delegation):
            ends.setdefault(event.delegation_id, []).append(event.state)
    for states in ends.values():
        assert states[0] is DelegationState.LAUNCHED
        assert len(states) <= 2
        assert DelegationState.LAUNCHED not in states[1:]


def _the_projection_follows(state: Document) -> None:
    for task in state["tasks"]:
        shown = all(one["satisfied"] for one in task["criteria"])
        assert task["status"] == ("pending" if task["started_seq"] is None else "completed" if shown else "in_progress")


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(
    max_examples=15, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
