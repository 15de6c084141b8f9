"""Tells a person who looks elsewhere that a question waits or a long turn has ended (keys.md §13).

What is written to the terminal are fixed words and the name of the folder made inert; never text of a model or a tool.
"""

from collections.abc import Callable

from decode_core.neutral import neutralise_line
from decode_core.settings.schema import Notifications

AWAY_S = 20.0
"""Without focus reports, nobody is there when no key came for this long."""
LONG_TURN_S = 10.0
"""Only the end of a longer turn is told."""
MAX_PLACE = 40

QUESTION = "decode: a question waits"
TURN_ENDED = "decode: the turn has ended"


class Notifier:
    """Writes OSC 9 with one bell, or the bell alone, and the title. `write` sends control sequences in order."""

    def __init__(
        self, place: str, write: Callable[[str], None], notifications: Notifications = Notifications.OSC
    ) -> None:
        self._place = "".join(char for char in neutralise_line(place) if char.isprintable())[:MAX_PLACE]
        self._write = write
        self._notifications = notifications
        self._focused: bool | None = None
        self._told: set[str] = set()
        self._title = ""

    def focus_changed(self, *, focused: bool) -> None:
        """The terminal reports that it has, or has lost, the focus."""
        self._focused = focused

    def question_waits(self, question_id: str, seconds_since_key: float) -> None:
        """A question waits; told once each, and only to somebody who looks elsewhere."""
        self._show_title(f"? decode · {self._place}")
        if question_id not in self._told:
            self._told.add(question_id)
            self._tell(QUESTION, seconds_since_key)

    def nothing_waits(self) -> None:
        """No question waits any more."""
        self._show_title(f"decode · {self._place}")

    def turn_ended(self, seconds: float, seconds_since_key: float) -> None:
        """A turn ended after so many seconds."""
        if seconds >= LONG_TURN_S:
            self._tell(TURN_ENDED, seconds_since_key)

    def _tell(self, words: str, seconds_since_key: float) -> None:
        away = not self._focused if self._focused is not None else seconds_since_key >= AWAY_S
        if not away:
            return
        match self._notifications:
            case Notifications.OSC:
                self._write(f"\x1b]9;{words}\x1b\\\a")
            case Notifications.BELL:
                self._write("\a")
            case Notifications.OFF:
                pass

    def _show_title(self, title: str) -> None:
        if title != self._title:
            self._title = title
            self._write(f"\x1b]2;{title}\x1b\\")
