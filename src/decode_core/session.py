"""Session: the one object a front end talks to (core.md §1). Only this module and `opening` know everyone."""

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable
from typing import TYPE_CHECKING

from decode_core.catalog.errors import UnknownAgent
from decode_core.decisions import Answer, AnswerResult
from decode_core.engine.errors import ModelError, NoSuspendedTurn, TurnRunning
from decode_core.events import (
    AgentSelected,
    CatalogReloaded,
    EventBase,
    ModeCause,
    NoticeLevel,
    NoticeRaised,
    SessionOpened,
    TurnEnd,
    TurnFinished,
    TurnResumed,
    TurnStarted,
    UsageUpdated,
)
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.sandbox.standing import Standing
from decode_core.session_parts import SessionParts
from decode_core.session_view import SessionView
from decode_core.state import ModeOrGetter, as_mode

if TYPE_CHECKING:
    from decode_core.engine.running_calls import RunningCall
    from decode_core.engine.runtime import Engine

__all__ = ["ModelError", "NoSuspendedTurn", "Session", "TurnRunning", "UnknownAgent"]

SUSPEND_GRACE_S = 2.0
"""How long reads that run beside an open question may take to end when the turn is suspended."""


class Session(SessionView):
    """One conversation in one workspace.

    Every method is called on the loop that opened the session, which is also where events arrive; none blocks. The
    engine works in a thread of its own.
    """

    def __init__(self, parts: SessionParts) -> None:
        super().__init__(parts)
        self._warming: asyncio.Future[None] | None = None
        before = parts.resumed
        self._turns = itertools.count(before.turns + 1 if before else 1)
        self._state.on_policy_changed = self._policy_changed
        self._before_seq = self._before_turn = self._log.last_seq
        """What came before was folded when the session was taken up, and may still be on its way here."""
        self._log.subscribe(self._follow)
        self._log.subscribe(self.files.take)
        self._log.append(
            SessionOpened(
                workspace=str(self.workspace.root),
                agent=self.agent.name,
                mode=self.mode,
                model=self._model.choice.label,
                model_name=self._model.choice.lasting_name,
                offline=self._model.choice.is_offline,
                resumed=before is not None,
            )
        )
        for notice in parts.notices:
            self._log.append(notice)

    def subscribe(self, callback: Callable[[EventBase], object]) -> Callable[[], None]:
        """Call `callback` with every event from now on, in order, on this loop; returns how to stop that.

        One that raises is reported to the loop's exception handler and costs no other subscriber an event.
        """
        return self._log.subscribe(callback)

    @property
    def sandbox(self) -> Standing | None:
        """Whether commands run in a sandbox; None while nobody has looked (permissions.md §11)."""
        return self._state.gate.sandbox

    def warm_up(self, then: Callable[[], None] | None = None) -> None:
        """Import the model library and build the model now, so that the first prompt need not wait for it.

        `then` is called when that is over. What stands in the way (no key, no library) is a notice before the first
        prompt, not a failed turn after it.
        """
        self._engine.start()
        self._warming = asyncio.ensure_future(self._build_model(then))

    async def _build_model(self, then: Callable[[], None] | None) -> None:
        try:
            await self.prepare()
        except ModelError as error:
            self.raise_notice(NoticeLevel.WARNING, str(error), "/model chooses another")
        if then is not None:
            then()
        self.watch_files()

    def watch_files(self) -> None:
        """Follow settings and agents from now on; a change since the session was opened is not missed."""
        self.files.start()

    async def prepare(self) -> None:
        """Build the chosen model now. Raises ModelError: no such model, no key, no library, a broken script."""
        await asyncio.wrap_future(self._engine.run(lambda engine: engine.prepare()))

    def submit(self, prompt: str, *, mode: ModeOrGetter | str | None = None) -> None:
        """Start a turn; `mode`, a value or a function read at every call, holds for this turn only.

        Raises TurnRunning while one runs, ValueError for what is no mode.
        """
        if self._running:
            raise TurnRunning("a turn is running; steer it, queue the prompt, or stop it first")
        if self.suspended:
            raise TurnRunning("a question of the last turn waits; go on with it by resume(), or drop it by cancel()")
        for_this_turn = None if mode is None else as_mode(mode)
        self._begin()
        self._log.turn_id = f"t{next(self._turns)}"
        if self.read_only:
            # no turn: the prompt goes back to where it came from
            self._log.append(
                TurnFinished(end=TurnEnd.FAILED, reason=f"Not sent: {self._parts.held_by}.", undelivered=(prompt,))
            )
            return
        self._state.note_prompt(prompt)
        self._log.append(TurnStarted(prompt=prompt))
        if for_this_turn is not None:
            self._state.set_turn_mode(for_this_turn)
        self._start(self.lines.with_outputs(prompt))

    @property
    def running_calls(self) -> "tuple[RunningCall, ...]":
        """The calls whose tools run at this moment."""
        return self._engine.look(lambda engine: engine.running.calls, ())

    def stop_call(self, call_id: str) -> None:
        """Stop one running call and its children; the turn goes on, and the model is told."""
        self._engine.post(lambda engine: engine.running.stop(call_id))

    def resume_turn(self) -> None:
        """Go on with the turn that was suspended: its question is opened again. Raises NoSuspendedTurn."""
        if not self.suspended:
            raise NoSuspendedTurn("no turn waits for an answer")
        self._begin()
        self._log.turn_id = self._suspended_turn
        self._decisions.go_on()
        self._log.append(TurnResumed())
        self._start(None)

    def send(self, prompt: str, *, mode: ModeOrGetter | str | None = None) -> AsyncGenerator[EventBase]:
        """Run one turn and yield its events, the last one TurnFinished. Leaving early stops the turn.

        `mode` and errors as for `submit`.
        """
        return self._follow_turn(lambda: self.submit(prompt, mode=mode))

    def resume(self) -> AsyncGenerator[EventBase]:
        """Go on with the suspended turn and yield its events, as `send` does. Raises NoSuspendedTurn."""
        return self._follow_turn(self.resume_turn)

    async def suspend(self) -> None:
        """End the running turn at its open question, which stays open on the disk until the turn is resumed.

        What runs beside the question ends first, but is stopped after `SUSPEND_GRACE_S`. Nothing to wait for: the turn
        is stopped, as by `cancel`.
        """
        if not self.can_suspend:
            await self.cancel()
            return
        ended = self._turn_ends()
        self._decisions.suspend()
        try:
            await asyncio.wait_for(asyncio.shield(ended), SUSPEND_GRACE_S)
        except TimeoutError:
            self._when_ready(lambda engine: engine.cancel())
            await ended

    def steer(self, text: str) -> None:
        """Hand `text` to the model before the next request of the running turn; without one it starts a turn."""
        if not self._running:
            self.submit(text)
        else:
            self._state.note_prompt(text)
            loop = asyncio.get_running_loop()

            def deliver(engine: "Engine") -> None:
                if not engine.steer(text):
                    # the turn ended on the way: what was said is not lost
                    loop.call_soon_threadsafe(self.queue, text)

            self._when_ready(deliver)

    def queue(self, text: str) -> None:
        """Send `text` as a turn of its own when the running one ends; without one at once."""
        if not self._running:
            self.submit(text)
        else:
            self._queued.append(text)

    def unqueue(self) -> str | None:
        """Take the last queued prompt back."""
        return self._queued.pop() if self._queued else None

    async def cancel(self) -> None:
        """Stop stream, tools and children, and wait until the turn has ended; history stays valid.

        The question of a suspended turn is withdrawn.
        """
        if self.suspended:
            calls = dict(self._calls.by_id)
            self._begin()
            self._log.turn_id = self._suspended_turn
            ended = self._turn_ends()
            self._engine.run(lambda engine: engine.drop_turn(calls))
            await ended
            return
        if not self._running:
            return
        ended = self._turn_ends()
        self._when_ready(lambda engine: engine.cancel())
        await ended

    def set_mode(self, mode: PermissionMode | str, cause: ModeCause | str = ModeCause.API) -> None:
        """Set the mode from the next check on; an open question may become a denial, or a run.

        It replaces whatever the session was opened with, a function, too. Raises ValueError for an unknown mode or
        cause.
        """
        self._state.set_mode(PermissionMode.parse(mode), ModeCause(cause))

    def select_agent(self, name: str) -> None:
        """Make `name` the active agent with its mode and rules. Raises UnknownAgent."""
        self._state.select_agent(name)

    def select_model(self, name: str) -> None:
        """Let another model answer from the next request on.

        Raises ModelError for a name that cannot be one; what only building it can tell (a missing key or library)
        arrives as a notice, and the model in use stays.
        """
        self._model.select(name)

    def raise_notice(self, level: NoticeLevel, text: str, hint: str = "") -> None:
        """Note something that a front end found out, such as a setting that it cannot follow."""
        self._log.append(NoticeRaised(level=level, text=text, hint=hint))

    def answer(self, question_id: str, answer: Answer) -> AnswerResult:
        """Answer the open question; an unknown, late or unfit answer is a value, never an exception."""
        return self._decisions.answer(question_id, answer)

    async def typed_before(self) -> tuple[list[str], str]:
        """The prompts that were sent in this workspace, the latest last, and the draft that was left."""
        record = self._parts.record
        return ([], "") if record is None else await asyncio.to_thread(record.typed)

    def remember_prompt(self, text: str) -> None:
        """Put `text` into the workspace's history of prompts."""
        if self._parts.record is not None:
            self._parts.record.remember(text)

    def keep_draft(self, text: str) -> bool:
        """Keep what stands in the prompt until decode is opened here again; an empty text removes what was kept.

        False where the store does not take it. May be called from any thread; it waits for the disk.
        """
        return self._parts.record is None or self._parts.record.keep_draft(text)

    def keep_answer(self, question_id: str, text: str) -> None:
        """Keep what was begun of an answer, for a resume; an empty text removes it. May be called from any thread."""
        if self._parts.record is not None:
            self._parts.record.keep_answer(question_id, text)

    def kept_answer(self, question_id: str) -> str:
        """What had been begun of the answer to a question of a resumed session; empty where nothing was."""
        if self._parts.record is None or self._parts.resumed is None:
            return ""
        return self._parts.record.kept_answer(question_id)

    async def close(self) -> None:
        """Suspend the turn if a question is open, else stop it; end the engine's thread and remove spilled outputs."""
        if self._warming is not None:
            self._warming.cancel()
        if self._running:
            await self.suspend()
        await self.files.close()
        await asyncio.to_thread(self.lines.close)
        self._decisions.close()
        if self._engine.stands:
            await asyncio.wrap_future(self._engine.run(lambda engine: engine.close()))
        await asyncio.to_thread(self._engine.stop)
        spill = self._parts.spill
        await asyncio.to_thread(spill.release if self.suspended else spill.remove)
        if self._parts.record is not None:
            await asyncio.to_thread(self._parts.record.close)

    def _begin(self) -> None:
        self._running, self._before_turn = True, self._log.last_seq

    def _start(self, prompt: str | None) -> None:
        calls = dict(self._calls.by_id) if prompt is None else {}
        future = self._engine.run(lambda engine: engine.run_turn(prompt, self._take_queued, calls))
        future.add_done_callback(lambda done: self._engine_died(done.exception()) if not done.cancelled() else None)

    async def _follow_turn(self, start: Callable[[], None]) -> AsyncGenerator[EventBase]:
        inbox: asyncio.Queue[EventBase] = asyncio.Queue()
        unsubscribe = self.subscribe(inbox.put_nowait)
        since = self._log.last_seq  # ends of turns from before may still be on their way
        try:
            start()
            while True:
                event = await inbox.get()
                yield event
                if isinstance(event, TurnFinished) and event.seq > since:
                    return
        finally:
            unsubscribe()
            if self._running:
                self._engine.post(lambda engine: engine.cancel())

    def _turn_ends(self) -> "asyncio.Future[None]":
        """Done when the running turn has ended and every front end was told."""
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        since = self._before_turn

        def note(event: EventBase) -> None:
            if isinstance(event, TurnFinished) and event.seq > since and not ended.done():
                ended.set_result(None)

        unsubscribe = self.subscribe(note)
        ended.add_done_callback(lambda _: unsubscribe())
        return ended

    def _follow(self, event: EventBase) -> None:
        """Keep what the session itself must know; runs before any front end's callback."""
        if event.seq <= self._before_seq:
            return
        self._calls.take(event)
        if isinstance(event, UsageUpdated):
            self._usage = event
        elif isinstance(event, AgentSelected | CatalogReloaded):
            self._model.follow(self.agent)
        elif isinstance(event, TurnStarted | TurnResumed):
            self._suspended_turn = None
        elif isinstance(event, TurnFinished):
            self._running = False
            self._suspended_turn = event.turn_id if event.end is TurnEnd.SUSPENDED else None
            self._state.set_turn_mode(None)
            if event.end is TurnEnd.COMPLETED and self._queued:
                # after this event has reached every front end
                asyncio.get_running_loop().call_soon(self.submit, self._queued.popleft())

    def _take_queued(self) -> tuple[str, ...]:
        """Empty the queue. Called on the engine's thread; each step is atomic."""
        taken: list[str] = []
        while self._queued:
            taken.append(self._queued.popleft())
        return tuple(taken)

    def _when_ready(self, call: Callable[["Engine"], None]) -> None:
        """Call the engine now, or as soon as it stands (the model library may still be loading)."""

        async def job(engine: "Engine") -> None:
            call(engine)

        self._engine.run(job)

    def _policy_changed(self, persons_act: bool) -> None:  # noqa: FBT001
        self._engine.post(lambda engine: engine.policy_changed(persons_act=persons_act))

    def _engine_died(self, error: BaseException | None) -> None:
        """The engine could not be made or broke: say so and end the turn. Runs on the engine's thread."""
        if error is not None:
            reason = f"the engine failed: {type(error).__name__}: {error}"
            self._log.append(TurnFinished(end=TurnEnd.FAILED, reason=reason, hint="see the log; start decode again"))
