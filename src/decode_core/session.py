"""Session: the one object a front end talks to (core.md §1). Only this module and `opening` know everyone."""

import asyncio
import itertools
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from decode_core.catalog.definition import AgentDef
from decode_core.catalog.errors import UnknownAgent
from decode_core.catalog.loader import Catalog
from decode_core.decisions import Answer, AnswerResult, Question
from decode_core.engine.errors import ModelError, TurnRunning
from decode_core.engine.thread import EngineThread
from decode_core.events import (
    AgentSelected,
    CatalogReloaded,
    EventBase,
    ModeCause,
    NoticeLevel,
    NoticeRaised,
    Plan,
    SessionOpened,
    TodoItem,
    TurnEnd,
    TurnFinished,
    TurnStarted,
    UsageUpdated,
)
from decode_core.model_in_use import ModelInUse
from decode_core.permissions.modes import PermissionMode
from decode_core.plan_history import PlanHistory
from decode_core.rehearsal import Rehearsal
from decode_core.rule_book import RuleBook
from decode_core.session_parts import SessionParts
from decode_core.shell_lines import ShellLines
from decode_core.state import ModeOrGetter, as_mode
from decode_core.watching import Watcher

if TYPE_CHECKING:
    from decode_core.engine.runtime import Engine

__all__ = ["ModelError", "Session", "TurnRunning", "UnknownAgent"]


class Session:
    """One conversation in one workspace.

    Every method is called on the loop that opened the session, which is also where events arrive; none blocks. The
    engine works in a thread of its own.
    """

    def __init__(self, parts: SessionParts) -> None:
        self.workspace = parts.workspace
        self._parts = parts
        self._log = parts.log
        self._state = parts.state
        self._decisions = parts.decisions
        self.agents = parts.agents
        """Keeps the agents in line with their files."""
        self.lines = ShellLines(parts.log, parts.workspace, parts.spill.folder, lambda: self.mode, parts.held_by)
        """Runs what the person writes for the shell."""
        self._engine: EngineThread[Engine] = EngineThread(lambda: parts.make_engine(self._model.choice))
        self._model = ModelInUse(
            parts.model, parts.choose_model, self._engine, parts.log, is_named=parts.is_model_named
        )
        self._running = False
        self._warming: asyncio.Future[None] | None = None
        before = parts.resumed
        self._turns = itertools.count(before.turns + 1 if before else 1)
        self._queued: deque[str] = deque()
        self._watcher = Watcher()
        self._watcher.add(self.agents.subject())
        self._usage: UsageUpdated | None = before.usage if before else None
        self._state.on_policy_changed = self._policy_changed
        self._log.subscribe(self._follow)
        self._log.append(
            SessionOpened(
                workspace=str(self.workspace.root),
                agent=self.agent.name,
                mode=self.mode,
                model=self._model.choice.label,
                offline=self._model.choice.is_offline,
                resumed=before is not None,
            )
        )
        for notice in parts.notices:
            self._log.append(notice)

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

    def subscribe(self, callback: Callable[[EventBase], object]) -> Callable[[], None]:
        """Call `callback` with every event from now on, in order, on this loop; returns how to stop that.

        One that raises is reported to the loop's exception handler and costs no other subscriber an event.
        """
        return self._log.subscribe(callback)

    def warm_up(self) -> None:
        """Import the model library and build the model now, so that the first prompt need not wait for it.

        What stands in the way (no key, no library) is a notice before the first prompt, not a failed turn after it.
        """
        self._engine.start()
        self._warming = asyncio.ensure_future(self._build_model())

    async def _build_model(self) -> None:
        try:
            await self.prepare()
        except ModelError as error:
            self.raise_notice(NoticeLevel.WARNING, str(error), "/model chooses another")
        self.watch_files()

    def watch_files(self) -> None:
        """Follow the files of agents from now on; a change since the session was opened is not missed."""
        self._watcher.start()

    async def prepare(self) -> None:
        """Build the chosen model now. Raises ModelError: no such model, no key, no library, a broken script."""
        await asyncio.wrap_future(self._engine.run(lambda engine: engine.prepare()))

    def submit(self, prompt: str, *, mode: ModeOrGetter | str | None = None) -> None:
        """Start a turn; `mode`, a value or a function read at every call, holds for this turn only.

        Raises TurnRunning while one runs, ValueError for what is no mode.
        """
        if self._running:
            raise TurnRunning("a turn is running; steer it, queue the prompt, or stop it first")
        for_this_turn = None if mode is None else as_mode(mode)
        self._running = True
        self._log.turn_id = f"t{next(self._turns)}"
        if self.read_only:
            # no turn: the prompt goes back to where it came from
            self._log.append(
                TurnFinished(end=TurnEnd.FAILED, reason=f"Not sent: {self._parts.held_by}.", undelivered=(prompt,))
            )
            return
        self._state.note_prompt(prompt)
        self._log.append(TurnStarted(prompt=prompt))
        if for_this_turn is not None:
            self._state.set_turn_mode(for_this_turn)
        whole = self.lines.with_outputs(prompt)
        future = self._engine.run(lambda engine: engine.run_turn(whole, self._take_queued))
        future.add_done_callback(lambda done: self._engine_died(done.exception()) if not done.cancelled() else None)

    async def send(self, prompt: str, *, mode: ModeOrGetter | str | None = None) -> AsyncIterator[EventBase]:
        """Run one turn and yield its events, the last one TurnFinished. Leaving early stops the turn.

        `mode` and errors as for `submit`.
        """
        inbox: asyncio.Queue[EventBase] = asyncio.Queue()
        unsubscribe = self.subscribe(inbox.put_nowait)
        try:
            self.submit(prompt, mode=mode)
            turn_id = self._log.turn_id
            while True:
                event = await inbox.get()
                yield event
                if isinstance(event, TurnFinished) and event.turn_id == turn_id:
                    return
        finally:
            unsubscribe()
            if self._running:
                self._engine.post(lambda engine: engine.cancel())

    def steer(self, text: str) -> None:
        """Hand `text` to the model before the next request of the running turn; without one it starts a turn."""
        if not self._running:
            self.submit(text)
        else:
            self._state.note_prompt(text)
            loop = asyncio.get_running_loop()

            def deliver(engine: "Engine") -> None:
                if not engine.steer(text):
                    # the turn ended on the way: what was said is not lost
                    loop.call_soon_threadsafe(self.queue, text)

            self._when_ready(deliver)

    def queue(self, text: str) -> None:
        """Send `text` as a turn of its own when the running one ends; without one at once."""
        if not self._running:
            self.submit(text)
        else:
            self._queued.append(text)

    def unqueue(self) -> str | None:
        """Take the last queued prompt back."""
        return self._queued.pop() if self._queued else None

    async def cancel(self) -> None:
        """Stop stream, tools and children, and wait until the turn has ended; history stays valid."""
        if not self._running:
            return
        ended = asyncio.Event()
        unsubscribe = self.subscribe(lambda event: ended.set() if isinstance(event, TurnFinished) else None)
        try:
            self._when_ready(lambda engine: engine.cancel())
            await ended.wait()
        finally:
            unsubscribe()

    def set_mode(self, mode: PermissionMode | str, cause: ModeCause | str = ModeCause.API) -> None:
        """Set the mode from the next check on; an open question may become a denial, or a run.

        It replaces whatever the session was opened with, a function, too. Raises ValueError for an unknown mode or
        cause.
        """
        self._state.set_mode(PermissionMode.parse(mode), ModeCause(cause))

    def select_agent(self, name: str) -> None:
        """Make `name` the active agent with its mode and rules. Raises UnknownAgent."""
        self._state.select_agent(name)

    def select_model(self, name: str) -> None:
        """Let another model answer from the next request on.

        Raises ModelError for a name that cannot be one; what only building it can tell (a missing key or library)
        arrives as a notice, and the model in use stays.
        """
        self._model.select(name)

    def raise_notice(self, level: NoticeLevel, text: str, hint: str = "") -> None:
        """Note something that a front end found out, such as a setting that it cannot follow."""
        self._log.append(NoticeRaised(level=level, text=text, hint=hint))

    def answer(self, question_id: str, answer: Answer) -> AnswerResult:
        """Answer the open question; an unknown, late or unfit answer is a value, never an exception."""
        return self._decisions.answer(question_id, answer)

    async def typed_before(self) -> tuple[list[str], str]:
        """The prompts that were sent in this workspace, the latest last, and the draft that was left."""
        record = self._parts.record
        return ([], "") if record is None else await asyncio.to_thread(record.typed)

    def remember_prompt(self, text: str) -> None:
        """Put `text` into the workspace's history of prompts."""
        if self._parts.record is not None:
            self._parts.record.remember(text)

    def keep_draft(self, text: str) -> None:
        """Keep what stands in the prompt until decode is opened here again; an empty text removes what was kept."""
        if self._parts.record is not None:
            self._parts.record.keep_draft(text)

    async def close(self) -> None:
        """Stop what runs, deny what waits, end the engine's thread and remove spilled outputs."""
        if self._warming is not None:
            self._warming.cancel()
        if self._running:
            await self.cancel()
        self.agents.close()
        await asyncio.to_thread(self.lines.close)
        self._decisions.close()
        await asyncio.to_thread(self._watcher.stop)
        if self._engine.stands:
            await asyncio.wrap_future(self._engine.run(lambda engine: engine.close()))
        await asyncio.to_thread(self._engine.stop)
        await asyncio.to_thread(self._parts.spill.remove)
        if self._parts.record is not None:
            await asyncio.to_thread(self._parts.record.close)

    def _follow(self, event: EventBase) -> None:
        """Keep what the session itself must know; runs before any front end's callback."""
        if isinstance(event, UsageUpdated):
            self._usage = event
        elif isinstance(event, AgentSelected | CatalogReloaded):
            self._model.follow(self.agent)
        elif isinstance(event, TurnFinished):
            self._running = False
            self._state.set_turn_mode(None)
            if event.end is TurnEnd.COMPLETED and self._queued:
                # after this event has reached every front end
                asyncio.get_running_loop().call_soon(self.submit, self._queued.popleft())

    def _take_queued(self) -> tuple[str, ...]:
        """Empty the queue. Called on the engine's thread; each step is atomic."""
        taken: list[str] = []
        while self._queued:
            taken.append(self._queued.popleft())
        return tuple(taken)

    def _when_ready(self, call: Callable[["Engine"], None]) -> None:
        """Call the engine now, or as soon as it stands (the model library may still be loading)."""

        async def job(engine: "Engine") -> None:
            call(engine)

        self._engine.run(job)

    def _policy_changed(self, persons_act: bool) -> None:  # noqa: FBT001
        self._engine.post(lambda engine: engine.policy_changed(persons_act=persons_act))

    def _engine_died(self, error: BaseException | None) -> None:
        """The engine could not be made or broke: say so and end the turn. Runs on the engine's thread."""
        if error is not None:
            reason = f"the engine failed: {type(error).__name__}: {error}"
            self._log.append(TurnFinished(end=TurnEnd.FAILED, reason=reason, hint="see the log; start decode again"))
