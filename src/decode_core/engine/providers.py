"""Providers as the model picker shows them: the variable each wants, and whether it is set. No network, no imports."""

import importlib.util
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Provider:
    """One provider of pydantic-ai: its prefix, the variable of its key, its library, and an example of a name."""

    prefix: str
    label: str
    variable: str
    library: str
    example: str

    def is_set(self, environ: Mapping[str, str] = os.environ) -> bool:
        """Whether the variable has a value."""
        return bool(environ.get(self.variable))

    @property
    def is_installed(self) -> bool:
        """Whether the provider's library can be imported."""
        try:
            return importlib.util.find_spec(self.library) is not None
        except ModuleNotFoundError:
            return False  # the package above it is not there either


PROVIDERS = (
    Provider("anthropic", "Anthropic", "ANTHROPIC_API_KEY", "anthropic", "anthropic:claude-sonnet-4-5"),
    Provider("openai", "OpenAI", "OPENAI_API_KEY", "openai", "openai:gpt-5"),
    Provider("google", "Google Gemini", "GOOGLE_API_KEY", "google.genai", "google:gemini-2.5-pro"),
    Provider("openrouter", "OpenRouter", "OPENROUTER_API_KEY", "openai", "openrouter:anthropic/claude-sonnet-4-5"),
    Provider("ollama", "Ollama, on this machine", "OLLAMA_BASE_URL", "openai", "ollama:qwen3"),
    Provider("vllm", "vLLM, on this machine", "VLLM_BASE_URL", "openai", "vllm:qwen3"),
)
"""What people use most; any other pydantic-ai name works as well."""


def usable_providers(environ: Mapping[str, str] = os.environ) -> Iterator[Provider]:
    """Providers whose variable is set."""
    return (provider for provider in PROVIDERS if provider.is_set(environ))
