"""The contract of a plan: its closed shape, and the rules that hold between its parts.

Source: the published schemas plan-contract v6 and v7, and the stricter rules of the publisher's runtime. A contract is
kept as the document it was read from, since its identity covers every key; the model beside it is for reading.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints, ValidationError

from decode_core.plans import canonical
from decode_core.plans.canonical import Document
from decode_core.plans.errors import PlanError
from decode_core.plans.generation import Generation, generation_of_contract
from decode_core.plans.shapes import (
    UNIQUE,
    Closed,
    CriterionId,
    DateTime,
    Digest,
    InvariantId,
    LimitId,
    Number,
    Omittable,
    PlanName,
    TaskId,
    Text,
    faults_of,
)


class Trust(StrEnum):
    """Who says so: a program that ran the check itself, an older record, or somebody."""

    OBSERVED = "observed"
    IMPORTED = "imported"
    ASSERTED = "asserted"


class Grant(StrEnum):
    """What a contract may allow."""

    GATE_COMMAND_EXEC = "gate_command_exec"
    FS_WRITE_PLAN_SCOPE = "fs_write_plan_scope"
    FS_WRITE_REPO_SCOPE = "fs_write_repo_scope"
    GIT_OPERATIONS = "git_operations"
    NETWORK_ACCESS = "network_access"
    HOST_ADAPTER_METERING = "host_adapter_metering"
    AGENT_DELEGATION = "agent_delegation"
    CONTEXT_EXPORT = "context_export"
    MODEL_ROUTING = "model_routing"


class Mechanism(StrEnum):
    """How consent to a contract was given."""

    PLAN_AUTHORSHIP = "plan_authorship"
    PRE_AUTHORIZATION = "pre_authorization"


class Outcome(Closed):
    """What the plan is for."""

    statement: Text
    success_definition: Text
    out_of_scope: tuple[Text, ...]


class Control(Closed):
    """How a check is itself checked."""

    kind: Literal["regression", "discrimination", "exempt"]
    rationale: Text


class Criterion(Closed):
    """One thing that must be true at the end, and what counts as evidence for it."""

    id: CriterionId
    statement: Text
    observable_check: Text
    accepted_evidence: Annotated[tuple[Trust, ...], Field(min_length=1), UNIQUE]
    control: Omittable[Control] = None


class Acceptance(Closed):
    """The criteria."""

    criteria: Annotated[tuple[Criterion, ...], Field(min_length=1)]


class Invariant(Closed):
    """What must stay true all along."""

    id: InvariantId
    statement: Text


class Scope(Closed):
    """Where the plan may work and which programs its gates may start."""

    allowed_paths: Annotated[tuple[Text, ...], Field(min_length=1)]
    allowed_command_classes: Annotated[tuple[Text, ...], Field(min_length=1), UNIQUE]
    forbidden_operations: Annotated[tuple[Text, ...], Field(min_length=1)]


class Authorization(Closed):
    """Who may approve, and within what."""

    mechanism: Mechanism
    authority: Text
    timestamp: DateTime
    boundaries: Text
    consent_checkpoints: tuple[Text, ...]


class Permissions(Closed):
    """What is granted and what is expressly not."""

    granted: Annotated[tuple[Grant, ...], UNIQUE]
    not_granted: Annotated[tuple[Grant, ...], UNIQUE]


class Dependency(Closed):
    """Something outside that the plan needs."""

    name: Text
    kind: Literal["external_system", "credential", "pinned_input"]
    detail: Text


class Limit(Closed):
    """A bound on a resource."""

    id: LimitId
    limit: Annotated[Number, Field(ge=0)]
    unit: Text
    enforcement: Literal["enforced", "advisory"]
    metering_source: Omittable[Text] = None
    reserve: Omittable[Annotated[Number, Field(ge=0)]] = None


class Envelope(Closed):
    """The bounds."""

    limits: Annotated[tuple[Limit, ...], Field(min_length=1)]


class Handoff(Closed):
    """How work is handed over."""

    fresh_context: Omittable[Text] = None
    cross_host_resume: Omittable[Text] = None


class Scheduling(Closed):
    """Numbers for a scheduler."""

    starvation_threshold_events: Annotated[int, Field(ge=1)] = 50
    max_adaptations_per_task: Annotated[int, Field(ge=0)] = 3
    max_retries_per_gate: Annotated[int, Field(ge=0)] = 2
    handoff: Handoff = Handoff()


class GateIntent(Closed):
    """The check that shows a criterion."""

    criterion: CriterionId
    check: Text


class Task(Closed):
    """One task: what it waits for, what it touches, what shows that it is done."""

    id: TaskId
    title: Text
    prerequisites: Annotated[tuple[TaskId, ...], UNIQUE]
    touched_surface: Annotated[tuple[Text, ...], Field(min_length=1)]
    gate_intent: tuple[GateIntent, ...]
    parallel_safe: bool = False

    def checks(self, criterion: str) -> list[str]:
        """The checks that this task declares for a criterion."""
        return [intent.check for intent in self.gate_intent if intent.criterion == criterion]


def _contract_url(value: object) -> object:
    if generation_of_contract(value) is None:
        raise ValueError("is not the URL of a plan contract v6 or v7")
    return value


class Contract(Closed):
    """A contract as its reader sees it."""

    schema_url: Annotated[str, BeforeValidator(_contract_url), Field(alias="schema")]
    spec_version: Annotated[str, StringConstraints(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$")]
    plan: PlanName
    revision: Annotated[int, Field(ge=1)]
    contract_id: Digest = ""
    parent_contract_id: Digest = ""
    created_at: DateTime
    title: Annotated[str, StringConstraints(max_length=200)] = ""
    outcome: Outcome
    acceptance: Acceptance
    invariants: tuple[Invariant, ...]
    scope: Scope
    authorization: Authorization
    permissions: Permissions
    dependencies: tuple[Dependency, ...]
    resource_envelope: Envelope
    scheduling: Scheduling = Scheduling()
    tasks: Annotated[tuple[Task, ...], Field(min_length=1)]

    @property
    def generation(self) -> Generation:
        """The generation, from the URL alone."""
        return Generation.V6 if self.schema_url == Generation.V6.contract_schema else Generation.V7

    def task(self, task_id: str) -> Task | None:
        """The task with this id."""
        return next((task for task in self.tasks if task.id == task_id), None)

    def criterion(self, criterion_id: str) -> Criterion | None:
        """The criterion with this id."""
        return next((one for one in self.acceptance.criteria if one.id == criterion_id), None)

    def grants(self, grant: Grant) -> bool:
        """Whether the contract grants this."""
        return grant in self.permissions.granted


@dataclass(frozen=True)
class StampedContract:
    """A contract with its document and its identity."""

    model: Contract
    document: Document
    """The document with `contract_id` in it."""
    id: str


class ContractError(PlanError):
    """A document is no valid contract. `faults` says why, one sentence each."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("the contract is not valid: " + "; ".join(faults))
        self.faults = tuple(faults)


def read_contract(document: Document) -> StampedContract:
    """Check a document and stamp it with its identity. Raises ContractError."""
    try:
        model = Contract.model_validate_json(canonical.canonical_bytes(document))
    except ValidationError as error:
        raise ContractError(faults_of(error)) from None
    except ValueError as error:
        raise ContractError([str(error)]) from None
    identity = canonical.contract_id(document)
    faults = [*_identity_faults(model, identity), *_reference_faults(model, document)]
    if faults:
        raise ContractError(faults)
    return StampedContract(model, {**document, "contract_id": identity}, identity)


def revision_faults(parent: StampedContract, child: StampedContract) -> list[str]:
    """Why `child` is no next revision of `parent`; empty if it is one."""
    faults = []
    if child.model.parent_contract_id != parent.id:
        faults.append(f"revision {child.model.revision} must cite its parent {parent.id}")
    if child.model.revision != parent.model.revision + 1:
        faults.append(f"revision {parent.model.revision + 1} must follow, not {child.model.revision}")
    if child.model.plan != parent.model.plan:
        faults.append("a revision keeps the plan's name")
    if child.model.generation is not parent.model.generation:
        faults.append("a plan never changes its generation")
    if canonical.substance(child.document) == canonical.substance(parent.document):
        faults.append("a revision must change something besides its number")
    return faults


def _identity_faults(model: Contract, identity: str) -> list[str]:
    faults = []
    if model.contract_id and model.contract_id != identity:
        faults.append(f"contract_id: says {model.contract_id[:12]}…, but the contract's bytes give {identity[:12]}…")
    if model.revision == 1 and model.parent_contract_id:
        faults.append("parent_contract_id: revision 1 has no parent")
    if model.revision > 1 and not model.parent_contract_id:
        faults.append(f"parent_contract_id: revision {model.revision} must cite its parent")
    return faults


def _reference_faults(model: Contract, document: Mapping[str, Any]) -> list[str]:
    faults = [
        *_doubles("acceptance.criteria", [one.id for one in model.acceptance.criteria]),
        *_doubles("invariants", [one.id for one in model.invariants]),
        *_doubles("resource_envelope.limits", [one.id for one in model.resource_envelope.limits]),
        *_doubles("tasks", [one.id for one in model.tasks]),
    ]
    both = sorted(set(model.permissions.granted) & set(model.permissions.not_granted))
    if both:
        faults.append(f"permissions: {', '.join(both)} is both granted and not granted")
    for limit in model.resource_envelope.limits:
        if limit.enforcement == "enforced" and limit.metering_source is None:
            faults.append(f"resource_envelope.limits: {limit.id} is enforced and needs a metering_source")
        if limit.reserve is not None and limit.reserve > limit.limit:
            faults.append(f"resource_envelope.limits: the reserve of {limit.id} is above its limit")
    known = {task.id for task in model.tasks}
    for task in model.tasks:
        faults += [
            f"tasks: {task.id} waits for {name}, which is no task" for name in task.prerequisites if name not in known
        ]
        faults += [
            f"tasks: {task.id} has a check for {intent.criterion}, which is no criterion"
            for intent in task.gate_intent
            if model.criterion(intent.criterion) is None
        ]
    if model.generation is Generation.V6 and any("parallel_safe" in task for task in document["tasks"]):
        faults.append("tasks: parallel_safe belongs to plan-contract v7")
    circle = find_circle(model.tasks)
    if circle:
        faults.append(f"tasks: {' → '.join(circle)} wait for each other")
    return faults


def find_circle(tasks: Sequence[Task]) -> list[str]:
    """A circle of prerequisites, first name repeated at its end; empty if there is none."""
    waits = {task.id: task.prerequisites for task in tasks}
    done: set[str] = set()
    for start in waits:
        path: list[str] = []
        stack = [(start, iter(waits[start]))] if start not in done else []
        while stack:
            name, rest = stack[-1]
            if not path or path[-1] != name:
                path.append(name)
            following = next(rest, None)
            if following is None:
                done.add(name)
                path.pop()
                stack.pop()
            elif following in path:
                return [*path[path.index(following) :], following]
            elif following in waits and following not in done:
                stack.append((following, iter(waits[following])))
    return []


def _doubles(place: str, ids: Sequence[str]) -> list[str]:
    return [f"{place}: {name} stands there twice" for name in sorted({name for name in ids if ids.count(name) > 1})]
