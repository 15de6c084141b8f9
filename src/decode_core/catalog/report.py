"""Collects what is wrong with one file, in words that fit a line, and no more of them than somebody reads."""

import difflib
from collections.abc import Iterable
from pathlib import Path

from decode_core.catalog.definition import CatalogError
from decode_core.catalog.places import Fault, Place

MAX_FAULTS = 50
"""Faults listed for one file, and as many warnings; the next one says that there are more."""

_SHOWN = 60


class Report:
    """The errors and warnings of one file, in the order in which they were found."""

    def __init__(self, path: Path) -> None:
        self.errors: list[CatalogError] = []
        self.warnings: list[CatalogError] = []
        self._path = path

    def fault(self, fault: Fault) -> None:
        """Add an error that a reader of the file found."""
        self.error(fault.place, fault.field, fault.problem, fault.hint)

    def error(self, place: Place, field: str, problem: str, hint: str = "") -> None:
        """Add an error: the file gives no agent."""
        self._add(self.errors, place, field, problem, hint)

    def warn(self, place: Place, field: str, problem: str, hint: str = "") -> None:
        """Add a warning: the file gives an agent all the same."""
        self._add(self.warnings, place, field, problem, hint)

    def did_you_mean(self, word: str, known: Iterable[str]) -> str:
        """The known word that is near, as a hint; empty where none is, or where nobody will read it."""
        if max(len(self.errors), len(self.warnings)) > MAX_FAULTS:
            return ""
        names = {name.casefold(): name for name in sorted(known)}
        near = difflib.get_close_matches(word.casefold()[:100], names, n=1)
        return f"did you mean {names[near[0]]}?" if near else ""

    def _add(self, faults: list[CatalogError], place: Place, field: str, problem: str, hint: str) -> None:
        if len(faults) < MAX_FAULTS:
            faults.append(CatalogError(self._path, place.line, place.column, field, problem, hint))
        elif len(faults) == MAX_FAULTS:
            rest = "there is more of this kind, not listed"
            faults.append(CatalogError(self._path, place.line, place.column, field, rest, "mend these first"))


def shown(text: str) -> str:
    """`text` in quotes, cut to what fits a line."""
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")
