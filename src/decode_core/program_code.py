"""Runs functions of the program that opened the session: plain ones in a thread, async ones on the program's own loop.

So a slow function never holds up the engine, and an async one may use whatever else lives on the program's loop.
"""

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Awaitable, Callable
from typing import Any


async def call_program(function: Callable[..., Any], *args: Any, owner: asyncio.AbstractEventLoop | None) -> Any:
    """Call `function` and return what it gives back, awaited if need be on `owner` (None: the running loop).

    Raises whatever the function raises; what would end the interpreter (`sys.exit`) comes as RuntimeError. When the
    wait is cancelled an async function is cancelled, too; a plain one cannot be stopped and runs on unheard.
    """
    result = function(*args) if inspect.iscoroutinefunction(function) else await _in_thread(function, args)
    return await _on_loop(result, owner) if inspect.isawaitable(result) else result


async def _in_thread(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """A thread of its own, a daemon: one that hangs holds up neither other calls nor the end of the program."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def settle(result: Any, error: Exception | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)

    def work() -> None:
        result: Any = None
        failure: Exception | None = None
        try:
            result = context.run(function, *args)
        except StopIteration as error:
            failure = RuntimeError(f"StopIteration: {error}")  # a future cannot carry it
        except Exception as error:
            failure = error
        except BaseException as error:
            failure = RuntimeError(f"{type(error).__name__}: {error}")
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, result, failure)

    threading.Thread(target=work, name="decode-program", daemon=True).start()
    return await future


async def _on_loop(awaitable: Awaitable[Any], owner: asyncio.AbstractEventLoop | None) -> Any:
    if owner is None or owner is asyncio.get_running_loop():
        return await awaitable
    there = _awaited(awaitable)
    try:
        future = asyncio.run_coroutine_threadsafe(there, owner)
    except RuntimeError:
        there.close()
        if inspect.iscoroutine(awaitable):
            awaitable.close()
        raise RuntimeError("the loop that opened the session is closed") from None
    return await asyncio.wrap_future(future)


async def _awaited(awaitable: Awaitable[Any]) -> Any:
    return await awaitable
