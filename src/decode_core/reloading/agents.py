"""Keeps a session's agents in line with their files, and asks before a change from outside allows more."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from decode_core.catalog.definition import AgentDef
from decode_core.catalog.loader import Catalog
from decode_core.catalog.reading import read_agent
from decode_core.catalog.written import written
from decode_core.catalog_editing.files import AgentFile, delete_agent_file, save_agent_file
from decode_core.decisions import Allow, Answered, DecisionQueue, Question
from decode_core.events import DecisionAnswered, NoticeLevel, NoticeRaised, QuestionKind
from decode_core.reloading.live_catalog import LiveCatalog
from decode_core.reloading.watching import Subject
from decode_core.state import SessionState
from decode_core.trust.loosening import agent_loosening


class AgentReloading:
    """Reloads the catalog of one session. Every method is called on the loop that opened the session."""

    def __init__(self, live: LiveCatalog, state: SessionState, decisions: DecisionQueue) -> None:
        self.live = live
        self._state = state
        self._decisions = decisions
        self._one_at_a_time = asyncio.Lock()
        self._asked: tuple[AgentDef, ...] = ()
        self._question: Question | None = None
        self._asking: asyncio.Task[None] | None = None

    def subject(self) -> Subject:
        """What a watcher of the session's files has to look at; call it on this loop."""
        loop = asyncio.get_running_loop()
        folders = self.live.folders
        watched = [folder for folder in (folders.builtin, folders.user, folders.project) if folder is not None]

        def on_change() -> None:
            # waits for the reload, so that changes that come meanwhile are one more
            asyncio.run_coroutine_threadsafe(self.reload(), loop).result()

        # nothing is seen yet: files may have changed between their first reading and now
        return Subject(lambda: watched, self.live.fingerprint, on_change)

    async def reload(self) -> None:
        """Read the agents' files anew, off this loop, and let what is new count; ask about what allows more."""
        async with self._one_at_a_time:
            before = self._state.catalog
            catalog, change = await asyncio.to_thread(self.live.reload)
            if catalog != before:
                self._state.take_catalog(catalog, change)
                self._tell(before, catalog)
            self._ask_anew()

    async def take(self, agents: Sequence[AgentDef]) -> None:
        """Let held versions count: the person has seen what they allow."""
        self.live.accept(agents)
        await self.reload()

    async def save(self, file: AgentFile, data: bytes, seen: bytes | None) -> None:
        """Write what the person wrote, and let it count at once. Raises AgentFileError, as `save_agent_file` says."""
        reading = read_agent(file.path, data, file.layer, self.live.known_tools)
        await asyncio.to_thread(save_agent_file, file, data, seen)
        await self.take(() if reading.agent is None else (reading.agent,))

    async def delete(self, file: AgentFile, seen: bytes | None) -> None:
        """Remove a file at the person's word; what it overrode counts again. Raises AgentFileError."""
        names = [agent.name for agent in self.live.catalog.agents.values() if agent.path == file.path]
        await asyncio.to_thread(delete_agent_file, file, seen)
        await self.reload()
        await self.take(tuple(agent for name, agent in self.live.catalog.held.items() if name in names))

    def close(self) -> None:
        """Ask no more."""
        if self._asking is not None:
            self._asking.cancel()

    def _tell(self, before: Catalog, catalog: Catalog) -> None:
        active = self._state.agent
        if active.name in before.agents and active.name not in catalog.agents:
            text = f"The file of the agent {active.name} is gone; its last version stays in force."
            hint = "choose another agent, or write the file again"
            self._state.log.append(NoticeRaised(level=NoticeLevel.WARNING, text=text, hint=hint))
        for name, error in catalog.broken.items():
            if before.broken.get(name) == error:
                continue
            stays = "the last good version stays in force" if name in catalog.agents else "it cannot be used"
            text = str(replace(error, path=Path(self._place(error.path))))
            self._state.log.append(NoticeRaised(level=NoticeLevel.WARNING, text=text, hint=stays))

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

    async def _ask(self, question: Question, agents: tuple[AgentDef, ...]) -> None:
        answered = await self._decisions.ask(question)
        takes = isinstance(answered.answer, Allow)
        self._state.log.append(_record(question, answered, takes=takes))
        if answered.withdrawn:
            return
        self._question, self._asked = None, ()
        if takes:
            await self.take(agents)
        else:
            self.live.refuse(agents)

    def _about(self, agents: tuple[AgentDef, ...]) -> Question:
        changes = [self._change(agent) for agent in agents]
        names = ", ".join(agent.name for agent in agents[:3])
        what = f"agent {names}" if len(agents) == 1 else f"agents {names}" + (" …" if len(agents) > 3 else "")
        payload = {"what": what, "changes": changes}
        return Question(self._decisions.new_id(), QuestionKind.OUTSIDE_CHANGE, payload)

    def _change(self, agent: AgentDef) -> dict[str, Any]:
        before = self.live.in_force(agent.name)
        return {
            "name": agent.name,
            "file": self._place(agent.path),
            "loosens": [each.what for each in agent_loosening(before, agent)],
            "before": None if before is None else written(before),
            "after": written(agent),
        }

    def _place(self, path: Path) -> str:
        """Where a file lies, for people: a project's from the workspace on."""
        project = self.live.folders.project
        return str(path.relative_to(project.parents[1]) if project == path.parent else path)


def _record(question: Question, answered: Answered, *, takes: bool) -> DecisionAnswered:
    answer = "taken" if takes else "withdrawn" if answered.withdrawn else "denied"
    return DecisionAnswered(id=question.id, kind=question.kind, answer=answer, waited_ms=answered.waited_ms)
