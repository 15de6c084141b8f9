"""The guard of questions: nothing that is typed or clicked for something else ever answers (keys.md §5.1).

Pure but for the injected clock. One guard serves the whole application: whoever sees a key first reports it by
`key_pressed`, and reporting one key twice does no harm.
"""

import time
from collections.abc import Callable

QUIET_BEFORE_OPENING_S = 0.7
"""A question does not open while a key came within this time."""
QUIET_BEFORE_ANSWER_S = 0.3
"""Answers are dead until this time has passed without any key since the question opened."""
FOCUS_CLICK_S = 0.2
"""A click within this time of the terminal regaining focus was meant for the terminal's window."""
SCALE_LIMITS = (1.0, 5.0)
"""How far settings may lengthen the times; they are never shortened."""


class KeyGuard:
    """Knows when a question may open, and when keys and clicks may answer the one that is open.

    `clock` gives seconds that never run backwards. `scale` lengthens every time. Raises ValueError where `scale` lies
    outside 1 to 5.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, scale: float = 1.0) -> None:
        low, high = SCALE_LIMITS
        if not low <= scale <= high:
            raise ValueError(f"the guard times can be lengthened by a factor from {low:g} to {high:g}, not {scale:g}")
        self._clock = clock
        self._scale = scale
        self._last_key: float | None = None
        self._opened: float | None = None
        self._focused: float | None = None
        self._live = False

    def key_pressed(self) -> None:
        """Report a key, in any pane or dialog, before anything acts on it."""
        self.answers_live()
        self._last_key = self._clock()

    def seconds_since_key(self) -> float:
        """How long ago the last key was; very long where there was none."""
        return float("inf") if self._last_key is None else self._clock() - self._last_key

    def focus_regained(self) -> None:
        """Report that the terminal has the focus again."""
        self._focused = self._clock()

    def may_open(self) -> bool:
        """Whether a question may open now: no key in the last 700 ms."""
        return self.seconds_until_open() <= 0

    def seconds_until_open(self) -> float:
        """How long to wait until a question may open, if no key comes; 0 where it may open now."""
        if self._last_key is None:
            return 0.0
        return self._left(self._last_key, QUIET_BEFORE_OPENING_S)

    def opened(self) -> None:
        """Report that a question opened, also the next of a queue and one that was set aside: its answers are dead."""
        self._opened = self._clock()
        self._live = False

    def answers_live(self) -> bool:
        """Whether keys may answer: 300 ms have passed without any key since the question opened.

        Once true it stays true until the next question opens: the key that answers is itself a key.
        """
        if not self._live:
            self._live = self._opened is not None and self.seconds_until_live() <= 0
        return self._live

    def seconds_until_live(self) -> float:
        """How long until answers are live, if no key comes; 0 where they are, or where no question has opened."""
        if self._live or self._opened is None:
            return 0.0
        since = self._opened if self._last_key is None else max(self._opened, self._last_key)
        return self._left(since, QUIET_BEFORE_ANSWER_S)

    def clicks_live(self) -> bool:
        """Whether a click may answer: as for keys, and not within 200 ms of the terminal regaining focus."""
        fresh = self._focused is not None and self._left(self._focused, FOCUS_CLICK_S) > 0
        return self.answers_live() and not fresh

    def _left(self, since: float, quiet: float) -> float:
        # compared as a sum, so that a clock that stands exactly at the end of the time counts as past it
        return max(0.0, since + quiet * self._scale - self._clock())
