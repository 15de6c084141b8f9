"""Tests a call against the rules in force, without running it: the same answer as `decode permissions check`."""

import asyncio

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input

from decode_core.permissions.told import verdict_lines
from decode_core.rehearsal import Rehearsal, Rehearsed
from decode_ui.actions import bindings
from decode_ui.keys.rules import TRIAL
from decode_ui.screens.guarded import BOX
from decode_ui.widgets.answers import AnswerLabel, AnswerRow, Choice, Tone
from decode_ui.widgets.body_rows import BodyRow, RowTone, text_rows
from decode_ui.widgets.body_view import BodyView
from decode_ui.widgets.filter_field import FilterField


class CallTrial(ModalScreen[None], inherit_bindings=False):
    """A line for the call, and the verdict below it."""

    CSS_PATH = ["dialog.tcss", "rule_editor.tcss"]
    BINDINGS = bindings(TRIAL)
    ESCAPE_TO_MINIMIZE = False

    def __init__(self, rehearsal: Rehearsal) -> None:
        super().__init__()
        self._rehearsal = rehearsal

    def compose(self) -> ComposeResult:
        """The call, the verdict, the answers."""
        with Vertical(id=BOX):
            yield FilterField(placeholder="a tool and what it is about, like: bash git push origin", id="call")
            yield BodyView((), id="verdict")
            yield AnswerRow([Choice(action, Tone.NEUTRAL) for action in TRIAL[:2]])

    def on_mount(self) -> None:
        """The line has the focus."""
        self.query_one(f"#{BOX}").border_title = Content("Test a call")
        self.query_one(BodyView).can_focus = False
        self.query_one(FilterField).focus()

    @on(Input.Submitted)
    async def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        await self.action_judge()

    async def on_answer_label_pressed(self, event: AnswerLabel.Pressed) -> None:
        """Enter on an answer, or a click."""
        event.stop()
        await self.run_action(event.action.does)

    async def action_judge(self) -> None:
        """Show the verdict."""
        tool, _, subject = self.query_one(FilterField).value.strip().partition(" ")
        if tool:
            judged = await asyncio.to_thread(self._rehearsal.about, tool, subject.strip())
            self.query_one(BodyView).show(_rows(judged))

    def action_close(self) -> None:
        """Close."""
        if self.is_current:
            self.dismiss(None)

    def action_scroll_body(self, way: str) -> None:
        """Scroll the verdict."""
        self.query_one(BodyView).scroll(way)


def _rows(judged: Rehearsed) -> list[BodyRow]:
    decision = judged.decision
    if decision is None:
        return text_rows(judged.problem or "", RowTone.WARNING)
    lines = verdict_lines(
        outcome=decision.outcome,
        tool=judged.request.tool,
        subject=judged.request.subject,
        reason=decision.reason,
        by=decision.by,
        mode=decision.mode,
        steps=decision.steps,
    )
    first, *rest = lines
    return [BodyRow(""), *text_rows(first, RowTone.WARNING), *(row for line in rest for row in text_rows(line))]
