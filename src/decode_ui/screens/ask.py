"""ASK: the dialog that puts one permission question to the person (ui.md §3, keys.md §5.2)."""

from collections.abc import Callable, Mapping, Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from decode_core.decisions import Allow, AllowScope, Answer, Deny, DenyScope, Question
from decode_core.permissions.rules import RuleSource
from decode_core.rehearsal import Rehearsal
from decode_ui.actions import ASK, ASK_MOVES, bindings
from decode_ui.guard import KeyGuard
from decode_ui.screens.ask_pages import call_rows, why_rows
from decode_ui.screens.ask_texts import kept_texts, program_rows, stores_lines, what_line, why_line
from decode_ui.screens.ask_view import AskView, ask_view
from decode_ui.screens.change_page import ChangePage
from decode_ui.screens.guarded import BOX, MARGIN, Aside, GuardedScreen, outer_height
from decode_ui.screens.pattern_page import AskedCall, PatternPage
from decode_ui.widgets.answers import AnswerLabel, AnswerRow, Choice, Tone
from decode_ui.widgets.body_rows import BodyRow, fit_rows, text_rows
from decode_ui.widgets.body_view import BodyView
from decode_ui.widgets.dialog_page import DialogPage, Extent, Page
from decode_ui.widgets.diff_body import side_rows
from decode_ui.widgets.note_field import NoteField

_BY_ID = {action.id: action for action in ASK}

CHOICES = (
    Choice(_BY_ID["ask.once"], Tone.ALLOW),
    Choice(_BY_ID["ask.session"], Tone.ALLOW),
    Choice(_BY_ID["ask.always"], Tone.ALLOW),
    Choice(_BY_ID["ask.pattern"], Tone.ALLOW),
    Choice(_BY_ID["ask.mode"], Tone.ALLOW),
    Choice(_BY_ID["ask.folder"], Tone.ALLOW),
    Choice(_BY_ID["ask.edit"], Tone.NEUTRAL),
    Choice(_BY_ID["ask.deny"], Tone.DENY, starts_line=True),
    Choice(_BY_ID["ask.tell"], Tone.DENY),
    Choice(_BY_ID["ask.never"], Tone.DENY),
    Choice(_BY_ID["ask.why"], Tone.NEUTRAL),
    Choice(_BY_ID["ask.view"], Tone.NEUTRAL),
    Choice(_BY_ID["ask.aside"], Tone.NEUTRAL),
)
"""The answers in their order. One with an offer of the same name (`ask.always`: `always`) is shown only if offered."""

BESIDE_FROM = 160
"""Columns of a terminal from which on a change is shown side by side."""
WIDEST_BESIDE = 220
"""Cells of a dialog that shows two texts, at most."""

SHORT = {
    "ask.always": "always",
    "ask.mode": "+ mode edit",
    "ask.folder": "add folder",
    "ask.tell": "tell…",
    "ask.view": "view",
    "ask.aside": "aside",
}
"""Labels for terminals in which the whole ones would leave no room for what is asked about."""
SHORT_BELOW = Size(50, 16)

ALWAYS_THERE = frozenset({"ask.deny", "ask.why", "ask.view", "ask.aside"})
"""A question can be refused, looked into and set aside whatever else it offers."""


class AskScreen(GuardedScreen[Answer | Aside[str]]):
    """One question. Closes with the person's answer, with `Aside` holding a note that was begun, or with None.

    `waiting` counts the questions that wait, this one included; `note` is a note begun before the question was set
    aside. `rehearsal` tries patterns and changed arguments; without it they are only judged when they are sent.
    """

    CSS_PATH = ["dialog.tcss", "ask.tcss"]
    BINDINGS = [*bindings(ASK), *bindings(ASK_MOVES)]
    AUTO_FOCUS = "#body"

    def __init__(
        self,
        question: Question,
        waiting: int,
        guard: KeyGuard,
        *,
        on_typed: Callable[[str], None] | None = None,
        note: str = "",
        rehearsal: Rehearsal | None = None,
    ) -> None:
        super().__init__(guard, on_typed)
        self.question = question
        self._rehearsal = rehearsal
        self.view: AskView = ask_view(question.payload)
        self._waiting = waiting
        self._note = note
        self._must_be_read = self.view.must_be_read
        self._overflows = False
        self._shown_rows: list[BodyRow] | None = None
        self._page: Page | None = None
        self._beside: tuple[int, list[BodyRow]] | None = None
        """The change side by side, for a width."""

    def compose(self) -> ComposeResult:
        """What, why, body, what is stored, answers."""
        with Vertical(id=BOX):
            yield Static(id="what")
            yield Static(id="why")
            yield BodyView((), id="body")
            yield Static("read to the end to allow: press End", id="unread", markup=False)
            yield Static(id="stores")
            yield NoteField(title="Tell the model why not, or what to do instead", id="note")
            yield AnswerRow([choice for choice in CHOICES if self._offers(choice.action.id)], id="answers")

    def on_mount(self) -> None:
        """The title says what is asked, the subtitle how many wait."""
        super().on_mount()
        self.box.border_title = Content(self.view.title)
        self.note_field.display = False
        self.note_field.write(self._note)
        self.show_waiting(self._waiting)
        self.show_guard()

    @property
    def body(self) -> BodyView:
        """The part that scrolls."""
        return self.query_one("#body", BodyView)

    @property
    def note_field(self) -> NoteField:
        """The field of `t`; not displayed until it is asked for."""
        return self.query_one("#note", NoteField)

    @property
    def is_telling(self) -> bool:
        """Whether the note field is open."""
        return bool(self.note_field.display)

    @property
    def is_unread(self) -> bool:
        """Whether allowing still waits for the end of the body to be on the screen."""
        return self._must_be_read and not self.body.end_seen

    def show_guard(self) -> None:
        """Dim what does not act yet: everything in the guard time, and what allows while the body is unread."""
        dead = {choice.action.id for choice in CHOICES if not self._acts(choice)}
        self.query_one("#answers", AnswerRow).show_dead(dead)
        self.query_one("#unread").display = self.is_unread and self._overflows and self._page is None

    def set_aside(self) -> None:
        """The question waits; a note that was begun is kept."""
        self.close_with(Aside(self.note_field.text))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing in the guard time; only what is offered; no letter answers under a note or a page."""
        if not super().check_action(action, parameters):
            return False
        if self._page is not None:
            return action in ("stop", "aside", "move", "scroll_body")
        match action:
            case "why" | "view":
                return not self.is_telling
            case "once" | "session" | "always" | "pattern" | "mode" | "folder":
                return self._offers(f"ask.{action}") and not self.is_unread and not self.is_telling
            case "edit" | "never":
                return self._offers(f"ask.{action}") and not self.is_telling
            case "tell":
                return self._offers("ask.tell")
            case _:
                return True

    def action_once(self) -> None:
        """Allow this call."""
        self.close_with(Allow.once())

    def action_session(self) -> None:
        """Allow this call and its like until the session ends."""
        self.close_with(Allow(AllowScope.SESSION))

    def action_always(self) -> None:
        """Allow, and store the rule that is shown."""
        self.close_with(Allow.always())

    def action_mode(self) -> None:
        """Allow, and let file edits run from now on."""
        self.close_with(Allow(AllowScope.EDITS))

    def action_folder(self) -> None:
        """Allow, and add the folder for reading."""
        self.close_with(Allow(AllowScope.FOLDER))

    def action_never(self) -> None:
        """Refuse, and store the deny rule that is shown."""
        self.close_with(Deny(scope=DenyScope.ALWAYS))

    async def action_pattern(self) -> None:
        """Edit the pattern that is stored."""
        if self.view.patterns is not None:
            page = PatternPage(self._asked_call(), self.view.patterns.rules, self.view.patterns.places)
            await self._open_page("Always, a pattern", page)

    async def action_edit(self) -> None:
        """Change the arguments."""
        call = self._asked_call()
        subject = self.question.payload.get("subject")
        first = next((name for name, value in call.args.items() if value == subject), "")
        await self._open_page("Change this call", ChangePage(call, first))

    def action_deny(self) -> None:
        """Refuse this call; from an open note back to the answers first."""
        if self.is_telling:
            self._leave_note()
        else:
            self.close_with(Deny())

    def action_tell(self) -> None:
        """Open the note field, or go to it."""
        self.note_field.display = True
        self.query_one("#answers").display = False
        self.note_field.focus()
        self.place(self.size)

    async def action_why(self) -> None:
        """Show the verdict step by step."""
        await self._open_page("Why you are asked", DialogPage(why_rows(self.question.payload), Extent.FITTED))

    async def action_view(self) -> None:
        """Show the whole call on the whole screen."""
        await self._open_page("The whole call", DialogPage(call_rows(self.question.payload), Extent.WHOLE_SCREEN))

    def action_stop(self) -> None:
        """Copy what is selected; else refuse and stop the turn."""
        if not self.copy_selection():
            self.close_with(Deny(stop_turn=True))

    def action_aside(self) -> None:
        """Look around."""
        self.set_aside()

    def action_scroll_body(self, way: str) -> None:
        """Scroll the body, or the page that stands in its place, wherever the focus is."""
        (self.body if self._page is None else self._page.text).scroll(way)

    @on(NoteField.Sent)
    def _send_note(self, event: NoteField.Sent) -> None:
        event.stop()
        self.close_with(Deny(note=event.text.strip()))

    @on(NoteField.Left)
    def _leave_note(self) -> None:
        self.note_field.display = False
        self.query_one("#answers").display = True
        self.body.focus()
        self.place(self.size)

    @on(PatternPage.Kept)
    def _keep_pattern(self, event: PatternPage.Kept) -> None:
        event.stop()
        scope = AllowScope.SESSION if event.place is RuleSource.SESSION else AllowScope.ALWAYS
        self.close_with(Allow(scope, rule=event.rule, place=event.place))

    @on(ChangePage.Changed)
    def _allow_changed(self, event: ChangePage.Changed) -> None:
        event.stop()
        self.close_with(Allow(args=event.args))

    @on(Page.Left)
    async def _leave_page(self, event: Page.Left) -> None:
        event.stop()
        if self._page is None:
            return
        page, self._page = self._page, None
        self.body.display = self.query_one("#answers").display = True
        self.box.border_title = Content(self.view.title)
        self.body.focus()
        await page.remove()
        self.place(self.size)

    @on(BodyView.EndSeen)
    def _end_was_seen(self) -> None:
        self.show_guard()
        self.place(self.size)

    @on(NoteField.Changed)
    def _note_grew(self) -> None:
        self.place(self.size)

    def place(self, size: Size) -> None:
        """Fit the dialog: the body gives way to everything else, and the box is no higher than it needs to be."""
        super().place(size)
        if self._page is not None:
            self._place_page(self._page, size)
            return
        if self.view.change is not None and size.width >= BESIDE_FROM:
            self.box.styles.width = min(size.width - 2 * MARGIN, WIDEST_BESIDE)
        self._label_answers(is_short=size.width < SHORT_BELOW.width or size.height < SHORT_BELOW.height)
        width, height = self.inner_size
        body = self._body_rows(width)
        rows = [*self._fit_texts(width, height), *body]
        self._must_be_read = self.view.must_be_read or len(rows) > len(body)
        parts = [part for part in self.box.children if part.id not in ("body", "unread")]
        room = height - sum(outer_height(part, width) for part in parts)
        needed = len(fit_rows(rows, width))
        self.set_class(size.height < 24 and needed + 2 > room, "-tight")
        room -= 0 if self.has_class("-tight") else 2
        self._overflows = needed > room
        if self._overflows and self.view.programs:
            rows = [*program_rows(self.view.programs), *rows]
        if rows != self._shown_rows:
            self._shown_rows = rows
            self.body.show(rows)
        self.show_guard()
        spare = room - len(fit_rows(rows, width))
        if spare > 0 and not self.has_class("-full"):
            self.box.styles.height = height + self.box.gutter.height - spare

    def _asked_call(self) -> AskedCall:
        payload = self.question.payload
        args = payload.get("args")
        given = {str(name): value for name, value in args.items()} if isinstance(args, Mapping) else {}
        return AskedCall(str(payload.get("tool")), given, self.question.call_id or "", self._rehearsal)

    async def _open_page(self, title: str, page: Page) -> None:
        """Put a page in place of everything else: what is behind it neither answers nor counts as read."""
        self._page = page
        for part in self.box.children:
            part.display = False
        self.box.border_title = Content(title)
        await self.box.mount(page)
        self.place(self.size)

    def _place_page(self, page: Page, size: Size) -> None:
        if page.extent is Extent.WHOLE_SCREEN:
            self.add_class("-full")
            self.box.styles.width, self.box.styles.height = size.width, size.height
        elif not self.has_class("-full"):
            width, height = self.inner_size
            self.box.styles.height = min(page.height_in(width), height) + self.box.gutter.height

    def _body_rows(self, width: int) -> Sequence[BodyRow]:
        """The body; a change of a file side by side where there is room for two."""
        if self.view.change is None or self.app.size.width < BESIDE_FROM:
            return self.view.body
        if self._beside is None or self._beside[0] != width:
            self._beside = (width, side_rows(*self.view.change, width - 1))
        return self._beside[1]

    def _label_answers(self, *, is_short: bool) -> None:
        for label in self.query_one("#answers", AnswerRow).query(AnswerLabel):
            action = label.choice.action
            text = SHORT.get(action.id, action.label) if is_short else action.label
            if label.label != text:
                label.label = text

    def _fit_texts(self, width: int, height: int) -> list[BodyRow]:
        """Write what stands around the body in few lines, and return what had to be cut as rows for the body."""
        lines_for = 3 if height >= 20 else 2 if height >= 14 else 1
        view = self.view
        overflow: list[BodyRow] = []
        texts = {
            "what": (what_line(view, width), view.subject or view.tool, "call    "),
            "why": (why_line(view), view.reason, "reason  "),
            "stores": (stores_lines(view, width), "\n".join(kept_texts(view)), "stores  "),
        }
        for name, (content, whole, gutter) in texts.items():
            lines = content.wrap(width) if content else []
            # what is stored has up to three parts, and none of them is worth a page
            most = lines_for + (1 if name == "stores" and height >= 16 else 0)
            if len(lines) > most:
                overflow.extend(text_rows(whole, gutter=gutter))
                lines = [*lines[: most - 1], lines[most - 1].truncate(width - 1).append("…")]
            part = self.query_one(f"#{name}", Static)
            part.display = bool(lines)
            part.update(Content("\n").join(lines))
        return [*overflow, BodyRow("")] if overflow else []

    def _offers(self, action_id: str) -> bool:
        return action_id in ALWAYS_THERE or action_id.partition(".")[2] in self.view.offers

    def _acts(self, choice: Choice) -> bool:
        return self.is_live and not (choice.tone is Tone.ALLOW and self.is_unread)
