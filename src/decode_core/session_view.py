"""The live values of a session."""

from collections import deque
from typing import TYPE_CHECKING

from decode_core.catalog.definition import AgentDef
from decode_core.catalog.loader import Catalog
from decode_core.decisions import Question
from decode_core.engine.thread import EngineThread
from decode_core.events import EventBase, Plan, TodoItem, UsageUpdated
from decode_core.model_in_use import ModelInUse
from decode_core.permissions.modes import PermissionMode
from decode_core.plan_mode.history import PlanHistory
from decode_core.rehearsal import Rehearsal
from decode_core.reloading.agents import AgentReloading
from decode_core.resuming import Restored
from decode_core.rule_book import RuleBook
from decode_core.session_parts import SessionParts
from decode_core.settings.layers import Settings
from decode_core.shell_lines import ShellLines
from decode_core.trust.folder import FolderTrust

if TYPE_CHECKING:
    from decode_core.engine.runtime import Engine


class SessionView:
    """The live values of a session; `Session` is the acts on it."""

    def __init__(self, parts: SessionParts) -> None:
        self.workspace = parts.workspace
        self._parts = parts
        self._log = parts.log
        self._state = parts.state
        self._decisions = parts.decisions
        self.files = parts.files
        """Keeps settings, agents and trust in line with files."""
        self.lines = ShellLines(parts.log, parts.workspace, parts.spill.folder, lambda: self.mode, parts.held_by)
        """Runs what the person writes for the shell."""
        self._engine: EngineThread[Engine] = EngineThread(lambda: parts.make_engine(self._model.choice))
        self._model = ModelInUse(
            parts.model, parts.choose_model, self._engine, parts.log, is_named=parts.is_model_named
        )
        self._running = False
        self._queued: deque[str] = deque()
        before = parts.resumed or Restored()
        self._usage = before.usage
        self._calls = before.calls
        self._suspended_turn = before.suspended_turn

    @property
    def id(self) -> str:
        """The session's id."""
        return self._log.session_id

    @property
    def events(self) -> tuple[EventBase, ...]:
        """Every stored event so far."""
        return self._log.kept

    @property
    def mode(self) -> PermissionMode:
        """The mode in force."""
        return self._state.mode

    @property
    def agent(self) -> AgentDef:
        """The active agent."""
        return self._state.agent

    @property
    def catalog(self) -> Catalog:
        """All agents."""
        return self._state.catalog

    @property
    def agents(self) -> AgentReloading:
        """Keeps the agents in line with their files."""
        return self.files.agents

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.files.settings.settings

    @property
    def trust(self) -> FolderTrust:
        """What the workspace's folder brings, and whether it counts."""
        return self.files.settings.trust

    @property
    def model_label(self) -> str:
        """The model's name for people."""
        return self._model.choice.label

    @property
    def offline(self) -> bool:
        """Whether the rule-based model answers."""
        return self._model.choice.is_offline

    @property
    def configured_models(self) -> tuple[str, ...]:
        """Names of the models in the settings."""
        return self._parts.configured_models

    @property
    def read_only(self) -> bool:
        """Whether another process has this session, so that it can only be looked at."""
        return bool(self._parts.held_by)

    @property
    def running(self) -> bool:
        """Whether a turn runs."""
        return self._running

    @property
    def suspended(self) -> bool:
        """Whether the last turn waits for the answer to a question; `resume_turn` goes on with it."""
        return self._suspended_turn is not None and not self._running and not self.read_only

    @property
    def can_suspend(self) -> bool:
        """Whether the running turn waits for an answer, which can be given another day."""
        return self._running and self._decisions.holds_call

    @property
    def todos(self) -> tuple[TodoItem, ...]:
        """The to-do list."""
        return self._state.todos

    @property
    def plan(self) -> Plan | None:
        """The latest version of the plan."""
        return self._state.plan

    @property
    def plans(self) -> PlanHistory:
        """Every version of the plan, and what became of it."""
        return self._state.plans

    @property
    def mode_before_plan(self) -> PermissionMode | None:
        """The mode that held when plan mode was entered the last time, by whomever."""
        return self._state.mode_before_plan

    @property
    def usage(self) -> UsageUpdated | None:
        """Tokens and cost so far, None before the first response."""
        return self._usage

    @property
    def rule_book(self) -> RuleBook:
        """The rules in force, and how the person keeps and removes one."""
        return self._parts.rule_book

    @property
    def rehearsal(self) -> Rehearsal:
        """Verdicts over calls that nobody makes."""
        return self._parts.rehearsal

    @property
    def open_question(self) -> Question | None:
        """The question that can be answered now."""
        return self._decisions.open_question

    @property
    def waiting(self) -> int:
        """How many questions wait."""
        return self._decisions.waiting

    @property
    def queued(self) -> tuple[str, ...]:
        """Prompts that will be sent when the turn ends."""
        return tuple(self._queued)
