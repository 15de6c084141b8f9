"""Say something in the journal: a raw event (`append`), or a person's word for a criterion (`signoff`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from decode_core.plans.canonical import hex_digest
from decode_core.plans.contract import Contract, Task, Trust
from decode_core.plans.durable import file_inside
from decode_core.plans.errors import PlanError, Stage
from decode_core.plans.events import ActorKind, AnyEvent
from decode_core.plans.folder import PlanFolder
from decode_core.plans.ledger import MAX_IDENTITY, Ledger, Writer, open_ledger
from decode_core.plans.verbs.tasks import known_task, refuse_early_start, require_approval

SIGNOFF_COMMAND = "signoff (asserted, not executed)"

_WRITTEN_BY = {
    "gate_run": "`decode plan gate` runs a check and records it, `decode plan signoff` records a person's word",
    "delegation": "`decode plan delegate launch`, `collect` and `cancel` record delegations",
    "approval": "`decode plan materialize` records the approval",
    "journal_repair": "the ledger records its own repairs",
}
_ENVELOPE = frozenset({"schema", "type", "seq", "ts", "plan", "contract_id", "actor", "note"})
_WITH_TRUST = frozenset({"observation", "resource_sample", "control_pair"})
_DIGEST_SHOWN = 16


@dataclass(frozen=True)
class Statement:
    """An event that somebody wants to add."""

    kind: str
    payload: Mapping[str, Any]
    trust: Trust | None = None
    evidence_path: str | None = None
    note: str | None = None
    once: bool = False
    """Whether to add nothing when the last event of this type says the same."""
    human_note: Path | None = None
    """For a person: an existing file that shows a person was there. It proves nothing, and the journal says so."""
    confirmed: bool = False
    """For a person: that somebody typed the confirmation at a terminal."""


@dataclass(frozen=True)
class Said:
    """An event that stands in the journal."""

    seq: int
    is_new: bool


def append_statement(folder: PlanFolder, statement: Statement, writer: Writer) -> Said:
    """Add one event. Gate runs, delegations, approvals and repairs have verbs of their own and are refused.

    Observed is minted only for a meter's reading by a host adapter; observed and imported need an existing file. A task
    start needs the approval (RefusedError, 3) and its prerequisites. Raises PlanError.
    """
    if statement.kind in _WRITTEN_BY:
        raise PlanError(f"a raw {statement.kind} is not taken: {_WRITTEN_BY[statement.kind]}")
    if writer.kind is ActorKind.HELPER:
        raise PlanError("only the ledger itself signs as helper; say who you are with --actor-kind")
    inside = sorted(_ENVELOPE & set(statement.payload))
    if inside:
        raise PlanError(f"the ledger writes {', '.join(inside)} itself; leave it out of the payload")
    note = _marked_note(statement, writer)
    with open_ledger(folder, writer) as ledger:
        payload = _with_evidence(folder, statement, writer)
        event = ledger.check(statement.kind, payload, note=note)
        _check_names(ledger, event)
        if statement.once:
            twin = _twin(ledger, event)
            if twin is not None:
                return Said(twin.seq, is_new=False)
        if statement.kind == "task_start":
            task = known_task(ledger, str(payload["task"]))
            require_approval(ledger, task.id)
            refuse_early_start(ledger, task)
        return Said(ledger.append(statement.kind, payload, note=note).seq, is_new=True)


def sign_off(
    folder: PlanFolder, criterion: str, evidence_path: str, authority: str, writer: Writer, task_id: str | None = None
) -> Said:
    """Record a person's word that a criterion holds, with the digest of what they signed.

    Raises PlanError, and RefusedError (3, recorded) when no approval cites the live contract.
    """
    if not 1 <= len(authority.strip()) <= MAX_IDENTITY or len(authority) > MAX_IDENTITY:
        raise PlanError(f"an authority has 1 to {MAX_IDENTITY} characters")
    artifact = file_inside(evidence_path, folder.path, folder.root)
    if artifact is None:
        raise PlanError(f"{evidence_path} is no file in the plan or the repository")
    with open_ledger(folder, writer) as ledger:
        contract = ledger.plan.contract.model
        known = contract.criterion(criterion)
        if known is None:
            raise PlanError(f"there is no criterion {criterion!r} in the contract")
        if Trust.ASSERTED not in known.accepted_evidence:
            raise PlanError(f"{criterion} accepts {', '.join(known.accepted_evidence)}; a sign-off is only asserted")
        task = _owner(ledger, contract, criterion, task_id)
        require_approval(ledger, task.id, Stage.GATE)
        digest = hex_digest(artifact.read_bytes())[:_DIGEST_SHOWN]
        event = ledger.append(
            "gate_run",
            {
                "task": task.id,
                "criterion": criterion,
                "command": SIGNOFF_COMMAND,
                "cwd": ".",
                "timeout_seconds": 1,
                "exit_code": 0,
                "trust": Trust.ASSERTED.value,
                "evidence_path": evidence_path,
            },
            actor={"kind": ActorKind.HUMAN.value, "identity": authority},
            note=f"human sign-off: asserted, never executed; evidence sha256:{digest}",
        )
        return Said(event.seq, is_new=True)


def _owner(ledger: Ledger, contract: Contract, criterion: str, task_id: str | None) -> Task:
    owners = [task for task in contract.tasks if task.checks(criterion) and task_id in (None, task.id)]
    started = [task for task in owners if ledger.plan.standing.start(task.id) is not None]
    if not started:
        raise PlanError(f"no started task owns {criterion}; start its task first")
    if len(started) > 1:
        names = ", ".join(task.id for task in started)
        raise PlanError(f"several started tasks own {criterion}: {names}; name one with --task")
    return started[0]


def _marked_note(statement: Statement, writer: Writer) -> str | None:
    if writer.kind is not ActorKind.HUMAN:
        if statement.kind == "amendment":
            raise PlanError("an amendment is a person's; use --actor-kind human with --human-note FILE")
        return statement.note
    if statement.human_note is not None:
        try:
            digest = hex_digest(statement.human_note.read_bytes())[:_DIGEST_SHOWN]
        except OSError as error:
            raise PlanError(f"{statement.human_note} could not be read: {error.strerror}") from None
        marker = f"human note {statement.human_note} sha256:{digest}"
    elif statement.confirmed:
        marker = "confirmed at a terminal"
    else:
        raise PlanError("a person's event needs --human-note FILE, or a typed confirmation at a terminal")
    return f"{marker}; {statement.note}" if statement.note else marker


def _with_evidence(folder: PlanFolder, statement: Statement, writer: Writer) -> dict[str, Any]:
    payload = dict(statement.payload)
    if statement.kind not in _WITH_TRUST:
        if statement.trust is not None or statement.evidence_path is not None:
            raise PlanError(f"a {statement.kind} carries no trust and no evidence")
        return payload
    if statement.trust is not None:
        payload["trust"] = statement.trust.value
    trust = payload.setdefault("trust", Trust.ASSERTED.value)
    if statement.evidence_path is not None:
        payload["evidence_path"] = statement.evidence_path
    is_meter = statement.kind == "resource_sample" and writer.kind is ActorKind.HOST_ADAPTER
    if trust == Trust.OBSERVED and not is_meter:
        raise PlanError("observed is minted by gates, and by host adapters for their meters; say asserted")
    if trust in (Trust.OBSERVED, Trust.IMPORTED):
        path = payload.get("evidence_path")
        if not isinstance(path, str) or file_inside(path, folder.path, folder.root) is None:
            raise PlanError(f"{trust} evidence needs an evidence_path to a file in the plan or the repository")
    return payload


def _check_names(ledger: Ledger, event: AnyEvent) -> None:
    """Refuse names that the contract does not know: they could never be resolved later."""
    contract = ledger.plan.contract.model
    said = event.model_dump(mode="json", exclude_unset=True)
    tasks = [said["task"]] if "task" in said else list(said.get("affected_tasks", ()))
    criteria = [said["criterion"]] if "criterion" in said else list(said.get("affected_criteria", ()))
    unknown = [name for name in tasks if contract.task(name) is None]
    unknown += [name for name in criteria if contract.criterion(name) is None]
    limit = said.get("limit_id")
    if limit is not None and limit not in [one.id for one in contract.resource_envelope.limits]:
        unknown.append(limit)
    if unknown:
        raise PlanError(f"the contract knows no {', '.join(unknown)}")
    for name in ("trigger_observation", "proposal"):
        if said.get(name, 0) > ledger.plan.last_seq:
            raise PlanError(f"{name} {said[name]} is no event of the journal yet")


def _twin(ledger: Ledger, event: AnyEvent) -> AnyEvent | None:
    latest = next((one for one in reversed(ledger.plan.events) if one.type == event.type), None)
    outer = {"seq", "ts"}
    if latest is not None and latest.model_dump(exclude=outer) == event.model_dump(exclude=outer):
        return latest
    return None
