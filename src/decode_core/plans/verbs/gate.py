"""Run a task's check here, and record what was seen: the only way observed evidence is made."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from decode_core.plans.commands import GateCommand, read_command
from decode_core.plans.contract import Task, Trust
from decode_core.plans.durable import append_durably, file_inside, read_if_there, write_whole
from decode_core.plans.errors import PlanError, Stage
from decode_core.plans.folder import LoadedPlan, PlanFolder, load_plan
from decode_core.plans.gate_process import Inside, run_gate
from decode_core.plans.ledger import Ledger, Writer, open_ledger
from decode_core.plans.reuse import CACHE_FILE, CacheEntry, find_reusable, world_fingerprint
from decode_core.plans.verbs.tasks import known_task, require_approval

DEFAULT_TIMEOUT_S = 600


Walls = Callable[[], AbstractContextManager[Inside]]
"""Puts walls around one command. Raises PlanError where they cannot be put up, and, when the command is over, where it
changed what it must not; then nothing is recorded."""


def no_walls(environment: Mapping[str, str]) -> Walls:
    """A command runs with this environment and whatever the person may do."""
    return lambda: nullcontext(Inside(environment))


Permit = Callable[[LoadedPlan, str], Walls]
"""Asks whoever runs the verb whether a command of the plan may run, and how. Raises PlanError when it may not."""


@dataclass(frozen=True)
class GateRequest:
    """A gate to run."""

    task: str
    criterion: str
    command: object
    """The JSON value: a string for a shell, or an array of words."""
    timeout_s: int | float = DEFAULT_TIMEOUT_S
    selection: str | None = None
    """A name for the part of the tests that runs; part of what must be the same for a reuse."""
    may_reuse: bool = True


@dataclass(frozen=True)
class GateOutcome:
    """What a gate showed, now or before."""

    exit_code: int
    seq: int
    log: str
    """Relative to the plan's folder."""
    reused: bool = False
    timed_out: bool = False
    blocked: str | None = None
    """What the sandbox kept a failed gate from, as a clause."""


def gate(folder: PlanFolder, request: GateRequest, writer: Writer, permit: Permit) -> GateOutcome:
    """Run a check of a started task and record it as observed, whatever it gave.

    Stricter than the publisher: the command is exactly a check that the approved contract names for this criterion.
    Raises PlanError, with nothing recorded, when it is not, when its program is not allowed, when `permit` denies it,
    or when it cannot start; RefusedError (3, recorded) when no approval cites the live contract.
    """
    command = read_command(request.command)
    if not 0 < request.timeout_s <= 7 * 24 * 3600:
        raise PlanError("the time-out of a gate is more than 0 seconds and at most a week")
    with open_ledger(folder, writer) as ledger:
        task = known_task(ledger, request.task)
        _check_command(ledger, task, request.criterion, command)
        if ledger.plan.standing.start(task.id) is None:
            raise PlanError(f"{task.id} has not started; start it before its gates")
        require_approval(ledger, task.id, Stage.GATE)
        walls = permit(ledger.plan, command.text)
        fingerprint = world_fingerprint(task, command, folder.root, request.selection)
        if request.may_reuse and fingerprint is not None:
            found = _reusable(folder, ledger, task.id, request.criterion, fingerprint)
            if found is not None:
                return GateOutcome(found.exit_code, found.seq, found.log, reused=True)
        return _run(ledger, request, command, walls, fingerprint)


def declared_gates(folder: PlanFolder, task_id: str, criterion: str | None = None) -> list[tuple[str, str]]:
    """The criteria of a task that a run can show, each with its checks, in the contract's order; or those of one.

    Raises PlanError where there is nothing to run: a person signs such criteria off.
    """
    plan = load_plan(folder)
    contract, task = plan.contract.model, plan.contract.model.task(task_id)
    if task is None:
        raise PlanError(f"there is no task {task_id!r} in the contract")
    found = [
        (intent.criterion, intent.check)
        for intent in task.gate_intent
        if criterion in (None, intent.criterion)
        and (known := contract.criterion(intent.criterion)) is not None
        and Trust.OBSERVED in known.accepted_evidence
    ]
    if not found:
        raise PlanError(
            f"{task_id} has no check to run{f' for {criterion}' if criterion else ''}; see `decode plan signoff`"
        )
    return found


def reuse(folder: PlanFolder, request: GateRequest, criterion: str | None) -> GateOutcome | None:
    """The run that `gate` would reuse now, or None; nothing is written. Raises PlanError."""
    command = read_command(request.command)
    plan = load_plan(folder)
    task = plan.contract.model.task(request.task)
    if task is None:
        raise PlanError(f"there is no task {request.task!r} in the contract")
    fingerprint = world_fingerprint(task, command, folder.root, request.selection)
    if fingerprint is None:
        return None
    cache = read_if_there(folder.path / CACHE_FILE) or b""
    found = find_reusable(cache, plan.standing, task.id, criterion, fingerprint)
    if found is None or file_inside(found[0].log, folder.path) is None:
        return None
    return GateOutcome(found[0].exit_code, found[0].seq, found[0].log, reused=True)


def _check_command(ledger: Ledger, task: Task, criterion: str, command: GateCommand) -> None:
    checks = task.checks(criterion)
    if not checks:
        raise PlanError(f"{task.id} has no gate for {criterion}")
    allowed = ledger.plan.contract.model.scope.allowed_command_classes
    if command.program not in allowed:
        raise PlanError(f"{command.program!r} is no allowed command class; the contract allows {', '.join(allowed)}")
    if not any(command.is_exactly(check) for check in checks):
        raise PlanError(f"the approved check of {task.id} for {criterion} is {checks[0]!r}; only that runs as its gate")


def _reusable(folder: PlanFolder, ledger: Ledger, task: str, criterion: str, fingerprint: str) -> CacheEntry | None:
    cache = read_if_there(folder.path / CACHE_FILE) or b""
    found = find_reusable(cache, ledger.plan.standing, task, criterion, fingerprint)
    return found[0] if found is not None and file_inside(found[0].log, folder.path) is not None else None


def _run(
    ledger: Ledger, request: GateRequest, command: GateCommand, walls: Walls, fingerprint: str | None
) -> GateOutcome:
    folder = ledger.folder
    with walls() as inside:
        result = run_gate(command, folder.root, inside, request.timeout_s, ledger.lock.refresh)
    log = f"gates/{request.task}/{ledger.plan.last_seq + 1:03}-{command.slug}.log"
    write_whole(_log_place(folder.path, log), result.log(command))
    event = ledger.append_as_helper(
        "gate_run",
        {
            "task": request.task,
            "criterion": request.criterion,
            "command": command.text,
            "cwd": str(folder.root),
            "timeout_seconds": request.timeout_s,
            "exit_code": result.exit_code,
            "trust": "observed",
            "evidence_path": log,
        },
    )
    if fingerprint is not None:
        entry = CacheEntry(request.task, request.criterion, fingerprint, event.seq, result.exit_code, log, event.ts)
        _remember(folder.path / CACHE_FILE, entry)
    return GateOutcome(result.exit_code, event.seq, log, timed_out=result.timed_out, blocked=result.blocked)


def _log_place(plan: Path, log: str) -> Path:
    place = plan / log
    for folder in (place.parent.parent, place.parent):
        folder.mkdir(exist_ok=True)
        if folder.is_symlink():
            raise PlanError(f"{folder} is a link; gate logs stay in the plan's folder")
    return place


def _remember(file: Path, entry: CacheEntry) -> None:
    known = read_if_there(file) or b""
    # a torn last line is closed, so that it spoils no other
    newline = b"" if not known or known.endswith(b"\n") else b"\n"
    append_durably(file, newline + entry.line(), expected_size=len(known))
