"""A rule is written here: its text, its list, where it is kept, and what it would have matched in this session.

Nothing is stored before the line that says what is stored where was on the screen, and Enter was pressed below it.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from decode_core.neutral import neutralise_line
from decode_core.permissions.remembering import RulePreview, preview_rule
from decode_core.permissions.request import PermissionRequest
from decode_core.permissions.rules import Rule, RuleList, RuleSource
from decode_core.rehearsal import Rehearsal
from decode_core.rule_book import PLACES, RuleBook
from decode_ui.actions import bindings
from decode_ui.keys.rules import RULE, RULE_MOVES
from decode_ui.screens.guarded import BOX
from decode_ui.widgets.answers import AnswerLabel, AnswerRow, Choice, Tone
from decode_ui.widgets.body_rows import BodyRow, RowTone, inert_line
from decode_ui.widgets.body_view import BodyView
from decode_ui.widgets.filter_field import FilterField
from decode_ui.widgets.segments import Segments

MOST_LISTED = 100


@dataclass(frozen=True)
class WrittenRule:
    """A rule as the person wrote it."""

    text: str
    in_list: RuleList
    place: RuleSource


class RuleEditor(ModalScreen[WrittenRule | None], inherit_bindings=False):
    """Closes with the rule that is to be stored, or with None. `replaces` is the rule that gives way to it."""

    CSS_PATH = ["dialog.tcss", "rule_editor.tcss"]
    BINDINGS = [*bindings(RULE), *bindings(RULE_MOVES)]
    ESCAPE_TO_MINIMIZE = False

    def __init__(
        self, first: WrittenRule, book: RuleBook, rehearsal: Rehearsal, *, replaces: Rule | None = None
    ) -> None:
        super().__init__()
        self._first = first
        self._book = book
        self._rehearsal = rehearsal
        self._replaces = replaces
        self._places: Mapping[str, str] = {}
        self._earlier: dict[str, tuple[PermissionRequest, ...]] = {}
        self._preview: RulePreview | None = None

    def compose(self) -> ComposeResult:
        """The rule, its list, its place; what it does; the answers."""
        lists = [(in_list.value, in_list.value) for in_list in RuleList]
        places = [(place.value, place.value) for place in PLACES]
        with Vertical(id=BOX):
            yield FilterField(placeholder="Tool or Tool(pattern), like bash(git push *)", id="rule")
            yield Segments("list", lists, self._first.in_list.value, id="list")
            yield Segments("kept in", places, self._first.place.value, id="place")
            yield Static(id="verdict", markup=False)
            yield BodyView((), id="matched")
            yield Static(id="stores", markup=False)
            yield AnswerRow([Choice(RULE[0], Tone.ALLOW), Choice(RULE[1], Tone.NEUTRAL)])

    def on_mount(self) -> None:
        """The text has the focus."""
        self.query_one(f"#{BOX}").border_title = Content("A rule" if self._replaces is None else "Change a rule")
        self.query_one("#matched", BodyView).can_focus = False
        field = self.query_one(FilterField)
        field.select_on_focus = False
        field.value = neutralise_line(self._first.text)
        field.cursor_position = len(field.value)
        field.focus()
        self.run_worker(self._name_places(), group="places")

    @property
    def written(self) -> WrittenRule:
        """The rule as it stands."""
        text = self.query_one(FilterField).value.strip()
        in_list = RuleList(self.query_one("#list", Segments).value)
        return WrittenRule(text, in_list, RuleSource(self.query_one("#place", Segments).value))

    @on(Input.Changed)
    @on(Segments.Changed)
    def _changed(self) -> None:
        self._show_soon()

    @work(exclusive=True, group="preview")
    async def _show_soon(self) -> None:
        await self._show()

    @on(Input.Submitted)
    async def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        await self.action_store()

    async def on_answer_label_pressed(self, event: AnswerLabel.Pressed) -> None:
        """Enter on an answer, or a click."""
        event.stop()
        await self.run_action(event.action.does)

    async def action_store(self) -> None:
        """Close with the rule, if it can be stored."""
        await self._show()
        if self.is_current and self._preview is not None and self._preview.is_storable:
            self.dismiss(self.written)

    def action_back(self) -> None:
        """Leave everything as it is."""
        if self.is_current:
            self.dismiss(None)

    def action_move(self, way: str) -> None:
        """Tab and Shift+Tab."""
        if way == "back":
            self.focus_previous()
        else:
            self.focus_next()

    async def _name_places(self) -> None:
        named = await asyncio.to_thread(lambda: {place.value: self._book.place_of(place) for place in PLACES})
        self._places = {place: inert_line(name) for place, name in named.items()}
        self.query_one("#place", Segments).relabel({**self._places})
        await self._show()

    async def _show(self) -> None:
        written = self.written
        preview = await asyncio.to_thread(self._previewed, written)
        if written != self.written or not self.is_attached:
            return
        self._preview = preview
        self._tell(written, preview)

    def _previewed(self, written: WrittenRule) -> RulePreview:
        tool = written.text.partition("(")[0]
        if tool not in self._earlier:
            self._earlier[tool] = self._rehearsal.earlier(tool)
        if not written.text:
            return RulePreview("Write a rule: Tool, or Tool(pattern).")
        return preview_rule(written.text, written.in_list, written.place, earlier=self._earlier[tool])

    def _tell(self, written: WrittenRule, preview: RulePreview) -> None:
        verdict = self.query_one("#verdict", Static)
        if preview.problem is not None:
            verdict.update(Content.styled(neutralise_line(preview.problem), "$verdict-ask"))
        else:
            calls = "call" if len(preview.matched) == 1 else "calls"
            verdict.update(Content(f"would have matched {len(preview.matched)} {calls} of this session"))
        rows = [BodyRow(inert_line(subject), gutter="  ", wraps=False) for subject in preview.matched[:MOST_LISTED]]
        if len(preview.matched) > MOST_LISTED:
            rows.append(BodyRow(f"… and {len(preview.matched) - MOST_LISTED:,} more", RowTone.QUIET, gutter="  "))
        self.query_one("#matched", BodyView).show(rows)
        self.query_one("#stores", Static).update(self._stores(written) if preview.is_storable else Content())

    def _stores(self, written: WrittenRule) -> Content:
        place = self._places.get(written.place.value, written.place.value)
        gone = self._replaces
        away = f", and takes {gone.list} {neutralise_line(gone.text)} away" if gone is not None else ""
        rule = f"{written.in_list} {neutralise_line(written.text)}"
        return Content.assemble(("enter stores ", "$muted"), rule, (f" in {place}{away}", "$muted"))
