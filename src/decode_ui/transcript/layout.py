"""Where each entry stands: heights and their prefix sums in a Fenwick tree (P. Fenwick, 1994).

Appending, correcting and finding cost O(log n) steps, however long the session is. Only a resize is O(n), and that is
arithmetic: entries that were never rendered have an estimated height, which is corrected when they come into view.
"""

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Extent:
    """What the height of an unrendered entry is estimated from: its lines, and the cells they hold in all."""

    lines: int
    cells: int = 0

    def estimate(self, width: int) -> int:
        """Return the rows at this width, at least one."""
        return max(1, self.lines + self.cells // max(width, 1))


class Place(NamedTuple):
    """A row inside an entry, counted from the entry's top."""

    entry: int
    row: int


class Layout:
    """Heights of entries in rows. `steps` counts the nodes that were touched: the tests' measure of cost."""

    def __init__(self, width: int = 80) -> None:
        self.width = width
        self.steps = 0
        self.total = 0
        """Rows of all entries."""
        self._extents: list[Extent] = []
        self._gaps: list[int] = []
        self._heights: list[int] = []
        self._measured: list[bool] = []
        self._tree: list[int] = [0]

    def __len__(self) -> int:
        return len(self._heights)

    def append(self, extent: Extent, gap: int) -> None:
        """Add an entry with an estimated height, `gap` blank rows above it included."""
        height = gap + extent.estimate(self.width)
        self._extents.append(extent)
        self._gaps.append(gap)
        self._heights.append(height)
        self._measured.append(False)
        self.total += height
        self._push(height)

    def gap(self, index: int) -> int:
        """Blank rows above an entry."""
        return self._gaps[index]

    def height(self, index: int) -> int:
        """Rows of an entry, its gap included."""
        return self._heights[index]

    def measured(self, index: int) -> bool:
        """Return whether the height is known from a rendering at this width."""
        return self._measured[index]

    def top(self, index: int) -> int:
        """First row of an entry; `top(len(layout))` is the row after the last."""
        rows, node = 0, index
        while node:
            rows += self._tree[node]
            node &= node - 1
            self.steps += 1
        return rows

    def find(self, row: int) -> Place:
        """Return which entry holds `row`; rows past the end belong to the last entry. Raises IndexError when empty."""
        if not self._heights:
            raise IndexError("an empty layout has no rows")
        row = min(max(row, 0), self.total - 1)
        node, left = 0, row
        bit = 1 << (len(self._heights).bit_length() - 1)
        while bit:
            below = node + bit
            if below <= len(self._heights) and self._tree[below] <= left:
                node = below
                left -= self._tree[below]
            bit >>= 1
            self.steps += 1
        return Place(node, left)

    def measure(self, index: int, rows: int) -> int:
        """Note that an entry was rendered in `rows` rows, and return by how much its height changed."""
        self._measured[index] = True
        return self._set(index, self._gaps[index] + rows)

    def change(self, index: int, extent: Extent, gap: int) -> int:
        """Note that an entry is another one now, of unknown height, and return by how much its estimate differs."""
        self._extents[index] = extent
        self._gaps[index] = gap
        self._measured[index] = False
        return self._set(index, gap + extent.estimate(self.width))

    def set_gap(self, index: int, gap: int) -> int:
        """Change the blank rows above an entry, and return by how much its height changed."""
        delta = gap - self._gaps[index]
        self._gaps[index] = gap
        return self._set(index, self._heights[index] + delta) if delta else 0

    def resize(self, width: int) -> None:
        """Estimate every height anew for another width."""
        self.width = width
        self._heights = [gap + extent.estimate(width) for gap, extent in zip(self._gaps, self._extents, strict=True)]
        self._measured = [False] * len(self._heights)
        self.total = sum(self._heights)
        self._tree = [0]
        for height in self._heights:
            self._push(height)

    def _push(self, height: int) -> None:
        node = len(self._tree)
        child, lowest = node - 1, node & (node - 1)
        while child > lowest:
            height += self._tree[child]
            child &= child - 1
            self.steps += 1
        self._tree.append(height)
        self.steps += 1

    def _set(self, index: int, height: int) -> int:
        delta = height - self._heights[index]
        if delta:
            self._heights[index] = height
            self.total += delta
            node = index + 1
            while node < len(self._tree):
                self._tree[node] += delta
                node += node & -node
                self.steps += 1
        return delta
