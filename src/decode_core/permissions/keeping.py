"""Keeps what was worked out for a text, within bounds: of entries, and of characters, which stand for memory."""

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")

MAX_ENTRIES = 256
MAX_CHARACTERS = 131_072
"""All texts of one keeper together: an analysis takes up to some hundred bytes a character."""


class Kept(Generic[V]):
    """The values of the keys that were asked for last. Thread-safe."""

    def __init__(self, max_entries: int = MAX_ENTRIES, max_characters: int = MAX_CHARACTERS) -> None:
        self._max_entries = max_entries
        self._max_characters = max_characters
        self._values: dict[Hashable, tuple[V, int]] = {}
        self._characters = 0
        self._lock = threading.Lock()

    def get(self, key: Hashable, length: int, make: Callable[[], V]) -> V:
        """The value of `key`, made anew if it is not kept; `length` is that of the text that it was made of."""
        with self._lock:
            if (found := self._values.pop(key, None)) is not None:
                self._values[key] = found  # the oldest go first
                return found[0]
        value = make()
        with self._lock:
            self._take(key, value, length)
        return value

    def _take(self, key: Hashable, value: V, length: int) -> None:
        if key in self._values:
            return
        self._values[key] = value, length
        self._characters += length
        # the latest one stays, however long it is: one verdict asks for it several times
        while len(self._values) > 1 and (
            len(self._values) > self._max_entries or self._characters > self._max_characters
        ):
            _, gone = self._values.pop(next(iter(self._values)))
            self._characters -= gone


def kept_by_text(function: Callable[[str], V]) -> Callable[[str], V]:
    """Keep the values of a pure function of a text."""
    kept: Kept[V] = Kept()

    def ask(text: str) -> V:
        return kept.get(text, len(text), lambda: function(text))

    ask.__doc__ = function.__doc__
    ask.__name__ = function.__name__
    return ask
