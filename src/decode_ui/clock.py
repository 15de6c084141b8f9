"""The clock of the application: everything that waits, settles or counts presses goes by one clock, frozen in tests."""

import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    """Something that will be done later, unless it is stopped."""

    def stop(self) -> None:
        """Do it no more."""
        ...


class Clock(Protocol):
    """Seconds that never run backwards, and calls after some of them."""

    def __call__(self) -> float:
        """The seconds now."""
        ...

    def after(self, seconds: float, callback: Callable[[], None]) -> Alarm:
        """Call `callback` once when `seconds` have passed."""
        ...


class LiveClock:
    """The real clock; `set_timer` is that of a running application."""

    def __init__(self, set_timer: Callable[[float, Callable[[], None]], Alarm]) -> None:
        self._set_timer = set_timer

    def __call__(self) -> float:
        """The seconds now."""
        return time.monotonic()

    def after(self, seconds: float, callback: Callable[[], None]) -> Alarm:
        """Call `callback` once when `seconds` have passed."""
        return self._set_timer(seconds, callback)
