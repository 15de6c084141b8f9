"""Which model a session uses: a pure choice by names. Imports no pydantic_ai: it precedes the first frame."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from decode_core.engine.errors import ModelError

OFFLINE = "offline"
SCRIPT = "script:"
MODEL_VARIABLE = "DECODE_MODEL"


@dataclass(frozen=True)
class NamedModel:
    """A model that settings describe: a pydantic-ai name, or a model behind an OpenAI-compatible address."""

    model: str
    base_url: str | None = None
    key_variable: str | None = None
    thinking: bool | str | None = None


@dataclass(frozen=True)
class ModelChoice:
    """A chosen model, not yet built."""

    name: str
    """As the person wrote it; also the label on screen."""
    spec: NamedModel | None = None
    goes_on: bool = field(default=False, compare=False)
    """It was chosen in an earlier process of the session: a script goes on where it was."""

    @property
    def is_offline(self) -> bool:
        """Whether this is the rule-based model that needs no network."""
        return self.name == OFFLINE

    @property
    def script(self) -> str | None:
        """The script's file, if this is a scripted model."""
        return self.name.removeprefix(SCRIPT) if self.name.startswith(SCRIPT) else None

    @property
    def lasting_name(self) -> str:
        """The name as it means the same in another process, wherever that begins."""
        return self.name if self.script is None else f"{SCRIPT}{Path(self.script).absolute()}"

    @property
    def label(self) -> str:
        """What the footer shows: the name without its provider."""
        if self.script is not None:
            return SCRIPT + PurePath(self.script).name
        return self.name.rpartition(":")[2] or self.name


def choose_model(
    name: str | None,
    models: Mapping[str, NamedModel],
    *,
    settings_model: str | None = None,
    agent_model: str | None = None,
    environ: Mapping[str, str] = os.environ,
) -> ModelChoice:
    """Choose by flag, then agent, then settings, then `DECODE_MODEL`, then the first configured, else offline.

    Raises ModelError (usage) for a name that is neither configured nor a pydantic-ai name with a provider.
    """
    chosen = name or agent_model or settings_model or environ.get(MODEL_VARIABLE) or next(iter(models), OFFLINE)
    if chosen in models:
        return ModelChoice(chosen, models[chosen])
    if chosen == OFFLINE or chosen.startswith(SCRIPT):
        if chosen == SCRIPT or (chosen.startswith(SCRIPT) and chosen != name):
            # a script speaks for a model: only a flag or the owning program may name one
            raise ModelError(f"the model {chosen!r} can only be named on the command line, with a file", is_usage=True)
        return ModelChoice(chosen)
    if ":" not in chosen:
        known = ", ".join([*models, OFFLINE])
        hint = f"write PROVIDER:NAME such as openai:gpt-5, or one of {known}"
        raise ModelError(f"unknown model {chosen!r}; {hint}", is_usage=True)
    return ModelChoice(chosen, NamedModel(chosen))


def model_of_before(name: str, models: Mapping[str, NamedModel]) -> ModelChoice | None:
    """The model that a resumed session had, None where it cannot be named any more.

    A script may be among them: it was named on a command line then, and stands in the person's own store.
    """
    if name in models:
        return ModelChoice(name, models[name], goes_on=True)
    if name == OFFLINE or name.startswith(SCRIPT):
        return ModelChoice(name, goes_on=True)
    return ModelChoice(name, NamedModel(name), goes_on=True) if ":" in name else None
