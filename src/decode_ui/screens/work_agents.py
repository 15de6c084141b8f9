"""The agents' side panel on the work screen: the list, and an editor with checks beside the chat (catalog.md §6)."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on

from decode_core.catalog.definition import Layer
from decode_core.catalog.errors import UnknownAgent
from decode_core.catalog_editing.drafts import AgentDrafts
from decode_core.catalog_editing.files import AgentFile, AgentFileError, ChangedUnderneath
from decode_core.events import AgentSelected, CatalogReloaded, EventBase
from decode_core.neutral import neutralise_line
from decode_core.permissions.modes import PermissionMode
from decode_ui.agents.desk import AgentDesk
from decode_ui.agents.document import AgentDocument
from decode_ui.agents.entries import AgentEntry, AgentState, agent_entries
from decode_ui.panes.agents import AgentsPane
from decode_ui.screens.confirm import Confirmation, ConfirmScreen
from decode_ui.screens.work_agent_editor import WorkAgentEditor
from decode_ui.wording import one_line

if TYPE_CHECKING:
    from decode_ui.screens.agent_name import NewAgent


class WorkAgents(WorkAgentEditor, inherit_bindings=False):
    """What the person does with agents' files; `AgentDesk` holds the texts."""

    _listed: object = None
    """What the list shows: it is drawn anew only where that changed."""

    def begin_agents(self) -> None:
        """Show the list; unsaved texts of earlier sessions come back after the first frame."""
        self.agents = AgentDesk(self.session, AgentDrafts(), self.clock, self.show_agents)
        self.show_agents()
        self.call_after_refresh(lambda: self.run_worker(self._recall_texts(), group="agents"))

    async def end_agents(self) -> None:
        """Keep what was typed last."""
        await self.agents.flush()

    def follow_agents(self, event: EventBase) -> None:
        """Files or the active agent changed."""
        if isinstance(event, CatalogReloaded):
            self.run_worker(self.agents.look_at_disk(), group="agents")
        if isinstance(event, CatalogReloaded | AgentSelected):
            self.show_agents()

    @property
    def agents_list(self) -> AgentsPane:
        """The list."""
        return self.query_one(AgentsPane)

    # -- showing

    def show_agents(self) -> None:
        """Bring list, editor, bar and checks in line with the catalog and the open document."""
        if not self.is_mounted:
            return
        catalog, active, unsaved = self.session.catalog, self.session.agent.name, self.agents.unsaved
        listed = (catalog, active, unsaved)
        if listed != self._listed:
            self._listed = listed
            self.agents_list.show_entries(agent_entries(catalog, active, self.session.agents.live.folders, unsaved))
        document = self.agents.open
        was, self.editing = self.editing, document is not None
        if was != self.editing:
            self.lay_out()
        if document is not None:
            self.show_document(document)
        self.shown_document = document

    # -- moving

    def go_to(self, name: str) -> None:
        """Show a pane and focus it; the editor opens the active agent if nothing is open."""
        if name != "editor" or (self.editing and self.agent_text is not None):
            super().go_to(name)
        else:
            agent = self.session.agent
            self._work(self._open(AgentFile(agent.path, agent.layer, self.session.workspace.root)))

    def close_editor(self) -> None:
        """Fold the editor away; unsaved text stays."""
        self.agents.close()

    async def action_escape(self) -> None:
        """From the search back to the text; from the list, with nothing unsaved, the editor folds away."""
        document = self.agents.open
        if self.focused is not None and self.focused.id == "editor-find":
            self.focused.display = False
            super().go_to("editor")
            return
        if self.focused is self.agents_list and document is not None and not document.is_unsaved:
            self.close_editor()
        await super().action_escape()

    def quit(self) -> None:
        """Leave decode; with unsaved text it asks, although nothing is lost."""
        names = ", ".join(path.name for path in self.agents.unsaved)
        if not names:
            super().quit()
            return
        detail = "It is kept, and comes back when decode is opened here again."

        def answered(answer: Confirmation | None) -> None:
            if answer is Confirmation.YES:
                super(WorkAgents, self).quit()

        self.app.push_screen(ConfirmScreen(f"Quit with unsaved text in {names}?", detail, yes="quit"), answered)

    # -- acts

    def select_agent(self, name: str) -> None:
        """Make an agent the active one; one whose mode is bypass asks as bypass itself does."""
        agent = self.session.catalog.agents.get(name)
        if agent is not None and agent.mode is PermissionMode.BYPASS and self.session.mode is not PermissionMode.BYPASS:
            self.modes.enter_bypass(lambda: self._take_agent(name))
        else:
            self._take_agent(name)

    def _take_agent(self, name: str) -> None:
        try:
            self.session.select_agent(name)
        except UnknownAgent as error:
            self.report(str(error))

    @on(AgentsPane.Wanted)
    def _wanted(self, event: AgentsPane.Wanted) -> None:
        event.stop()
        entry = event.entry
        if event.act == "new":
            self._ask_name("New agent", "", Layer.PROJECT, None)
            return
        if entry is None:
            return
        file = AgentFile(entry.path, entry.layer, self.session.workspace.root)
        document = self.agents.document_of(entry.path)
        match event.act:
            case "edit":
                self._work(self._open(file))
            case "use":
                self._use(entry)
            case "duplicate":
                self._duplicate(entry)
            case "delete":
                self._delete(file, entry)
            case "trust":
                self._trust(entry)
            case "outside":
                self._work(self._open_outside(file))
            case _ if document is None:
                self.tell(f"nothing unsaved in {entry.path.name} · enter edits it")
            case "save":
                self._work(self._save(document))
            case "diff":
                self._show_difference(document)
            case "revert":
                self._revert(document)
            case "mine" | "theirs":
                self._choose(document, event.act)
            case _:
                pass

    async def _open(self, file: AgentFile) -> None:
        await self.mount_editor()
        await self.agents.show(file)
        super().go_to("editor")
        await self.agents.checked()
        field, reading = self.agent_text, self.agents.reading
        if field is not None and reading is not None and reading.errors:
            field.action_next_problem()

    def _use(self, entry: AgentEntry) -> None:
        if entry.state is AgentState.UNSAVED and entry.name not in self.session.catalog.agents:
            self.tell(f"save {entry.path.name} first: s")
        else:
            self.select_agent(entry.name)

    def _duplicate(self, entry: AgentEntry) -> None:
        name = entry.name if entry.layer is not Layer.PROJECT else ""
        self._ask_name(f"Duplicate {neutralise_line(entry.name)}", name, Layer.PROJECT, entry.path)

    def _ask_name(self, title: str, name: str, layer: Layer, source: Path | None) -> None:
        from decode_ui.screens.agent_name import AgentNameScreen

        folders = self.session.agents.live.folders
        catalog = self.session.catalog
        entries = agent_entries(catalog, "", folders, self.agents.unsaved)
        taken = {each: frozenset(entry.path.stem for entry in entries if entry.layer is each) for each in Layer}

        def answered(new: "NewAgent | None") -> None:
            if new is not None:
                self._work(self._begin(new.name, new.layer, source))

        self.app.push_screen(AgentNameScreen(title, name, layer, taken), answered)

    async def _begin(self, name: str, layer: Layer, source: Path | None) -> None:
        folder = self.session.agents.live.folders.of(layer)
        if folder is None:
            raise AgentFileError("there is no folder for agents of this kind")
        file = AgentFile(folder / f"{name}.md", layer, self.session.workspace.root)
        await self.mount_editor()
        await self.agents.begin(file, name, source)
        super().go_to("editor")

    async def _save(self, document: AgentDocument) -> None:
        try:
            await self.agents.save(document)
        except ChangedUnderneath:
            self.tell("not saved, it was changed on disk · esc, then m keeps yours · h takes theirs")
        else:
            self.tell(f"saved {document.name}")

    def _revert(self, document: AgentDocument) -> None:
        question = f"Drop what is not saved in {document.name}?"
        self._confirm(question, "The text is then what stands in the file.", lambda: self.agents.revert(document))

    def _delete(self, file: AgentFile, entry: AgentEntry) -> None:
        if entry.layer is Layer.BUILTIN:
            self.tell("built-in agents stay · d copies one into the project")
            return
        detail = f"{file.path}\nWhat an earlier layer has under this name counts again."
        self._confirm(f"Delete {file.path.name}?", detail, lambda: self.agents.delete(file))

    def _trust(self, entry: AgentEntry) -> None:
        held = self.session.catalog.held.get(entry.name)
        if entry.state is AgentState.UNTRUSTED:
            self.run_command("trust")
        elif held is None:
            self.tell("nothing here waits for trust")
        else:
            from decode_core.trust.loosening import agent_loosening

            in_force = self.session.agents.live.in_force(entry.name)
            more = "\n".join(f"+ {each.what}" for each in agent_loosening(in_force, held))
            question = f"Let the changed {entry.path.name} count?"
            self._confirm(question, more, lambda: self.session.agents.take((held,)))

    def _choose(self, document: AgentDocument, act: str) -> None:
        if not document.is_changed_underneath:
            self.tell(f"{document.name} is as you know it: there is nothing to choose")
        elif act == "mine":
            self._work(self.agents.keep_mine(document))
            self.tell(f"yours stays · s writes it to {document.name}")
        else:
            self._work(self.agents.revert(document))
            self.tell(f"theirs is in the editor: {document.name}")

    def _show_difference(self, document: AgentDocument) -> None:
        from decode_ui.explain import text_lines
        from decode_ui.screens.reader import ReaderScreen

        lines = text_lines(document.disk_text, document.text)
        self.app.push_screen(ReaderScreen(f"{one_line(document.name)} · on disk → in the editor", lines))

    async def _open_outside(self, file: AgentFile) -> None:
        await self._open(file)
        if self.agents.open is not None:
            self.edit_outside(self.agents.open)

    # -- the editor

    def on_agent_text_left(self) -> None:
        """Esc: the list, on the file of the editor."""
        document = self.agents.open
        super().go_to("agents")
        if document is not None:
            self.agents_list.go_to(document.file.path)

    def on_agent_text_save_requested(self) -> None:
        """F2."""
        if self.agents.open is not None:
            self._work(self._save(self.agents.open))

    # -- helpers

    async def _recall_texts(self) -> None:
        names = await self.agents.recall()
        if names:
            self.tell(f"unsaved text was kept: {', '.join(names[:3])} · ^O a")

    def _confirm(self, question: str, detail: str, work: Callable[[], Awaitable[None]]) -> None:
        def answered(answer: Confirmation | None) -> None:
            if answer is Confirmation.YES:
                self._work(work())

        self.app.push_screen(ConfirmScreen(question, detail), answered)

    def _work(self, work: Awaitable[None]) -> None:
        self.run_worker(self._told(work), group="agents")

    async def _told(self, work: Awaitable[None]) -> None:
        try:
            await work
        except AgentFileError as error:
            self.report(f"{error}.")
            if not self.transcript.is_on_screen:
                self.tell(str(error))
