"""What can be read from a plan without changing it: its standing, its soundness, what is ready."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from decode_core.plans.contract import Invariant, Task
from decode_core.plans.durable import file_inside
from decode_core.plans.events import Evidenced, GateRun
from decode_core.plans.folder import LoadedPlan
from decode_core.plans.lock import LOCK_FOLDER
from decode_core.plans.record_faults import record_faults
from decode_core.plans.standing import DelegationStanding, Standing, criteria_of


@dataclass(frozen=True)
class Soundness:
    """What is wrong with a plan (faults), and what a person should know (warnings)."""

    faults: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def status_document(plan: LoadedPlan) -> dict[str, Any]:
    """Where a plan stands, for a person or a program."""
    contract, standing = plan.contract, plan.standing
    ready = {task.id for task in standing.ready()}
    return {
        "plan": plan.folder.name,
        "title": contract.model.title,
        "contract_id": contract.id,
        "revision": contract.model.revision,
        "approved": standing.approval(contract.id) is not None,
        "tasks": [_task_document(standing, task, is_ready=task.id in ready) for task in contract.model.tasks],
        "invariants": [_invariant_document(standing, one) for one in contract.model.invariants],
        "delegations": [delegation_document(one) for one in standing.delegations.values()],
        "warnings": list(check_plan(plan).warnings),
    }


def inspect_document(plan: LoadedPlan) -> dict[str, Any]:
    """What the journal holds, counted."""
    torn = plan.journal.torn
    return {
        "plan": plan.folder.name,
        "generation": plan.contract.model.generation.value,
        "revision": plan.contract.model.revision,
        "contract_id": plan.contract.id,
        "events": len(plan.events),
        "last_seq": plan.last_seq,
        "types": dict(sorted(Counter(event.type for event in plan.events).items())),
        "archives": [archive.file for archive in plan.archives],
        "torn_tail": None if torn is None else {"byte_offset": torn.byte_offset, "cause": torn.cause},
    }


def delegation_document(one: DelegationStanding) -> dict[str, Any]:
    """A delegation as `delegate observe` lists it."""
    return {
        "delegation_id": one.launch.delegation_id,
        "task": one.launch.task,
        "state": one.latest.state.value,
        "transport": one.launch.transport.value,
        "via": one.launch.via,
        "seq": one.latest.seq,
        "result_path": one.latest.result_path,
    }


def ready_document(plan: LoadedPlan) -> list[dict[str, Any]]:
    """The tasks that can be worked on now."""
    return [
        {"task": task.id, "title": task.title, "parallel_safe": task.parallel_safe} for task in plan.standing.ready()
    ]


def check_plan(plan: LoadedPlan) -> Soundness:
    """Hold a plan's records against each other: what a well-formed journal cannot say, lost evidence, changed lines."""
    contract, events, standing = plan.contract.model, plan.events, plan.standing
    faults = record_faults(plan.contracts, events)
    if plan.chain.fault is not None:
        faults.append(plan.chain.fault)
    faults += [
        f"seq {event.seq}: its evidence {event.evidence_path} is not there"
        for event in events
        if isinstance(event, Evidenced)
        and event.evidence_path is not None
        and _counts(standing, event)
        and file_inside(event.evidence_path, plan.folder.path, plan.folder.root) is None
    ]
    warnings = []
    if plan.journal.torn is not None:
        warnings.append(f"TORN TAIL: {plan.journal.torn.cause}; the next writing verb mends it")
    if standing.approval(plan.contract.id) is None:
        warnings.append("no approval cites the live contract; finish with `decode plan materialize`")
    warnings += [
        f"the latest run of {criterion} for {task.id} failed (seq {runs[-1].seq}), though an earlier one counts"
        for task in contract.tasks
        for criterion in criteria_of(task)
        if (runs := standing.runs(task.id, criterion))
        and runs[-1].exit_code != 0
        and standing.evidence(task.id, criterion) is not None
    ]
    return Soundness(tuple(faults), tuple(warnings))


def examine(plan: LoadedPlan) -> Soundness:
    """`check_plan`, and what may hinder the next step: locks, open delegations, a missing git."""
    found = check_plan(plan)
    warnings = list(found.warnings)
    folder = plan.folder
    if (folder.path / LOCK_FOLDER).exists():
        warnings.append(f"{LOCK_FOLDER} is there: somebody writes now, or a writer died (the next one breaks its lock)")
    warnings += [
        f"delegation {one.launch.delegation_id} of {one.launch.task} is open; collect or cancel it"
        for one in plan.standing.open_delegations()
    ]
    if not folder.repository.has_git:
        warnings.append("there is no git here: gates are never reused, and read-only delegates cannot be watched")
    elif not folder.repository.ignores(folder.journal):
        warnings.append(
            ".dwp is not ignored by git, so that every record changes the tree and read-only delegates are refused; "
            "ignore .dwp/* and keep .dwp/config.json"
        )
    return Soundness(found.faults, tuple(warnings))


def _task_document(standing: Standing, task: Task, *, is_ready: bool) -> dict[str, Any]:
    start = standing.start(task.id)
    return {
        "id": task.id,
        "title": task.title,
        "status": standing.status(task).value,
        "ready": is_ready,
        "started_seq": None if start is None else start.seq,
        "waits_for": standing.open_prerequisites(task),
        "criteria": [_criterion_document(standing, task, name) for name in criteria_of(task)],
    }


def _criterion_document(standing: Standing, task: Task, criterion: str) -> dict[str, Any]:
    run, runs = standing.evidence(task.id, criterion), standing.runs(task.id, criterion)
    return {
        "criterion": criterion,
        "satisfied": run is not None,
        "trust": None if run is None else run.trust.value,
        "seq": None if run is None else run.seq,
        "latest_failed": bool(runs) and runs[-1].exit_code != 0,
        "checks": task.checks(criterion),
    }


def _invariant_document(standing: Standing, invariant: Invariant) -> dict[str, Any]:
    said = standing.last_said(invariant.id)
    verdict = None if said is None else "pass" if said[1] else "fail"
    return {
        "id": invariant.id,
        "statement": invariant.statement,
        "latest": verdict,
        "seq": None if said is None else said[0],
    }


def _counts(standing: Standing, event: Evidenced) -> bool:
    """Whether evidence is still leaned on; what lies before a window may be gone."""
    if isinstance(event, GateRun):
        return standing.evidence(event.task, event.criterion) == event
    return True
