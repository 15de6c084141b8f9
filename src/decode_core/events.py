"""What happened: the one language between the core and its front ends (core.md §2).

Every event is a frozen pydantic model with a literal `type`, the class name in snake_case. `Event` is the union of all
of them, `parse_event` and `dump_event` cross a process border. Texts are kept as they came: a front end neutralises
them before it shows them.
"""

from datetime import datetime
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from decode_core.event_values import (
    CallOutcome as CallOutcome,
    ModeCause as ModeCause,
    NoticeLevel as NoticeLevel,
    Plan as Plan,
    PlanComment as PlanComment,
    PlanStep as PlanStep,
    QuestionKind as QuestionKind,
    RuleRef as RuleRef,
    TodoItem as TodoItem,
    TodoStatus as TodoStatus,
    TurnEnd as TurnEnd,
    Value as Value,
)
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome, ToolKind


class EventBase(BaseModel):
    """What every event carries.

    `seq` rises by one in a session; `turn_id` is None outside turns; `agent_path` is the chain of agents, the active
    one last.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    seq: int = 0
    ts: datetime = datetime.min
    session_id: str = ""
    turn_id: str | None = None
    agent_path: tuple[str, ...] = ()


class SessionOpened(EventBase):
    """The session stands: where, with which agent, mode and model."""

    type: Literal["session_opened"] = "session_opened"
    workspace: str
    agent: str
    mode: PermissionMode
    model: str
    model_name: str = ""
    """The model as it was chosen, with its provider; empty in records of an older decode."""
    offline: bool = False
    resumed: bool = False
    """The session was there before; what follows goes on from it."""


class TurnStarted(EventBase):
    """The person's prompt was taken."""

    type: Literal["turn_started"] = "turn_started"
    prompt: str


class TurnResumed(EventBase):
    """A suspended turn goes on, under its old `turn_id`; its question is opened anew."""

    type: Literal["turn_resumed"] = "turn_resumed"


class TextDelta(EventBase):
    """A piece of answer text. Shown, not stored."""

    type: Literal["text_delta"] = "text_delta"
    text: str


class ThinkingDelta(EventBase):
    """A piece of thinking text. Shown, not stored."""

    type: Literal["thinking_delta"] = "thinking_delta"
    text: str


class AssistantMessage(EventBase):
    """One whole model response: its answer text and its thinking, each possibly empty. `interrupted`: cut by a stop."""

    type: Literal["assistant_message"] = "assistant_message"
    text: str
    thinking: str = ""
    thinking_s: float = 0.0
    interrupted: bool = False


class ToolCallStarted(EventBase):
    """The model called a tool; the verdict is still to come."""

    type: Literal["tool_call_started"] = "tool_call_started"
    call_id: str
    tool: str
    kind: ToolKind | None = None
    subject: str = ""
    args: dict[str, Any] = Field(default_factory=dict)


class ToolCallProgress(EventBase):
    """Live output of a running call. Shown, not stored."""

    type: Literal["tool_call_progress"] = "tool_call_progress"
    call_id: str
    text: str


class ToolCallFinished(EventBase):
    """A call ended. `text` is what the model reads, `summary` a few words, `detail` structured (diff, exit_code …)."""

    type: Literal["tool_call_finished"] = "tool_call_finished"
    call_id: str
    tool: str
    outcome: CallOutcome
    summary: str = ""
    text: str = ""
    detail: dict[str, Any] = Field(default_factory=dict)
    elapsed_ms: int = 0
    seen: dict[str, str] = Field(default_factory=dict)
    """Files whose bytes the session knows from this call: real path → SHA-256. A write after a resume needs it."""


class PermissionDecided(EventBase):
    """The one record of a verdict (permissions.md §10)."""

    type: Literal["permission_decided"] = "permission_decided"
    call_id: str
    tool: str
    kind: ToolKind | None
    effective_kind: ToolKind | None
    subject: str
    outcome: PermissionOutcome
    by: DecidedBy
    rule: RuleRef | None = None
    mode: PermissionMode
    mode_changed_outcome: bool = False
    reason: str
    args_digest: str = ""
    question_id: str | None = None
    """The question that this record asks, or that re-checked an answered call."""
    steps: tuple[str, ...] = ()
    """The way to the verdict, one sentence a step that had something to say."""


class DecisionRequested(EventBase):
    """A question for the person is open. `payload` depends on `kind`; see `decisions.py`."""

    type: Literal["decision_requested"] = "decision_requested"
    id: str
    kind: QuestionKind
    call_id: str | None = None
    payload: dict[str, Any] = Field(default_factory=dict)
    waiting: int = 1
    """Questions that wait now, this one included."""


class DecisionAnswered(EventBase):
    """The person's answer: the second record of an asked call, naming the question."""

    type: Literal["decision_answered"] = "decision_answered"
    id: str
    kind: QuestionKind
    call_id: str | None = None
    answer: str
    """once, session, always, denied, edited; approve, approve_ask, refine, reject; withdrawn where nobody answered."""
    note: str = ""
    waited_ms: int = 0
    content: dict[str, Any] = Field(default_factory=dict)
    """The whole answer (`answer_data`), empty where nobody answered."""


class ModeChanged(EventBase):
    """The mode in force changed; never sent when nothing changed."""

    type: Literal["mode_changed"] = "mode_changed"
    from_mode: PermissionMode
    to_mode: PermissionMode
    cause: ModeCause
    this_turn_only: bool = False


class AgentSelected(EventBase):
    """Another agent is active; its mode and rules hold."""

    type: Literal["agent_selected"] = "agent_selected"
    agent: str
    mode: PermissionMode


class ModelChanged(EventBase):
    """Another model answers from the next request on."""

    type: Literal["model_changed"] = "model_changed"
    model: str
    model_name: str = ""
    """The model as it was chosen, with its provider."""
    offline: bool = False


class CatalogReloaded(EventBase):
    """The agents on disk changed."""

    type: Literal["catalog_reloaded"] = "catalog_reloaded"
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    """Agents of which a version that allows more waits for the person's word."""


class SettingsReloaded(EventBase):
    """Settings were read anew."""

    type: Literal["settings_reloaded"] = "settings_reloaded"
    degraded: bool = False


class TodoChanged(EventBase):
    """The to-do list was replaced."""

    type: Literal["todo_changed"] = "todo_changed"
    items: tuple[TodoItem, ...]


class PlanProposed(EventBase):
    """A plan waits for review."""

    type: Literal["plan_proposed"] = "plan_proposed"
    plan: Plan


class PlanDecided(EventBase):
    """A plan was decided: approve, approve_ask, refine or reject. `plan` has the text that the person left."""

    type: Literal["plan_decided"] = "plan_decided"
    plan: Plan
    answer: str
    note: str = ""
    comments: tuple[PlanComment, ...] = ()
    file: str = ""
    """Where an approved plan was written, relative to the workspace; empty where it was not."""


class CheckpointCreated(EventBase):
    """The bytes of a file before a change were kept."""

    type: Literal["checkpoint_created"] = "checkpoint_created"
    path: str
    digest: str


class UsageUpdated(EventBase):
    """Tokens of the session and of the last request; `cost` in US dollars where known."""

    type: Literal["usage_updated"] = "usage_updated"
    requests: int
    input_tokens: int
    output_tokens: int
    context_tokens: int = 0
    context_window: int | None = None
    cost: float | None = None


class CompactionDone(EventBase):
    """Old messages were summarised for the next requests."""

    type: Literal["compaction_done"] = "compaction_done"
    before_tokens: int
    after_tokens: int


class RetryScheduled(EventBase):
    """A model request failed and will be tried again in `delay_s` seconds."""

    type: Literal["retry_scheduled"] = "retry_scheduled"
    attempt: int
    delay_s: float
    reason: str


class NoticeRaised(EventBase):
    """Something the person should know: what happened, and a hint what to do."""

    type: Literal["notice_raised"] = "notice_raised"
    level: NoticeLevel
    text: str
    hint: str = ""


class ShellLineStarted(EventBase):
    """The person runs a line of their own (`!`): not gated, recorded as human."""

    type: Literal["shell_line_started"] = "shell_line_started"
    line_id: str
    command: str


class ShellLineFinished(EventBase):
    """A line of the person ended; `exit_code` as by subprocess, None where it could not be run or was stopped."""

    type: Literal["shell_line_finished"] = "shell_line_finished"
    line_id: str
    exit_code: int | None
    summary: str
    text: str
    for_model: bool = False
    """Written with `!!`: the output goes to the model with the next prompt."""
    elapsed_ms: int = 0


class SteeringTaken(EventBase):
    """A message that was typed during the turn was handed to the model."""

    type: Literal["steering_taken"] = "steering_taken"
    text: str


class TurnFinished(EventBase):
    """The turn is over; `undelivered` are steering and queued messages that return to the draft."""

    type: Literal["turn_finished"] = "turn_finished"
    end: TurnEnd
    reason: str = ""
    hint: str = ""
    elapsed_ms: int = 0
    undelivered: tuple[str, ...] = ()


class DelegationChanged(EventBase):
    """A delegate of a plan changed its state."""

    type: Literal["delegation_changed"] = "delegation_changed"
    delegation_id: str
    state: str


Event = Annotated[
    SessionOpened
    | TurnStarted
    | TurnResumed
    | TextDelta
    | ThinkingDelta
    | AssistantMessage
    | ToolCallStarted
    | ToolCallProgress
    | ToolCallFinished
    | PermissionDecided
    | DecisionRequested
    | DecisionAnswered
    | ModeChanged
    | AgentSelected
    | ModelChanged
    | CatalogReloaded
    | SettingsReloaded
    | TodoChanged
    | PlanProposed
    | PlanDecided
    | CheckpointCreated
    | UsageUpdated
    | CompactionDone
    | RetryScheduled
    | NoticeRaised
    | ShellLineStarted
    | ShellLineFinished
    | SteeringTaken
    | TurnFinished
    | DelegationChanged,
    Field(discriminator="type"),
]

SHOWN_ONLY = (TextDelta, ThinkingDelta, ToolCallProgress)
"""Events that are shown, not stored: stored `seq` may have gaps."""


def dump_event(event: EventBase) -> str:
    """Return `event` as one line of JSON."""
    return event.model_dump_json()


def parse_event(line: str | bytes) -> Event:
    """Read what `dump_event` wrote. Raises pydantic.ValidationError."""
    return _adapter().validate_json(line)


@cache
def _adapter() -> TypeAdapter[Event]:
    # building the validator of the union takes milliseconds, which the first frame does not have
    return TypeAdapter(Event)
