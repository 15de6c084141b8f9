"""The question whether what a folder brings may count (permissions.md §9, keys.md §12)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size

from decode_core.trust.content import FolderContent
from decode_core.trust.effects import Effect
from decode_ui.actions import bindings
from decode_ui.guard import KeyGuard
from decode_ui.keys.trust import TRUST, TRUST_MOVES
from decode_ui.screens.guarded import BOX, GuardedScreen, outer_height
from decode_ui.widgets.answers import AnswerRow, Choice, Tone
from decode_ui.widgets.body_rows import BodyRow, RowTone, fit_rows, text_rows
from decode_ui.widgets.body_view import BodyView
from decode_ui.widgets.dialog_page import DialogPage, Extent

CHOICES = (Choice(TRUST[0], Tone.ALLOW), Choice(TRUST[1], Tone.DENY), Choice(TRUST[2], Tone.NEUTRAL))
LEAVE = TRUST[1].id


class TrustAnswer(StrEnum):
    """What the person says. Whatever is not a clear yes is a no."""

    TRUST = "trust"
    NOT_NOW = "not_now"


@dataclass(frozen=True)
class TrustQuestion:
    """What is asked about: the content as it was read, and what it would do."""

    content: FolderContent
    effects: tuple[Effect, ...]
    changes: tuple[str, ...] = ()
    """What was loosened since the folder was trusted last, where that is known."""
    tightening: int = 0
    """How many deny and ask rules of the folder count in any case."""


class TrustScreen(GuardedScreen[TrustAnswer]):
    """Lists what would count; focus is on *not now*."""

    CSS_PATH = ["dialog.tcss", "trust.tcss"]
    BINDINGS = [*bindings(TRUST), *bindings(TRUST_MOVES)]

    def __init__(
        self, question: TrustQuestion, guard: KeyGuard, *, on_typed: Callable[[str], None] | None = None
    ) -> None:
        super().__init__(guard, on_typed)
        self.question = question
        self._page: DialogPage | None = None

    def compose(self) -> ComposeResult:
        """What the folder brings, the answers."""
        with Vertical(id=BOX):
            yield BodyView(effect_rows(self.question), id="body")
            yield AnswerRow(CHOICES, id="answers")

    def on_mount(self) -> None:
        """The title asks; the harmless answer has the focus."""
        super().on_mount()
        self.box.border_title = Content("Trust this folder?")
        self.answers.label_of(LEAVE).focus()
        self.show_guard()

    @property
    def body(self) -> BodyView:
        """The part that scrolls."""
        return self.query_one("#body", BodyView)

    @property
    def answers(self) -> AnswerRow:
        """The row of answers."""
        return self.query_one("#answers", AnswerRow)

    def show_guard(self) -> None:
        """Everything is dim in the guard time, and trust until the list was read."""
        dead = [choice.action.id for choice in CHOICES] if not self.is_live else []
        if not self._may_trust:
            dead.append(TRUST[0].id)
        self.answers.show_dead(dead)
        self.box.border_subtitle = None if self.body.end_seen else Content("↓ more; trust is open at the end")

    @property
    def _may_trust(self) -> bool:
        """Nothing is trusted unread, nor what nobody can vouch for."""
        return self.body.end_seen and not self.question.content.refused

    @on(BodyView.EndSeen)
    def _end_seen(self) -> None:
        self.show_guard()

    def set_aside(self) -> None:
        """A terminal that became too small answers nothing; /trust asks again."""
        self.close_with(TrustAnswer.NOT_NOW)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing in the guard time, and no answer while the files stand in their place."""
        if not super().check_action(action, parameters):
            return False
        if action == "give" and not self._may_trust:
            return False
        return self._page is None or action in ("stop", "move", "scroll_body")

    def action_give(self) -> None:
        """Let it count."""
        self.close_with(TrustAnswer.TRUST)

    def action_leave(self) -> None:
        """Nothing of it counts."""
        self.close_with(TrustAnswer.NOT_NOW)

    def action_stop(self) -> None:
        """Copy what is selected; else not now."""
        if not self.copy_selection():
            self.close_with(TrustAnswer.NOT_NOW)

    async def action_view(self) -> None:
        """Show the files in place of everything else."""
        self._page = DialogPage(file_rows(self.question.content), Extent.WHOLE_SCREEN)
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
        self.answers.label_of(LEAVE).focus()
        await page.remove()
        self.place(self.size)

    def place(self, size: Size) -> None:
        """The box is no higher than it needs to be; the files take the whole screen."""
        super().place(size)
        if self._page is not None:
            self.add_class("-full")
            self.box.styles.width, self.box.styles.height = size.width, size.height
            return
        width, height = self.inner_size
        needed = len(fit_rows(effect_rows(self.question), width)) + 1 + outer_height(self.answers, width)
        if not self.has_class("-full") and needed < height:
            self.box.styles.height = needed + self.box.gutter.height


def effect_rows(question: TrustQuestion) -> list[BodyRow]:
    """The folder, and under a heading for each kind what would count. Pure."""
    rows = text_rows(str(question.content.root), RowTone.LABEL)
    if question.changes:
        rows.append(BodyRow("Changed since you trusted it:"))
        for change in question.changes:
            rows += text_rows(change, RowTone.WARNING, gutter="  + ")
        rows.append(BodyRow(""))
    rows.append(BodyRow("It brings what would count here:"))
    for kind, group in groupby(question.effects, key=lambda effect: effect.kind):
        rows += [BodyRow(""), BodyRow(kind.value, RowTone.QUIET)]
        for effect in group:
            rows += text_rows(effect.text, RowTone.WARNING, gutter="  + ")
    rows.append(BodyRow(""))
    if question.content.refused:
        rows += text_rows(f"It cannot be trusted: {question.content.refused}.", RowTone.WARNING)
    if question.tightening:
        count = question.tightening
        told = "1 deny or ask rule of it holds" if count == 1 else f"{count} deny and ask rules of it hold"
        rows.append(BodyRow(f"{told} in any case.", RowTone.QUIET))
    hint = "Trust is for these very bytes: what loosens anything later is asked about again."
    rows.append(BodyRow(hint, RowTone.QUIET))
    return rows


def file_rows(content: FolderContent) -> list[BodyRow]:
    """Each file with its text. Pure."""
    rows: list[BodyRow] = []
    for file in content.files:
        rows += text_rows(file.name, RowTone.LABEL)
        if file.data is None:
            rows += text_rows(file.problem, RowTone.QUIET, gutter="  ")
        else:
            rows += _text_of(file.data)
        rows.append(BodyRow(""))
    return rows


def _text_of(data: bytes) -> Sequence[BodyRow]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return [BodyRow(f"{len(data):,} bytes that are no text", RowTone.QUIET, gutter="  ")]
    return text_rows(text.rstrip("\n"), gutter="  ")
