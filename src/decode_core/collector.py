"""Rests for the garbage collector: it neither runs while libraries are imported, nor looks at what they leave behind.

Imports make a few hundred thousand objects that never go. Collecting among them costs a fifth of the start, and each
full collection afterwards would walk them with the interpreter locked: 70 to 200 ms, far longer than a key may wait.
"""

import gc
import sys
import threading
from types import TracebackType
from typing import Self

LIBRARY = 20
"""So many modules imported during a rest make a library."""


class CollectorRest:
    """A rest from `begin` to `end`, or over a `with` block; rests of several threads may overlap.

    Where a library was imported, what is alive at the end is hidden from every later collection (`gc.freeze`); a rest
    without one hides nothing, since garbage would stay with it for ever. The collector runs again when the last rest
    has ended, if it ran before the first one.
    """

    _lock = threading.Lock()
    _running = 0
    _was_enabled = True

    def __init__(self) -> None:
        self._active = False
        self._modules = 0

    def begin(self) -> None:
        """Stop the collector. A rest that has begun is not begun twice."""
        with self._lock:
            if self._active:
                return
            self._active = True
            self._modules = len(sys.modules)
            if CollectorRest._running == 0:
                CollectorRest._was_enabled = gc.isenabled()
                gc.disable()
            CollectorRest._running += 1

    def end(self) -> None:
        """Let the collector go on, without what is alive now. Only the first call counts."""
        with self._lock:
            if not self._active:
                return
            self._active = False
            if len(sys.modules) >= self._modules + LIBRARY:
                gc.freeze()
            CollectorRest._running -= 1
            if CollectorRest._running == 0 and CollectorRest._was_enabled:
                gc.enable()

    def __enter__(self) -> Self:
        self.begin()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.end()
