"""What changed between two versions of a plan, and what the person had said on the older one (plan-mode.md §2)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from decode_core.plan_mode.history import PlanHistory, PlanVersion
from decode_ui.actions import bindings
from decode_ui.keys.plans import PLAN_VERSIONS
from decode_ui.screens.plan_answers import ROOMY
from decode_ui.widgets.body_rows import BodyRow, RowTone, text_rows
from decode_ui.widgets.body_view import BodyView
from decode_ui.widgets.diff_body import change_counts, diff_rows
from decode_ui.wording import ANSWERS

KEYS = "←→ from · v to · n N change · esc back"
CHANGED = (RowTone.ADDED, RowTone.REMOVED)


@dataclass(frozen=True)
class Edition:
    """One text of a plan that can be compared: a version, or what the person is making of it."""

    name: str
    text: str
    said: tuple[BodyRow, ...] = ()
    """What became of it, and what the person wrote on it."""


def editions(history: PlanHistory, edited: str | None = None) -> tuple[Edition, ...]:
    """Every version, the oldest first, and `edited` behind them where the person has changed the newest one."""
    versions = [Edition(f"version {each.plan.version}", each.plan.text, _said(each)) for each in history.versions]
    return (*versions, *([Edition("your edit", edited)] if edited is not None else []))


class PlanVersionsScreen(ModalScreen[None], inherit_bindings=False):
    """Compares the two newest of at least two editions at first."""

    CSS_PATH = "plan_versions.tcss"
    BINDINGS = bindings(PLAN_VERSIONS)
    ESCAPE_TO_MINIMIZE = False
    AUTO_FOCUS = "BodyView"

    def __init__(self, compared: Sequence[Edition]) -> None:
        super().__init__()
        self._editions = tuple(compared)
        self.start, self.end = len(self._editions) - 2, len(self._editions) - 1
        """Places of the two editions that are shown."""

    def compose(self) -> ComposeResult:
        """One text that scrolls, in a frame."""
        with Vertical(id="versions"):
            yield BodyView(())

    def on_mount(self) -> None:
        """Show the first comparison."""
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """Small screens are filled."""
        self.set_class(event.size.height < ROOMY, "-full")

    @property
    def body(self) -> BodyView:
        """The difference."""
        return self.query_one(BodyView)

    def action_close(self) -> None:
        """Back."""
        if self.is_current:
            self.dismiss(None)

    def action_start(self, way: str) -> None:
        """Compare with an older or a newer edition; it stays older than the one that is shown."""
        wanted = self.start + (-1 if way == "older" else 1)
        if 0 <= wanted < self.end:
            self.start = wanted
            self._show()

    def action_next_end(self) -> None:
        """Show the next newer edition against the one before it; after the last the first."""
        self.end = self.end + 1 if self.end + 1 < len(self._editions) else 1
        self.start = self.end - 1
        self._show()

    def action_change(self, way: str) -> None:
        """The next change, or the one before."""
        here, places = round(self.body.scroll_y), self.body.places(CHANGED)
        if way == "on":
            row = next((place for place in places if place > here), None)
        else:
            row = next((place for place in reversed(places) if place < here), None)
        if row is not None:
            self.body.scroll_to(y=row, animate=False)

    def action_scroll_body(self, way: str) -> None:
        """Scroll by the name of a key."""
        self.body.scroll(way)

    def _show(self) -> None:
        older, newer = self._editions[self.start], self._editions[self.end]
        frame = self.query_one("#versions")
        counts = change_counts(older.text, newer.text)
        frame.border_title = Content(f"Plan · {older.name} → {newer.name} · {counts}")
        frame.border_subtitle = Content(KEYS)
        # a plan is prose: its lines are broken, not scrolled
        changes = [replace(row, wraps=True) for row in diff_rows(older.text, newer.text, most=None)]
        if older.text == newer.text:
            changes = [BodyRow("no difference", RowTone.QUIET)]
        self.body.show([*older.said, *([BodyRow("")] if older.said else []), *changes])
        self.body.scroll_to(y=0, animate=False)


def _said(version: PlanVersion) -> tuple[BodyRow, ...]:
    if not version.answer:
        return ()
    words = ANSWERS.get(version.answer, version.answer)
    rows = [BodyRow(f"version {version.plan.version} was {words}", RowTone.LABEL)]
    if version.note:
        rows += text_rows(version.note, RowTone.WARNING, gutter="┃ your note: ")
    for comment in version.comments:
        rows += text_rows(comment.quoted, RowTone.QUIET, gutter="  ")
        rows += text_rows(comment.text, RowTone.WARNING, gutter="┃ you: ")
    return tuple(rows)
