"""Retries of failed model requests: here, visibly and stoppably, never silently in the provider's SDK."""

import asyncio
import random
from collections.abc import Awaitable, Callable

from pydantic_ai import ModelResponse, RetryModelRequest, RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.models import ModelRequestContext

from decode_core.engine.deps import TurnDeps
from decode_core.engine.failures import describe, is_retryable, retry_after
from decode_core.event_log import EventLog
from decode_core.events import RetryScheduled

MAX_ATTEMPTS = 5
BASE_DELAY_S = 1.0
MAX_DELAY_S = 60.0


def delay_s(attempt: int, wished: float | None, jitter: float) -> float:
    """Seconds before the next attempt: what the provider asked for, else 1, 2, 4 … with up to a quarter of jitter.

    `attempt` counts the failed attempts from 1; `jitter` lies in 0 to 1.
    """
    if wished is not None:
        return min(max(wished, 0.0), MAX_DELAY_S)
    return float(min(BASE_DELAY_S * 2 ** (attempt - 1), MAX_DELAY_S) * (1 + jitter / 4))


class Retrying(AbstractCapability[TurnDeps]):
    """Tries a model request again after 429, 5xx, time-outs and lost connections."""

    def __init__(self, log: EventLog, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        super().__init__()
        self.id = "retrying"
        self._log = log
        self._sleep = sleep

    async def on_model_request_error(
        self, ctx: RunContext[TurnDeps], *, request_context: ModelRequestContext, error: Exception
    ) -> ModelResponse:
        """Wait and ask for another attempt, or raise `error` when none makes sense."""
        attempt = request_context.attempt
        if not is_retryable(error) or attempt >= MAX_ATTEMPTS or ctx.deps.response_begun:
            raise error
        seconds = delay_s(attempt, retry_after(error), random.random())  # noqa: S311 - jitter, not a secret
        self._log.append(RetryScheduled(attempt=attempt, delay_s=round(seconds, 1), reason=describe(error).text))
        await self._sleep(seconds)
        raise RetryModelRequest()
