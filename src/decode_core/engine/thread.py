"""The engine's own thread with its own loop, so that the model library never holds up a key press.

Nothing here imports pydantic_ai: the engine is made by a factory inside the thread, on first use.
"""

import asyncio
import logging
import sys
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

from decode_core.collector import CollectorRest

logger = logging.getLogger(__name__)

SWITCH_S = 0.0005
"""How long one thread may hold up the other. Python's own 5 ms would be felt: a key press waits more than once."""

T = TypeVar("T")
R = TypeVar("R")


class EngineThread(Generic[T]):
    """A daemon thread that owns a loop and one engine of type T.

    `factory` runs in the thread, once; an exception of it is raised by every later call. `name` is for debuggers.
    """

    def __init__(self, factory: Callable[[], T], name: str = "decode-engine") -> None:
        self._factory = factory
        self._name = name
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._started = threading.Event()
        self._engine: Future[T] = Future()

    @property
    def stands(self) -> bool:
        """Whether the engine was made."""
        return self._engine.done() and self._engine.exception() is None

    def start(self) -> None:
        """Start the thread and make the engine in it. Returns when the loop takes calls, before the engine stands."""
        if self._thread is not None:
            return
        sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_S))
        self._thread = threading.Thread(target=self._main, name=self._name, daemon=True)
        self._thread.start()
        self._started.wait()
        self._post(self._make)

    def run(self, work: Callable[[T], Coroutine[Any, Any, R]]) -> "Future[R]":
        """Run a coroutine of the engine on its loop; starts the thread if need be."""
        self.start()
        loop = self._loop
        if loop is None:
            raise RuntimeError("the engine's loop is gone")

        async def job() -> R:
            return await work(await asyncio.wrap_future(self._engine))

        return asyncio.run_coroutine_threadsafe(job(), loop)

    def look(self, call: Callable[[T], R], otherwise: R) -> R:
        """What `call` says of the engine, in the caller's thread; `otherwise` while there is none."""
        return call(self._engine.result()) if self.stands else otherwise

    def post(self, call: Callable[[T], None]) -> None:
        """Call something quick on the engine's loop, if the engine already stands; else nothing is there to call."""
        if self.stands:
            engine = self._engine.result()
            self._post(lambda: call(engine))

    def stop(self, timeout_s: float = 5.0) -> None:
        """Cancel what runs, end the loop and wait for the thread."""
        if self._loop is None or self._thread is None:
            return
        self._post(self._loop.stop)
        self._thread.join(timeout_s)

    def _post(self, call: Callable[[], object]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)

    def _make(self) -> None:
        try:
            with CollectorRest():
                engine = self._factory()
            self._engine.set_result(engine)
        except BaseException as error:
            self._engine.set_exception(error)

    def _main(self) -> None:
        loop = asyncio.new_event_loop()
        self._loop = loop
        asyncio.set_event_loop(loop)
        loop.call_soon(self._started.set)
        try:
            loop.run_forever()
        finally:
            _drain(loop)
            loop.close()


def _drain(loop: asyncio.AbstractEventLoop) -> None:
    """Cancel every task and let it clean up, so that children are killed and files closed."""
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.run_until_complete(loop.shutdown_default_executor())
