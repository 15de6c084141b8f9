"""What can go wrong with a model, each as one sentence with a way out."""

from dataclasses import dataclass

from pydantic_ai import exceptions as e

from decode_core.engine.scripted import ScriptMismatch


@dataclass(frozen=True)
class Failure:
    """A failed model request, for people."""

    text: str
    hint: str = ""


RETRYABLE = (
    e.ModelRateLimitError,
    e.ModelServerError,
    e.ModelUnavailableError,
    e.ModelConnectionError,
    e.ModelRequestTimeout,
)
"""Errors that another attempt may mend."""


def is_retryable(error: BaseException) -> bool:
    """Whether another attempt of the same request makes sense."""
    return isinstance(error, RETRYABLE)


def retry_after(error: BaseException) -> float | None:
    """Seconds that the provider asked to wait, if it did."""
    seconds = getattr(error, "retry_after", None)
    return float(seconds) if isinstance(seconds, int | float) else None


def describe(error: BaseException) -> Failure:
    """Return the sentence for an error that ended a turn."""
    match error:
        case ScriptMismatch():
            return Failure(str(error), "mend the script, or what it expects")
        case e.ModelRateLimitError():
            return Failure("The provider refuses more requests for now.", "wait a little, then send the prompt again")
        case e.ModelAuthenticationError():
            return Failure("The provider does not accept the key.", "check the key's variable, or choose another model")
        case e.ModelContextWindowExceededError():
            return Failure(
                "The conversation is longer than the model can read.",
                "start a new session, or choose a model with a larger window",
            )
        case e.ModelTimeoutError() | e.ModelRequestTimeout():
            return Failure("The model did not answer in time.", "send the prompt again")
        case e.ModelConnectionError():
            return Failure(
                "The connection to the model broke; what had arrived is kept.", "send the prompt again to go on"
            )
        case e.ModelServerError() | e.ModelUnavailableError():
            return Failure("The provider failed to answer.", "send the prompt again, or choose another model")
        case e.ModelHTTPError(status_code=status, model_name=name):
            return Failure(
                f"The provider answered with status {status} for {name}.", "check the model's name and settings"
            )
        case e.UsageLimitExceeded():
            return Failure("The turn reached its limit of model requests.", "send “go on” to continue")
        case e.UnexpectedModelBehavior():
            return Failure(f"The model's answer could not be used: {error.message}", "send the prompt again")
        case e.ModelAPIError():
            return Failure(f"The model could not be reached: {error}", "check the address and the network")
        case _:
            return Failure(f"The turn failed ({type(error).__name__}: {error}).", "send the prompt again")
