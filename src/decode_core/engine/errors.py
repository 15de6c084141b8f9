"""Errors of the engine that the rest of the house handles; imports no pydantic_ai."""


class ModelError(Exception):
    """A model that cannot be used: one sentence with a way out. `is_usage`: the name itself is wrong (exit code 2)."""

    def __init__(self, sentence: str, *, is_usage: bool = False) -> None:
        super().__init__(sentence)
        self.is_usage = is_usage


class TurnRunning(Exception):  # noqa: N818 - a state, not a fault
    """A turn runs already: steer it, queue the prompt, or stop it first."""


class NoSuspendedTurn(Exception):  # noqa: N818 - a state, not a fault
    """No turn of the session waits for an answer."""
