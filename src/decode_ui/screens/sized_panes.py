"""Panes that keep the size a person gave them (keys.md §4); `pane_sizes` decides, this applies it."""

import asyncio

from textual.screen import Screen

from decode_ui.pane_sizes import (
    HEIGHT_STEP,
    TALL,
    WIDTH_STEP,
    Direction,
    PaneMemory,
    PaneSizes,
    fitted_heights,
    fitted_widths,
)
from decode_ui.screens.arrangement import LEFT, RIGHT, Arrangement, SizeClass, size_class

USUAL = {"left": 34, "right": 38}
"""Widths of the columns as the style sheet has them."""
EDITOR_WIDTH = 56
"""Width of the column of an agent's editor in a terminal of middle width, where the chat has room beside it."""
CHAT_WIDTH = 62
"""What the chat keeps of such a terminal (keys.md §10)."""
BARS = 4
"""Rows of header, footer and the strip of jump mode."""
ABOVE = {"changes": "agents", "permissions": "plan"}
"""Panes that fill their column, and the one above that gives them room."""


class SizedPanes(Screen[None], inherit_bindings=False):
    """Hides, shows and resizes panes. `memory` holds what a person wished for this workspace."""

    def __init__(self, memory: PaneMemory) -> None:
        super().__init__()
        self._memory = memory
        self.one_column = False
        """Whether one pane at a time is shown, without frames, at any size."""
        self._applied: tuple[dict[str, int], dict[str, int]] = ({}, {})

    @property
    def size_class(self) -> SizeClass:
        """How much room there is."""
        return size_class(*self.size, one_column=self.one_column)

    @property
    def hidden_panes(self) -> frozenset[str]:
        """Panes that are hidden in terminals of this size."""
        return self._wishes.hidden

    def show_pane(self, pane: str) -> None:
        """Hide a pane no more."""
        self._wish(self._wishes.shown(pane))
        self.save_sizes()

    def toggle_pane(self, pane: str) -> None:
        """Hide a pane, or show it."""
        self._wish(self._wishes.toggled(pane))
        self.save_sizes()

    def reset_sizes(self) -> None:
        """Every pane as it comes, in terminals of this size."""
        self._memory.reset(self.size_class)

    def resize_pane(self, pane: str, direction: Direction) -> bool:
        """Make a pane, or the column it stands in, larger or smaller; False where there is nothing to resize."""
        if self.has_class("-editing"):
            return False
        match direction:
            case Direction.WIDER | Direction.NARROWER:
                return self._widen(pane, WIDTH_STEP if direction is Direction.WIDER else -WIDTH_STEP)
            case Direction.TALLER | Direction.LOWER:
                return self._heighten(pane, HEIGHT_STEP if direction is Direction.TALLER else -HEIGHT_STEP)

    def apply_sizes(self, plan: Arrangement) -> None:
        """Give the columns and panes in view their sizes; none where one pane fills the body, or an agent is edited."""
        wishes = PaneSizes() if plan.over is not None or plan.editor else self._wishes
        columns = {"left": plan.left, "right": plan.right}
        usual = {column: USUAL[column] for column, in_view in columns.items() if in_view}
        widths = fitted_widths(wishes.widths, usual, self.size.width)
        if plan.editor and plan.swapped:
            widths = {"left": max(USUAL["right"], min(EDITOR_WIDTH, self.size.width - CHAT_WIDTH))}
        wanted = {pane: rows for pane, rows in wishes.heights.items() if not (pane == "plan" and plan.folded_plan)}
        heights: dict[str, int] = {}
        for panes in (LEFT, RIGHT):
            in_view = tuple(pane for pane in panes if pane in plan.visible)
            heights |= fitted_heights(wanted, in_view, self.size.height - BARS)
        if (widths, heights) == self._applied:
            return
        self._applied = widths, heights
        for column in columns:
            self.query_one(f"#{column}").styles.width = widths.get(column)
        for pane in TALL:
            styles = self.query_one(f"#{pane}").styles
            styles.height = styles.max_height = heights.get(pane)

    def save_sizes(self) -> None:
        """Keep the sizes for the next time, off this thread."""
        self.run_worker(asyncio.to_thread(self._memory.save), group="sizes")

    @property
    def _wishes(self) -> PaneSizes:
        return self._memory.of(self.size_class)

    def _wish(self, sizes: PaneSizes) -> None:
        self._memory.put(self.size_class, sizes)

    def _widen(self, pane: str, by: int) -> bool:
        left, right = self.query_one("#left"), self.query_one("#right")
        if pane in LEFT or pane in RIGHT:
            column = left if pane in LEFT else right
        else:
            # the chat has no width of its own: what it gains, a column beside it loses
            column, by = right if right.display else left, -by
        if not column.display or self.has_class("-over"):
            return False
        self._wish(self._wishes.with_width(column.id or "", column.outer_size.width + by))
        return True

    def _heighten(self, pane: str, by: int) -> bool:
        if pane in ABOVE:
            pane, by = ABOVE[pane], -by
        if pane not in TALL or not self.query_one(f"#{pane}").display or self.has_class("-over"):
            return False
        if pane == "plan" and self.query_one("#plan").has_class("-folded"):
            return False
        self._wish(self._wishes.with_height(pane, self.query_one(f"#{pane}").outer_size.height + by))
        return True
