"""A terminal that has gone (its window was closed, tmux was killed) must not keep decode from ending.

Textual writes in a thread of its own, which dies with the first write that fails; its queue then fills, and whoever
writes next waits for ever, with the session held and its question not suspended.
"""

from typing import Any, TextIO

from textual.driver import Driver


class VanishingFile:
    """A terminal to write to; what it cannot take any more is dropped."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write, if anybody is there to read."""
        try:
            return self._file.write(text)
        except OSError:
            return len(text)  # the program is told by SIGHUP; there is nobody to tell here

    def flush(self) -> None:
        """Flush, if anybody is there to read."""
        try:
            self._file.flush()
        except OSError:
            return

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def forgiving(driver: type[Driver]) -> type[Driver]:
    """`driver`, for which a terminal that has gone is no fault; one without a terminal is given back as it is."""

    class ForgivingDriver(driver):  # type: ignore[valid-type, misc]
        """Writes to what may vanish."""

        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            file: TextIO | None = getattr(self, "_file", None)
            if file is not None:
                self._file = VanishingFile(file)

    return ForgivingDriver
