"""Finds the workspace's files for the prompt, in a thread of its own: neither listing nor matching holds up a key."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from decode_core.engine.thread import EngineThread
from decode_core.workspace import Workspace
from decode_ui.clock import Clock

if TYPE_CHECKING:
    from decode_core.file_search import FileIndex

FRESH_S = 10.0
"""Names that were listed longer ago are listed anew while the old ones still answer."""


@dataclass(frozen=True)
class FoundFiles:
    """Paths for a query, the best first; `problem` says what the list lacks, empty where it lacks nothing."""

    paths: tuple[str, ...]
    problem: str = ""


class FileFinder:
    """The files of one workspace; nothing is listed, and no thread started, before the first search."""

    def __init__(self, workspace: Workspace, clock: Clock) -> None:
        self._thread = EngineThread(lambda: workspace, "decode-files")
        self._clock = clock
        self._index: FileIndex | None = None
        self._listing: asyncio.Future[FileIndex] | None = None
        self._listed_at = 0.0

    async def find(self, query: str, most: int) -> FoundFiles:
        """Return up to `most` paths that fit. Cancelling it ends the search, not the listing that others wait for."""
        # on first use: the first frame has no need of it
        from decode_core.file_search import find_files

        index = await self._listed()
        search = self._thread.run(lambda _: find_files(index, query, most))
        return FoundFiles(await asyncio.wrap_future(search), index.problem)

    def stop(self) -> None:
        """End the thread, with what runs in it."""
        self._thread.stop(timeout_s=0)

    async def _listed(self) -> "FileIndex":
        """The names; the first time one waits for them, later they are renewed beside the search."""
        from decode_core.file_search import FileIndex, list_files

        stale = self._index is None or self._clock() - self._listed_at > FRESH_S
        if stale and (self._listing is None or self._listing.done()):
            self._listing = asyncio.wrap_future(self._thread.run(list_files))
            self._listing.add_done_callback(self._take)
        if self._index is None and self._listing is not None:
            return await asyncio.shield(self._listing)
        return self._index or FileIndex()

    def _take(self, listing: "asyncio.Future[FileIndex]") -> None:
        if not listing.cancelled() and listing.exception() is None:
            self._index = listing.result()
            self._listed_at = self._clock()
