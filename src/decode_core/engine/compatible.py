"""A model behind an OpenAI-compatible address, with a client of its own that joins what streams too fast."""

from types import TracebackType

import httpx2
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from decode_core.engine.joined_stream import join_response

TIMEOUT = httpx2.Timeout(600, connect=5)
"""Seconds that a provider may take, as pydantic-ai's own clients have it."""


class CompatibleModel(OpenAIChatModel):
    """Chat completions of `model` at `base_url`. Leaving its context closes the connections."""

    def __init__(self, name: str, model: str, base_url: str, api_key: str | None) -> None:
        self._http = httpx2.AsyncClient(timeout=TIMEOUT, event_hooks={"response": [join_response]})
        provider = OpenAICompatibleProvider(name, base_url=base_url, api_key=api_key, http_client=self._http)
        super().__init__(model, provider=provider)

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool | None:
        """Close what the provider and this model opened."""
        try:
            return await super().__aexit__(exc_type, exc_val, exc_tb)
        finally:
            await self._http.aclose()
