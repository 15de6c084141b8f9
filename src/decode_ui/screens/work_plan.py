"""Hand a plan over as a Deep Work Plan: see what it becomes, edit the draft, approve it (delegation.md §4)."""

import asyncio
import os
import shlex
from collections.abc import Callable
from enum import Enum, auto
from pathlib import Path
from typing import TypeVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from decode_core.events import Plan
from decode_core.neutral import neutralise_line
from decode_core.plans.contract import Task
from decode_core.plans.errors import PlanError
from decode_core.plans.outline import Outline
from decode_core.work_plans.drafts import (
    DraftState,
    approve_draft,
    change_draft,
    preview,
    read_draft,
    write_draft,
)
from decode_core.work_plans.handover import HandedOver, outline_of_plan
from decode_ui.actions import CONFIRM, bindings
from decode_ui.external_editor import EditorError, edit_text
from decode_ui.keys.work_plans import WORK_PLAN, WORK_PLAN_MOVES
from decode_ui.widgets.answers import AnswerLabel, AnswerRow, Choice, Tone
from decode_ui.widgets.body_rows import BodyRow, RowTone, text_rows
from decode_ui.widgets.body_view import BodyView
from decode_ui.widgets.inline_choice import YesNo
from decode_ui.work_plan_rows import approved_rows, draft_rows, proposal_rows, what_runs

Result = TypeVar("Result")


class Stage(Enum):
    """How far the plan is."""

    PROPOSED = auto()
    DRAFTED = auto()
    APPROVED = auto()


_WRITE, _APPROVE, _EDIT, _COPY, _CLOSE = WORK_PLAN
CHOICES = (
    Choice(_WRITE, Tone.ALLOW),
    Choice(_APPROVE, Tone.ALLOW),
    Choice(_EDIT, Tone.NEUTRAL),
    Choice(_COPY, Tone.NEUTRAL),
    Choice(_CLOSE, Tone.NEUTRAL),
)
OFFERED = {
    Stage.PROPOSED: {_WRITE, _CLOSE},
    Stage.DRAFTED: {_APPROVE, _EDIT, _COPY, _CLOSE},
    Stage.APPROVED: {_COPY, _CLOSE},
}
"""What can be done at each stage."""


class WorkPlanScreen(ModalScreen[None], inherit_bindings=False):
    """One plan on its way. `text` becomes the README of the plan's folder below the workspace `root`."""

    CSS_PATH = "work_plan.tcss"
    BINDINGS = [*bindings(WORK_PLAN), *bindings(WORK_PLAN_MOVES)]
    ESCAPE_TO_MINIMIZE = False
    AUTO_FOCUS = "BodyView"

    def __init__(self, root: Path, outline: Outline, text: str) -> None:
        super().__init__()
        self.stage = Stage.PROPOSED
        self.done: HandedOver | None = None
        self.state: DraftState | None = None
        self._root = root
        self._outline = outline
        self._text = text
        self._next = ""
        self._is_busy = False

    @classmethod
    def of_plan(cls, root: Path, plan: Plan) -> "WorkPlanScreen":
        """The screen for a plan of the session: its approved steps, or all while nobody decided."""
        return cls(root, outline_of_plan(plan), plan.text)

    def compose(self) -> ComposeResult:
        """What the plan becomes, and what can be done with it."""
        with Vertical(id="work-plan"):
            yield BodyView((BodyRow("reading the plan…", RowTone.QUIET),))
            yield AnswerRow(CHOICES, id="answers")
            yield YesNo(Content(""), "yes, approve", "no, go on", id="sure")

    def on_mount(self) -> None:
        """Look what the plan would become."""
        self.query_one("#sure").display = False
        self._show_stage()
        self._work(lambda: preview(self._root, self._outline), lambda found: self.body.show(proposal_rows(found)))

    @property
    def body(self) -> BodyView:
        """The text."""
        return self.query_one(BodyView)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what the stage offers, one thing at a time."""
        offered = next((one for one in WORK_PLAN if one.does == action), None)
        if offered in (None, _CLOSE):
            return True
        if self._is_busy or self.query_one("#sure").display:
            return False
        return offered in OFFERED[self.stage] and (offered is not _APPROVE or self._may_approve)

    def action_write(self) -> None:
        """Make the folder with plan and draft."""

        def write() -> tuple[HandedOver, DraftState]:
            done = write_draft(self._root, self._outline, self._text)
            return done, read_draft(done)

        def written(result: tuple[HandedOver, DraftState]) -> None:
            self.done, state = result
            self._show_draft(state)

        self._work(write, written)

    def action_edit(self) -> None:
        """The draft in the person's own editor; it is checked again afterwards."""
        done = self.done
        if done is None:
            return
        trouble = ""
        try:
            before = done.draft.read_text("utf-8", errors="replace")
            after = edit_text(before, self.app.suspend(), os.environ)
            change_draft(done, after)
        except (EditorError, PlanError, OSError) as error:
            trouble = str(error)
        self._look_again(trouble)

    def action_approve(self) -> None:
        """Ask whether this contract is the one."""
        choice = self.query_one("#sure", YesNo)
        choice.display = True
        self.query_one("#answers").display = False
        runs = "" if self.state is None or self.state.contract is None else what_runs(self.state.contract)
        choice.ask(Content(f"Approve this contract? {runs}"))

    def action_copy(self) -> None:
        """The command that goes on from here."""
        self.app.copy_to_clipboard(self._next)
        self._tell("copied")

    def action_close(self) -> None:
        """Back; what was written stays."""
        if self.query_one("#sure").display:
            self._end_asking()
        elif self.is_current:
            self.dismiss(None)

    def action_scroll_body(self, way: str) -> None:
        """Scroll by the name of a key."""
        self.body.scroll(way)

    def action_move(self, way: str) -> None:
        """Between the text and the answers."""
        if way == "back":
            self.focus_previous()
        else:
            self.focus_next()

    @on(AnswerLabel.Pressed)
    async def _pressed(self, event: AnswerLabel.Pressed) -> None:
        event.stop()
        if self.check_action(event.action.does, ()):
            await self.run_action(event.action.does)

    @on(YesNo.Chosen)
    def _chosen(self, event: YesNo.Chosen) -> None:
        event.stop()
        self._end_asking()
        done, state = self.done, self.state
        if event.action_id == CONFIRM[0].id and done is not None and state is not None:
            self._work(lambda: approve_draft(done, state), self._show_approved)

    def _show_approved(self, identity: str) -> None:
        self.stage = Stage.APPROVED
        self._next = f"decode plan{self._option()} start --task {self._tasks[0].id}"
        self.body.show(approved_rows(identity, self._next))
        self._show_stage()

    def _look_again(self, trouble: str) -> None:
        done = self.done

        def read(state: DraftState) -> None:
            self._show_draft(state)
            if trouble:
                self._tell(trouble)

        if done is not None:
            self._work(lambda: read_draft(done), read)

    def _show_draft(self, state: DraftState) -> None:
        self.state, self.stage = state, Stage.DRAFTED
        place = "" if self.done is None else shlex.quote(str(self.done.draft))
        self._next = f"decode plan{self._option()} materialize --contract {place}"
        self.body.show(draft_rows(state))
        self._show_stage()

    def _work(self, act: Callable[[], Result], then: Callable[[Result], None]) -> None:
        """Do something with files in a thread, and show what came of it."""

        async def work() -> None:
            try:
                result = await asyncio.to_thread(act)
            except PlanError as error:
                # whatever was shown before is not what is there
                self.state = None
                way_out = "" if self.done is None else "; e looks at the draft again"
                self.body.show(text_rows(f"{error}{way_out}", RowTone.REMOVED, "✗ "))
                self._show_stage()
            else:
                then(result)
            finally:
                self._is_busy = False

        self._is_busy = True
        self.run_worker(work(), exclusive=True)

    def _show_stage(self) -> None:
        frame = self.query_one("#work-plan")
        where = "" if self.done is None else f" · {self.done.folder.name}"
        words = {Stage.PROPOSED: "not written yet", Stage.DRAFTED: "draft", Stage.APPROVED: "approved"}
        frame.border_title = Content(f"Work plan{neutralise_line(where)} · {words[self.stage]}")
        self._tell("↑↓ scroll")
        row = self.query_one("#answers", AnswerRow)
        for choice in CHOICES:
            row.label_of(choice.action.id).display = choice.action in OFFERED[self.stage]
        row.show_dead(() if self._may_approve else {_APPROVE.id})

    def _tell(self, text: str) -> None:
        self.query_one("#work-plan").border_subtitle = Content(neutralise_line(text))

    def _end_asking(self) -> None:
        self.query_one("#sure").display = False
        self.query_one("#answers").display = True
        self.body.focus()

    def _option(self) -> str:
        return "" if self.done is None else f" --plan {shlex.quote(str(self.done.folder.path))}"

    @property
    def _tasks(self) -> tuple[Task, ...]:
        return () if self.state is None or self.state.contract is None else self.state.contract.tasks

    @property
    def _may_approve(self) -> bool:
        return self.state is not None and self.state.contract is not None and not self.state.faults
