"""The values that events carry: enums, to-do items, plans and the rule that settled a verdict."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class NoticeLevel(StrEnum):
    """How loud a notice is."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class TurnEnd(StrEnum):
    """How a turn ended."""

    COMPLETED = "completed"
    CANCELLED = "cancelled"
    SUSPENDED = "suspended"
    FAILED = "failed"
    LIMIT = "limit"


class CallOutcome(StrEnum):
    """How a tool call ended: ran well, ran and failed, or did not run."""

    OK = "ok"
    FAILED = "failed"
    DENIED = "denied"


class QuestionKind(StrEnum):
    """What a question for the person is about."""

    PERMISSION = "permission"
    PLAN_REVIEW = "plan_review"
    ASK_USER = "ask_user"
    OUTSIDE_CHANGE = "outside_change"


class ModeCause(StrEnum):
    """Who or what changed the mode."""

    KEY = "key"
    COMMAND = "command"
    FLAG = "flag"
    AGENT_SELECTED = "agent_selected"
    ENTER_PLAN_MODE = "enter_plan_mode"
    EXIT_PLAN_MODE = "exit_plan_mode"
    API = "api"


class TodoStatus(StrEnum):
    """State of one to-do item."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


class Value(BaseModel):
    """A frozen value inside an event."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class TodoItem(Value):
    """One to-do item; `step` names the step of the approved plan that it serves, counted from 1."""

    id: str
    content: str
    status: TodoStatus = TodoStatus.PENDING
    active_form: str | None = None
    step: int | None = None


class PlanStep(Value):
    """One step of a plan: its number from 1, its text on one line, and its first line in the plan from 0."""

    number: int
    text: str
    line: int


class PlanComment(Value):
    """What the person wrote on one line of a plan; `quoted` is the line as they read it."""

    quoted: str
    text: str


class Plan(Value):
    """One version of a plan. `approved` holds the numbers of the approved steps once it is decided."""

    version: int
    title: str
    text: str
    steps: tuple[PlanStep, ...] = ()
    approved: tuple[int, ...] | None = None


class RuleRef(Value):
    """The rule that settled a verdict."""

    text: str
    list: str
    source: str
    line: int | None = None
