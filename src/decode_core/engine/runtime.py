"""The engine: one pydantic-ai agent for the whole session. Prompt, tools and model follow the live state at every
model request, so that nothing is rebuilt when the person changes the agent, the mode or the model.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pydantic_ai
from pydantic_ai import Agent, RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.models import Model, ModelRequestContext

from decode_core.call_progress import WITHDRAWN, CallSoFar
from decode_core.collector import CollectorRest
from decode_core.decisions import DecisionQueue
from decode_core.engine.authorise import Authoriser
from decode_core.engine.clearance import OnAsk
from decode_core.engine.control import Control, KeepPlan
from decode_core.engine.deps import TurnDeps
from decode_core.engine.errors import ModelError
from decode_core.engine.failures import Failure
from decode_core.engine.gatekeeper import Gatekeeper
from decode_core.engine.guards import Guards
from decode_core.engine.history import History, PutMessages
from decode_core.engine.instructions import instructions
from decode_core.engine.model_choice import ModelChoice
from decode_core.engine.models import build_model, model_settings
from decode_core.engine.retrying import Retrying
from decode_core.engine.sandboxing import Sandboxing
from decode_core.engine.toolset import UNLIMITED, RegistryToolset
from decode_core.engine.turn import Turn, TurnLimits, TurnResult, elapsed_ms
from decode_core.engine.usage import UsageMeter
from decode_core.events import DecisionAnswered, TurnEnd, TurnFinished, UsageUpdated
from decode_core.guards import Guard
from decode_core.permissions.sandbox.standing import SandboxMode, Standing
from decode_core.rule_book import RuleBook
from decode_core.state import SessionState
from decode_core.store.lines import StoredMessage
from decode_core.tools.registry import Registry
from decode_core.tools.spec import FileMemory, Limits
from decode_core.workspace import Workspace

if TYPE_CHECKING:
    from decode_core.tools.shell_sandbox import CommandSandbox

logger = logging.getLogger(__name__)

UNREADABLE_TURN = Failure(
    "The turn cannot be gone on with: what the model had read and asked for cannot be read back.",
    "send the prompt again",
)

pydantic_ai.BANNER_ENABLED = False  # it would write into the screen


@dataclass(frozen=True)
class EngineParts:
    """Everything an engine is made of."""

    workspace: Workspace
    state: SessionState
    decisions: DecisionQueue
    registry: Registry
    spill_folder: Path
    model: ModelChoice
    limits: Limits = field(default_factory=Limits)
    turn_limits: TurnLimits = field(default_factory=TurnLimits)
    sandbox: "CommandSandbox | None" = None
    """Around every command; None: the person wants none."""
    sandbox_wishes: Standing = field(default_factory=lambda: Standing(SandboxMode.OFF))
    env_pass: tuple[str, ...] = ()
    """Names of variables that commands see although they look like secrets; from the person's own settings only."""
    on_ask: OnAsk = OnAsk.DENY
    rule_book: RuleBook | None = None
    """Keeps what the person answers for more than one call; None: nothing can be kept."""
    keep_plan: KeepPlan | None = None
    """Writes an approved plan into the project; None where the folder is not trusted."""
    guards: tuple[Guard, ...] = ()
    owner: asyncio.AbstractEventLoop | None = None
    """The loop that opened the session, where the program's async functions run."""
    put_messages: PutMessages | None = None
    messages: tuple[StoredMessage, ...] = ()
    """The history of a session that is resumed, and its sums so far."""
    usage: UsageUpdated | None = None
    calls: Mapping[str, CallSoFar] = field(default_factory=dict)
    """How far the calls of the last response had come."""
    files_seen: Mapping[str, str] = field(default_factory=dict)
    """What the resumed session has read: real path → digest of the bytes."""
    shell_folder: Path | None = None
    is_suspended: bool = False
    """The last turn waits for an answer: `run_turn` without a prompt goes on with it."""


class Engine:
    """Runs turns, one at a time, on the engine's loop."""

    def __init__(self, parts: EngineParts) -> None:
        self._parts = parts
        self._state = parts.state
        self._log = parts.state.log
        self._choice = parts.model
        self._model: Model | None = None
        self._history = History(
            self._log, parts.put_messages, parts.messages, parts.calls, is_suspended=parts.is_suspended
        )
        self._clients = AsyncExitStack()
        self._turn: Turn | None = None
        self._meter = UsageMeter(self._log, parts.usage)
        self._control = Control(parts.state, parts.decisions, parts.keep_plan)
        self._sandboxing = Sandboxing(parts.sandbox, parts.sandbox_wishes, parts.state)
        self.authoriser = Authoriser(
            parts.registry,
            parts.workspace,
            parts.state,
            parts.decisions,
            guards=Guards(parts.guards, parts.registry, parts.owner),
            on_ask=parts.on_ask,
            rule_book=parts.rule_book,
            sandboxing=self._sandboxing,
        )
        self._agent = self._make_agent()

    async def set_model(self, choice: ModelChoice) -> None:
        """Use another model from the next request on. Raises ModelError; the model in use then stays.

        The connections of the one before are closed with the session: a running turn may still use them.
        """
        with CollectorRest():
            model = build_model(choice, self._history.messages if choice.goes_on else ())
        await self._clients.enter_async_context(model)
        self._model, self._choice = model, choice

    async def prepare(self) -> None:
        """Build the chosen model now, if that has not been done, and look for a sandbox. Raises ModelError."""
        await self._sandboxing.look()
        if self._model is None:
            await self.set_model(self._choice)

    async def close(self) -> None:
        """Stop the turn and close the connections to providers."""
        self.cancel()
        await self._clients.aclose()

    async def run_turn(
        self,
        prompt: str | None,
        take_queued: Callable[[], tuple[str, ...]] = tuple,
        suspended: Mapping[str, CallSoFar] | None = None,
    ) -> None:
        """Run one turn and emit its TurnFinished. Never raises.

        Without a prompt a suspended turn goes on; `suspended` tells how far its calls had come. `take_queued` empties
        the queue of prompts: a turn that did not complete gives them back with its steering.
        """
        begun = time.monotonic()
        turn = self._turn = Turn(self._agent, self._log, self._meter, self._history.save)
        turn.deps.suspended, self._control.suspended = dict(suspended or {}), dict(suspended or {})
        self._control.turn = turn.deps.control
        try:
            result = await self._drive(turn, prompt)
            self._history.save(result.history)
        except ModelError as error:
            # a question can wait for the model as well as for the person
            end = TurnEnd.FAILED if prompt is not None else TurnEnd.SUSPENDED
            hint = "" if prompt is not None else "its question waits; with another model it goes on"
            result = TurnResult(end, self._history.messages, Failure(str(error), hint))
        finally:
            self._turn = None
            self._control.turn = None
            self._control.suspended = {}
        if prompt is None and result.end is not TurnEnd.SUSPENDED:
            self._close(turn.deps.suspended)
        self._log.append(
            TurnFinished(
                end=result.end,
                reason=result.failure.text if result.failure else "",
                hint=result.failure.hint if result.failure else "",
                elapsed_ms=elapsed_ms(begun),
                undelivered=(*result.undelivered, *(() if result.end is TurnEnd.COMPLETED else take_queued())),
            )
        )

    async def _drive(self, turn: Turn, prompt: str | None) -> TurnResult:
        await self.prepare()
        limits = self._parts.turn_limits
        if self._state.agent.max_turns is not None:
            limits = replace(limits, max_requests=min(limits.max_requests, self._state.agent.max_turns))
        assert self._model is not None  # noqa: S101 - prepare has built it or raised
        if prompt is None and not self._history.has_open_calls:
            return TurnResult(TurnEnd.FAILED, self._history.messages, UNREADABLE_TURN)
        return await turn.drive(prompt, self._history.messages, self._model, limits)

    async def drop_turn(self, suspended: Mapping[str, CallSoFar]) -> None:
        """End a suspended turn without going on: its question is withdrawn, and the next prompt can come."""
        self._close(suspended)
        self._log.append(TurnFinished(end=TurnEnd.CANCELLED, reason="its question was withdrawn"))

    def _close(self, calls: Mapping[str, CallSoFar]) -> None:
        """End calls of a suspended turn that it does not come to: it was stopped, or cannot be gone on with."""
        for call in calls.values():
            if call.finished is not None:
                continue
            if (asked := call.question) is not None and call.answer is None:
                told = DecisionAnswered(id=asked.id, kind=asked.kind, call_id=asked.call_id, answer=WITHDRAWN)
                self._log.append(told)
            self._log.append(call.as_closed())
        self._history.close_calls(calls)

    def steer(self, text: str) -> bool:
        """Hand `text` to the running turn; False where none runs any more."""
        if self._turn is None:
            return False
        self._turn.steer(text)
        return True

    def cancel(self) -> None:
        """Stop the running turn."""
        if self._turn is not None:
            self._turn.cancel()

    def policy_changed(self, *, persons_act: bool) -> None:
        """A mode or rule changed while a question may be open."""
        self.authoriser.policy_changed(persons_act=persons_act)

    def _make_agent(self) -> Agent[TurnDeps, str]:
        parts = self._parts
        toolset = RegistryToolset(parts.registry)
        gatekeeper = Gatekeeper(
            registry=parts.registry,
            toolset=toolset,
            authoriser=self.authoriser,
            state=parts.state,
            workspace=parts.workspace,
            control=self._control,
            spill_folder=parts.spill_folder,
            limits=parts.limits,
            env_pass=parts.env_pass,
            files=FileMemory(parts.files_seen),
            shell_folder=parts.shell_folder,
            sandboxing=self._sandboxing,
        )
        self.running = gatekeeper.running
        agent = Agent(
            None,
            deps_type=TurnDeps,
            toolsets=[toolset],
            capabilities=[gatekeeper, Retrying(self._log), LiveModel(lambda: (self._model, self._choice))],
            retries={"tools": UNLIMITED, "output": 3},
        )

        @agent.instructions
        def live(ctx: RunContext[TurnDeps]) -> str:
            return instructions(parts.state, parts.workspace, ctx.messages)

        return agent


class LiveModel(AbstractCapability[TurnDeps]):
    """Sends every request to the model that is chosen at that moment."""

    def __init__(self, current: Callable[[], tuple[Model | None, ModelChoice]]) -> None:
        super().__init__()
        self.id = "live-model"
        self._current = current

    async def before_model_request(
        self, ctx: RunContext[TurnDeps], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Put the live model and its settings into the request."""
        model, choice = self._current()
        settings = {**(request_context.model_settings or {}), **model_settings(choice)}
        if model is None:
            return request_context
        return replace(request_context, model=model, model_settings=settings)  # type: ignore[arg-type]
