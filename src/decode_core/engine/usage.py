"""Tokens and money of a session, from the runs of its turns."""

from decimal import Decimal

from pydantic_ai import AgentRun, ModelResponse

from decode_core.engine.deps import TurnDeps
from decode_core.event_log import EventLog
from decode_core.events import UsageUpdated


class UsageMeter:
    """Adds up what the responses report. The gauge is the last request's tokens against the model's window."""

    def __init__(self, log: EventLog, before: UsageUpdated | None = None) -> None:
        """`before` is what a session that is resumed had used; sums without a price stay without one."""
        self._log = log
        self._requests = before.requests if before else 0
        self._input = before.input_tokens if before else 0
        self._output = before.output_tokens if before else 0
        self._cost: Decimal | None = Decimal(0)
        if before is not None:
            self._cost = None if before.cost is None else Decimal(str(before.cost))

    def add(self, run: AgentRun[TurnDeps, str]) -> None:
        """Take the last response of `run` and tell front ends the new sums."""
        response = run.all_messages()[-1]
        if not isinstance(response, ModelResponse):
            return
        usage = response.usage
        self._requests += 1
        self._input += usage.input_tokens
        self._output += usage.output_tokens
        self._add_cost(response)
        window = run.ctx.deps.model.profile.get("context_window")
        self._log.append(
            UsageUpdated(
                requests=self._requests,
                input_tokens=self._input,
                output_tokens=self._output,
                context_tokens=usage.input_tokens + usage.output_tokens,
                context_window=window if isinstance(window, int) else None,
                cost=float(self._cost) if self._cost else None,
            )
        )

    def _add_cost(self, response: ModelResponse) -> None:
        if self._cost is None:
            return
        try:
            self._cost += response.cost().total_price
        except (LookupError, ValueError, AssertionError):
            # one response without a known price makes the sum unknown; a guess would be worse
            self._cost = None
