"""Drives one turn of the pydantic-ai agent from the prompt to its end, as events."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from pydantic_ai import Agent, AgentRun, ModelMessage, UsageLimits, messages as m
from pydantic_ai.exceptions import RunCancelled, UsageLimitExceeded
from pydantic_ai.models import Model
from pydantic_graph import End

from decode_core.decisions import Suspended
from decode_core.engine.deps import TurnDeps
from decode_core.engine.failures import Failure, describe
from decode_core.engine.translate import ResponseTranslator
from decode_core.engine.usage import UsageMeter
from decode_core.event_log import EventLog
from decode_core.events import TurnEnd

QUESTION_WAITS = Failure("A question waits for your answer; the turn goes on with it.")


@dataclass(frozen=True)
class TurnLimits:
    """Limits of one turn: model requests, and US dollars where the price is known."""

    max_requests: int = 100
    max_cost: float | None = None


@dataclass(frozen=True)
class TurnResult:
    """How a turn ended, the history after it, and steering that was never delivered."""

    end: TurnEnd
    history: list[ModelMessage]
    failure: Failure | None = None
    undelivered: tuple[str, ...] = ()


class Turn:
    """One turn. `steer` and `cancel` may be called on the engine's loop at any time, also before the run began."""

    def __init__(
        self,
        agent: Agent[TurnDeps, str],
        log: EventLog,
        meter: UsageMeter,
        keep: Callable[[Sequence[ModelMessage]], None],
    ) -> None:
        """`keep` takes the history whenever it has grown, before anything is told of what it grew by."""
        self._agent = agent
        self._keep = keep
        self._log = log
        self._meter = meter
        self.deps = TurnDeps()
        self._run: AgentRun[TurnDeps, str] | None = None
        self._cancelled = False
        self._steering: dict[str, str] = {}
        self._early: list[str] = []
        self._translator = ResponseTranslator(log)
        self._response_began = 0.0

    def steer(self, text: str) -> None:
        """Hand `text` to the model before its next request."""
        if self._run is None:
            self._early.append(text)
        elif (key := self._run.enqueue(text, priority="asap")) is not None:
            self._steering[key] = text

    def cancel(self) -> None:
        """Stop the stream, the tools and their children."""
        self._cancelled = True
        if self._run is not None:
            self._run.cancel()

    async def drive(
        self, prompt: str | None, history: Sequence[ModelMessage], model: Model, limits: TurnLimits
    ) -> TurnResult:
        """Run the turn; without a prompt, go on with the calls of the history's last response.

        Raises nothing but CancelledError of the loop itself: every fault is a result.
        """
        messages: list[ModelMessage] = list(history)
        try:
            async with self._agent.iter(
                prompt,
                message_history=messages,
                deps=self.deps,
                model=model,
                usage_limits=UsageLimits(
                    request_limit=limits.max_requests,
                    cost_limit=Decimal(str(limits.max_cost)) if limits.max_cost is not None else None,
                ),
            ) as run:
                self._run = run
                for text in self._early:
                    self.steer(text)
                if self._cancelled:
                    run.cancel()
                messages = await self._walk(run)
        except Suspended:
            return self._suspended(messages)
        except RunCancelled as cancelled:
            if self.deps.control.suspended:
                return self._suspended(messages)
            self._translator.end(interrupted=True)
            return self._result(TurnEnd.CANCELLED, cancelled.all_messages())
        except UsageLimitExceeded as error:
            return self._result(TurnEnd.LIMIT, self._kept(messages), describe(error))
        except Exception as error:
            partial = self._translator.text
            self._translator.end(interrupted=True)
            kept = self._kept(messages)
            if partial:
                kept.append(m.ModelResponse(parts=[m.TextPart(partial)]))
            return self._result(TurnEnd.FAILED, kept, describe(error))
        stopping = self.deps.control
        if stopping.stopping is not None:
            end = TurnEnd.FAILED if stopping.failed else TurnEnd.CANCELLED
            return self._result(end, messages, Failure(f"The turn was stopped: {stopping.stopping}."))
        return self._result(TurnEnd.COMPLETED, messages)

    async def _walk(self, run: AgentRun[TurnDeps, str]) -> list[ModelMessage]:
        """Step through the run; return the history, the tool results of a stopped turn included."""
        node = run.next_node
        while not isinstance(node, End):
            if Agent.is_model_request_node(node):
                if self.deps.control.stopping is not None:
                    # the model reads the results at the start of the next turn
                    return [*run.all_messages(), node.request]
                self.deps.response_begun = False
                async with node.stream(run.ctx) as stream:
                    self._keep(run.all_messages())
                    async for event in stream:
                        self.deps.response_begun = True
                        self._feed(event)
                self._keep(run.all_messages())
                self._translator.end()
                self._meter.add(run)
            elif Agent.is_call_tools_node(node):
                async with node.stream(run.ctx) as events:
                    async for event in events:
                        self._feed(event)
            node = await run.next(node)
        return run.all_messages()

    def _feed(self, event: m.AgentStreamEvent) -> None:
        if isinstance(event, m.EnqueuedMessagesEvent):
            self._steering.pop(event.enqueue_id, None)
        self._translator.feed(event)

    def _kept(self, before: list[ModelMessage]) -> list[ModelMessage]:
        return self._run.all_messages() if self._run is not None else before

    def _suspended(self, before: list[ModelMessage]) -> TurnResult:
        """The turn stops at the response whose calls it goes on with; their results stand in the events."""
        kept = list(self._kept(before))
        while kept and not isinstance(kept[-1], m.ModelResponse):
            kept.pop()
        return self._result(TurnEnd.SUSPENDED, kept, QUESTION_WAITS)

    def _result(self, end: TurnEnd, history: list[ModelMessage], failure: Failure | None = None) -> TurnResult:
        undelivered = tuple(self._steering.values()) if self._run is not None else tuple(self._early)
        return TurnResult(end, history, failure, undelivered)


def elapsed_ms(since: float) -> int:
    """Milliseconds since a moment of `time.monotonic`."""
    return int((time.monotonic() - since) * 1000)
