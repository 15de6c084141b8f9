"""The page on which a pattern for "always" is edited, with what it would have matched so far (keys.md §5.2)."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from textual import on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from decode_core.neutral import neutralise_line
from decode_core.permissions.remembering import RulePreview, preview_rule
from decode_core.permissions.request import PermissionRequest
from decode_core.permissions.rules import RuleList, RuleSource
from decode_core.rehearsal import Rehearsal
from decode_ui.actions import bindings
from decode_ui.keys.rules import PATTERN, PATTERN_MOVES
from decode_ui.widgets.answers import AnswerRow, Choice, Tone
from decode_ui.widgets.body_rows import BodyRow, RowTone, inert_line
from decode_ui.widgets.body_view import BodyView
from decode_ui.widgets.dialog_page import Page
from decode_ui.widgets.filter_field import FilterField

MOST_LISTED = 100
"""Matched calls that are listed; the rest is counted."""
SMALL_BELOW = 16
"""Lines of a terminal below which there is no room for the list."""
LINES = 10
"""Lines that the page takes beside its answers, so that it does not jump while one types."""


@dataclass(frozen=True)
class AskedCall:
    """The call that is asked about, as the page tries rules on it. `rehearsal` is None where nothing can be tried."""

    tool: str
    args: Mapping[str, object]
    call_id: str = ""
    rehearsal: Rehearsal | None = None

    def requests(self) -> "tuple[PermissionRequest | None, tuple[PermissionRequest, ...]]":
        """The call itself and the earlier ones of its tool. Reads facts of files."""
        if self.rehearsal is None:
            return None, ()
        call = self.rehearsal.judge(self.tool, self.args).request
        return call, self.rehearsal.earlier(self.tool, but=self.call_id)


@dataclass
class _Tried:
    call: PermissionRequest | None = None
    earlier: tuple[PermissionRequest, ...] = field(default=())


class PatternPage(Page):
    """An editable rule, what it matches, and where it may be kept. Nothing is stored before a place is chosen."""

    BINDINGS = [*bindings(PATTERN), *bindings(PATTERN_MOVES)]

    class Kept(Message):
        """The person keeps `rule` at `place`."""

        def __init__(self, rule: str, place: RuleSource) -> None:
            super().__init__()
            self.rule = rule
            self.place = place

    DEFAULT_CSS = """
    PatternPage {
        & > BodyView { margin-top: 1; }
        & > #verdict, & > #where { height: auto; }
        & > #where { margin-top: 1; padding-left: 1; }
        & > AnswerRow { margin-top: 0; }
        &.-small > BodyView { display: none; }
        &.-small > #verdict { max-height: 1; }
        &.-small > #where { margin-top: 0; }
    }
    """

    def __init__(self, asked: AskedCall, rules: Sequence[str], places: Mapping[str, str]) -> None:
        super().__init__()
        self.text = BodyView(())
        """What the rule would have matched."""
        self._asked = asked
        self._rules = [neutralise_line(rule) for rule in rules]
        self._at = 0
        self._places = {place: inert_line(name) for place, name in places.items()}
        self._tried: _Tried | None = None

    def compose(self) -> ComposeResult:
        """The rule, what it matches, the places."""
        yield FilterField(placeholder="Tool(pattern)", id="rule")
        yield Static(id="verdict", markup=False)
        yield self.text
        yield Static(self._where(), id="where")
        yield AnswerRow([*(Choice(action, Tone.ALLOW) for action in PATTERN[:-1]), Choice(PATTERN[-1], Tone.NEUTRAL)])

    def on_mount(self) -> None:
        """The suggestion that fits best stands in the field."""
        self.field.select_on_focus = False
        self.field.value = self._rules[0]
        self.field.cursor_position = len(self.field.value)
        self.field.focus()

    def on_resize(self) -> None:
        """In a small terminal the rule, its verdict, the places and the answers go before the list."""
        self.set_class(self.app.size.height < SMALL_BELOW, "-small")

    @property
    def field(self) -> FilterField:
        """The field of the rule."""
        return self.query_one(FilterField)

    def height_in(self, width: int) -> int:
        """Enough for a few matches; the same whatever is typed."""
        return LINES + self.query_one(AnswerRow).get_content_height(self.app.size, self.app.size, width)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._show(event.value)

    @on(Input.Submitted)
    async def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        await self.action_keep(RuleSource.PROJECT)

    def action_suggest(self, step: int) -> None:
        """The next or the previous suggestion; what was typed gives way to it."""
        self._at = (self._at + step) % len(self._rules)
        self.field.value = self._rules[self._at]
        self.field.cursor_position = len(self.field.value)
        self.field.focus()

    async def action_keep(self, place: str) -> None:
        """Keep the rule, if nothing speaks against it."""
        rule = self.field.value
        preview = await self._preview(rule)
        if preview.is_storable:
            self.post_message(self.Kept(rule, RuleSource(place)))
        else:
            self._tell(preview)

    @work(exclusive=True, group="preview")
    async def _show(self, rule: str) -> None:
        self._tell(await self._preview(rule))

    async def _preview(self, rule: str) -> RulePreview:
        if self._tried is None:
            self._tried = _Tried(*await asyncio.to_thread(self._asked.requests))
        tried = self._tried
        return await asyncio.to_thread(
            preview_rule, rule, RuleList.ALLOW, RuleSource.PROJECT, earlier=tried.earlier, call=tried.call
        )

    def _tell(self, preview: RulePreview) -> None:
        verdict = self.query_one("#verdict", Static)
        if preview.problem is not None:
            verdict.update(Content.styled(neutralise_line(preview.problem), "$verdict-ask"))
        else:
            verdict.update(Content(_matched(len(preview.matched), self._tried)))
        rows = [BodyRow(inert_line(subject), gutter="  ", wraps=False) for subject in preview.matched[:MOST_LISTED]]
        if len(preview.matched) > MOST_LISTED:
            rows.append(BodyRow(f"… and {len(preview.matched) - MOST_LISTED:,} more", RowTone.QUIET, gutter="  "))
        self.text.show(rows)

    def _where(self) -> Content:
        """The files behind the places: nothing is stored where it was not said."""
        project = self._places.get(RuleSource.PROJECT, "the project's settings")
        user = self._places.get(RuleSource.USER, "your settings")
        others = ("↑↓ other suggestions · " if len(self._rules) > 1 else "", "$muted")
        return Content.assemble(others, ("enter stores in ", "$muted"), project, (" · u in ", "$muted"), user)


def _matched(count: int, tried: _Tried | None) -> str:
    if tried is None or not tried.earlier:
        return "matches this call; there were no earlier ones in this session"
    calls = "earlier call" if len(tried.earlier) == 1 else "earlier calls"
    return f"matches this call and {count} of {len(tried.earlier)} {calls} in this session" + (":" if count else "")
