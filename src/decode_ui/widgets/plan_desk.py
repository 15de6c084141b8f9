"""A plan that is being reviewed: read, searched, ticked, commented and edited. It holds the draft of the review."""

import os
from enum import StrEnum

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from decode_core.events import Plan
from decode_core.neutral import neutralise, neutralise_line
from decode_ui.external_editor import edit_text
from decode_ui.plan_marks import ReviewDraft, edited, with_text
from decode_ui.widgets.note_field import NoteField
from decode_ui.widgets.plan_editor import PlanEditor
from decode_ui.widgets.plan_page import PlanPage
from decode_ui.widgets.plan_rows import BAR
from decode_ui.widgets.plan_view import PlanView


class Writing(StrEnum):
    """What is being written."""

    COMMENT = "comment"
    NOTE = "note"
    PLAN = "plan"


class PlanDesk(Vertical):
    """The plan, and the fields in which comments, the note and the plan are written; its keys are the dialog's."""

    class Changed(Message):
        """The draft, or what is being written, is another one."""

    DEFAULT_CSS = """
    PlanDesk {
        height: 1fr;
        & > #note { width: 100%; height: auto; max-height: 4; padding-left: 1; color: $verdict-ask; }
    }
    """

    def __init__(self, proposed: Plan, begun: ReviewDraft, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.proposed = proposed
        self.note = begun.note
        self.writing: Writing | None = None
        self._place: int | None = None
        """The line that is commented on; None for the note."""
        self._dropped: dict[int | None, str] = {}
        plan = with_text(proposed, begun.text)
        self.view = PlanView(plan, begun.ticked, dict(begun.comments), line=begun.line, id="plan")
        self.page = PlanPage(self.view, id="page")
        self.editor = PlanEditor(id="editor")
        self.field = NoteField(id="field")

    def compose(self) -> ComposeResult:
        """What is read or edited, the note, and the field that is written in."""
        yield self.page
        yield self.editor
        yield Static(id="note", markup=False)
        yield self.field

    def on_mount(self) -> None:
        """Nothing is being written at first."""
        self._show()

    @property
    def plan(self) -> Plan:
        """The plan as it is shown: proposed, or edited."""
        return self.view.text.plan

    @property
    def is_edited(self) -> bool:
        """Whether the person has changed the plan's text."""
        return self.plan.text != self.proposed.text

    @property
    def draft(self) -> ReviewDraft:
        """The review as it stands; a comment, note or text that is being written counts."""
        comments, note = dict(self.view.comments), self.note
        text = self.field.text.strip()
        if self.writing is Writing.NOTE:
            note = text
        elif self.writing is Writing.COMMENT and self._place is not None and text:
            comments[self._place] = text
        mine = self.plan.text if self.is_edited else None
        draft = ReviewDraft(self.view.ticked, tuple(sorted(comments.items())), note, self.view.line, mine)
        return edited(self.proposed, draft, self.editor.written) if self.writing is Writing.PLAN else draft

    def toggle_step(self) -> bool:
        """Tick or untick the step under the cursor; False where the line is part of none."""
        step = self.view.step
        if step is None:
            return False
        self.view.toggle(step)
        self.post_message(self.Changed())
        return True

    def write_comment(self) -> None:
        """Write on the line under the cursor."""
        line = self.view.line
        quoted = neutralise_line(self.view.source.strip())
        self._write(Writing.COMMENT, line, f"Comment on line {line + 1}: {quoted}", self.view.comments.get(line, ""))

    def write_note(self) -> None:
        """Write on the whole plan."""
        self._write(Writing.NOTE, None, "A note on the whole plan", self.note)

    def edit(self) -> None:
        """Edit the plan in place."""
        self.writing = Writing.PLAN
        self.editor.write(self.plan.text, self.view.line)
        self._show()
        self.editor.focus()

    def edit_outside(self) -> None:
        """What is being written, else the plan, in the person's own editor. Raises EditorError."""
        suspended = self.app.suspend()
        if self.writing in (Writing.COMMENT, Writing.NOTE):
            self.field.write(edit_text(self.field.text, suspended, os.environ))
        else:
            text = self.editor.written if self.writing is Writing.PLAN else self.plan.text
            self._take_text(edit_text(text, suspended, os.environ))

    def keep_written(self) -> None:
        """Keep what is being written, and go back to the plan."""
        match self.writing:
            case Writing.PLAN:
                self._take_text(self.editor.written)
            case Writing.COMMENT | Writing.NOTE:
                self._keep(self.field.text)
            case None:
                pass

    @on(NoteField.Sent)
    def _keep_sent(self, event: NoteField.Sent) -> None:
        event.stop()
        self._keep(event.text)

    @on(NoteField.Left)
    def _drop_written(self, event: NoteField.Left) -> None:
        event.stop()
        self._dropped[self._place] = self.field.text
        self._stop_writing()

    @on(PlanEditor.Left)
    def _leave_editor(self, event: PlanEditor.Left) -> None:
        event.stop()
        self._take_text(event.text)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Whoever goes back to the plan by a click has finished what was being written."""
        if self.writing in (Writing.COMMENT, Writing.NOTE) and event.widget is self.view:
            self._keep(self.field.text)

    def _write(self, writing: Writing, place: int | None, title: str, text: str) -> None:
        self.writing, self._place = writing, place
        self.field.border_title = Content(title)
        self.field.border_subtitle = "enter keeps · ^J new line · esc drops"
        self.field.write(self._dropped.pop(place, "") or text)
        self._show()
        self.field.focus()

    def _keep(self, text: str) -> None:
        if self._place is None:
            self.note = text.strip()
        else:
            self.view.comment(self._place, text.strip())
        self._stop_writing()

    def _take_text(self, text: str) -> None:
        """The plan has another text: its steps are read anew, ticks and comments go with their lines."""
        self.writing = None
        draft = edited(self.proposed, self.draft, text)
        self.note = draft.note
        self.view.show(with_text(self.proposed, draft.text), draft.ticked, dict(draft.comments), draft.line)
        self._stop_writing()

    def _stop_writing(self) -> None:
        self.writing = self._place = None
        self._show()
        self.view.focus()

    def _show(self) -> None:
        """Show what is written in, and tell that something changed."""
        edits = self.writing is Writing.PLAN
        self.page.display = not edits
        self.editor.display = edits
        self.field.display = self.writing in (Writing.COMMENT, Writing.NOTE)
        note = self.query_one("#note", Static)
        note.display = bool(self.note)
        note.update(Content(f"{BAR} your note: {neutralise(self.note)}"))
        self.post_message(self.Changed())
