"""A plan with a cursor on one of its lines, ticks on its steps and comments under its lines."""

from collections.abc import Mapping

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from decode_core.events import Plan, PlanStep
from decode_ui.widgets.plan_rows import PlanRow, PlanText


class PlanView(ScrollView, can_focus=True, inherit_bindings=False):
    """Draws rows on demand, so that a plan of any length opens at once. Its keys are the dialog's."""

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
        self._rows: list[PlanRow] = []
        self._first_rows: list[int] = []
        self._drawn_width = 0

    @property
    def step(self) -> PlanStep | None:
        """The step that the cursor's line is part of."""
        return self.text.lines[self.line].part_of

    @property
    def source(self) -> str:
        """The text of the cursor's line, as it stands in the plan."""
        return self.text.plan.text.split("\n")[self.line]

    def toggle(self, step: PlanStep) -> None:
        """Tick or untick a step."""
        self.ticked = self.ticked ^ {step.number}
        self.draw()

    def comment(self, line: int, text: str) -> None:
        """Put a comment under a line; an empty one takes it away."""
        if text:
            self.comments[line] = text
        else:
            self.comments.pop(line, None)
        self.draw()
        self._show_cursor()

    def move(self, way: str) -> None:
        """Move the cursor: up, down, pageup, pagedown, home, end by lines; next and previous by steps."""
        last = len(self.text.lines) - 1
        page = max(self.scrollable_content_region.height - 1, 1)
        match way:
            case "up" | "down":
                line = self.line + (1 if way == "down" else -1)
            case "pageup" | "pagedown":
                row = self._first_rows[self.line] + (page if way == "pagedown" else -page)
                line = self._rows[min(max(row, 0), len(self._rows) - 1)].line
            case "home":
                line = 0
            case "end":
                line = last
            case _:
                line = self._step_line(1 if way == "next" else -1)
        self.line = min(max(line, 0), last)
        self._show_cursor()
        self.refresh()

    def draw(self) -> None:
        """Make the rows anew: the width, a tick or a comment changed."""
        width = self.scrollable_content_region.width
        if not width:
            return
        self._drawn_width = width
        self._rows = self.text.rows(self.ticked, self.comments, width)
        firsts: dict[int, int] = {}
        for index, row in enumerate(self._rows):
            firsts.setdefault(row.line, index)
        self._first_rows = [firsts[line.number] for line in self.text.lines]
        self.virtual_size = Size(width, len(self._rows))
        self.refresh()

    def on_resize(self) -> None:
        """Another width breaks the lines anew; the cursor stays in view."""
        if self.scrollable_content_region.width != self._drawn_width:
            self.draw()
        self.call_after_refresh(self._show_cursor)

    def notify_style_update(self) -> None:
        """Another theme, other colours."""
        super().notify_style_update()
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor on a line; on the tick of a step it ticks."""
        index = round(self.scroll_offset.y) + event.y
        if not 0 <= index < len(self._rows):
            return
        row = self._rows[index]
        self.line = row.line
        self.refresh()
        step = self.text.lines[row.line].step
        if step is not None and not row.is_comment and event.x < 2:
            self.post_message(self.StepClicked(step))

    def render_line(self, y: int) -> Strip:
        """One row of the view."""
        width = self.size.width
        index = y + round(self.scroll_offset.y)
        if index >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        row = self._rows[index]
        has_cursor = row.line == self.line and not row.is_comment
        style = self.get_visual_style("plan-view--cursor") if has_cursor else self.visual_style
        strip = Strip(row.content.render_segments(style))
        return strip.adjust_cell_length(width, style.rich_style).apply_offsets(0, index)

    def _step_line(self, direction: int) -> int:
        lines = [step.line for step in self.text.plan.steps]
        if direction > 0:
            return min((line for line in lines if line > self.line), default=self.line)
        return max((line for line in lines if line < self.line), default=self.line)

    def _show_cursor(self) -> None:
        """Scroll no more than needed to have all rows of the cursor's line, its comment too, in view."""
        if not self._rows:
            return
        first = self._first_rows[self.line]
        end = self._first_rows[self.line + 1] if self.line + 1 < len(self._first_rows) else len(self._rows)
        height = min(end - first, max(self.scrollable_content_region.height, 1))
        self.scroll_to_region(Region(0, first, 1, height), animate=False, x_axis=False)
