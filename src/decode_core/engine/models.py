"""Builds the chosen model. Errors are sentences: which variable to set, what to install, what the name should be."""

import os
from collections.abc import Sequence
from pathlib import Path

from pydantic_ai import ModelMessage
from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, infer_model
from pydantic_ai.settings import ModelSettings

from decode_core.engine.errors import ModelError
from decode_core.engine.model_choice import ModelChoice, NamedModel

EXTRAS = frozenset({"anthropic", "google"})
"""Providers whose library is an optional extra of decode; others are extras of pydantic-ai-slim."""


def build_model(choice: ModelChoice, history: Sequence[ModelMessage] = ()) -> Model:
    """Return the model. A script goes on behind the responses that `history` holds of it.

    Raises ModelError with one sentence.
    """
    if choice.is_offline:
        from decode_core.engine.offline import OfflineModel

        return OfflineModel()
    if choice.script is not None:
        return _scripted(Path(choice.script), history)
    spec = choice.spec or NamedModel(choice.name)
    if spec.base_url:
        return _compatible(choice.name, spec, spec.base_url)
    provider = spec.model.partition(":")[0]
    try:
        return infer_model(spec.model)
    except ImportError:
        package = f"decode[{provider}]" if provider in EXTRAS else f"pydantic-ai-slim[{provider}]"
        install = f"pip install '{package}'"
        raise ModelError(f"{choice.name} needs its provider's library; install it with: {install}") from None
    except UserError as error:
        raise _unusable(choice.name, str(error)) from None
    except ValueError as error:
        raise ModelError(f"unknown model {choice.name!r}: {error}", is_usage=True) from None


def model_settings(choice: ModelChoice) -> ModelSettings:
    """Settings of every request: no silent retries in the SDK, and thinking where the person asked for it."""
    settings = ModelSettings(max_retries=0)
    thinking = choice.spec.thinking if choice.spec else None
    if thinking is not None:
        settings["thinking"] = thinking  # type: ignore[typeddict-item]
    return settings


def _scripted(file: Path, history: Sequence[ModelMessage]) -> Model:
    from decode_core.engine.script_file import ScriptError, load_script
    from decode_core.engine.scripted import ScriptedModel

    try:
        return ScriptedModel(load_script(file), history)
    except ScriptError as error:
        raise ModelError(str(error), is_usage=True) from None


def _compatible(name: str, spec: NamedModel, base_url: str) -> Model:
    """A model behind an OpenAI-compatible address: chat completions, and never the person's OpenAI key unasked."""
    from decode_core.engine.compatible import CompatibleModel

    key = None
    if spec.key_variable:
        key = os.environ.get(spec.key_variable)
        if not key:
            raise ModelError(f"{name} needs a key: set the environment variable {spec.key_variable}")
    return CompatibleModel(name, spec.model.partition(":")[2] or spec.model, base_url, key)


def _unusable(name: str, problem: str) -> ModelError:
    first = problem.splitlines()[0].split(". ")[0].strip().rstrip(".")
    if first.startswith("Unknown model"):
        return ModelError(
            f"unknown model {name!r}; write PROVIDER:NAME such as openai:gpt-5, or offline", is_usage=True
        )
    if first.startswith("Set the "):
        # pydantic-ai names the variable; the rest of its sentence speaks to programmers
        variable = first.split("`")[1] if "`" in first else "of the provider"
        hint = "set it, or choose another with --model or /model"
        return ModelError(f"{name} needs the environment variable {variable}; {hint}")
    return ModelError(f"{name} cannot be used: {first}; choose another with --model or /model")
