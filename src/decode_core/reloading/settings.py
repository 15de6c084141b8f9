"""Keeps a session's settings in line with their files, and asks before a change from outside loosens anything.

A reload never turns an open question into a run: it may only settle one as a denial (permissions.md §2).
"""

import asyncio
from typing import Any

from decode_core.catalog.definition import Layer as AgentLayer
from decode_core.decisions import Allow, Answered, DecisionQueue, Question
from decode_core.event_log import EventLog
from decode_core.events import DecisionAnswered, NoticeLevel, NoticeRaised, QuestionKind, SettingsReloaded
from decode_core.permissions.rules import RuleSource
from decode_core.reloading.live_settings import HeldChange, LiveSettings
from decode_core.reloading.watching import Subject
from decode_core.settings.layers import Settings
from decode_core.state import SessionState
from decode_core.trust.content import FolderContent
from decode_core.trust.folder import FolderTrust
from decode_core.trust.record import TrustError

_NAMED = 3
"""Parts of a change that a notice names."""


class SettingsReloading:
    """Reloads the settings of one session. Every method is called on the loop that opened the session."""

    def __init__(self, live: LiveSettings, state: SessionState, decisions: DecisionQueue) -> None:
        self.live = live
        self._state = state
        self._decisions = decisions
        self._one_at_a_time = asyncio.Lock()
        self._question: Question | None = None
        self._asked: tuple[HeldChange, ...] = ()
        self._asking: asyncio.Task[None] | None = None

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.live.state.settings

    @property
    def trust(self) -> FolderTrust:
        """Where the workspace's folder stands."""
        return self.live.state.trust

    def subject(self) -> Subject:
        """What a watcher of the session's files has to look at; call it on this loop."""
        loop = asyncio.get_running_loop()

        def on_change() -> None:
            # waits for the reload, so that changes that come meanwhile are one more
            asyncio.run_coroutine_threadsafe(self.reload(), loop).result()

        # nothing is seen yet: files may have changed between their first reading and now
        return Subject(self.live.folders, self.live.fingerprint, on_change)

    async def reload(self) -> None:
        """Read the files anew, off this loop, and let what is new count; ask about what loosens."""
        async with self._one_at_a_time:
            before = self.live.state
            after = await asyncio.to_thread(self.live.reload)
            if after.settings != before.settings or after.trust.standing is not before.trust.standing:
                self._take(before.settings, after.settings)
            self._ask_anew()
            await self._settle()

    async def settle(self) -> None:
        """Trust the folder as it stands if all of it counts; called when agents were reloaded."""
        async with self._one_at_a_time:
            await self._settle()

    async def trust_folder(self, content: FolderContent) -> None:
        """The person trusts the folder with just this content. Raises TrustError."""
        await asyncio.to_thread(self.live.trust, content)
        await self.reload()

    def close(self) -> None:
        """Ask no more."""
        if self._asking is not None:
            self._asking.cancel()

    def _take(self, before: Settings, after: Settings) -> None:
        self._state.take_settings(after)
        self._log.append(SettingsReloaded(degraded=after.is_degraded))
        for problem in after.degraded:
            if problem not in before.degraded:
                hint = "the last good version stays in force, and everything but reads asks until it is mended"
                self._log.append(NoticeRaised(level=NoticeLevel.ERROR, text=str(problem), hint=hint))
        for problem in after.warnings:
            if problem not in before.warnings:
                self._log.append(NoticeRaised(level=NoticeLevel.WARNING, text=str(problem)))
        if before.degraded and not after.degraded:
            self._log.append(NoticeRaised(level=NoticeLevel.INFO, text="The settings are sound again."))

    def _ask_anew(self) -> None:
        """Keep one question open about everything that waits, and none about what waits no more."""
        waiting = self.live.unanswered()
        if waiting == self._asked:
            return
        if self._question is not None:
            self._decisions.withdraw(self._question.id)
        self._asked, self._question = waiting, None
        if waiting and self._decisions.has_person:
            self._question = self._about(waiting)
            self._asking = asyncio.ensure_future(self._ask(self._question, waiting))

    async def _ask(self, question: Question, waiting: tuple[HeldChange, ...]) -> None:
        answered = await self._decisions.ask(question)
        takes = isinstance(answered.answer, Allow)
        self._log.append(_record(question, answered, takes=takes))
        if answered.withdrawn:
            return
        self._question, self._asked = None, ()
        if not takes:
            self.live.refuse(waiting)
            return
        try:
            await asyncio.to_thread(self.live.accept, waiting)
        except TrustError as error:
            self._log.append(NoticeRaised(level=NoticeLevel.WARNING, text=f"It counts for this session: {error}."))
        await self.reload()
        named = [each.what for held in waiting for each in held.loosens]
        more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
        text = f"Counts from now on: {'; '.join(named[:_NAMED])}{more}."
        self._log.append(NoticeRaised(level=NoticeLevel.INFO, text=text))

    async def _settle(self) -> None:
        """A folder of which everything counts is trusted as it stands, so that nobody is asked about it again."""
        agents = [agent for agent in self._state.catalog.agents.values() if agent.layer is AgentLayer.PROJECT]
        try:
            await asyncio.to_thread(self.live.settle, agents)
        except TrustError as error:
            self._log.append(NoticeRaised(level=NoticeLevel.WARNING, text=f"{error}."))

    def _about(self, waiting: tuple[HeldChange, ...]) -> Question:
        payload = {"what": "settings", "changes": [_change(held) for held in waiting]}
        return Question(self._decisions.new_id(), QuestionKind.OUTSIDE_CHANGE, payload)

    @property
    def _log(self) -> EventLog:
        return self._state.log


def _change(held: HeldChange) -> dict[str, Any]:
    return {
        "name": "your settings" if held.source is RuleSource.USER else "this project's settings",
        "file": str(held.file),
        "loosens": [each.what if each.where == "settings" else f"{each.where}: {each.what}" for each in held.loosens],
        "before": held.before,
        "after": held.after,
    }


def _record(question: Question, answered: Answered, *, takes: bool) -> DecisionAnswered:
    answer = "taken" if takes else "withdrawn" if answered.withdrawn else "denied"
    return DecisionAnswered(id=question.id, kind=question.kind, answer=answer, waited_ms=answered.waited_ms)
