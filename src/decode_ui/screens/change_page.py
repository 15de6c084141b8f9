"""The page on which a person changes the arguments of a call before allowing it (keys.md §5.2).

What is changed is validated and judged before it is sent, and once more by the session itself. An argument with
invisible characters is shown with signs in their place, so that it cannot be edited here without changing it.
"""

import asyncio
import json
import os
from collections.abc import Mapping
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from decode_core.neutral import neutralise, neutralise_line
from decode_core.permissions.modes import PermissionOutcome
from decode_ui.actions import bindings
from decode_ui.external_editor import EditorError, edit_text
from decode_ui.keys.rules import CHANGE
from decode_ui.screens.pattern_page import AskedCall
from decode_ui.widgets.answers import AnswerRow, Choice, Tone
from decode_ui.widgets.body_view import BodyView
from decode_ui.widgets.dialog_page import Page
from decode_ui.widgets.note_field import NoteField

FIELD_LINES = 8
"""Lines of a field at most; longer text scrolls in it, and $EDITOR shows it whole."""


class ChangePage(Page):
    """A field for each argument."""

    BINDINGS = [*bindings(CHANGE)]

    class Changed(Message):
        """The person allows the call with these arguments."""

        def __init__(self, args: dict[str, Any]) -> None:
            super().__init__()
            self.args = args

    DEFAULT_CSS = """
    ChangePage {
        & > VerticalScroll { height: 1fr; }
        & > #problem { height: auto; color: $verdict-ask; }
        & NoteField { border-title-color: $foreground; }
        & NoteField.-read-only { color: $muted; }
    }
    """

    def __init__(self, asked: AskedCall, first: str = "") -> None:
        super().__init__()
        self.text = BodyView(())
        self._asked = asked
        self._first = first
        """Name of the argument that has the focus at the start."""
        self._shown = {name: _as_text(value) for name, value in asked.args.items()}

    def compose(self) -> ComposeResult:
        """The fields, what is wrong with them, the answers."""
        with VerticalScroll(can_focus=False):
            for name in self._shown:
                yield NoteField(title=neutralise_line(name), classes="argument")
        yield Static(id="problem", markup=False)
        yield AnswerRow([Choice(CHANGE[0], Tone.ALLOW), *(Choice(action, Tone.NEUTRAL) for action in CHANGE[1:])])

    def on_mount(self) -> None:
        """The argument that the call is about has the focus."""
        for text, field in zip(self._shown.values(), self.fields, strict=True):
            field.write(text)
            field.border_subtitle = ""
            if neutralise(text) != text:
                field.read_only = True
                field.add_class("-read-only")
                field.border_subtitle = "holds invisible characters: not to be changed here"
        self.query_one("#problem").display = False
        names = list(self._shown)
        self.fields[names.index(self._first) if self._first in names else 0].focus()

    @property
    def fields(self) -> list[NoteField]:
        """One field for each argument, in their order."""
        return list(self.query("NoteField.argument").results(NoteField))

    def height_in(self, width: int) -> int:
        """All fields as high as their text, the problem and the answers."""
        lines = sum(min(len(field.wrapped_document.lines), FIELD_LINES) + 2 for field in self.fields)
        return lines + 3 + self.query_one(AnswerRow).get_content_height(self.app.size, self.app.size, width)

    @on(NoteField.Sent)
    async def _sent(self, event: NoteField.Sent) -> None:
        event.stop()
        await self.action_send()

    @on(NoteField.Left)
    def _left(self, event: NoteField.Left) -> None:
        event.stop()
        self.action_back()

    async def action_send(self) -> None:
        """Allow with what stands in the fields, if it is valid and nothing refuses it."""
        try:
            args = self._changed_args()
        except ValueError as error:
            self._tell(str(error))
            return
        if args == dict(self._asked.args):
            self._tell("Nothing was changed. Esc goes back, and y allows the call as it is.")
        elif problem := await asyncio.to_thread(self._problem, args):
            self._tell(problem)
        else:
            self.post_message(self.Changed(args))

    def action_editor(self) -> None:
        """The field in focus in $VISUAL or $EDITOR."""
        field = next((each for each in self.fields if each.has_focus), None)
        if field is None or field.read_only:
            return
        try:
            field.write(edit_text(field.text, self.app.suspend(), os.environ))
        except EditorError as error:
            self._tell(str(error))

    def _changed_args(self) -> dict[str, Any]:
        """The arguments, the unchanged ones as they were. Raises ValueError with one sentence."""
        args: dict[str, Any] = dict(self._asked.args)
        for (name, before), field in zip(self._shown.items(), self.fields, strict=True):
            if field.read_only or field.text == neutralise(before):
                continue
            was = self._asked.args[name]
            args[name] = field.text if isinstance(was, str) else _parsed(name, field.text)
        return args

    def _problem(self, args: Mapping[str, Any]) -> str | None:
        if self._asked.rehearsal is None:
            return None
        tried = self._asked.rehearsal.judge(self._asked.tool, args)
        if tried.decision is None:
            return f"These arguments cannot be used: {tried.problem}"
        if tried.decision.outcome in (PermissionOutcome.DENY, PermissionOutcome.INVALID):
            return f"This would be refused: {tried.decision.reason}"
        return None

    def _tell(self, sentence: str) -> None:
        problem = self.query_one("#problem", Static)
        problem.update(Content(neutralise(sentence)))
        problem.display = True


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)


def _parsed(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"{name} is no JSON value: {error}.") from None
