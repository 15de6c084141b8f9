"""What a tool is: its description for the model, its kind for the gate, its arguments and its body."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import BaseModel, ConfigDict

from decode_core.events import CallOutcome, PlanStep, TodoItem
from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import PermissionRequest, SubjectKind
from decode_core.permissions.tighten import Tighten
from decode_core.workspace import Workspace

if TYPE_CHECKING:
    from decode_core.tools.shell_sandbox import CommandSandbox


class ToolArgs(BaseModel):
    """Base of every tool's arguments: unknown names are an error that the model can mend."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=False)


@dataclass(frozen=True)
class ToolResult:
    """What a call gives back.

    `text` is for the model, `summary` a few words for the person ("84 lines", "exit 0", "+3 −1"), `detail` structured
    data for front ends (`diff`, `exit_code`, `matches`, `output`).
    """

    text: str
    summary: str = ""
    outcome: CallOutcome = CallOutcome.OK
    detail: Mapping[str, Any] = field(default_factory=dict)
    ends_turn: bool = False
    """The turn stops once the model's side of the history holds this result (a rejected plan)."""
    blocked: str | None = None
    """What the sandbox blocked, as a clause: the person may let the call run once outside."""


def failed(text: str, summary: str = "failed", **detail: Any) -> ToolResult:
    """A result that the model can act on: one clear sentence."""
    return ToolResult(text, summary, CallOutcome.FAILED, detail)


@dataclass(frozen=True)
class Limits:
    """Limits of the tools; see settings.md for the keys."""

    sleep_max_s: float = 60.0
    bash_timeout_s: float = 120.0
    output_lines: int = 2_000
    output_bytes: int = 50_000


class FileMemory:
    """Which files this session has read, and what they held: real path → SHA-256 of the bytes."""

    def __init__(self, seen: Mapping[str, str] | None = None) -> None:
        """`seen` is what a resumed session had read."""
        self._digests = {Path(real): digest for real, digest in (seen or {}).items()}
        self._fresh: dict[str, str] = {}

    def remember(self, real: Path, digest: str) -> None:
        """Note that the session has seen these bytes of the file, by reading or writing them."""
        self._digests[real] = digest
        self._fresh[str(real)] = digest

    def take_fresh(self) -> dict[str, str]:
        """What was remembered since the last time that this was asked, for the record of the call."""
        fresh, self._fresh = self._fresh, {}
        return fresh

    def seen(self, real: Path) -> str | None:
        """Digest of the bytes that were last seen, or None if the file was never read."""
        return self._digests.get(real)


@dataclass(frozen=True)
class PlanAnswer:
    """The person's answer to a plan: `approve`, `approve_ask`, `refine`, `reject`, or `nobody` (no one can answer)."""

    answer: str
    text: str = ""
    """The final plan text, possibly edited."""
    approved: tuple[PlanStep, ...] = ()
    refused: tuple[PlanStep, ...] = ()
    note: str = ""
    comments: tuple[tuple[str, str], ...] = ()
    """Pairs (quoted line, comment)."""
    message: str = ""
    """What else the model should know, such as a switch of the agent."""


@dataclass(frozen=True)
class UserAnswer:
    """The person's answer to a question of the agent; `declined` where they gave none, `nobody` where none is there."""

    chosen: tuple[str, ...] = ()
    text: str = ""
    declined: bool = False
    nobody: bool = False


class SessionControl(Protocol):
    """What control tools may ask of the session; it is the person's side that decides."""

    def in_plan_mode(self) -> bool:
        """Whether the mode in force is plan."""
        ...

    def enter_plan_mode(self) -> None:
        """Remember the mode in force and set plan."""
        ...

    async def review_plan(self, call_id: str, plan: str, title: str) -> PlanAnswer:
        """Put the plan before the person and wait. The session has already applied the answer's mode."""
        ...

    async def ask_user(
        self, call_id: str, question: str, options: tuple[str, ...], *, multiple: bool, allow_free_text: bool
    ) -> UserAnswer:
        """Put a question before the person and wait."""
        ...

    def set_todos(self, items: tuple[TodoItem, ...]) -> None:
        """Replace the to-do list."""
        ...

    def approved_steps(self) -> tuple[int, ...] | None:
        """Numbers of the steps that the person approved; None where no plan is approved."""
        ...


@dataclass
class ToolContext:
    """What a running call may use."""

    workspace: Workspace
    request: PermissionRequest
    """The judged request: a tool acts on its frozen facts and fails where the world differs."""
    files: FileMemory
    control: SessionControl
    limits: Limits
    progress: Callable[[str], None]
    """Shows live output. Cheap; may be called from any thread."""
    spill_folder: Path
    """Where full outputs go (0700); `read` may see it."""
    shell_state: dict[str, Any]
    """What bash keeps between calls of one session, such as its working directory (`cwd`)."""
    sandbox: "CommandSandbox | None" = None
    """Around every command (permissions.md §11); None: there is none, and none is wanted."""
    outside: bool = False
    """The person lets this one call run outside the sandbox."""

    @property
    def call_id(self) -> str:
        """The id of this call."""
        return self.request.call_id


@dataclass(frozen=True)
class ToolSpec:
    """One tool.

    `subject` names the field of the arguments that rules match and people read. `preview` computes what a file tool
    would change, without changing it, for the dialog and the log.
    """

    name: str
    description: str
    kind: ToolKind
    args: type[ToolArgs]
    run: Callable[[Any, ToolContext], Awaitable[ToolResult]]
    subject: str | None = None
    subject_kind: SubjectKind = SubjectKind.NONE
    shown: tuple[str, ...] = ()
    """Fields that name a call to people, where the subject of the rules alone would not; default: the subject."""
    asks_person: bool = False
    needs_approval: bool | Callable[[Any], bool | Tighten | None] | None = None
    """Whether a call that no rule settles asks; None: by kind. A function is asked with the arguments at every call."""
    preview: Callable[[Any, PermissionRequest], "ChangePreview | str"] | None = None

    def label(self, args: Mapping[str, Any]) -> str:
        """What a call is about, for people: never judged, and possibly of invalid arguments."""
        fields = self.shown or ((self.subject,) if self.subject else ())
        return " ".join(str(args[name]) for name in fields if args.get(name))

    @property
    def runs_alone(self) -> bool:
        """Whether the call is a barrier in its batch: everything that may change anything is."""
        return self.kind is not ToolKind.READ_ONLY


@dataclass(frozen=True)
class ChangePreview:
    """What a file call would do: the text before (None: the file is new) and after."""

    path: str
    before: str | None
    after: str
