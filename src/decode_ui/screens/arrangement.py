"""Which panes are where, by the size of the terminal and what the person asked for (keys.md §10). Pure."""

from dataclasses import dataclass
from enum import StrEnum


class SizeClass(StrEnum):
    """How much room there is."""

    WIDE = "wide"
    MIDDLE = "middle"
    NARROW = "narrow"
    TINY = "tiny"
    TOO_SMALL = "too-small"


LEFT = ("agents", "changes")
RIGHT = ("todo", "plan", "permissions")
EDITOR = "editor"
"""Id of the editor of an agent, which stands below the agents while it is open."""
SIDE_PANES = (*LEFT, *RIGHT)
"""Ids of the panes beside the chat, in reading order."""


@dataclass(frozen=True)
class Arrangement:
    """What is shown. `over` is the pane that lies over the chat, None where the chat itself is in view."""

    size: SizeClass
    visible: tuple[str, ...]
    """Side panes in view, in reading order."""
    over: str | None = None
    swapped: bool = False
    """The one side column holds the left panes."""
    header: bool = True
    borders: bool = True
    folded_plan: bool = False
    """The plan shows its title alone."""
    editor: bool = False
    """The editor of an agent is in view, with its checks."""

    @property
    def left(self) -> bool:
        """Whether the left column is in view."""
        return self.editor or any(pane in LEFT for pane in self.visible)

    @property
    def right(self) -> bool:
        """Whether the right column is in view."""
        return any(pane in RIGHT for pane in self.visible)


def size_class(width: int, height: int, *, one_column: bool = False) -> SizeClass:
    """The class of a terminal of this size, in cells; `one_column` is shown like a small one."""
    if width < 40 or height < 12:
        return SizeClass.TOO_SMALL
    if one_column or width <= 60 or height < 20:
        return SizeClass.TINY
    if width < 100:
        return SizeClass.NARROW
    return SizeClass.MIDDLE if width < 140 else SizeClass.WIDE


def arrange(
    width: int,
    height: int,
    *,
    front: str | None = None,
    zoomed: bool = False,
    hidden: frozenset[str] = frozenset(),
    editing: bool = False,
    one_column: bool = False,
) -> Arrangement:
    """Lay the panes out.

    `front` is the side pane that the person went to last, None for the chat; `zoomed`: it, or the chat, fills the body;
    `editing`: an agent is open in the editor, which widens the left column and folds the right one.
    `one_column`: one pane at a time and no frames at any size, for screen readers.
    """
    size = size_class(width, height, one_column=one_column)
    header = size not in (SizeClass.TINY, SizeClass.TOO_SMALL)
    if size is SizeClass.TOO_SMALL:
        return Arrangement(size, (), header=False, borders=False)
    if front == EDITOR and not editing:
        front = None
    if size in (SizeClass.NARROW, SizeClass.TINY) or zoomed:
        visible = (front,) if front in SIDE_PANES else ()
        borders = size is not SizeClass.TINY
        return Arrangement(size, visible, over=front, header=header, borders=borders, editor=front == EDITOR)
    folded = height < 30
    beside_agents = editing and front not in RIGHT and front != "changes"
    if size is SizeClass.MIDDLE:
        swapped = front in LEFT or front == EDITOR
        panes = LEFT if swapped else RIGHT
        if swapped and beside_agents:
            return Arrangement(size, ("agents",), swapped=True, folded_plan=folded, editor=True)
        return Arrangement(size, _shown(panes, hidden, front), swapped=swapped, folded_plan=folded)
    if beside_agents:
        return Arrangement(size, ("agents",), folded_plan=folded, editor=True)
    return Arrangement(size, _shown(SIDE_PANES, hidden, front), folded_plan=folded)


def _shown(panes: tuple[str, ...], hidden: frozenset[str], front: str | None) -> tuple[str, ...]:
    return tuple(pane for pane in panes if pane not in hidden or pane == front)
