"""Which panes a person hid and how large the others are, by the terminal's size, kept per workspace (keys.md §4)."""

import hashlib
import json
import logging
import os
import threading
from dataclasses import asdict, dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any

from decode_core.config import ConfigError, make_private

FOLDER = "panes"
"""Below the folder of states; a file for each workspace."""
WIDTH_STEP = 4
HEIGHT_STEP = 2
COLUMNS = ("left", "right")
TALL = ("agents", "todo", "plan")
"""Panes that have a height of their own; the others share what is left."""
LEAST_WIDTH = 24
LEAST_HEIGHT = 3
LEAST_CHAT = 50
"""Cells that the chat keeps, whatever was asked for the columns."""
MOST = 500
"""What no terminal exceeds: a larger number in the file is nonsense."""


class Direction(Enum):
    """What an arrow does to a pane in jump mode."""

    WIDER = "right"
    NARROWER = "left"
    TALLER = "up"
    LOWER = "down"


@dataclass(frozen=True)
class PaneSizes:
    """The wishes for one size of the terminal; what is not there is as it comes."""

    hidden: frozenset[str] = frozenset()
    widths: dict[str, int] = field(default_factory=dict)
    """Columns `left` and `right`, in cells."""
    heights: dict[str, int] = field(default_factory=dict)
    """Panes by id, in rows."""

    def with_width(self, column: str, cells: int) -> "PaneSizes":
        """Give a column another width."""
        return replace(self, widths={**self.widths, column: min(max(cells, LEAST_WIDTH), MOST)})

    def with_height(self, pane: str, rows: int) -> "PaneSizes":
        """Give a pane another height."""
        return replace(self, heights={**self.heights, pane: min(max(rows, LEAST_HEIGHT), MOST)})

    def toggled(self, pane: str) -> "PaneSizes":
        """Hide a pane, or show it again."""
        return replace(self, hidden=self.hidden ^ {pane})

    def shown(self, pane: str) -> "PaneSizes":
        """Show a pane."""
        return replace(self, hidden=self.hidden - {pane})


def fitted_widths(wanted: dict[str, int], usual: dict[str, int], room: int) -> dict[str, int]:
    """The widths of those columns that were changed, in a terminal of `room` cells.

    `usual` are the columns in view with the width that each has as it comes. The chat keeps its least.
    """
    widths: dict[str, int] = {}
    for column in usual:
        if column in wanted:
            others = sum(widths.get(other, wanted.get(other, usual[other])) for other in usual if other != column)
            widths[column] = max(min(wanted[column], room - LEAST_CHAT - others), LEAST_WIDTH)
    return widths


def fitted_heights(wanted: dict[str, int], panes: tuple[str, ...], room: int) -> dict[str, int]:
    """The heights of those panes of one column that have one: every other pane keeps its least."""
    heights: dict[str, int] = {}
    rest = room - LEAST_HEIGHT * len(panes)
    for pane in panes:
        if pane in wanted:
            heights[pane] = min(wanted[pane], LEAST_HEIGHT + max(rest, 0))
            rest -= heights[pane] - LEAST_HEIGHT
    return heights


class PaneMemory:
    """The sizes of one workspace by class of the terminal's size; `file` keeps them, None forgets them."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._sizes = _read(file)
        self._saved = dict(self._sizes)

    def of(self, size: str) -> PaneSizes:
        """What holds in terminals of this class."""
        return self._sizes.get(size, PaneSizes())

    def put(self, size: str, sizes: PaneSizes) -> None:
        """Let other sizes hold."""
        self._sizes[size] = sizes

    def reset(self, size: str) -> None:
        """Let everything be as it comes, in terminals of this class."""
        self._sizes.pop(size, None)

    def save(self) -> None:
        """Keep what has changed. A fault is logged: sizes that are lost do no harm."""
        with self._lock:
            sizes = dict(self._sizes)
            if self._file is None or sizes == self._saved:
                return
            self._saved = sizes
            value = {size: {**asdict(each), "hidden": sorted(each.hidden)} for size, each in sizes.items()}
            beside = self._file.with_suffix(f".{os.getpid()}")
            try:
                make_private(self._file.parent)
                beside.write_text(json.dumps(value), encoding="utf-8")
                beside.replace(self._file)
            except (OSError, ConfigError) as error:
                logging.getLogger(__name__).info("the sizes of the panes are not kept: %s", error)


def memory_file(states: Path, workspace: Path) -> Path:
    """Where the sizes of a workspace are kept."""
    name = hashlib.sha256(os.fsencode(workspace)).hexdigest()[:16]
    return states / FOLDER / f"{name}.json"


def _read(file: Path | None) -> dict[str, PaneSizes]:
    try:
        value = json.loads(file.read_text(encoding="utf-8")) if file is not None else {}
    except (OSError, ValueError):
        return {}
    if not isinstance(value, dict):
        return {}
    return {size: _sizes(each) for size, each in value.items() if isinstance(each, dict)}


def _sizes(value: dict[str, Any]) -> PaneSizes:
    """What of a stored value makes sense."""
    hidden = value.get("hidden", [])
    names = (
        frozenset(name for name in hidden if isinstance(name, str)) if isinstance(hidden, list) else frozenset[str]()
    )
    return PaneSizes(names, _cells(value.get("widths"), COLUMNS), _cells(value.get("heights"), TALL))


def _cells(value: object, known: tuple[str, ...]) -> dict[str, int]:
    if not isinstance(value, dict):
        return {}
    return {
        name: cells
        for name, cells in value.items()
        if name in known and type(cells) is int and LEAST_HEIGHT <= cells <= MOST
    }
