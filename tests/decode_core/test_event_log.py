"""How events reach those who follow a session."""

import asyncio
import contextvars
import threading

from decode_core.event_log import EventLog
from decode_core.events import EventBase, NoticeLevel, NoticeRaised

WHERE = contextvars.ContextVar("where", default="nowhere")


def test_a_callback_runs_in_the_context_in_which_it_subscribed_whatever_thread_an_event_comes_from() -> None:
    """The watcher of files has a thread and a context of its own; a dialog that its event opens needs the app's."""

    async def play() -> list[str]:
        log = EventLog("s", asyncio.get_running_loop())
        heard: list[str] = []
        done = asyncio.Event()

        def hear(event: EventBase) -> None:
            heard.append(WHERE.get())
            done.set()

        WHERE.set("the application")
        log.subscribe(hear)
        notice = NoticeRaised(level=NoticeLevel.INFO, text="changed")
        thread = threading.Thread(target=log.append, args=[notice])
        thread.start()
        await done.wait()
        thread.join()
        return heard

    assert asyncio.run(play()) == ["the application"]
