"""The editor of an agent's file on the work screen: text, search, checks and the bar above them (catalog.md §6)."""

import os
from typing import TYPE_CHECKING

from textual import on
from textual.content import Content
from textual.widgets import Input, Static, TextArea

from decode_core.neutral import neutralise_line
from decode_ui.agents.desk import AgentDesk
from decode_ui.agents.document import AgentDocument
from decode_ui.external_editor import EditorError, edit_text
from decode_ui.screens.work_acts import WorkActs
from decode_ui.widgets.filter_field import FilterField
from decode_ui.wording import one_line

if TYPE_CHECKING:
    from decode_ui.widgets.agent_text import AgentText

CHANGED = "changed on disk · esc, then m keep mine · h take theirs · v difference"
GONE = "deleted on disk · esc, then m keep mine · h drop the text"


class WorkAgentEditor(WorkActs, inherit_bindings=False):
    """Shows the open document of `agents`; `WorkAgents` is what the list does with it."""

    agents: AgentDesk
    shown_document: AgentDocument | None = None
    """The document whose text stands in the editor."""
    _completing: tuple[str, ...] = ()

    @property
    def agent_text(self) -> "AgentText | None":
        """The editor; None until it is opened for the first time."""
        from decode_ui.widgets.agent_text import AgentText

        return next(iter(self.query(AgentText)), None)

    def show_document(self, document: AgentDocument) -> None:
        field = self.agent_text
        if field is None or not field.is_mounted:
            return
        if document is not self.shown_document or field.text != document.text:
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

    async def mount_editor(self) -> None:
        from decode_ui.widgets.agent_text import AgentText

        if self.agent_text is not None:
            return
        bar = Static(id="editor-bar", markup=False)
        checks = Static(id="checks", classes="pane", markup=False)
        checks.border_title = Content("Checks")
        field = AgentText(self.session.agents.live.known_tools, id="editor")
        find = FilterField(id="editor-find", placeholder="find · enter next · esc closes")
        await self.query_one("#left").mount(bar, find, field, checks, after="#agents")

    def action_find(self) -> None:
        """Search the file in the editor while it has the focus, else the conversation."""
        field = self.agent_text
        if field is None or self.focused is not field:
            super().action_find()
            return
        bar = self.query_one("#editor-find", Input)
        bar.display = True
        bar.focus()

    @on(Input.Changed, "#editor-find")
    def _find_in_agent(self, event: Input.Changed) -> None:
        event.stop()
        if (field := self.agent_text) is not None:
            field.find(event.value, on=False)

    @on(Input.Submitted, "#editor-find")
    def _find_next_in_agent(self, event: Input.Submitted) -> None:
        event.stop()
        if (field := self.agent_text) is not None and not field.find(event.value, on=True):
            self.tell(f"{event.value} is not in this file")

    def action_editor(self) -> None:
        """The text in focus in the person's own editor: an agent's, or the prompt."""
        if self.focused is not None and self.focused is self.agent_text and self.agents.open is not None:
            self.edit_outside(self.agents.open)
        else:
            super().action_editor()

    def edit_outside(self, document: AgentDocument) -> None:
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

    @on(TextArea.Changed, "#editor")
    def _typed_agent(self, event: TextArea.Changed) -> None:
        if self.agents.open is not None and self.agents.open is self.shown_document:
            self.agents.typed(event.text_area.text)

    @on(TextArea.SelectionChanged, "#editor")
    def _moved_in_agent(self, event: TextArea.SelectionChanged) -> None:
        if self.agents.open is not None and self.agents.open is self.shown_document:
            self.agents.open.cursor = event.selection.end

    def on_agent_text_completing(self, event: "AgentText.Completing") -> None:
        """Name the words that could stand there."""
        self._completing = event.words
        if self.agents.open is not None:
            self._show_checks(self.agents.open)


def _subtitle(document: AgentDocument) -> str:
    if document.locked:
        return f"read only, {document.locked}"
    if document.is_unsaved:
        return f"{document.file.layer} · edited · esc then s saves · ^G editor"
    return f"{document.file.layer} · ^G editor · esc list"
