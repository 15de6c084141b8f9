"""The question whether a change that another program made, and that allows more, may count (permissions.md §9)."""

from collections.abc import Callable, Mapping
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size

from decode_core.decisions import Allow, Answer, Deny, Question
from decode_ui.actions import bindings
from decode_ui.guard import KeyGuard
from decode_ui.keys.agents import OUTSIDE, OUTSIDE_MOVES
from decode_ui.screens.guarded import BOX, Aside, GuardedScreen, outer_height
from decode_ui.widgets.answers import AnswerRow, Choice, Tone
from decode_ui.widgets.body_rows import BodyRow, RowTone, fit_rows, text_rows
from decode_ui.widgets.body_view import BodyView
from decode_ui.widgets.dialog_page import DialogPage, Extent
from decode_ui.widgets.diff_body import diff_rows

CHOICES = (
    Choice(OUTSIDE[0], Tone.ALLOW),
    Choice(OUTSIDE[1], Tone.DENY),
    Choice(OUTSIDE[2], Tone.NEUTRAL),
    Choice(OUTSIDE[3], Tone.NEUTRAL),
)


class OutsideChangeScreen(GuardedScreen[Answer | Aside[None]]):
    """Names every change with what it would allow; focus is on the text, so that Enter answers nothing."""

    CSS_PATH = ["dialog.tcss", "outside_change.tcss"]
    BINDINGS = [*bindings(OUTSIDE), *bindings(OUTSIDE_MOVES)]
    AUTO_FOCUS = "#body"

    def __init__(
        self, question: Question, waiting: int, guard: KeyGuard, *, on_typed: Callable[[str], None] | None = None
    ) -> None:
        super().__init__(guard, on_typed)
        self.question = question
        self._waiting = waiting
        self._page: DialogPage | None = None

    def compose(self) -> ComposeResult:
        """What was changed, what it would allow, the answers."""
        with Vertical(id=BOX):
            yield BodyView(change_rows(self.question.payload), id="body")
            yield AnswerRow(CHOICES, id="answers")

    def on_mount(self) -> None:
        """The title asks."""
        super().on_mount()
        self.box.border_title = Content("Changed by another program: may it count?")
        self.show_waiting(self._waiting)
        self.show_guard()

    @property
    def body(self) -> BodyView:
        """The part that scrolls."""
        return self.query_one("#body", BodyView)

    def show_guard(self) -> None:
        """Everything is dim in the guard time."""
        dead = () if self.is_live else [choice.action.id for choice in CHOICES]
        self.query_one("#answers", AnswerRow).show_dead(dead)

    def set_aside(self) -> None:
        """The question waits."""
        self.close_with(Aside(None))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing in the guard time, and no answer while the difference stands in their place."""
        if not super().check_action(action, parameters):
            return False
        return self._page is None or action in ("stop", "aside", "move", "scroll_body")

    def action_take(self) -> None:
        """Let it count."""
        self.close_with(Allow.once())

    def action_leave(self) -> None:
        """The version in force stays."""
        self.close_with(Deny())

    def action_stop(self) -> None:
        """Copy what is selected; else leave it out."""
        if not self.copy_selection():
            self.close_with(Deny())

    def action_aside(self) -> None:
        """Look around."""
        self.set_aside()

    async def action_view(self) -> None:
        """Show the difference in place of everything else."""
        self._page = DialogPage(difference_rows(self.question.payload), Extent.WHOLE_SCREEN)
        for part in self.box.children:
            part.display = False
        await self.box.mount(self._page)
        self.place(self.size)

    def action_scroll_body(self, way: str) -> None:
        """Scroll what is shown."""
        (self.body if self._page is None else self._page.text).scroll(way)

    @on(DialogPage.Left)
    async def _leave_page(self, event: DialogPage.Left) -> None:
        event.stop()
        if self._page is None:
            return
        page, self._page = self._page, None
        for part in self.box.children:
            part.display = True
        self.body.focus()
        await page.remove()
        self.place(self.size)

    def place(self, size: Size) -> None:
        """The box is no higher than it needs to be; the difference takes the whole screen."""
        super().place(size)
        if self._page is not None:
            self.add_class("-full")
            self.box.styles.width, self.box.styles.height = size.width, size.height
            return
        width, height = self.inner_size
        needed = len(fit_rows(change_rows(self.question.payload), width)) + 1
        needed += outer_height(self.query_one("#answers"), width)
        if not self.has_class("-full") and needed < height:
            self.box.styles.height = needed + self.box.gutter.height


def change_rows(payload: Mapping[str, Any]) -> list[BodyRow]:
    """Each change with its file and what it would allow. Pure; what has another shape shows as nothing."""
    rows: list[BodyRow] = []
    for change in _changes(payload):
        begin = "new: " if change.get("before") is None else ""
        rows += [*text_rows(f"{begin}{_text(change, 'name')}"), *text_rows(_text(change, "file"), RowTone.QUIET)]
        loosens = change.get("loosens")
        for phrase in loosens if isinstance(loosens, list | tuple) else ():
            rows += text_rows(str(phrase), RowTone.WARNING, gutter="  + ")
        rows.append(BodyRow(""))
    hint = "Until it is taken, the version in force stays. What only takes rights away counts at once."
    return [*rows, BodyRow(hint, RowTone.QUIET)]


def difference_rows(payload: Mapping[str, Any]) -> list[BodyRow]:
    """Each change line by line."""
    rows: list[BodyRow] = []
    for change in _changes(payload):
        before = change.get("before")
        rows += text_rows(_text(change, "file"), RowTone.LABEL)
        rows += diff_rows(before if isinstance(before, str) else None, _text(change, "after"), most=None)
        rows.append(BodyRow(""))
    return rows


def _changes(payload: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    changes = payload.get("changes")
    return [each for each in changes if isinstance(each, Mapping)] if isinstance(changes, list | tuple) else []


def _text(change: Mapping[str, Any], key: str) -> str:
    value = change.get(key)
    return value if isinstance(value, str) else ""
