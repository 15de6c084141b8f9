"""Takes up a stored session: what its events say of agent, mode, to-dos, plan and usage, and who may write to it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from decode_core.call_progress import WITHDRAWN, CallsSoFar
from decode_core.event_log import EventLog
from decode_core.events import (
    AgentSelected,
    DecisionAnswered,
    DecisionRequested,
    EventBase,
    ModeChanged,
    ModelChanged,
    PlanDecided,
    PlanProposed,
    SessionOpened,
    SteeringTaken,
    TodoChanged,
    TodoItem,
    ToolCallFinished,
    TurnEnd,
    TurnFinished,
    TurnResumed,
    TurnStarted,
    UsageUpdated,
)
from decode_core.permissions.modes import PermissionMode
from decode_core.plan_mode.history import PlanHistory
from decode_core.store.lines import StoredMessage, storable
from decode_core.workspace import Workspace, WorkspaceError

if TYPE_CHECKING:
    from decode_core.store.database import Database
    from decode_core.store.holding import Holding

SUSPENDED = "A question waits for your answer; the turn goes on with it."


@dataclass
class Restored:
    """What a session was when it ended, folded from its events."""

    agent: str = ""
    model: str = ""
    """The model as it was chosen; empty where an older decode did not say."""
    mode: PermissionMode = PermissionMode.DEFAULT
    todos: tuple[TodoItem, ...] = ()
    plans: PlanHistory = field(default_factory=PlanHistory)
    agent_before: str | None = None
    """The agent before the latest one: an approved plan may go back to it."""
    mode_before_plan: PermissionMode | None = None
    usage: UsageUpdated | None = None
    turns: int = 0
    prompts: list[str] = field(default_factory=list)
    """Everything that the person wrote: prompts and what was said during turns."""
    open_turn: str | None = None
    """A turn that never finished: decode ended while it ran."""
    suspended_turn: str | None = None
    """The last turn, if it waits for the answer to a question."""
    calls: CallsSoFar = field(default_factory=CallsSoFar)
    """How far the calls of the last response had come."""
    seen: dict[str, str] = field(default_factory=dict)
    """Files that were read or written: real path → digest of the bytes."""
    shell_folder: str = ""
    """Where the shell was, from the root of the workspace."""
    open_questions: dict[str, DecisionRequested] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    """The ids of all questions."""
    answered: dict[str, DecisionAnswered] = field(default_factory=dict)
    """What became of those that do not wait."""


@dataclass(frozen=True)
class Resumed:
    """A stored session that is opened again."""

    id: str
    workspace: Workspace
    events: tuple[EventBase, ...]
    unreadable: int
    messages: tuple[StoredMessage, ...]
    state: Restored
    writing: "tuple[Database, Holding] | None"
    """What its record is written to; None where another process has the session."""
    held_by: str = ""
    """Why it can only be read."""

    @property
    def waits(self) -> bool:
        """Whether a question of its last turn waits for an answer."""
        return self.state.calls.any_waits and bool(self.state.open_turn or self.state.suspended_turn)

    @property
    def question(self) -> DecisionRequested | None:
        """The question that waits; None where none does, or decode died before it was open."""
        waiting = (call for call in self.state.calls.by_id.values() if call.waits and call.answer is None)
        return next((call.question for call in waiting if call.question is not None), None) if self.waits else None

    def give_back(self) -> None:
        """Let others have it, where no session came of it."""
        if self.writing is not None:
            database, holding = self.writing
            holding.release()
            database.close()


def take_up(wanted: str | None, directory: Path | None) -> Resumed:
    """Open the session whose id is or begins with `wanted`; None is the latest of the workspace at `directory`.

    A session works where it began, wherever it is resumed from. Raises StoreError (no such session, a store that
    cannot be read) or WorkspaceError, when its folder is gone or `directory` is another one.
    """
    from decode_core.store.database import Database, store_path
    from decode_core.store.keys import no_session_in, no_such
    from decode_core.store.sessions import Sessions

    given = Workspace.open(directory) if directory is not None or wanted is None else None
    root = str(given.root) if given is not None else ""
    if not store_path().exists():
        raise no_such(wanted) if wanted is not None else no_session_in(root)
    database = Database.open()
    resumed: Resumed | None = None
    try:
        info = Sessions(database).find(wanted) if wanted is not None else Sessions(database).latest(root)
        if given is not None and storable(root) != info.workspace:
            raise WorkspaceError(
                f"the session {info.id} belongs to {info.workspace}, not to {root}; leave the folder out"
            )
        resumed = _read(database, info.id, given or Workspace.open(Path(info.workspace)))
    finally:
        if resumed is None or resumed.writing is None:
            database.close()
    return resumed


def _read(database: "Database", session_id: str, workspace: Workspace) -> Resumed:
    from decode_core.store.faults import StoreError, StoreFault
    from decode_core.store.holding import hold
    from decode_core.store.records import Records

    writing, held_by = None, ""
    try:
        # before anything is read: whoever had it may just be writing its last event
        writing = (database, hold(database.path.parent, session_id))
    except StoreError as error:
        if error.fault is not StoreFault.HELD:
            raise
        held_by = str(error)
    try:
        stored = Records(database).events(session_id)
        messages = tuple(Records(database).messages(session_id))
    except BaseException:
        if writing is not None:
            writing[1].release()
        raise
    state = restored(stored.events)
    return Resumed(session_id, workspace, stored.events, stored.unreadable, messages, state, writing, held_by)


def restored(events: Iterable[EventBase]) -> Restored:
    """Fold the events of a session."""
    state = Restored()
    for event in events:
        state.calls.take(event)
        match event:
            case SessionOpened(agent=agent, mode=mode, model_name=model):
                state.agent, state.mode, state.model = agent, mode, model
            case ModelChanged(model_name=model):
                state.model = model
            case AgentSelected(agent=agent):
                if agent != state.agent:
                    state.agent_before = state.agent
                state.agent = agent
            case ModeChanged(from_mode=before, to_mode=mode, this_turn_only=False):
                state.mode = mode
                if mode is PermissionMode.PLAN:
                    state.mode_before_plan = before
            case TodoChanged(items=items):
                state.todos = items
            case PlanProposed() | PlanDecided():
                state.plans = state.plans.after(event)
            case UsageUpdated():
                state.usage = event
            case TurnStarted(prompt=prompt):
                state.turns += 1
                state.prompts.append(prompt)
                state.open_turn, state.suspended_turn = event.turn_id, None
            case TurnResumed():
                state.open_turn, state.suspended_turn = event.turn_id, None
            case SteeringTaken(text=text):
                state.prompts.append(text)
            case ToolCallFinished(seen=seen, detail=detail):
                state.seen.update(seen)
                if event.tool == "bash" and isinstance(folder := detail.get("cwd"), str):
                    state.shell_folder = folder
            case DecisionRequested():
                state.open_questions[event.id] = event
                state.asked.add(event.id)
            case DecisionAnswered():
                state.open_questions.pop(event.id, None)
                state.answered[event.id] = event
            case TurnFinished(end=end):
                state.open_turn = None
                state.suspended_turn = event.turn_id if end is TurnEnd.SUSPENDED else None
            case _:
                pass
    return state


def close_interrupted(log: EventLog, state: Restored) -> None:
    """End a turn that decode did not live to end.

    With a question open it is suspended, to go on when that is answered. Else it is over: what waited is withdrawn,
    and a call that was running is told as one that may have run.
    """
    if state.open_turn is None:
        return
    log.turn_id = state.open_turn
    if state.calls.any_waits:
        log.append(TurnFinished(end=TurnEnd.SUSPENDED, reason=SUSPENDED))
        state.suspended_turn = state.open_turn
    else:
        for question in state.open_questions.values():
            log.append(DecisionAnswered(id=question.id, kind=question.kind, call_id=question.call_id, answer=WITHDRAWN))
        for call in state.calls.by_id.values():
            if call.finished is None:
                call.finished = log.append(call.as_closed())
        log.append(TurnFinished(end=TurnEnd.CANCELLED, reason="decode ended while this turn ran"))
    state.open_turn = None
    log.turn_id = None
