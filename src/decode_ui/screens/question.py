"""The question dialog: the agent asks, the person chooses, writes, or declines (plan-mode.md §1, keys.md §5.3)."""

from collections.abc import Callable, Iterable
from enum import Enum, auto

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Input, Static

from decode_core.decisions import Deny, Question, Reply
from decode_ui.actions import QUESTION, QUESTION_CHOICES, QUESTION_MOVES, bindings
from decode_ui.guard import KeyGuard
from decode_ui.screens.guarded import BOX, Aside, GuardedScreen, outer_height
from decode_ui.screens.question_answers import CHOICES, MORE, Part, acts, escape_label, send_label, shown
from decode_ui.screens.question_view import QuestionDraft, Takes, question_view, share
from decode_ui.widgets.answers import AnswerLabel, AnswerRow
from decode_ui.widgets.body_rows import fit_rows
from decode_ui.widgets.body_view import BodyView
from decode_ui.widgets.filter_field import FilterField
from decode_ui.widgets.note_field import NoteField
from decode_ui.widgets.option_view import DEAD, OptionView
from decode_ui.widgets.reply_field import ReplyField

TITLES = {
    Takes.TEXT: "The agent asks",
    Takes.ONE: "The agent asks · choose one",
    Takes.SEVERAL: "The agent asks · choose any",
}
OWN_ANSWER = "Your own words"
SENT_ALONG = "Sent along with what you choose"
TIGHT_BELOW = 24
"""Lines of a terminal below which blank lines are given up where the question needs them."""
ENOUGH = 5
"""Lines that question and options can live with together."""


class _Spacing(Enum):
    """How much is left blank, from as much as is pleasant to nothing."""

    ROOMY = auto()
    TIGHT = auto()
    CRAMPED = auto()


class QuestionScreen(GuardedScreen[Reply | Deny | Aside[QuestionDraft]]):
    """One question of the agent. Closes with the person's answer, with `Aside` holding the draft, or with None.

    `waiting` counts the questions that wait, this one included. `on_unsent` is given the text that was written and will
    not be sent, because the person declined or the question was withdrawn: it is not lost.
    """

    CSS_PATH = ["dialog.tcss", "question.tcss"]
    BINDINGS = [*bindings(QUESTION), *bindings(QUESTION_MOVES), *bindings(QUESTION_CHOICES)]
    AUTO_FOCUS = ""

    def __init__(
        self,
        question: Question,
        waiting: int,
        guard: KeyGuard,
        *,
        on_typed: Callable[[str], None] | None = None,
        on_unsent: Callable[[str], None] | None = None,
        draft: QuestionDraft | None = None,
    ) -> None:
        super().__init__(guard, on_typed)
        self.question = question
        self.view = question_view(question.payload)
        self._waiting = waiting
        self._on_unsent = on_unsent
        self._begun = draft or QuestionDraft()
        self._part = Part.FIELD if self.view.takes is Takes.TEXT else Part.OPTIONS
        self._overflows = False

    def compose(self) -> ComposeResult:
        """The question, the options between two fields, the answers."""
        begun, view = self._begun, self.view
        ticked = begun.ticked if view.takes is Takes.SEVERAL else None
        with Vertical(id=BOX):
            yield BodyView(view.rows, id="question")
            with Horizontal(id="finder"):
                yield Static("/ ", markup=False)
                yield FilterField(placeholder="words of the options to show", id="filter")
            yield OptionView(view.options, ticked, cursor=begun.option, id="options")
            yield ReplyField(id="text")
            yield AnswerRow((choice for choice in CHOICES if acts(view, choice.action.verb)), id="answers")
            yield AnswerRow((choice for choice in MORE if acts(view, choice.action.verb)), id="keys")

    def on_mount(self) -> None:
        """Title and subtitle; the options have the focus. A field gets it only when the guard is live."""
        super().on_mount()
        self.box.border_title = Content(TITLES[self.view.takes])
        self.body.can_focus = False
        self.finder.display = False
        self.query_one("#keys").display = False
        self.field.write(self._begun.text)
        self.field.border_subtitle = "^J new line"
        self.options.display = self.view.takes is not Takes.TEXT
        self.show_waiting(self._waiting)
        self._show_parts()
        if self.options.display:
            self.options.focus()

    @property
    def body(self) -> BodyView:
        """The text of the question."""
        return self.query_one("#question", BodyView)

    @property
    def options(self) -> OptionView:
        """What can be chosen; not displayed where the question has no options."""
        return self.query_one("#options", OptionView)

    @property
    def field(self) -> ReplyField:
        """The field for an answer in one's own words."""
        return self.query_one("#text", ReplyField)

    @property
    def filter_field(self) -> FilterField:
        """The field of `/`."""
        return self.query_one("#filter", FilterField)

    @property
    def finder(self) -> Horizontal:
        """The line of the filter; not displayed while nothing is filtered."""
        return self.query_one("#finder", Horizontal)

    @property
    def draft(self) -> QuestionDraft:
        """The answer as it stands."""
        return QuestionDraft(self.options.ticked or frozenset(), self.field.text, self.options.cursor or 0)

    def show_guard(self) -> None:
        """Dim what does not act yet: everything in the guard time, and sending while there is nothing to send."""
        live = self.is_live
        self.options.set_class(not live, DEAD)
        # a field that had the focus before would keep what was typed for the prompt
        self.field.can_focus = self.filter_field.can_focus = live
        if live and self.view.takes is Takes.TEXT and self.focused is None:
            self.field.focus()
        dead = set() if live else {choice.action.id for choice in (*CHOICES, *MORE)}
        if self._part is not Part.FILTER and self._reply() is None:
            dead.add("question.send")
        for row in self.query(AnswerRow):
            row.show_dead(dead)

    def set_aside(self) -> None:
        """The question waits, with everything that was begun."""
        self.close_with(Aside(self.draft))

    def withdraw(self) -> None:
        """Close without an answer: the question was settled elsewhere."""
        self._keep_unsent()
        super().withdraw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing in the guard time; only what the question takes."""
        if not super().check_action(action, parameters):
            return False
        match action:
            case "write":
                return True
            case "move_cursor":
                return acts(self.view, "up")
            case _:
                return acts(self.view, action)

    def action_choose(self, key: str) -> None:
        """Choose the option that stands beside a number: send it, or tick it where several may be chosen."""
        place = self.options.place_of_key(int(key))
        if place is not None:
            self._choose(place)

    def action_send(self) -> None:
        """Send what is chosen, with what is written; from the filter to the options first."""
        if self._part is Part.FILTER:
            self.options.focus()
        elif (reply := self._reply()) is not None:
            self.close_with(reply)

    def action_tick(self) -> None:
        """Tick or untick the option under the cursor."""
        if (place := self.options.cursor) is not None:
            self._choose(place)

    def action_filter(self) -> None:
        """Open the filter, or go to it."""
        self.finder.display = True
        self.filter_field.focus()

    def action_write(self) -> None:
        """Tab: from the options to the field, from there to the answers, and round."""
        if self.view.allows_text and self.focused in (self.options, self.filter_field):
            self.field.display = True
            self.field.focus()
        else:
            self.focus_next()

    def action_decline(self) -> None:
        """Esc: from the filter or from the field back to the options; there it declines."""
        if self._part is Part.FIELD and self.options.display:
            self.options.focus()
        elif self.finder.display:
            self.filter_field.value = ""
            self.finder.display = False
            self.options.focus()
        else:
            self._keep_unsent()
            self.close_with(Deny())

    def action_stop(self) -> None:
        """Copy what is selected; else decline and stop the turn."""
        if not self.copy_selection():
            self._keep_unsent()
            self.close_with(Deny(stop_turn=True))

    def action_aside(self) -> None:
        """Look around."""
        self.set_aside()

    def action_keys(self) -> None:
        """Show or hide the other keys."""
        keys = self.query_one("#keys")
        keys.display = not keys.display
        self.place(self.size)

    def action_move_cursor(self, way: str) -> None:
        """Move the cursor over the options, also while a filter is typed."""
        self.options.move(way)

    def action_read(self, way: str) -> None:
        """Scroll the question, wherever the focus is."""
        self.body.scroll(way)

    @on(OptionView.Clicked)
    def _option_clicked(self, event: OptionView.Clicked) -> None:
        event.stop()
        if self.guard.clicks_live():
            self._choose(event.place)

    @on(Input.Changed, "#filter")
    def _filter_typed(self, event: Input.Changed) -> None:
        event.stop()
        self.options.show_matching(event.value)
        self.show_guard()

    @on(Input.Submitted, "#filter")
    def _filter_kept(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_send()

    @on(NoteField.Sent)
    def _text_sent(self, event: NoteField.Sent) -> None:
        event.stop()
        if self.is_live:
            self.action_send()

    @on(NoteField.Left)
    def _field_left(self, event: NoteField.Left) -> None:
        event.stop()
        if self.is_live:
            self.action_decline()

    @on(NoteField.Changed)
    def _text_grew(self) -> None:
        self._show_parts()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Remember where the person stands."""
        if event.widget is self.options:
            self._part = Part.OPTIONS
        elif event.widget is self.filter_field:
            self._part = Part.FILTER
        elif event.widget is self.field:
            self._part = Part.FIELD
        self._show_parts()

    def place(self, size: Size) -> None:
        """Fit the dialog: question and options give way to the answers; the box is no higher than it needs to be."""
        super().place(size)
        self._show_labels()
        width, height = self.inner_size
        asked = len(fit_rows(list(self.view.rows), width))
        listed = self.options.height_in(width) if self.options.display else 0
        room = 0
        for spacing in _Spacing if size.height < TIGHT_BELOW else (_Spacing.ROOMY,):
            self._space(spacing)
            room = self._room(width, height)
            if room >= (asked + listed if spacing is _Spacing.ROOMY else min(asked + listed, ENOUGH)):
                break
        for_question, for_options = share(room, asked, listed)
        is_full = self.has_class("-full")
        self.body.styles.height = "1fr" if is_full and not listed else for_question
        if not is_full:
            self.box.styles.height = height + self.box.gutter.height - (room - for_question - for_options)
        if self._overflows != (asked > for_question):
            self._overflows = asked > for_question
            self.place(size)

    def _space(self, spacing: "_Spacing") -> None:
        """Set blank lines, and what gives way where even those are not enough."""
        between, around = (0 if spacing is _Spacing.CRAMPED else 1), (1 if spacing is _Spacing.ROOMY else 0)
        self.body.styles.margin = (0, 0, between, 0)
        self.options.styles.margin = self.field.styles.margin = (0, 0, around, 0)
        keys, answers = self.query_one("#keys", AnswerRow), self.query_one("#answers", AnswerRow)
        keys.styles.margin = (around, 0, 0, 0)
        answers.display = not (spacing is _Spacing.CRAMPED and keys.display)
        is_kept = bool(self.field.text.strip()) and spacing is not _Spacing.CRAMPED
        self.field.display = self.view.allows_text and (self._part is Part.FIELD or is_kept)

    def _room(self, width: int, height: int) -> int:
        """Lines that question and options have together; at least one for each."""
        parts = [part for part in self.box.children if part not in (self.body, self.options)]
        shown = [part for part in (self.body, self.options) if part.display]
        gaps = sum(part.styles.margin.height for part in shown)
        return max(height - sum(outer_height(part, width) for part in parts) - gaps, 2)

    def _show_parts(self) -> None:
        """What depends on where the person stands and on what is written."""
        text = self.field.text.strip()
        is_here = self._part is Part.FIELD
        self.field.border_title = SENT_ALONG if text and not is_here else OWN_ANSWER
        self.options.show_cursor(shown=not is_here)
        self.place(self.size)
        self.show_guard()

    def _show_labels(self) -> None:
        """The answers that act here, under the names that fit."""
        ids = shown(self.view, self._part, overflows=self._overflows)
        for label in self.query(AnswerLabel):
            label.display = label.choice.action.id in ids
        row = self.query_one("#answers", AnswerRow)
        row.label_of("question.send").label = send_label(self.view, self._part, self._reply())
        row.label_of("question.decline").label = escape_label(self.view, self._part)

    def _choose(self, place: int) -> None:
        if self.view.takes is Takes.SEVERAL:
            self.options.toggle(place)
            self._show_parts()
        else:
            self.close_with(self.view.reply((place,), self.field.text))

    def _reply(self) -> Reply | None:
        """What Enter sends from where the person stands; None where that is nothing."""
        places: Iterable[int] = ()
        match self.view.takes:
            case Takes.SEVERAL:
                places = self.options.ticked or ()
            case Takes.ONE if self._part is not Part.FIELD and self.options.cursor is not None:
                places = (self.options.cursor,)
            case _:
                pass
        return self.view.reply(places, self.field.text)

    def _keep_unsent(self) -> None:
        if self._on_unsent is not None and self.field.text.strip():
            self._on_unsent(self.field.text)
