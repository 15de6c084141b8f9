"""Plan review: read a plan, tick, comment and edit, and decide (plan-mode.md §3, keys.md §5.4)."""

from collections.abc import Callable
from pathlib import Path

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from decode_core.decisions import PlanReview, Question
from decode_core.events import Plan
from decode_core.neutral import neutralise_line
from decode_core.plan_mode.history import PlanHistory
from decode_ui.actions import CONFIRM, bindings
from decode_ui.external_editor import EditorError
from decode_ui.guard import KeyGuard
from decode_ui.keys.plans import PLAN_MOVES, PLAN_REVIEW, UNSENT
from decode_ui.plan_marks import ReviewDraft, fresh
from decode_ui.screens.guarded import BOX, Aside, GuardedScreen
from decode_ui.screens.plan_answers import (
    CHOICES,
    MOVES,
    ON_REQUEST,
    ROOMY,
    WHILE_EDITING,
    Approval,
    review_of,
    since_line,
    unsent_question,
)
from decode_ui.widgets.answers import AnswerLabel, AnswerRow
from decode_ui.widgets.inline_choice import InlineChoice, SendUnsent, YesNo
from decode_ui.widgets.plan_desk import PlanDesk, Writing
from decode_ui.widgets.plan_page import PlanPage
from decode_ui.widgets.plan_view import PlanView


class PlanReviewScreen(GuardedScreen[PlanReview | Aside[ReviewDraft]]):
    """One review. Closes with the person's answer, with `Aside` holding the draft, or with None.

    `root` is the workspace in which the plan can be handed over. Raises pydantic.ValidationError when the question's
    payload holds no plan.
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
        history: PlanHistory | None = None,
        on_draft: Callable[[ReviewDraft], None] | None = None,
        root: Path | None = None,
    ) -> None:
        """`on_draft` is told of the draft whenever it has changed, and at last when the screen goes unanswered."""
        super().__init__(guard, on_typed)
        self.question = question
        self.proposed = Plan.model_validate(question.payload.get("plan"))
        self.desk = PlanDesk(self.proposed, draft or fresh(self.proposed), id="desk")
        self._history = history or PlanHistory()
        self._root = root
        self._waiting = waiting
        self._on_draft = on_draft
        self._known_draft = draft or fresh(self.proposed)
        self._approval = Approval.EDIT
        self._shows_more = False
        self._told = ""

    def compose(self) -> ComposeResult:
        """What changed, the plan, and the answers or a question in their place."""
        since = since_line(self.proposed, self._history)
        with Vertical(id=BOX):
            if since is not None:
                yield Static(since, id="since", markup=False)
            yield self.desk
            yield Static(MOVES, id="moves", markup=False)
            yield AnswerRow(CHOICES, id="answers")
            yield AnswerRow(WHILE_EDITING, id="editing")
            yield YesNo(Content("Reject this plan? It ends the turn."), "yes, reject", "no, go on", id="reject")
            yield SendUnsent(id="unsent")

    def on_mount(self) -> None:
        """Title, subtitle and answers."""
        super().on_mount()
        for choice in self.query(InlineChoice):
            choice.display = False
        self._show_state()

    def on_unmount(self) -> None:
        """What was begun is told, whatever takes the screen away."""
        self._tell_draft()

    def show_waiting(self, waiting: int) -> None:
        """Say how many questions wait, this one included, beside the place in the plan and the keys that move."""
        self._waiting = waiting
        count = f"1 of {waiting} · " if waiting > 1 else ""
        place = f"line {self.view.line + 1} of {len(self.view.text.lines)} · ↑↓ line · j k step"
        if self.desk.writing is Writing.PLAN:
            place = "every line is yours to change"
        self.box.border_subtitle = Content(self._told or f"{count}{place}")

    def tell(self, text: str) -> None:
        """Say something in passing, in place of the subtitle, until the next key."""
        self._told = neutralise_line(text)
        self.show_waiting(self._waiting)

    @property
    def view(self) -> PlanView:
        """The plan."""
        return self.desk.view

    @property
    def asked(self) -> InlineChoice | None:
        """The small question that stands in place of the answers, if one does."""
        return next((choice for choice in self.query(InlineChoice) if choice.display), None)

    @property
    def draft(self) -> ReviewDraft:
        """The review as it stands."""
        return self.desk.draft

    def show_guard(self) -> None:
        """Dim the answers until they act; approving nothing is no answer."""
        dead = {"plan.delegate"} if self._root is None else set()
        if not self.is_live:
            dead |= {choice.action.id for choice in CHOICES}
        if not self._may_approve:
            dead |= {"plan.approve", "plan.approve_ask"}
        self.query_one("#answers", AnswerRow).show_dead(dead)

    def set_aside(self) -> None:
        """The review waits, with everything that was begun."""
        self.close_with(Aside(self.draft))

    def place(self, size: Size) -> None:
        """Small screens get no blank lines, and the answers that are needed less on request."""
        super().place(size)
        self.set_class(size.height < 24, "-tight")
        self._show_answers()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing in the guard time; only the way out while a small question stands or something is being written."""
        if not super().check_action(action, parameters):
            return False
        if action in ("aside", "escape", "leave", "move", "note"):
            return True
        if self.asked is not None or self.desk.writing is not None:
            return action == "editor" and self.asked is None
        return self._may_approve or action not in ("approve", "approve_ask")

    def on_key(self, event: events.Key) -> None:
        """What was said in passing goes with the next key; one that does nothing says so."""
        if self._told:
            self.tell("")
        super().on_key(event)
        if self.is_live and event.is_printable and event.key not in self.active_bindings:
            self.tell("no such key here · ? shows more")

    def action_approve(self) -> None:
        """Approve the ticked steps; mode edit carries them out."""
        self._approve(Approval.EDIT)

    def action_approve_ask(self) -> None:
        """Approve the ticked steps; mode default asks for each call."""
        self._approve(Approval.ONE_BY_ONE)

    def action_tick(self) -> None:
        """Tick or untick the step under the cursor."""
        if not self.desk.toggle_step():
            self.tell("this line is part of no step")

    def action_comment(self) -> None:
        """Write a comment on the line under the cursor."""
        self.desk.write_comment()

    def action_note(self) -> None:
        """Tab: to the note on the whole plan, from there to the answers, and round."""
        if self.desk.writing in (Writing.COMMENT, Writing.NOTE):
            self.desk.keep_written()
            next(iter(self.query_one("#answers", AnswerRow).query(AnswerLabel))).focus()
        elif self.focused is self.view:
            self.desk.write_note()
        else:
            self.focus_next()

    def action_edit(self) -> None:
        """Edit the plan's text in place."""
        self.desk.edit()

    def action_editor(self) -> None:
        """The text that is being written, else the plan, in the person's own editor."""
        try:
            self.desk.edit_outside()
        except EditorError as error:
            self.tell(str(error))

    def action_send_back(self) -> None:
        """Ask for a new plan, with note, comments and edits."""
        self._answer("refine")

    def action_reject(self) -> None:
        """Refuse the plan; asks first, as it ends the turn."""
        self._ask(self.query_one("#reject", YesNo))

    def action_versions(self) -> None:
        """What changed between two versions."""
        from decode_ui.screens.plan_versions import PlanVersionsScreen, editions

        compared = editions(self._history, self.draft.text)
        if len(compared) < 2:
            self.tell("there is one version only")
        else:
            self.app.push_screen(PlanVersionsScreen(compared))

    def action_delegate(self) -> None:
        """Hand the ticked steps over as a Deep Work Plan; the review goes on."""
        if self._root is None:
            self.tell("there is no workspace to hand it over in")
            return
        from decode_ui.screens.work_plan import WorkPlanScreen

        plan = self.desk.plan.model_copy(update={"approved": tuple(sorted(self.view.ticked)) or None})
        self.app.push_screen(WorkPlanScreen.of_plan(self._root, plan))

    def action_find(self) -> None:
        """Find words in the plan."""
        self.desk.page.open_find()

    def action_find_next(self, way: str) -> None:
        """On to the next line with the words."""
        if self.desk.page.is_finding:
            self.desk.page.find_next(way)
        else:
            self.tell("nothing is looked for · / finds words")

    def action_keys(self) -> None:
        """Show or hide what else there is."""
        self._shows_more = not self._shows_more
        self._show_answers()

    def action_aside(self) -> None:
        """Look around, whatever is open: it is kept."""
        self.set_aside()

    def action_escape(self) -> None:
        """Esc takes back what was opened last; at last it looks around."""
        if self.asked is not None:
            self._end_asking()
        elif self.desk.writing is not None:
            self.desk.keep_written()
        elif self.desk.page.is_finding:
            self.desk.page.close_find()
        else:
            self.set_aside()

    def action_leave(self) -> None:
        """Ctrl+C: copy what is selected, else look around."""
        if not self.copy_selection():
            self.set_aside()

    def action_move_cursor(self, way: str) -> None:
        """Move the cursor in the plan."""
        self.desk.page.move(way)
        self.view.focus()

    @on(PlanDesk.Changed)
    def _desk_changed(self) -> None:
        self._show_state()
        self.show_guard()
        self._tell_draft()

    @on(PlanPage.Moved)
    def _cursor_moved(self) -> None:
        self.show_waiting(self._waiting)

    @on(PlanView.StepClicked)
    def _tick_clicked(self, event: PlanView.StepClicked) -> None:
        event.stop()
        if self.guard.clicks_live() and self.asked is None and self.desk.writing is None:
            self.desk.toggle_step()

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

    @property
    def _may_approve(self) -> bool:
        return not self.desk.plan.steps or bool(self.view.ticked)

    def _approve(self, approval: Approval) -> None:
        self._approval = approval
        question = unsent_question(self.draft)
        if question is None:
            self._answer(approval.value)
        else:
            self._ask(self.query_one("#unsent", SendUnsent), question)

    def _answer(self, answer: str) -> None:
        self.close_with(review_of(self.proposed, self.draft, answer))

    def _tell_draft(self) -> None:
        draft = self.draft
        if self._on_draft is not None and draft != self._known_draft:
            self._known_draft = draft
            self._on_draft(draft)

    def _ask(self, choice: InlineChoice, question: Content | None = None) -> None:
        choice.display = True
        choice.ask(question)
        self._show_answers()

    def _end_asking(self) -> None:
        for choice in self.query(InlineChoice):
            choice.display = False
        self._show_answers()
        self.view.focus()

    def _show_state(self) -> None:
        """What depends on ticks and text: the title and the labels that approve."""
        plan = self.desk.plan
        title = neutralise_line(plan.title)
        mine = ["edited by you"] if self.desk.is_edited else []
        self.box.border_title = Content(
            " · ".join(["Plan", *([title] if title else []), f"version {plan.version}", *mine])
        )
        self.show_waiting(self._waiting)
        total, ticked = len(plan.steps), len(self.view.ticked)
        part = "" if ticked >= total else f" {ticked} of {total}"
        row = self.query_one("#answers", AnswerRow)
        row.label_of("plan.approve").label = f"approve{part} → edit"
        row.label_of("plan.approve_ask").label = "one by one" if part else "approve, one by one"
        self._show_answers()

    def _show_answers(self) -> None:
        """The answers, if nothing stands in their place: all where there is room or they were asked for."""
        row = self.query_one("#answers", AnswerRow)
        row.display = self.asked is None and self.desk.writing is None
        self.query_one("#editing").display = self.desk.writing is Writing.PLAN
        self.query_one("#moves").display = self._shows_more and row.display
        every = self._shows_more or self.app.size.height >= ROOMY
        for choice in CHOICES:
            row.label_of(choice.action.id).display = every or choice.action.id not in ON_REQUEST
        row.label_of("plan.keys").label = "less" if self._shows_more else "more"
