"""Plan review: read a plan, tick its steps, comment on its lines, and decide (plan-mode.md §3, keys.md §5.4)."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from decode_core.decisions import PlanReview, Question
from decode_core.events import Plan
from decode_core.neutral import neutralise, neutralise_line
from decode_ui.actions import CONFIRM, PLAN_MOVES, PLAN_REVIEW, UNSENT, bindings
from decode_ui.guard import KeyGuard
from decode_ui.screens.guarded import BOX, Aside, GuardedScreen
from decode_ui.widgets.answers import AnswerLabel, AnswerRow, Choice, Tone
from decode_ui.widgets.inline_choice import InlineChoice, SendUnsent, YesNo
from decode_ui.widgets.note_field import NoteField
from decode_ui.widgets.plan_rows import BAR
from decode_ui.widgets.plan_view import PlanView

_BY_ID = {action.id: action for action in PLAN_REVIEW}

CHOICES = (
    Choice(_BY_ID["plan.approve"], Tone.ALLOW),
    Choice(_BY_ID["plan.approve_ask"], Tone.ALLOW),
    Choice(_BY_ID["plan.tick"], Tone.NEUTRAL),
    Choice(_BY_ID["plan.comment"], Tone.NEUTRAL),
    Choice(_BY_ID["plan.note"], Tone.NEUTRAL),
    Choice(_BY_ID["plan.back"], Tone.DENY, starts_line=True),
    Choice(_BY_ID["plan.reject"], Tone.DENY),
    Choice(_BY_ID["plan.aside"], Tone.NEUTRAL),
)
"""The answers in their order: what accepts the plan and works on it, then what does not."""


@dataclass(frozen=True)
class ReviewDraft:
    """A review that was begun: kept when it is set aside, and given to the dialog that goes on with it."""

    ticked: frozenset[int]
    comments: tuple[tuple[int, str], ...] = ()
    """Pairs (line of the plan from 0, comment)."""
    note: str = ""
    line: int = 0


class _Approval(StrEnum):
    """What a plan is approved into; the values are those of `PlanReview.answer`."""

    EDIT = "approve"
    ONE_BY_ONE = "approve_ask"


class _Writing(StrEnum):
    """What the field is open for."""

    COMMENT = "comment"
    NOTE = "note"


class PlanReviewScreen(GuardedScreen[PlanReview | Aside[ReviewDraft]]):
    """One review. Closes with the person's answer, with `Aside` holding the draft, or with None.

    Raises pydantic.ValidationError when the question's payload holds no plan.
    """

    CSS_PATH = ["dialog.tcss", "plan_review.tcss"]
    BINDINGS = [*bindings(PLAN_REVIEW), *bindings(PLAN_MOVES)]
    AUTO_FOCUS = "#plan"

    def __init__(
        self,
        question: Question,
        waiting: int,
        guard: KeyGuard,
        *,
        on_typed: Callable[[str], None] | None = None,
        draft: ReviewDraft | None = None,
    ) -> None:
        super().__init__(guard, on_typed)
        self.question = question
        self.plan = Plan.model_validate(question.payload.get("plan"))
        self.note = draft.note if draft else ""
        self._begun = draft or ReviewDraft(frozenset(step.number for step in self.plan.steps))
        self._waiting = waiting
        self._writing: _Writing | None = None
        self._place: int | None = None
        self._approval = _Approval.EDIT
        self._dropped: dict[int | None, str] = {}

    def compose(self) -> ComposeResult:
        """The plan, the note, the field for writing, and the answers or a question in their place."""
        begun = self._begun
        with Vertical(id=BOX):
            yield PlanView(self.plan, begun.ticked, dict(begun.comments), line=begun.line, id="plan")
            yield Static(id="note")
            yield NoteField(id="field")
            yield AnswerRow(CHOICES, id="answers")
            yield YesNo(Content("Reject this plan? It ends the turn."), "yes, reject", "no, go on", id="reject")
            yield SendUnsent(id="unsent")

    def on_mount(self) -> None:
        """Title and subtitle; only the answers are shown at first."""
        super().on_mount()
        title = neutralise_line(self.plan.title)
        parts = ["Plan", *([title] if title else []), f"version {self.plan.version}"]
        self.box.border_title = Content(" · ".join(parts))
        self.field.display = False
        for choice in self.query(InlineChoice):
            choice.display = False
        self.show_waiting(self._waiting)
        self._show_state()
        self.show_guard()

    def show_waiting(self, waiting: int) -> None:
        """Say how many questions wait, this one included, beside the keys that move."""
        count = f"1 of {waiting} · " if waiting > 1 else ""
        self.box.border_subtitle = Content(f"{count}↑↓ line · j k step")

    @property
    def view(self) -> PlanView:
        """The plan."""
        return self.query_one("#plan", PlanView)

    @property
    def field(self) -> NoteField:
        """The field in which comments and the note are written."""
        return self.query_one("#field", NoteField)

    @property
    def asked(self) -> InlineChoice | None:
        """The small question that stands in place of the answers, if one does."""
        return next((choice for choice in self.query(InlineChoice) if choice.display), None)

    @property
    def draft(self) -> ReviewDraft:
        """The review as it stands; a comment or note that is being written counts."""
        comments = dict(self.view.comments)
        note = self.note
        text = self.field.text.strip()
        if self._writing is _Writing.NOTE:
            note = text
        elif self._place is not None and text:
            comments[self._place] = text
        return ReviewDraft(self.view.ticked, tuple(sorted(comments.items())), note, self.view.line)

    def show_guard(self) -> None:
        """Dim the answers until they act; approving nothing is no answer."""
        live = self.is_live
        dead = {choice.action.id for choice in CHOICES if not live}
        if not self._may_approve:
            dead |= {"plan.approve", "plan.approve_ask"}
        self.query_one("#answers", AnswerRow).show_dead(dead)

    def set_aside(self) -> None:
        """The review waits, with everything that was begun."""
        self.close_with(Aside(self.draft))

    def place(self, size: Size) -> None:
        """Small screens get no blank lines."""
        super().place(size)
        self.set_class(size.height < 24, "-tight")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing in the guard time; only the way out while a small question stands or a field is open."""
        if not super().check_action(action, parameters):
            return False
        if action in ("aside", "leave", "move", "note"):
            return True
        if self.asked is not None or self._writing is not None:
            return False
        return self._may_approve or action not in ("approve", "approve_ask")

    def action_approve(self) -> None:
        """Approve the ticked steps; mode edit carries them out."""
        self._approve(_Approval.EDIT)

    def action_approve_ask(self) -> None:
        """Approve the ticked steps; mode default asks for each call."""
        self._approve(_Approval.ONE_BY_ONE)

    def action_tick(self) -> None:
        """Tick or untick the step under the cursor."""
        if self.view.step is not None:
            self._toggle_step()

    def action_comment(self) -> None:
        """Write a comment on the line under the cursor."""
        line = self.view.line
        quoted = neutralise_line(self.view.source.strip())
        text = self._dropped.pop(line, "") or self.view.comments.get(line, "")
        self._write(_Writing.COMMENT, f"Comment on line {line + 1}: {quoted}", text)

    def action_note(self) -> None:
        """Tab: to the note on the whole plan, from there to the answers, and round."""
        if self._writing is not None:
            self._keep(self.field.text)
            next(iter(self.query_one("#answers", AnswerRow).query(AnswerLabel))).focus()
        elif self.focused is self.view:
            self._write(_Writing.NOTE, "A note on the whole plan", self._dropped.pop(None, "") or self.note)
        else:
            self.focus_next()

    def action_send_back(self) -> None:
        """Ask for a new plan, with note and comments."""
        self._answer("refine")

    def action_reject(self) -> None:
        """Refuse the plan; asks first, as it ends the turn."""
        self._ask(self.query_one("#reject", YesNo))

    def action_aside(self) -> None:
        """Look around; Esc first takes back what was opened last."""
        if self.asked is not None:
            self._end_asking()
        else:
            self.set_aside()

    def action_leave(self) -> None:
        """Ctrl+C: copy what is selected, else look around."""
        if not self.copy_selection():
            self.set_aside()

    def action_move_cursor(self, way: str) -> None:
        """Move the cursor in the plan."""
        self.view.move(way)
        self.view.focus()

    @on(NoteField.Sent)
    def _keep_written(self, event: NoteField.Sent) -> None:
        event.stop()
        self._keep(event.text)

    @on(NoteField.Left)
    def _drop_written(self, event: NoteField.Left) -> None:
        event.stop()
        self._dropped[self._place] = self.field.text
        self._stop_writing()

    @on(PlanView.StepClicked)
    def _tick_clicked(self, event: PlanView.StepClicked) -> None:
        event.stop()
        if self.guard.clicks_live() and self.asked is None and self._writing is None:
            self._toggle_step()

    @on(YesNo.Chosen, "#reject")
    def _reject_chosen(self, event: YesNo.Chosen) -> None:
        event.stop()
        self._end_asking()
        if event.action_id == CONFIRM[0].id:
            self._answer("reject")

    @on(SendUnsent.Chosen, "#unsent")
    def _unsent_chosen(self, event: SendUnsent.Chosen) -> None:
        event.stop()
        self._end_asking()
        along, back, _cancel = UNSENT
        if event.action_id == along.id:
            self._answer(self._approval.value)
        elif event.action_id == back.id:
            self._answer("refine")

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Whoever goes back to the plan by a click has left the small question."""
        if self.asked is not None and event.widget is self.view:
            self._end_asking()
        elif self._writing is not None and event.widget is self.view:
            self._keep(self.field.text)

    @property
    def _may_approve(self) -> bool:
        return not self.plan.steps or bool(self.view.ticked)

    def _toggle_step(self) -> None:
        if (step := self.view.step) is not None:
            self.view.toggle(step)
            self._show_state()
            self.show_guard()

    def _approve(self, approval: _Approval) -> None:
        self._approval = approval
        count = len(self.view.comments)
        if not count and not self.note:
            self._answer(approval.value)
            return
        written = [f"{count} comment{'s' if count > 1 else ''}"] if count else []
        written += ["a note"] if self.note else []
        what = " and ".join(written)
        self._ask(self.query_one("#unsent", SendUnsent), Content(f"You wrote {what}. Approve all the same?"))

    def _answer(self, answer: str) -> None:
        """Close with an answer. Comments are told with the line that they stand under."""
        lines = self.plan.text.split("\n")
        comments = tuple((lines[line].strip(), text) for line, text in sorted(self.view.comments.items()))
        every = frozenset(step.number for step in self.plan.steps)
        approved = None if self.view.ticked >= every else tuple(sorted(self.view.ticked))
        if answer not in (*_Approval,):
            approved = None
        self.close_with(PlanReview(answer, approved, self.note, comments))

    def _write(self, writing: _Writing, title: str, text: str) -> None:
        self._writing = writing
        self._place = self.view.line if writing is _Writing.COMMENT else None
        self.field.border_title = Content(title)
        self.field.border_subtitle = "enter keeps · ^J new line · esc drops"
        self.field.write(text)
        self.field.display = True
        self.query_one("#answers").display = False
        self.field.focus()

    def _keep(self, text: str) -> None:
        if self._place is None:
            self.note = text.strip()
        else:
            self.view.comment(self._place, text.strip())
        self._stop_writing()
        self._show_state()

    def _stop_writing(self) -> None:
        self._writing = self._place = None
        self.field.display = False
        self.query_one("#answers").display = True
        self.view.focus()

    def _ask(self, choice: InlineChoice, question: Content | None = None) -> None:
        self.query_one("#answers").display = False
        choice.display = True
        choice.ask(question)

    def _end_asking(self) -> None:
        for choice in self.query(InlineChoice):
            choice.display = False
        self.query_one("#answers").display = True
        self.view.focus()

    def _show_state(self) -> None:
        """What depends on ticks and note: the labels that approve, and the line with the note."""
        total = len(self.plan.steps)
        ticked = len(self.view.ticked)
        part = "" if ticked >= total else f" {ticked} of {total}"
        row = self.query_one("#answers", AnswerRow)
        row.label_of("plan.approve").label = f"approve{part} → edit"
        row.label_of("plan.approve_ask").label = f"approve{part}, one by one"
        note = self.query_one("#note", Static)
        note.display = bool(self.note)
        note.update(Content(f"{BAR} your note: {neutralise(self.note)}"))
