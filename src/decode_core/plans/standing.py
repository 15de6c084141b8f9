"""What a journal proves under a contract: evidence, tasks, invariants, delegations. Derived, never declared.

Source: dwp-records, "Evidence labels and satisfaction". One journal is folded once; every question is then a look-up.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from decode_core.plans.contract import Contract, Task
from decode_core.plans.events import (
    Amendment,
    AnyEvent,
    Approval,
    Delegation,
    DelegationState,
    GateRun,
    Observation,
    TaskStart,
)

_INVARIANT = re.compile(r"(INV-[a-z0-9]+(?:-[a-z0-9]+)*): (pass|fail)(?::.*)?", re.DOTALL)


class TaskStatus(StrEnum):
    """Where a task stands."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"


class InvariantState(StrEnum):
    """What is known of an invariant since a task started."""

    PASS = "pass"  # noqa: S105 - the word of the format, no password
    FAILED = "failed"
    STALE = "stale"
    MISSING = "missing"


@dataclass(frozen=True)
class DelegationStanding:
    """A delegation from its launch to its end."""

    launch: Delegation
    end: Delegation | None = None

    @property
    def is_open(self) -> bool:
        """Whether it still waits for its end."""
        return self.end is None

    @property
    def latest(self) -> Delegation:
        """Its last event."""
        return self.end or self.launch


class Standing:
    """Answers over a contract and all events (archives and live)."""

    def __init__(self, contract: Contract, events: Sequence[AnyEvent]) -> None:
        self.contract = contract
        self._starts: dict[str, TaskStart] = {}
        self._runs: dict[tuple[str, str], list[GateRun]] = defaultdict(list)
        self._floors: dict[str, int] = {}
        self._invariants: dict[str, tuple[int, bool]] = {}
        self._approved: dict[str, Approval] = {}
        self.delegations: dict[str, DelegationStanding] = {}
        """Every delegation by its id, in the order of their launches."""
        self._fold(events)

    def approval(self, contract_id: str) -> Approval | None:
        """The latest approval that cites this contract."""
        return self._approved.get(contract_id)

    def start(self, task: str) -> TaskStart | None:
        """The latest start of a task."""
        return self._starts.get(task)

    def runs(self, task: str, criterion: str) -> Sequence[GateRun]:
        """Every gate run of exactly this pair."""
        return self._runs.get((task, criterion), ())

    def floor(self, task: str, criterion: str) -> int | None:
        """The number from which evidence counts: the task's latest start, or a later amendment that invalidated it."""
        start = self.start(task)
        return None if start is None else max(start.seq, self._floors.get(criterion, 0))

    def evidence(self, task: str, criterion: str) -> GateRun | None:
        """The run that satisfies a criterion for a task, or None.

        It passed, at or after the task's latest start and the last approved amendment that invalidated the criterion,
        with a label the criterion accepts; the latest wins. A later failure does not undo it.
        """
        floor = self.floor(task, criterion)
        known = self.contract.criterion(criterion)
        if floor is None or known is None:
            return None
        for run in reversed(self.runs(task, criterion)):
            if run.seq >= floor and run.exit_code == 0 and run.trust in known.accepted_evidence:
                return run
        return None

    def stale(self, task: str, criterion: str) -> list[int]:
        """Numbers of passed runs that came too early to count."""
        floor = self.floor(task, criterion)
        return [
            run.seq for run in self.runs(task, criterion) if run.exit_code == 0 and (floor is None or run.seq < floor)
        ]

    def unsatisfied(self, task: Task) -> list[str]:
        """The criteria of a task that lack evidence, in its order."""
        return [name for name in criteria_of(task) if self.evidence(task.id, name) is None]

    def is_complete(self, task: Task) -> bool:
        """Whether nothing is left to show; a task without gates is complete at once."""
        return not self.unsatisfied(task)

    def status(self, task: Task) -> TaskStatus:
        """Pending until it is started, completed when all is shown."""
        if self.start(task.id) is None:
            return TaskStatus.PENDING
        return TaskStatus.COMPLETED if self.is_complete(task) else TaskStatus.IN_PROGRESS

    def invariant(self, invariant: str, task: str) -> InvariantState:
        """What the latest observation of an invariant says for a task: it must pass at or after the task's start."""
        latest = self._invariants.get(invariant)
        start = self.start(task)
        if latest is None:
            return InvariantState.MISSING
        seq, passed = latest
        if not passed:
            return InvariantState.FAILED
        if start is not None and seq < start.seq:
            return InvariantState.STALE
        return InvariantState.PASS

    def last_said(self, invariant: str) -> tuple[int, bool] | None:
        """The latest observation of an invariant: its number, and whether it says pass."""
        return self._invariants.get(invariant)

    def open_delegations(self, task: str | None = None) -> list[DelegationStanding]:
        """Delegations without an end, of a task or of all."""
        return [one for one in self.delegations.values() if one.is_open and task in (None, one.launch.task)]

    def open_prerequisites(self, task: Task) -> list[str]:
        """Prerequisites that are not complete."""
        return [name for name in task.prerequisites if not self._is_done(name)]

    def ready(self) -> list[Task]:
        """Tasks that can be worked on: not complete, everything they wait for complete."""
        return [one for one in self.contract.tasks if not self.is_complete(one) and not self.open_prerequisites(one)]

    def _is_done(self, name: str) -> bool:
        task = self.contract.task(name)
        return task is not None and self.is_complete(task)

    def _fold(self, events: Iterable[AnyEvent]) -> None:
        pending: list[Amendment] = []
        for event in events:
            match event:
                case Approval():
                    self._approved[event.contract_id] = event
                    for amendment in pending:
                        self._floors.update(dict.fromkeys(amendment.evidence_invalidated, amendment.seq))
                    pending.clear()
                case Amendment():
                    pending.append(event)
                case TaskStart():
                    self._starts[event.task] = event
                case GateRun():
                    self._runs[event.task, event.criterion].append(event)
                case Observation():
                    said = _INVARIANT.fullmatch(event.statement)
                    if said is not None:
                        self._invariants[said[1]] = (event.seq, said[2] == "pass")
                case Delegation():
                    self._take_delegation(event)
                case _:
                    pass

    def _take_delegation(self, event: Delegation) -> None:
        known = self.delegations.get(event.delegation_id)
        if known is None and event.state is DelegationState.LAUNCHED:
            self.delegations[event.delegation_id] = DelegationStanding(event)
        elif known is not None and known.is_open and event.state is not DelegationState.LAUNCHED:
            self.delegations[event.delegation_id] = DelegationStanding(known.launch, event)


def criteria_of(task: Task) -> list[str]:
    """The criteria of a task's gates, each once, in its order."""
    return list(dict.fromkeys(intent.criterion for intent in task.gate_intent))
