"""A harness for tests of workflows, agents and plans: the real application on a scripted model, with frozen time.

    async with workbench(tmp_path, model="script:demo.yaml", size=(120, 36)) as bench:
        await bench.send("Make the retry count configurable")
        await bench.open_question()
        await bench.press("y")
        await bench.wait_for(TurnFinished)
        assert "allowed once" in bench.screen

Time passes by `advance` alone, and by a little with every key; nothing sleeps. Ids are fixed, and what a machine would
measure (how long a call took, how long an answer) is the same in every run, so that a picture of the screen is, too.
"""

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from decode_core.events import (
    AssistantMessage,
    CallOutcome,
    DecisionAnswered,
    DecisionRequested,
    EventBase,
    ToolCallFinished,
    TurnFinished,
)
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.session import Session
from decode_core.workspace import Workspace
from decode_ui.app import DecodeApp
from decode_ui.guard import QUIET_BEFORE_ANSWER_S, QUIET_BEFORE_OPENING_S
from decode_ui.screens.guarded import GuardedScreen
from decode_ui.screens.work import WorkScreen

KEY_S = 0.05
"""Seconds that pass with every key: a brisk typist."""
DEADLINE_S = 30.0
"""Real seconds after which something that never comes is a failure."""
FIRST_MOMENT = datetime(2026, 1, 2, 12, 0, 0, tzinfo=UTC)
"""The time of the first event; the clock adds to it."""

E = TypeVar("E", bound=EventBase)


@dataclass
class _FrozenAlarm:
    callback: Callable[[], None] | None

    def stop(self) -> None:
        """Do it no more."""
        self.callback = None


class FrozenClock:
    """A clock that moves only by hand; `decode_ui.clock.Clock`."""

    def __init__(self) -> None:
        self._now = 1_000.0
        self._numbers = itertools.count()
        self._alarms: list[tuple[float, int, _FrozenAlarm]] = []

    def __call__(self) -> float:
        """The seconds now."""
        return self._now

    def after(self, seconds: float, callback: Callable[[], None]) -> _FrozenAlarm:
        """Call `callback` once when `seconds` have passed."""
        alarm = _FrozenAlarm(callback)
        heapq.heappush(self._alarms, (self._now + seconds, next(self._numbers), alarm))
        return alarm

    def due(self, seconds: float) -> Iterator[Callable[[], None]]:
        """Let `seconds` pass and yield what falls due, each when its time has come."""
        end = self._now + seconds
        while self._alarms and self._alarms[0][0] <= end:
            at, _, alarm = heapq.heappop(self._alarms)
            self._now = max(self._now, at)
            if alarm.callback is not None:
                yield alarm.callback
        self._now = end

    def utc(self) -> datetime:
        """The time of an event."""
        return FIRST_MOMENT + timedelta(seconds=round(self._now - 1_000.0))


class Workbench:
    """A running application, and what a person would do with it."""

    def __init__(self, app: DecodeApp, pilot: Pilot[int], clock: FrozenClock) -> None:
        self.app = app
        self.pilot = pilot
        self.clock = clock

    @property
    def session(self) -> Session:
        """The session behind the screen."""
        return self.app.session

    @property
    def work(self) -> WorkScreen:
        """The work screen, also where something lies over it. Raises LookupError while it is not there yet."""
        for screen in self.app.screen_stack:
            if isinstance(screen, WorkScreen):
                return screen
        raise LookupError("the work screen is not open")

    @property
    def screen(self) -> str:
        """The text on the screen, line by line."""
        top = self.app.screen
        return "\n".join(strip.text.rstrip() for strip in top._compositor.render_strips(top.size))

    async def picture(self) -> str:
        """The screen as SVG, with cursors that do not blink."""
        for screen in self.app.screen_stack:
            for field in screen.query("TextArea, Input"):
                if isinstance(field, TextArea | Input):
                    field.cursor_blink = False
        await self.idle()
        return self.app.export_screenshot(title="decode")

    async def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            await self.pilot.press(key)
            await self.advance(KEY_S)

    async def write(self, text: str) -> None:
        """Type printable text."""
        names = {" ": "space", "\n": "ctrl+j"}
        await self.press(*(names.get(character, character) for character in text))

    async def paste(self, text: str) -> None:
        """Paste into what has focus, as a terminal with bracketed paste does."""
        self.app.post_message(Paste(text))
        await self.idle()

    async def send(self, prompt: str) -> None:
        """Type a prompt and send it."""
        await self.write(prompt)
        await self.press("enter")

    async def advance(self, seconds: float) -> None:
        """Let time pass, and let everything happen that falls due in it."""
        await self.idle()
        for callback in self.clock.due(seconds):
            self.app.call_later(callback)
            await self.idle()
        await self.idle()

    async def idle(self) -> None:
        """Wait until every message has been handled."""
        await self.pilot.pause()

    async def wait_for(self, kind: type[E], count: int = 1) -> E:
        """Wait until the session has stored `count` events of this kind; returns the last of them."""
        await self.until(lambda: len(self.all_of(kind)) >= count, f"{count} of {kind.__name__}")
        await self.advance(KEY_S)
        return self.all_of(kind)[count - 1]

    def all_of(self, kind: type[E]) -> list[E]:
        """The stored events of one kind, in order."""
        return [event for event in self.session.events if isinstance(event, kind)]

    async def until(self, condition: Callable[[], bool], what: str = "the condition") -> None:
        """Wait for something that the engine's thread brings about. Raises AssertionError when it never comes."""
        try:
            async with asyncio.timeout(DEADLINE_S):
                while not condition():
                    await self.pilot.pause(0.002)
        except TimeoutError:
            raise AssertionError(f"never came: {what}; on the screen:\n{self.screen}") from None
        await self.idle()

    async def question(self, count: int = 1) -> DecisionRequested:
        """Wait until the session has asked for the `count`th time."""
        return await self.wait_for(DecisionRequested, count)

    async def open_question(self, count: int = 1) -> None:
        """Wait for the `count`th question and keep the hands off the keyboard until its answers are live."""
        await self.question(count)
        await self.advance(QUIET_BEFORE_OPENING_S + KEY_S)
        await self.until(lambda: isinstance(self.app.screen, GuardedScreen), "the dialog")
        await self.advance(QUIET_BEFORE_ANSWER_S + KEY_S)
        dialog = self.app.screen
        if isinstance(dialog, GuardedScreen):
            dialog.show_guard()
            await self.idle()


@asynccontextmanager
async def workbench(
    workspace: Path, *, size: tuple[int, int] = (120, 36), model: str = "offline", **options: Any
) -> AsyncIterator[Workbench]:
    """Open the application in `workspace` and close it, and its session, afterwards.

    `options` are those of `decode_core.opening.SessionOptions`; `size` is columns and lines.
    """
    clock = FrozenClock()
    place = Workspace.open(workspace)
    session = new_session(survey(place), SessionOptions(model=model, clock=clock.utc, **options))
    _steady(session)
    async with on_session(session, size=size, clock=clock) as bench:
        yield bench


@asynccontextmanager
async def on_session(
    session: Session, *, size: tuple[int, int] = (120, 36), clock: FrozenClock | None = None
) -> AsyncIterator[Workbench]:
    """The same on a session that stands already; closes it afterwards."""
    clock = clock or FrozenClock()
    app = DecodeApp(session, clock=clock)
    app.animation_level = "none"
    try:
        async with app.run_test(size=size) as pilot:
            bench = Workbench(app, pilot, clock)
            await bench.idle()
            yield bench
    finally:
        await session.close()


def steady(event: EventBase) -> EventBase:
    """`event` without what a machine measured: every call took 12 ms, every answer 2.1 s, every turn 38 s."""
    match event:
        case ToolCallFinished(outcome=outcome) if outcome is not CallOutcome.DENIED:
            return event.model_copy(update={"elapsed_ms": 12})
        case DecisionAnswered(waited_ms=waited) if waited:
            return event.model_copy(update={"waited_ms": 2_100})
        case AssistantMessage(thinking=thinking) if thinking:
            return event.model_copy(update={"thinking_s": 3.0})
        case TurnFinished():
            return event.model_copy(update={"elapsed_ms": 38_000})
        case _:
            return event


def _steady(session: Session) -> None:
    subscribe = session.subscribe

    def subscribe_steady(callback: Callable[[EventBase], object]) -> Callable[[], None]:
        return subscribe(lambda event: callback(steady(event)))

    # the one place where every event passes on its way to a front end
    session.subscribe = subscribe_steady  # type: ignore[method-assign]
