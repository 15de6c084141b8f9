"""The fifteen events of a journal, as closed objects (schemas journal-event v6 and v7).

An event is read from one line and never changed. `read_event` holds the rules that one event can break by itself;
what it may say under a contract is in `bindings`.
"""

from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StringConstraints, TypeAdapter, ValidationError, model_validator

from decode_core.plans.contract import Mechanism, Trust
from decode_core.plans.errors import PlanError, Stage
from decode_core.plans.generation import Generation
from decode_core.plans.shapes import (
    Closed,
    CriterionId,
    DateTime,
    Digest,
    LabelledDigest,
    LimitId,
    Number,
    Omittable,
    PlanName,
    TaskId,
    Text,
    faults_of,
)


class ActorKind(StrEnum):
    """What kind of writer an event has."""

    HELPER = "helper"
    """The ledger itself: it ran the check, or it refused."""
    AGENT = "agent"
    HOST_ADAPTER = "host_adapter"
    HUMAN = "human"


class DelegationState(StrEnum):
    """Where a delegation stands: launched once, then exactly one of the others."""

    LAUNCHED = "launched"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class TransportKind(StrEnum):
    """How a delegate is reached."""

    HEADLESS = "headless"
    INTERACTIVE = "interactive"


Short = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Leg = Literal["PASS", "FAIL"]


class Actor(Closed):
    """Who wrote an event; nobody is authenticated."""

    kind: ActorKind
    identity: Annotated[str, StringConstraints(min_length=1, max_length=100)]


class Event(Closed):
    """What every event carries."""

    schema_url: Annotated[
        Literal[
            "https://deepworkplan.com/schema/journal-event/v6.json",
            "https://deepworkplan.com/schema/journal-event/v7.json",
        ],
        Field(alias="schema"),
    ]
    seq: Annotated[int, Field(ge=1)]
    ts: DateTime
    plan: PlanName
    contract_id: Digest
    actor: Actor
    note: Omittable[Annotated[str, StringConstraints(max_length=500)]] = None

    @property
    def generation(self) -> Generation:
        """The generation, from the URL alone."""
        return Generation.V6 if self.schema_url == Generation.V6.event_schema else Generation.V7


class Evidenced(Event):
    """An event with a trust label: what is not merely asserted names its evidence."""

    trust: Trust
    evidence_path: Omittable[Text] = None

    @model_validator(mode="after")
    def evidence_is_named(self) -> Self:
        """Observed and imported need a file."""
        if self.trust is not Trust.ASSERTED and self.evidence_path is None:
            raise ValueError(f"{self.trust} evidence needs an evidence_path")
        return self


class Fingerprint(Closed):
    """A state of the repository: a commit, and the short status (empty when clean); `none` without git."""

    revision: Text
    dirty: str


class Approval(Event):
    """Consent to a contract."""

    type: Literal["approval"]
    authority: Text
    mechanism: Mechanism
    plan_digest: Digest


class TaskStart(Event):
    """A task was started, or started anew: older evidence no longer counts for it."""

    type: Literal["task_start"]
    task: TaskId
    fingerprint: Omittable[Fingerprint] = None


class GateRun(Evidenced):
    """A check of a task was run (observed), or signed off (asserted)."""

    type: Literal["gate_run"]
    command: Annotated[str, StringConstraints(min_length=1, max_length=500)]
    cwd: Text
    timeout_seconds: Annotated[Number, Field(gt=0)]
    exit_code: int
    task: TaskId
    criterion: CriterionId
    env: Omittable[dict[str, str]] = None


class Observation(Evidenced):
    """Something was seen; `INV-x: pass` and `INV-x: fail` speak of invariants."""

    type: Literal["observation"]
    statement: Text


class ResourceSample(Evidenced):
    """A reading of a meter."""

    type: Literal["resource_sample"]
    source: Text
    limit_id: Omittable[LimitId] = None
    value: Annotated[Number, Field(ge=0)]
    unit: Text


class OldLeg(Closed):
    """The check on the old tree."""

    available: bool
    outcome: Omittable[Leg] = None
    log: Omittable[Text] = None

    @model_validator(mode="after")
    def outcome_iff_available(self) -> Self:
        """A leg that could not run has no outcome."""
        if self.available != (self.outcome is not None):
            raise ValueError("old_leg has an outcome exactly when it is available")
        return self


class NewLeg(Closed):
    """The check on the new tree."""

    outcome: Leg
    log: Text


class ControlPair(Evidenced):
    """A check was run on the old and the new tree, to see whether it can tell them apart."""

    type: Literal["control_pair"]
    criterion: CriterionId
    check_artifacts: Annotated[tuple[Text, ...], Field(min_length=1)]
    starting_fingerprint: Fingerprint
    old_leg: OldLeg
    new_leg: NewLeg
    verdict: Literal["discriminating", "non_discriminating", "control_unavailable"]

    @model_validator(mode="after")
    def verdict_follows(self) -> Self:
        """The verdict is what the legs say, never rounded up."""
        if self.starting_fingerprint.dirty or not self.old_leg.available:
            due = "control_unavailable"
        elif (self.old_leg.outcome, self.new_leg.outcome) == ("FAIL", "PASS"):
            due = "discriminating"
        else:
            due = "non_discriminating"
        if self.verdict != due:
            raise ValueError(f"the verdict of these legs is {due}")
        return self


class ResourceImpact(Closed):
    """What an adaptation is expected to cost."""

    declared: Annotated[Number, Field(ge=0)]
    unit: Text


class Adaptation(Event):
    """A proposal to change the way, not the aim."""

    type: Literal["adaptation"]
    kind: Literal["split", "reorder", "insert", "change_strategy", "retry"]
    trigger_observation: Annotated[int, Field(ge=1)]
    evidence_artifact: Text
    hypothesis: Text
    action: Text
    rationale: Text
    affected_tasks: tuple[TaskId, ...]
    affected_criteria: tuple[CriterionId, ...]
    authority: Text
    evidence_invalidated: tuple[Text, ...]
    evidence_preserved: tuple[Text, ...]
    resource_impact: Omittable[ResourceImpact] = None
    decision: Literal["authorized", "refused"]
    reason: Omittable[Text] = None

    @model_validator(mode="after")
    def refusal_has_reason(self) -> Self:
        """A refused proposal says why."""
        if self.decision == "refused" and self.reason is None:
            raise ValueError("a refused adaptation needs a reason")
        return self


class Amendment(Event):
    """The aim itself was changed, by somebody's authority."""

    type: Literal["amendment"]
    original_criterion: Text
    observed_finding: Text
    disposition: Text
    revised_criterion: Text
    reason: Text
    authority: Text
    affected_tasks: tuple[TaskId, ...]
    evidence_invalidated: tuple[Text, ...]
    evidence_preserved: tuple[Text, ...]


class Intervention(Event):
    """A person is needed."""

    type: Literal["intervention"]
    category: Literal["missing_intent", "new_authority", "environment_repair", "engineering_rescue"]
    description: Text
    question: Text
    resolution: Omittable[Text] = None


class Aging(Closed):
    """How long a task has waited."""

    waiting_since_seq: Annotated[int, Field(ge=1)]
    threshold: Text


class Selection(Event):
    """A scheduler chose a task."""

    type: Literal["selection"]
    task: TaskId
    priority_boost: bool
    aging: Omittable[Aging] = None

    @model_validator(mode="after")
    def boost_has_aging(self) -> Self:
        """A boost says since when the task waits."""
        if self.priority_boost and self.aging is None:
            raise ValueError("a boosted selection needs aging")
        return self


class Refusal(Event):
    """A gated step was refused."""

    type: Literal["refusal"]
    subject: Text
    stage: Stage
    reason: Text
    proposal: Omittable[Annotated[int, Field(ge=1)]] = None


class ViewRender(Event):
    """A view was drawn from the projection."""

    type: Literal["view_render"]
    view: Text
    snapshot_digest: Digest
    digests: Omittable[dict[str, Digest]] = None


class Reconciliation(Event):
    """A person's edit of a view won."""

    type: Literal["reconciliation"]
    trigger: Text
    editor: Text
    authority: Text


class JournalRepair(Event):
    """A torn last line was cut off."""

    type: Literal["journal_repair"]
    byte_offset: Annotated[int, Field(ge=0)]
    cause: Text


class Delegation(Event):
    """One step of a delegation (v7). It carries no trust: a delegate's result is nobody's evidence."""

    type: Literal["delegation"]
    task: TaskId
    delegation_id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
    transport: TransportKind
    via: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,63}$")]
    kind: Omittable[Short] = None
    profile: Omittable[Short] = None
    target: Omittable[Short] = None
    worktree: Annotated[str, StringConstraints(min_length=1, max_length=300)] | None = None
    prompt_digest: Omittable[LabelledDigest] = None
    state: DelegationState
    result_path: Omittable[Text] = None
    result_digest: Omittable[LabelledDigest] = None

    @property
    def is_read_only(self) -> bool:
        """Whether the delegate has expressly no worktree; a missing worktree is not read-only."""
        return "worktree" in self.model_fields_set and self.worktree is None

    @model_validator(mode="after")
    def belongs_together(self) -> Self:
        """The prompt is recorded at launch; a result only at the end."""
        if self.generation is Generation.V6:
            raise ValueError("delegation belongs to journal-event v7")
        if self.state is DelegationState.LAUNCHED and self.prompt_digest is None:
            raise ValueError("a launch needs a prompt_digest")
        if self.result_path is not None:
            if self.state not in (DelegationState.COMPLETED, DelegationState.FAILED):
                raise ValueError(f"a delegation that is {self.state} has no result_path")
            if self.result_path.startswith("/") or ".." in self.result_path.split("/"):
                raise ValueError("result_path must be relative, without '..'")
        return self


AnyEvent = Annotated[
    Approval
    | TaskStart
    | GateRun
    | Observation
    | ResourceSample
    | ControlPair
    | Adaptation
    | Amendment
    | Intervention
    | Selection
    | Refusal
    | ViewRender
    | Reconciliation
    | JournalRepair
    | Delegation,
    Field(discriminator="type"),
]

_ADAPTER: TypeAdapter[Any] = TypeAdapter(AnyEvent)


class EventError(PlanError):
    """A line or document is no valid event."""


def read_event(line: bytes) -> "AnyEvent":
    """The event of one journal line (without its newline). Raises EventError."""
    try:
        event: AnyEvent = _ADAPTER.validate_json(line)
    except ValidationError as error:
        raise EventError("the event is not valid: " + "; ".join(faults_of(error))) from None
    return event
