"""The agents' side panel on the work screen: the list, and an editor with checks beside the chat (catalog.md §6)."""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on
from textual.content import Content
from textual.widgets import Static, TextArea

from decode_core.agent_drafts import AgentDrafts
from decode_core.agent_files import AgentFile, AgentFileError, ChangedUnderneath
from decode_core.catalog.definition import Layer
from decode_core.events import AgentSelected, CatalogReloaded, EventBase
from decode_core.neutral import neutralise_line
from decode_ui.agents.desk import AgentDesk
from decode_ui.agents.document import AgentDocument
from decode_ui.agents.entries import AgentEntry, AgentState, agent_entries
from decode_ui.external_editor import EditorError, edit_text
from decode_ui.panes.agents import AgentsPane
from decode_ui.screens.confirm import Confirmation, ConfirmScreen
from decode_ui.screens.work_acts import WorkActs
from decode_ui.wording import one_line

if TYPE_CHECKING:
    from decode_ui.screens.agent_name import NewAgent
    from decode_ui.widgets.agent_text import AgentText

CHANGED = "changed on disk by another program · esc, then m keep mine · h take theirs · v diff"
GONE = "deleted on disk · esc, then m keep mine · h drop the text"


class WorkAgents(WorkActs, inherit_bindings=False):
    """What the person does with agents' files; `AgentDesk` holds the texts."""

    agents: AgentDesk
    _completing: tuple[str, ...] = ()
    _shown: AgentDocument | None = None

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

    @property
    def agent_text(self) -> "AgentText | None":
        """The editor; None until it is opened for the first time."""
        from decode_ui.widgets.agent_text import AgentText

        return next(iter(self.query(AgentText)), None)

    # -- showing

    def show_agents(self) -> None:
        """Bring list, editor, bar and checks in line with the catalog and the open document."""
        if not self.is_mounted:
            return
        live = self.session.agents.live
        unsaved = self.agents.unsaved
        self.agents_list.show_entries(
            agent_entries(self.session.catalog, self.session.agent.name, live.folders, unsaved)
        )
        document = self.agents.open
        was, self.editing = self.editing, document is not None
        if was != self.editing:
            self.lay_out()
        if document is not None:
            self._show_document(document)
        self._shown = document

    def _show_document(self, document: AgentDocument) -> None:
        field = self.agent_text
        if field is None or not field.is_mounted:
            return
        if document is not self._shown or field.text != document.text:
            field.show_document(document)
        field.show_title(neutralise_line(document.name))
        field.border_subtitle = Content(_subtitle(document))
        bar = self.query_one("#editor-bar", Static)
        bar.display = self.editing and document.is_changed_underneath
        bar.update(Content(GONE if document.disk is None else CHANGED))
        self._show_checks(document)

    def _show_checks(self, document: AgentDocument) -> None:
        from decode_ui.agents.checks import check_lines

        reading = self.agents.reading
        lines = []
        if self._completing:
            lines.append(Content.assemble(("⇥ ", "$accent"), one_line(" · ".join(self._completing))))
        if reading is not None:
            lines += check_lines(reading, self.agents.in_force, unsaved=document.is_unsaved)
        elif not lines:
            lines.append(Content.styled("checking…", "$muted"))
        self.query_one("#checks", Static).update(Content("\n").join(lines))
        if (field := self.agent_text) is not None and reading is not None:
            field.show_faults(reading.errors)

    async def _mount_editor(self) -> None:
        from decode_ui.widgets.agent_text import AgentText

        if self.agent_text is not None:
            return
        bar = Static(id="editor-bar", markup=False)
        checks = Static(id="checks", classes="pane", markup=False)
        checks.border_title = Content("Checks")
        field = AgentText(self.session.agents.live.known_tools, id="editor")
        await self.query_one("#left").mount(bar, field, checks, after="#agents")

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
        """From the list: with nothing unsaved in it the editor folds away."""
        document = self.agents.open
        if self.focused is self.agents_list and document is not None and not document.is_unsaved:
            self.close_editor()
        await super().action_escape()

    def action_editor(self) -> None:
        """The text in focus in the person's own editor: an agent's, or the prompt."""
        if self.focused is not None and self.focused is self.agent_text and self.agents.open is not None:
            self._edit_outside(self.agents.open)
        else:
            super().action_editor()

    # -- acts of the list

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
        await self._mount_editor()
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
        await self._mount_editor()
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
            self._edit_outside(self.agents.open)

    def _edit_outside(self, document: AgentDocument) -> None:
        if document.locked:
            self.tell(f"read only: {document.locked}")
            return
        try:
            text = edit_text(document.text, self.app.suspend(), os.environ)
        except EditorError as error:
            self.report(str(error))
            return
        if (field := self.agent_text) is not None:
            self.agents.typed(text + "\n" if document.text.endswith("\n") else text)
            field.show_document(document)

    # -- the editor

    @on(TextArea.Changed, "#editor")
    def _typed_agent(self, event: TextArea.Changed) -> None:
        if self.agents.open is not None and self.agents.open is self._shown:
            self.agents.typed(event.text_area.text)

    @on(TextArea.SelectionChanged, "#editor")
    def _moved_in_agent(self, event: TextArea.SelectionChanged) -> None:
        if self.agents.open is not None and self.agents.open is self._shown:
            self.agents.open.cursor = event.selection.end

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

    def on_agent_text_completing(self, event: "AgentText.Completing") -> None:
        """Name the words that could stand there."""
        self._completing = event.words
        if self.agents.open is not None:
            self._show_checks(self.agents.open)

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


def _subtitle(document: AgentDocument) -> str:
    if document.locked:
        return f"read only, {document.locked}"
    if document.is_unsaved:
        return f"{document.file.layer} · edited · esc then s saves · ^G editor"
    return f"{document.file.layer} · ^G editor · esc list"
