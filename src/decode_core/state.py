"""The live state of a session: mode, active agent, to-dos and plan. Every change is an event.

Changed by the person (through `Session`) and by control tools (through the engine); read by both. Selecting an agent
changes three things at once: the agent, the mode and the agent's rules (catalog.md §5).
"""

import logging
import threading
from collections.abc import Callable

from decode_core.catalog.changes import CatalogChange
from decode_core.catalog.definition import AgentDef
from decode_core.catalog.loader import Catalog
from decode_core.event_log import EventLog
from decode_core.events import (
    AgentSelected,
    CatalogReloaded,
    ModeCause,
    ModeChanged,
    Plan,
    PlanDecided,
    PlanProposed,
    TodoChanged,
    TodoItem,
)
from decode_core.permissions.gate import PermissionGate
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.rules import RuleSource
from decode_core.permissions.urls import hosts_in
from decode_core.plan_mode.history import PlanHistory
from decode_core.settings.layers import Settings

logger = logging.getLogger(__name__)

ModeOrGetter = PermissionMode | Callable[[], PermissionMode]

FROM_FILES = (RuleSource.USER, RuleSource.PROJECT)
"""Sources whose rules stand in settings files."""

PERSONS_ACTS = frozenset({ModeCause.KEY, ModeCause.COMMAND, ModeCause.API})
"""Causes that may turn an open question into a run: a key, a command, or the owning program's call."""


def as_mode(mode: ModeOrGetter | str) -> ModeOrGetter:
    """A mode given by value, by name or as a function. Raises ValueError for what is no mode."""
    return mode if callable(mode) else PermissionMode.parse(mode)


class SessionState:
    """Mode, agent, to-dos and plan of one session. Thread-safe."""

    def __init__(
        self, log: EventLog, gate: PermissionGate, catalog: Catalog, agent: AgentDef, mode: ModeOrGetter
    ) -> None:
        self.log = log
        self.gate = gate
        self.catalog = catalog
        self.todos: tuple[TodoItem, ...] = ()
        self.plans = PlanHistory()
        self.named_hosts: set[str] = set()
        """Hosts that the person has named in this session: typed in a prompt, or granted."""
        self.on_policy_changed: Callable[[bool], None] | None = None
        """Called after a change that may decide an open question; the argument says whether it was the person's act."""
        self._lock = threading.RLock()
        self._agent = agent
        self.agent_before: str | None = None
        """Name of the agent that was active before the present one."""
        self._mode = mode
        self._turn_mode: ModeOrGetter | None = None
        self.mode_before_plan: PermissionMode | None = None
        """The mode that held when plan was entered, by whomever."""
        gate.set_mode(lambda: self.mode)
        gate.set_rules(RuleSource.AGENT, agent.rules)
        log.agent_path = (agent.name,)

    @property
    def mode(self) -> PermissionMode:
        """The mode in force: the turn's own one where it has one, read anew if it is a callable.

        A callable that raises, or gives back something else than a mode, counts as plan: nothing is changed.
        """
        return _read(self._mode if self._turn_mode is None else self._turn_mode)

    @property
    def agent(self) -> AgentDef:
        """The active agent."""
        return self._agent

    @property
    def plan(self) -> Plan | None:
        """The newest version of the plan."""
        return self.plans.latest

    def set_mode(self, mode: PermissionMode, cause: ModeCause) -> None:
        """Set the mode from the next check on. A turn's own mode gives way to it."""
        with self._lock:
            before = self.mode
            self._mode = mode
            self._turn_mode = None
            if before is not mode:
                if mode is PermissionMode.PLAN:
                    self.mode_before_plan = before
                self.log.append(ModeChanged(from_mode=before, to_mode=mode, cause=cause))
        self._policy_changed(cause in PERSONS_ACTS)

    def set_turn_mode(self, mode: ModeOrGetter | None) -> None:
        """Let `mode` hold for the turn that begins now; None when it ends."""
        with self._lock:
            before = self.mode
            self._turn_mode = mode
            after = self.mode
            if before is not after:
                self.log.append(ModeChanged(from_mode=before, to_mode=after, cause=ModeCause.API, this_turn_only=True))

    def enter_plan_mode(self) -> None:
        """Remember the mode in force and set plan."""
        with self._lock:
            if self.mode is not PermissionMode.PLAN:
                self.set_mode(PermissionMode.PLAN, ModeCause.ENTER_PLAN_MODE)

    def select_agent(
        self,
        name: str,
        *,
        keep_mode: PermissionMode | None = None,
        cause: ModeCause = ModeCause.AGENT_SELECTED,
    ) -> AgentDef:
        """Make `name` the active agent, with its mode (or `keep_mode`) and its rules, all at once or not at all.

        `cause` is that of the change of mode. Raises UnknownAgent.
        """
        agent = self.catalog.get(name)
        mode = keep_mode or agent.mode
        with self._lock:
            if agent.name != self._agent.name:
                self.agent_before = self._agent.name
            self._agent = agent
            self.gate.set_rules(RuleSource.AGENT, agent.rules)
            self.log.agent_path = (agent.name,)
            self.log.append(AgentSelected(agent=agent.name, mode=mode))
            self.set_mode(mode, cause)
        return agent

    def take_catalog(self, catalog: Catalog, change: CatalogChange) -> None:
        """Let the agents be those of a reload (catalog.md §4).

        The active agent's new prompt, tools and rules count from the next request on; the mode in force stays. An
        active agent that is gone keeps what it was until another is chosen.
        """
        with self._lock:
            self.catalog = catalog
            agent = catalog.agents.get(self._agent.name)
            if agent is not None and agent != self._agent:
                self._agent = agent
                self.gate.set_rules(RuleSource.AGENT, agent.rules)
            self.log.append(
                CatalogReloaded(
                    added=change.added,
                    changed=change.changed,
                    removed=change.removed,
                    broken=change.broken,
                    held=change.held,
                )
            )
        self._policy_changed(persons_act=False)

    def rules_changed(self) -> None:
        """A rule was stored or taken away at the person's word."""
        self._policy_changed(persons_act=True)

    def take_settings(self, settings: Settings) -> None:
        """Let rules, plan ceiling and degradation be those of a reload; mode, agent and session grants stay.

        It is not the person's act: an open question may become a denial by it, never a run.
        """
        of = {source: [rule for rule in settings.rules if rule.source is source] for source in FROM_FILES}
        self.gate.take_settings(
            of, plan_ceiling=settings.values.permissions.plan_ceiling, degraded=settings.degraded_reason
        )
        self._policy_changed(persons_act=False)

    def note_prompt(self, prompt: str) -> None:
        """Remember the hosts that the person named; only text of the person may come here."""
        self.named_hosts |= hosts_in(prompt)

    def set_todos(self, items: tuple[TodoItem, ...]) -> None:
        """Replace the to-do list."""
        self.todos = items
        self.log.append(TodoChanged(items=items))

    def propose_plan(self, plan: Plan) -> None:
        """A new version of the plan waits for review."""
        event = PlanProposed(plan=plan)
        self.plans = self.plans.after(event)
        self.log.append(event)

    def decide_plan(self, decided: PlanDecided) -> None:
        """The review of the plan ended."""
        self.plans = self.plans.after(decided)
        self.log.append(decided)

    def _policy_changed(self, persons_act: bool) -> None:  # noqa: FBT001
        if self.on_policy_changed is not None:
            self.on_policy_changed(persons_act)


def _read(mode: ModeOrGetter) -> PermissionMode:
    if not callable(mode):
        return mode
    try:
        return PermissionMode.parse(mode())
    except Exception:
        logger.exception("the program's function for the mode failed; plan holds")
        return PermissionMode.PLAN
