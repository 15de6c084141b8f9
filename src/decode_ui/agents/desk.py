"""The documents of the side panel: opened, typed in, checked, kept as drafts, saved, and compared with the disk.

It knows no widget. What takes time (files, validation) runs in threads; what was typed is on the disk half a second
later, so that neither quitting nor a crash loses it.
"""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path

from decode_core.catalog.definition import AgentDef, Layer
from decode_core.catalog.reading import Reading, read_agent
from decode_core.catalog.template import new_agent, renamed
from decode_core.catalog_editing.drafts import AgentDraft, AgentDrafts
from decode_core.catalog_editing.files import AgentFile, AgentFileError, ChangedUnderneath, read_agent_file
from decode_core.session import Session
from decode_ui.agents.document import AgentDocument
from decode_ui.clock import Alarm, Clock

CHECK_S = 0.15
"""The text is checked when no key came for this long."""
DRAFT_S = 0.5
"""What was typed is kept this soon, whether typing goes on or not."""


class AgentDesk:
    """All documents with unsaved text, and the open one. `on_change` is called when something else is to be shown."""

    def __init__(self, session: Session, drafts: AgentDrafts, clock: Clock, on_change: Callable[[], None]) -> None:
        self.session = session
        self.open: AgentDocument | None = None
        self.reading: Reading | None = None
        """What the check of the open text came to; None while it is still to come."""
        self._drafts = drafts
        self._clock = clock
        self._on_change = on_change
        self._documents: dict[Path, AgentDocument] = {}
        self._check: Alarm | None = None
        self._keep: Alarm | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def unsaved(self) -> dict[Path, Layer]:
        """The files whose text is not saved, or stands nowhere else any more."""
        documents = [each for each in self._documents.values() if each.is_unsaved]
        if self.open is not None and self.open.is_changed_underneath:
            documents.append(self.open)
        return {each.file.path: each.file.layer for each in documents}

    @property
    def in_force(self) -> AgentDef | None:
        """The agent that counts now and comes from the open file."""
        path = self.open.file.path if self.open is not None else None
        return next((agent for agent in self.session.catalog.agents.values() if agent.path == path), None)

    async def recall(self) -> list[str]:
        """Take up the drafts of earlier sessions; returns the names of their files."""
        for draft in await asyncio.to_thread(self._drafts.of, self.session.workspace.root):
            document = AgentDocument(draft.file, draft.seen, draft.text)
            document.found(await self._read(draft.file.path))
            if document.is_unsaved:
                self._documents[draft.file.path] = document
            else:
                await asyncio.to_thread(self._drafts.drop, draft.file.path)
        self._on_change()
        return [document.name for document in self._documents.values()]

    async def show(self, file: AgentFile) -> None:
        """Open a file, with its unsaved text where it has one. Raises AgentFileError where it cannot be read."""
        document = self._documents.get(file.path)
        if document is None:
            data = await asyncio.to_thread(read_agent_file, file.path)
            if data is None:
                raise AgentFileError(f"{file.path} is gone")
            document = AgentDocument.of(file, data)
        self._open(document)

    async def begin(self, file: AgentFile, name: str, source: Path | None) -> None:
        """Open a new document, from the template or from the file `source`; it is written when it is saved.

        Raises AgentFileError where there is one already, or no source.
        """
        if file.path in self._documents or await asyncio.to_thread(read_agent_file, file.path) is not None:
            raise AgentFileError(f"{file.path} is there already")
        data = new_agent(name)
        if source is not None:
            found = await asyncio.to_thread(read_agent_file, source)
            if found is None:
                raise AgentFileError(f"{source} is gone")
            data = renamed(found, name)
        document = AgentDocument.new(file, data)
        self._open(document)
        self._changed(document)

    def close(self) -> None:
        """Close the open document; unsaved text stays a document."""
        self.open = self.reading = None
        self._on_change()

    def typed(self, text: str) -> None:
        """The text of the open document is another one."""
        document = self.open
        if document is None or document.locked or text == document.text:
            return
        document.text = text
        self._changed(document)

    async def save(self, document: AgentDocument) -> None:
        """Write the text to its file. Raises AgentFileError; a file that was changed meanwhile needs a choice first."""
        data = document.data
        try:
            await self.session.agents.save(document.file, data, document.seen)
        except ChangedUnderneath:
            document.found(await self._read(document.file.path))
            self._on_change()
            raise
        document.saved(data)
        await self._settled(document)

    async def revert(self, document: AgentDocument) -> None:
        """Drop the changes: the text is what stands on the disk; without a file there is nothing left of it."""
        document.found(await self._read(document.file.path))
        document.take_theirs()
        await self._settled(document)

    async def keep_mine(self, document: AgentDocument) -> None:
        """Let the text stand against what is on the disk by now; saving writes over that."""
        document.keep_mine()
        self._changed(document)

    async def delete(self, file: AgentFile) -> None:
        """Remove a file, as it stands by now, and its text. Raises AgentFileError."""
        document = self.document_of(file.path) or AgentDocument(file, None)
        disk = await self._read(file.path)
        if disk is not None:
            await self.session.agents.delete(file, disk)
        document.found(None)
        document.take_theirs()
        await self._settled(document)

    async def look_at_disk(self) -> None:
        """Files changed: documents without changes follow, the others learn that there is something to choose."""
        for document in {
            id(each): each for each in (*self._documents.values(), self.open) if each is not None
        }.values():
            document.found(await self._read(document.file.path))
        self._check_now()
        self._on_change()

    async def checked(self) -> None:
        """Wait until what is being checked has been."""
        if self._tasks:
            await asyncio.gather(*self._tasks)

    def document_of(self, path: Path) -> AgentDocument | None:
        """The document of a file, if it is open or has unsaved text."""
        if self.open is not None and self.open.file.path == path:
            return self.open
        return self._documents.get(path)

    async def flush(self) -> None:
        """Keep what was typed last, before everything ends."""
        if self._keep is not None:
            self._keep.stop()
            self._keep = None
            await self._keep_drafts()
        await self.checked()

    def _open(self, document: AgentDocument) -> None:
        self.open, self.reading = document, None
        self._check_now()
        self._on_change()

    def _changed(self, document: AgentDocument) -> None:
        self._documents[document.file.path] = document
        if self._check is not None:
            self._check.stop()
        self._check = self._clock.after(CHECK_S, self._check_now)
        if self._keep is None:
            self._keep = self._clock.after(DRAFT_S, lambda: self._run(self._keep_drafts()))
        self._on_change()

    async def _settled(self, document: AgentDocument) -> None:
        """The document has no unsaved text any more."""
        self._documents.pop(document.file.path, None)
        await asyncio.to_thread(self._drafts.drop, document.file.path)
        if document is self.open and document.disk is None:
            self.open = self.reading = None
        self._check_now()
        self._on_change()

    async def _keep_drafts(self) -> None:
        self._keep = None
        for document in list(self._documents.values()):
            if document.is_unsaved:
                draft = AgentDraft(document.file, document.text, document.seen)
                await asyncio.to_thread(self._drafts.keep, draft)
            else:
                # typed back to what stands in the file
                self._documents.pop(document.file.path, None)
                await asyncio.to_thread(self._drafts.drop, document.file.path)

    def _check_now(self) -> None:
        if self.open is not None:
            self._run(self._check_text(self.open, self.open.text))

    async def _check_text(self, document: AgentDocument, text: str) -> None:
        tools = self.session.agents.live.known_tools
        data = await asyncio.to_thread(lambda: document.data)
        reading = await asyncio.to_thread(read_agent, document.file.path, data, document.file.layer, tools)
        if document is self.open and document.text == text:
            self.reading = reading
            self._on_change()

    async def _read(self, path: Path) -> bytes | None:
        """What stands in a file; one that cannot be read counts as gone."""
        try:
            return await asyncio.to_thread(read_agent_file, path)
        except AgentFileError:
            return None

    def _run(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
