"""Keeps a session in line with files that change under it: settings, agents, and the trust in its folder."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from decode_core.events import CatalogReloaded, EventBase, SettingsReloaded
from decode_core.reloading.agents import AgentReloading
from decode_core.reloading.settings import SettingsReloading
from decode_core.reloading.watching import Watcher
from decode_core.trust.content import FolderContent
from decode_core.trust.folder import agent_files_of


class FollowedFiles:
    """The files of one session. Every method is called on the loop that opened the session."""

    def __init__(self, agents: AgentReloading, settings: SettingsReloading) -> None:
        self.agents = agents
        self.settings = settings
        self._watcher = Watcher()
        self._watcher.add(settings.subject())
        self._watcher.add(agents.subject())
        self._jobs: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Watch from now on; a change since the session was opened is not missed."""
        self._watcher.start()

    def take(self, event: EventBase) -> None:
        """Let one reload follow from the other."""
        match event:
            case SettingsReloaded() if self.agents.live.trusted_project is not self.settings.live.counts:
                self.agents.live.trusted_project = self.settings.live.counts
                self._do(self.agents.reload())
            case CatalogReloaded():
                self._do(self.settings.settle())
            case _:
                pass

    async def trust_folder(self, content: FolderContent) -> None:
        """The person trusts the workspace with just this content, which they have seen. Raises TrustError."""
        await self.settings.trust_folder(content)
        self.agents.live.trusted_project = self.settings.live.counts
        self.agents.live.accept_files(agent_files_of(content))
        await self.agents.reload()

    async def close(self) -> None:
        """Stop watching, ask no more."""
        self.agents.close()
        self.settings.close()
        for job in self._jobs:
            job.cancel()
        await asyncio.to_thread(self._watcher.stop)

    def _do(self, job: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(job)
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)
