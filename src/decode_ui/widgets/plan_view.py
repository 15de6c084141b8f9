"""A plan with a cursor on one of its lines, ticks on its steps and comments under its lines."""

from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from decode_core.events import Plan, PlanStep
from decode_ui.widgets.plan_rows import PlanRow, PlanText


class PlanView(ScrollView, can_focus=True, inherit_bindings=False):
    """Makes and draws rows on demand, so that a plan of any length opens at once. Its keys are the dialog's."""

    class StepClicked(Message):
        """The tick of a step was clicked."""

        def __init__(self, step: PlanStep) -> None:
            super().__init__()
            self.step = step

    COMPONENT_CLASSES = {"plan-view--cursor"}
    DEFAULT_CSS = """
    PlanView {
        height: 1fr;
        background: transparent;
        overflow-x: hidden;
        scrollbar-size: 1 1;
        scrollbar-color: $border;
        scrollbar-color-hover: $muted;
        scrollbar-color-active: $primary;
        scrollbar-background: $surface;
        scrollbar-background-hover: $surface;
        scrollbar-background-active: $surface;
        & > .plan-view--cursor { background: $cursor-ground; }
    }
    """

    def __init__(
        self,
        plan: Plan,
        ticked: frozenset[int],
        comments: Mapping[int, str],
        *,
        line: int = 0,
        id: str | None = None,  # noqa: A002 - Textual's name
    ) -> None:
        super().__init__(id=id)
        self.text = PlanText(plan)
        self.line = min(max(line, 0), len(self.text.lines) - 1)
        self.ticked = ticked
        self.comments: dict[int, str] = dict(comments)
        self.found = ""
        """The words that are looked for, empty where none are."""
        self._width = 0
        self._heights: list[int] = []
        self._firsts: list[int] = []
        """The first row of each line, and behind them the number of all rows."""
        self._made: dict[int, list[PlanRow]] = {}

    @property
    def step(self) -> PlanStep | None:
        """The step that the cursor's line is part of."""
        return self.text.lines[self.line].part_of

    @property
    def source(self) -> str:
        """The text of the cursor's line, as it stands in the plan."""
        return self.text.plan.text.split("\n")[self.line]

    @property
    def matches(self) -> list[int]:
        """Numbers of the lines with the words that are looked for."""
        return self.text.lines_with(self.found)

    def show(self, plan: Plan, ticked: frozenset[int], comments: Mapping[int, str], line: int) -> None:
        """Show another text of the plan."""
        self.text = PlanText(plan)
        self.line = min(max(line, 0), len(self.text.lines) - 1)
        self.ticked, self.comments = ticked, dict(comments)
        self._lay_out()
        self._show_cursor()

    def toggle(self, step: PlanStep) -> None:
        """Tick or untick a step."""
        self.ticked = self.ticked ^ {step.number}
        for line in self.text.lines:
            if line.part_of is step:
                self._measure(line.number)
        self._place()

    def comment(self, line: int, text: str) -> None:
        """Put a comment under a line; an empty one takes it away."""
        if text:
            self.comments[line] = text
        else:
            self.comments.pop(line, None)
        self._measure(line)
        self._place()
        self._show_cursor()

    def find(self, words: str, start: int) -> None:
        """Show where `words` are, and go to the first line with them from line `start` on, else to `start`."""
        self.found = words
        self._made.clear()
        lines = self.matches
        self.line = next((line for line in lines if line >= start), lines[0] if lines else start)
        self._show_cursor()
        self.refresh()

    def find_next(self, way: str) -> None:
        """Go to the next line with the words that are looked for (`on`), or the one before; round at the ends."""
        lines = self.matches
        if not lines:
            return
        if way == "on":
            self.line = next((line for line in lines if line > self.line), lines[0])
        else:
            self.line = next((line for line in reversed(lines) if line < self.line), lines[-1])
        self._show_cursor()
        self.refresh()

    def move(self, way: str) -> None:
        """Move the cursor: up, down, pageup, pagedown, home, end by lines; next and previous by steps."""
        last = len(self.text.lines) - 1
        page = max(self.scrollable_content_region.height - 1, 1)
        match way:
            case "up" | "down":
                line = self.line + (1 if way == "down" else -1)
            case "pageup" | "pagedown":
                row = self._firsts[self.line] + (page if way == "pagedown" else -page)
                line = self._line_at(min(max(row, 0), self._firsts[-1] - 1))
            case "home":
                line = 0
            case "end":
                line = last
            case _:
                line = self._step_line(1 if way == "next" else -1)
        self.line = min(max(line, 0), last)
        self._show_cursor()
        self.refresh()

    def on_resize(self) -> None:
        """Another width breaks the lines anew; the cursor stays in view."""
        if self.scrollable_content_region.width != self._width:
            self._lay_out()
        self.call_after_refresh(self._show_cursor)

    def notify_style_update(self) -> None:
        """Another theme, other colours."""
        super().notify_style_update()
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor on a line; on the tick of a step it ticks."""
        index = round(self.scroll_offset.y) + event.y
        if not self._firsts or not 0 <= index < self._firsts[-1]:
            return
        self.line = self._line_at(index)
        self.refresh()
        step = self.text.lines[self.line].step
        if step is not None and not self._row(index).is_comment and event.x < 2:
            self.post_message(self.StepClicked(step))

    def render_line(self, y: int) -> Strip:
        """One row of the view."""
        width = self.size.width
        index = y + round(self.scroll_offset.y)
        if not self._firsts or index >= self._firsts[-1]:
            return Strip.blank(width, self.rich_style)
        row = self._row(index)
        has_cursor = row.line == self.line and not row.is_comment
        style = self.get_visual_style("plan-view--cursor") if has_cursor else self.visual_style
        strip = Strip(row.content.render_segments(style))
        return strip.adjust_cell_length(width, style.rich_style).apply_offsets(0, index)

    def _lay_out(self) -> None:
        """Measure every line anew: the width or the text changed."""
        self._width = self.scrollable_content_region.width
        if not self._width:
            return
        self._made.clear()
        self._heights = [self._height(number) for number in range(len(self.text.lines))]
        self._place()

    def _measure(self, number: int) -> None:
        """Measure one line anew: its tick or its comment changed."""
        self._made.pop(number, None)
        if self._heights:
            self._heights[number] = self._height(number)

    def _height(self, number: int) -> int:
        comment = self.comments.get(number)
        below = len(self.text.comment_rows(number, comment, self._width)) if comment else 0
        return self.text.height(number, self.ticked, self._width) + below

    def _place(self) -> None:
        if self._heights:
            self._firsts = [0, *accumulate(self._heights)]
            self.virtual_size = Size(self._width, self._firsts[-1])
            self.refresh()

    def _line_at(self, index: int) -> int:
        """The line that row `index` belongs to."""
        return bisect_right(self._firsts, index) - 1

    def _row(self, index: int) -> PlanRow:
        line = self._line_at(index)
        rows = self._made.get(line)
        if rows is None:
            rows = self.text.rows(line, self.ticked, self._width, self.found)
            if comment := self.comments.get(line):
                rows = [*rows, *self.text.comment_rows(line, comment, self._width)]
            self._made[line] = rows
        return rows[min(index - self._firsts[line], len(rows) - 1)]

    def _step_line(self, direction: int) -> int:
        lines = [step.line for step in self.text.plan.steps]
        if direction > 0:
            return min((line for line in lines if line > self.line), default=self.line)
        return max((line for line in lines if line < self.line), default=self.line)

    def _show_cursor(self) -> None:
        """Scroll no more than needed to have all rows of the cursor's line, its comment too, in view."""
        if not self._firsts:
            return
        first, end = self._firsts[self.line], self._firsts[self.line + 1]
        height = min(end - first, max(self.scrollable_content_region.height, 1))
        self.scroll_to_region(Region(0, first, 1, height), animate=False, x_axis=False)
