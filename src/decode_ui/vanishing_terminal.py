"""A terminal that may go away under the program: what is written to it then is lost, and nothing waits for it.

Textual writes in a thread, from a queue of limited length. A write that raises ends that thread, and the next ones
fill the queue: the program would wait for ever, with its session locked, instead of suspending its question.
"""

from typing import IO, Any


class VanishingTerminal:
    """A stream of text whose writes cannot fail; everything else is that of the stream."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write, if anybody is there."""
        try:
            return self._stream.write(text)
        except OSError:
            return len(text)

    def flush(self) -> None:
        """Flush, if anybody is there."""
        try:
            self._stream.flush()
        except OSError:
            return
