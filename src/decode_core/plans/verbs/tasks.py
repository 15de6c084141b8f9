"""Start a task and close it."""

from dataclasses import dataclass

from decode_core.plans.contract import Task
from decode_core.plans.errors import ExitCode, PlanError, Stage
from decode_core.plans.folder import LoadedPlan, PlanFolder
from decode_core.plans.ledger import Ledger, Writer, open_ledger
from decode_core.plans.standing import InvariantState


@dataclass(frozen=True)
class Started:
    """A start that stands in the journal."""

    task: str
    seq: int
    is_new: bool
    """False when the task was already started in exactly this state of the repository."""


@dataclass(frozen=True)
class Completed:
    """A task with nothing left to show."""

    task: str
    evidence: tuple[int, ...]
    """The numbers of the runs that show it."""


def start_task(folder: PlanFolder, task_id: str, writer: Writer) -> Started:
    """Start a task; started again in a changed repository, older evidence no longer counts for it.

    Raises RefusedError (3) without an approval of the live contract, and, stricter than the publisher, while a
    prerequisite is not complete; PlanError for an unknown task.
    """
    with open_ledger(folder, writer) as ledger:
        task = known_task(ledger, task_id)
        require_approval(ledger, task_id)
        refuse_early_start(ledger, task)
        fingerprint = folder.repository.fingerprint()
        latest = ledger.plan.standing.start(task_id)
        if (
            latest is not None
            and latest.fingerprint is not None
            and (latest.fingerprint.revision, latest.fingerprint.dirty)
            == (fingerprint["revision"], fingerprint["dirty"])
        ):
            return Started(task_id, latest.seq, is_new=False)
        event = ledger.append("task_start", {"task": task_id, "fingerprint": fingerprint})
        return Started(task_id, event.seq, is_new=True)


def complete_task(folder: PlanFolder, task_id: str, writer: Writer) -> Completed:
    """Check that a task is done; nothing is recorded when it is, since completion is derived.

    Raises RefusedError (4) for, in this order, an open delegation, an invariant that is not known to hold since the
    start, a criterion without evidence, and a live contract without an approval.
    """
    with open_ledger(folder, writer) as ledger:
        task, standing = known_task(ledger, task_id), ledger.plan.standing
        reason = _open_delegations(ledger, task_id) or _broken_invariants(ledger, task_id)
        missing = standing.unsatisfied(task)
        if reason is None and missing:
            reason = f"criteria without in-window accepted evidence: {', '.join(missing)}"
        reason = reason or missing_approval(ledger.plan)
        if reason is not None:
            ledger.refuse(task_id, Stage.GATE, reason, ExitCode.COMPLETION_REFUSED)
        runs = [standing.evidence(task_id, intent.criterion) for intent in task.gate_intent]
        return Completed(task_id, tuple(dict.fromkeys(run.seq for run in runs if run is not None)))


def known_task(ledger: Ledger, task_id: str) -> Task:
    """The task with this id. Raises PlanError when the contract has none."""
    task = ledger.plan.contract.model.task(task_id)
    if task is None:
        names = ", ".join(one.id for one in ledger.plan.contract.model.tasks)
        raise PlanError(f"there is no task {task_id!r} in the contract; its tasks are {names}")
    return task


def require_approval(ledger: Ledger, subject: str, stage: Stage = Stage.TASK_START) -> None:
    """Refuse (3) what needs an approval that cites the live contract."""
    reason = missing_approval(ledger.plan)
    if reason is not None:
        ledger.refuse(subject, stage, reason, ExitCode.START_REFUSED)


def missing_approval(plan: LoadedPlan) -> str | None:
    """Why the live contract does not count yet, or None: a revision that nobody approved may say anything."""
    if plan.standing.approval(plan.contract.id) is not None:
        return None
    if plan.contract.model.revision == 1:
        return "no approval cites the live contract; a person approves it with `decode plan materialize`"
    return (
        f"no approval cites the live contract, revision {plan.contract.model.revision}; finish its amendment, or take "
        "its file out of contracts/"
    )


def refuse_early_start(ledger: Ledger, task: Task) -> None:
    """Refuse a start before the tasks it waits for are complete."""
    waiting = ledger.plan.standing.open_prerequisites(task)
    if waiting:
        reason = f"prerequisites are not complete: {', '.join(waiting)}"
        ledger.refuse(task.id, Stage.TASK_START, reason, ExitCode.START_REFUSED)


def _open_delegations(ledger: Ledger, task_id: str) -> str | None:
    names = [one.launch.delegation_id for one in ledger.plan.standing.open_delegations(task_id)]
    return f"delegation(s) still open: {', '.join(names)} — collect or cancel them first" if names else None


def _broken_invariants(ledger: Ledger, task_id: str) -> str | None:
    standing = ledger.plan.standing
    states = [(one.id, standing.invariant(one.id, task_id)) for one in ledger.plan.contract.model.invariants]
    bad = [f"{name} ({state})" for name, state in states if state is not InvariantState.PASS]
    return f"invariants not shown to hold since the task started: {', '.join(bad)}" if bad else None
