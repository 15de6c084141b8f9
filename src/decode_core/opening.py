"""Puts a session together: workspace, settings, catalog, gate, decisions, engine."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from decode_core.catalog.definition import AgentDef
from decode_core.catalog.loader import Catalog, builtin_folder, load_catalog
from decode_core.config import config_dir
from decode_core.decisions import DecisionQueue, Question, open_question_event
from decode_core.engine.clearance import OnAsk
from decode_core.engine.model_choice import ModelChoice, NamedModel, choose_model
from decode_core.event_log import Clock, EventLog, utc_now
from decode_core.guards import Guard
from decode_core.model_in_use import first_model
from decode_core.opening_notices import agent_notices, resume_notices, settings_notices, trust_notices
from decode_core.permissions.gate import PermissionGate
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.sandbox.standing import SandboxMode
from decode_core.plan_mode.files import plan_keeper
from decode_core.rehearsal import Rehearsal
from decode_core.reloading.agents import AgentReloading
from decode_core.reloading.following import FollowedFiles
from decode_core.reloading.live_catalog import AgentFolders, LiveCatalog
from decode_core.reloading.live_settings import LiveSettings
from decode_core.reloading.settings import SettingsReloading
from decode_core.resuming import Restored, Resumed, close_interrupted, take_up
from decode_core.rule_book import RuleBook
from decode_core.session import Session
from decode_core.session_parts import SessionParts
from decode_core.settings.files import project_settings_file, user_settings_file
from decode_core.settings.grants import GrantedRules
from decode_core.settings.layers import Settings, load_settings
from decode_core.spill import open_spill, remove_abandoned, spill_root
from decode_core.state import ModeOrGetter, SessionState, as_mode
from decode_core.store.session_record import SessionRecord
from decode_core.tools.custom import bind_to_loop
from decode_core.tools.registry import Registry, builtin_registry
from decode_core.tools.spec import Limits, ToolSpec
from decode_core.trust.folder import FolderTrust, agent_files_of, look_at, reader_of
from decode_core.trust.since import since_trusted
from decode_core.workspace import Workspace

if TYPE_CHECKING:
    from decode_core.engine.runtime import Engine

PROJECT_FOLDER = ".decode"


@dataclass(frozen=True)
class SessionOptions:
    """How a session is opened. None means: by settings, agent and defaults."""

    agent: str | None = None
    mode: ModeOrGetter | None = None
    """A function is read at every call."""
    model: str | None = None
    interactive: bool = True
    """Whether a person can answer questions."""
    on_ask: OnAsk = OnAsk.DENY
    headless_modes: bool = False
    """Default mode of `decode run`: plan if the agent's mode is plan, else dont_ask, in which nothing asks; the
    agent's own where `on_ask` says that questions are to come up."""
    max_turns: int | None = None
    max_cost: float | None = None
    session_id: str | None = None
    """Of a new session; a fresh one by default."""
    resumed: Resumed | None = None
    """A stored session to go on with, made by `take_up`."""
    guards: tuple[Guard, ...] = ()
    sandbox: SandboxMode | None = None
    clock: Clock = field(default=utc_now)

    @property
    def asks_nobody(self) -> bool:
        """Whether the mode must be one that needs no person."""
        return self.headless_modes and self.on_ask is OnAsk.DENY


@dataclass(frozen=True)
class Surroundings:
    """What every front end needs before a session stands: settings, tools and agents of a workspace."""

    workspace: Workspace
    settings: Settings
    registry: Registry
    catalog: Catalog
    agent_folders: AgentFolders
    trust: FolderTrust
    """What the workspace brings, and whether it counts."""


def survey(workspace: Workspace, registry: Registry | None = None) -> Surroundings:
    """Read settings and agents. Never raises for what a file holds; faults stand in the values."""
    registry = registry or builtin_registry()
    trust = since_trusted(look_at(workspace.root))
    settings = load_settings(
        user_settings_file(),
        project_settings_file(workspace.root),
        project_trusted=trust.counts,
        grants=GrantedRules(),
        tool_names=registry.names,
        read=reader_of(trust.content),
    )
    folders = AgentFolders(builtin_folder(), config_dir() / "agents", workspace.root / PROJECT_FOLDER / "agents")
    catalog = load_catalog(
        folders.builtin,
        folders.user,
        folders.project,
        known_tools=registry.names,
        trusted_project=trust.counts,
        project_files=agent_files_of(trust.content),
    )
    return Surroundings(workspace, settings, registry, catalog, folders, trust)


def make_gate(settings: Settings, mode: ModeOrGetter) -> PermissionGate:
    """The gate under these settings."""
    ceiling = settings.values.permissions.plan_ceiling
    return PermissionGate(mode, settings.rules, plan_ceiling=ceiling, degraded=settings.degraded_reason)


def new_session(around: Surroundings, options: SessionOptions) -> Session:
    """Return a session on the running loop, a new one or the one that is resumed as it was left.

    Raises UnknownAgent, ModelError or ConfigError, each with one sentence; nothing heavy is imported.
    """
    values, resumed = around.settings.values, options.resumed
    before = resumed.state if resumed is not None else Restored()
    known_before = before.agent if before.agent in around.catalog.agents else ""
    agent = around.catalog.get(options.agent or known_before or values.agent)
    mode = _first_mode(agent, values.mode, options, before if resumed is not None else None)
    models = {
        name: NamedModel(model.model, model.base_url, model.key_variable, model.thinking)
        for name, model in values.models.items()
    }

    def choose(name: str | None, agents: str | None) -> ModelChoice:
        return choose_model(name, models, settings_model=values.model, agent_model=agents)

    model, is_model_named = first_model(options.model, before.model, agent.model, choose, models)
    session_id = resumed.id if resumed is not None else options.session_id or uuid.uuid4().hex[:12]
    loop = asyncio.get_running_loop()
    # a session that is only read has a folder of its own: whoever writes it needs its outputs further
    is_read = resumed is not None and resumed.writing is None
    spill = open_spill(f"{session_id}-{uuid.uuid4().hex[:8]}" if is_read else session_id)
    loop.run_in_executor(None, remove_abandoned, spill_root())
    workspace = Workspace(around.workspace.root, around.workspace.added, (spill.folder,))
    record = _record(session_id, workspace, resumed)
    log = EventLog(
        session_id,
        loop,
        options.clock,
        write=record.write if record is not None else None,
        before=resumed.events if resumed is not None else (),
    )
    if record is not None:
        close_interrupted(log, before)
    state = SessionState(log, make_gate(around.settings, mode), around.catalog, agent, mode)
    state.todos, state.plans = before.todos, before.plans
    state.agent_before, state.mode_before_plan = before.agent_before, before.mode_before_plan
    for prompt in before.prompts:
        state.note_prompt(prompt)
    decisions = DecisionQueue(asked=before.asked)
    if options.interactive or options.on_ask is OnAsk.SUSPEND:

        def announce(question: Question, waiting: int) -> None:
            if question.call_id is not None and options.on_ask is OnAsk.SUSPEND and not options.interactive:
                # before anybody hears of it: nobody here may answer
                decisions.suspend()
            log.append(open_question_event(question, waiting))

        decisions.on_open = announce
    live = LiveCatalog(around.agent_folders, around.registry.names, around.catalog, trusted_project=around.trust.counts)
    settings = LiveSettings(workspace.root, around.registry.names, around.settings, around.trust)
    live.vouched = settings.vouched_agents
    book = RuleBook(state.gate, workspace, state.rules_changed, settings.note_own_write)
    return Session(
        SessionParts(
            workspace=workspace,
            log=log,
            state=state,
            decisions=decisions,
            model=model,
            choose_model=choose,
            is_model_named=is_model_named,
            files=FollowedFiles(AgentReloading(live, state, decisions), SettingsReloading(settings, state, decisions)),
            make_engine=_engine_factory(around, options, state, decisions, workspace, spill.folder, record, book),
            spill=spill,
            rule_book=book,
            rehearsal=Rehearsal(around.registry, workspace, state, lambda: log.kept),
            notices=(
                *settings_notices(around.settings, around.catalog),
                *trust_notices(around.trust, around.registry.names, interactive=options.interactive),
                *resume_notices(resumed, agent, mode),
                *agent_notices(agent, mode, resumed),
            ),
            configured_models=tuple(models),
            record=record,
            resumed=before if resumed is not None else None,
            held_by=resumed.held_by if resumed is not None else "",
        )
    )


@asynccontextmanager
async def open_session(
    workspace: Path | str | None = None,
    *,
    agent: str | None = None,
    mode: ModeOrGetter | str | None = None,
    model: str | None = None,
    resume: str | None = None,
    tools: Sequence[ToolSpec] = (),
    guards: Sequence[Guard] = (),
) -> AsyncIterator[Session]:
    """Open a session in `workspace` (default: the enclosing git root, else the current folder) and close it after.

    `mode` may be a function: it is read at every call, on the engine's thread, until somebody sets a mode. `tools`
    (made by `tool`) stand beside the built-in ones, for agents that have them or `*`; `guards` (made by `guard`) see
    every call before the rules, in this order.

    `resume` is the id of a stored session, or its beginning: it goes on as it was left, in its own workspace.

    Raises WorkspaceError, UnknownAgent, ModelError, ConfigError, StoreError where `resume` cannot be, TypeError for
    what is no tool or guard, or ValueError for an unknown mode and for a tool whose name is taken.
    """
    registry = _with_tools(builtin_registry(), tools, asyncio.get_running_loop())
    for each in guards:
        if not isinstance(each, Guard):
            raise TypeError(f"{each!r} is no guard; make one with guard(function)")
    chosen = None if mode is None else as_mode(mode)
    directory = None if workspace is None else Path(workspace)
    resumed = None if resume is None else await asyncio.to_thread(take_up, resume, directory)
    try:
        place = Workspace.open(directory) if resumed is None else resumed.workspace
        options = SessionOptions(agent=agent, mode=chosen, model=model, resumed=resumed, guards=tuple(guards))
        session = new_session(survey(place, registry), options)
    except BaseException:
        if resumed is not None:
            resumed.give_back()
        raise
    try:
        yield session
    finally:
        await session.close()


def _with_tools(registry: Registry, tools: Sequence[ToolSpec], owner: asyncio.AbstractEventLoop) -> Registry:
    """The registry and the program's tools behind it."""
    for each in tools:
        if not isinstance(each, ToolSpec):
            raise TypeError(f"{each!r} is no tool; make one with tool(function)")
        if each.name in registry.names:
            raise ValueError(f"there is a built-in tool named {each.name!r}; give yours another one with name=")
    return Registry((*registry, *(bind_to_loop(each, owner) for each in tools)))


def _record(session_id: str, workspace: Workspace, resumed: Resumed | None) -> SessionRecord | None:
    """What the session is written to; None where another process writes it."""
    if resumed is None:
        return SessionRecord(session_id, str(workspace.root))
    if resumed.writing is None:
        return None
    return SessionRecord(session_id, str(workspace.root), resumed=resumed.writing)


def _first_mode(
    agent: AgentDef, settings_mode: PermissionMode | None, options: SessionOptions, before: Restored | None
) -> ModeOrGetter:
    """Flag, then the mode that the session was left in, then settings and agent.

    Bypass comes from a flag alone: an agent of this mode, and a session that ran in it, start by asking until the
    person says otherwise (permissions.md §9). Without a person, only plan is taken over, since it allows the least.
    """
    if options.mode is not None:
        return options.mode
    if before is not None and options.agent is None and (before.mode is PermissionMode.PLAN or not options.asks_nobody):
        return PermissionMode.DEFAULT if before.mode is PermissionMode.BYPASS else before.mode
    if options.asks_nobody:
        return PermissionMode.PLAN if agent.mode is PermissionMode.PLAN else PermissionMode.DONT_ASK
    first = settings_mode or agent.mode
    return PermissionMode.DEFAULT if first is PermissionMode.BYPASS else first


def _engine_factory(
    around: Surroundings,
    options: SessionOptions,
    state: SessionState,
    decisions: DecisionQueue,
    workspace: Workspace,
    spill: Path,
    record: SessionRecord | None,
    book: RuleBook,
) -> "Callable[[ModelChoice], Engine]":
    owner = asyncio.get_running_loop()

    resumed = options.resumed
    # as it is now: the session follows its calls further before the engine is made
    before = resumed.state if resumed is not None else Restored()
    calls, is_suspended = dict(before.calls.by_id), before.suspended_turn is not None

    def make(model: ModelChoice) -> "Engine":
        from decode_core.engine.runtime import Engine, EngineParts
        from decode_core.engine.turn import TurnLimits
        from decode_core.tools.shell_sandbox import open_sandbox

        wishes = around.settings.values.sandbox.standing(options.sandbox)
        limits = around.settings.values.limits
        return Engine(
            EngineParts(
                workspace=workspace,
                state=state,
                decisions=decisions,
                registry=around.registry,
                spill_folder=spill,
                model=model,
                limits=Limits(limits.sleep_max_s, limits.bash_timeout_s, limits.output_lines, limits.output_bytes),
                turn_limits=TurnLimits(options.max_turns or limits.max_turns, options.max_cost),
                sandbox=open_sandbox(workspace, spill, wishes, around.settings.values.sandbox.writable),
                sandbox_wishes=wishes,
                env_pass=around.settings.values.env.passed,
                on_ask=options.on_ask,
                rule_book=book,
                keep_plan=plan_keeper(workspace.root, state.log.session_id, options.clock),
                guards=options.guards,
                owner=owner,
                put_messages=record.put_messages if record is not None else None,
                messages=resumed.messages if resumed is not None else (),
                usage=resumed.state.usage if resumed is not None else None,
                calls=calls,
                files_seen=before.seen,
                shell_folder=workspace.root / before.shell_folder,
                is_suspended=is_suspended,
            )
        )

    return make
