"""Figures with the reference that was measured beside them, as a table and as JSON."""

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

HEADINGS = ("what", "measured", "reference", "ratio", "budget", "")


@dataclass(frozen=True)
class Figure:
    """One measured value; smaller is better. `budget` is in `unit` and comes from the project's design."""

    name: str
    value: float
    unit: str
    budget: float | None = None
    reference: float | None = None
    reference_name: str = ""
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """The value as a multiple of the reference."""
        return self.value / self.reference if self.reference else None

    @property
    def is_over(self) -> bool:
        """Whether the value misses its budget."""
        return self.budget is not None and self.value > self.budget


def percentile(samples: Sequence[float], percent: float) -> float:
    """The smallest sample that at least `percent` of all samples do not exceed. Raises ValueError without samples."""
    if not samples:
        raise ValueError("there are no samples")
    ordered = sorted(samples)
    rank = -(-len(ordered) * percent // 100)  # rounded up
    return ordered[max(int(rank) - 1, 0)]


def table(figures: Sequence[Figure]) -> str:
    """The figures in columns, one line each."""
    rows = [HEADINGS, *(_row(figure) for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    return "\n".join(lines) + "\n"


def write_json(figures: Sequence[Figure], file: Path) -> None:
    """Write the figures and what they were measured on. Raises OSError."""
    machine = {"python": platform.python_version(), "system": platform.system(), "machine": platform.machine()}
    rows = [{**asdict(figure), "ratio": figure.ratio, "over": figure.is_over} for figure in figures]
    file.write_text(json.dumps({"machine": machine, "figures": rows}, indent=2, ensure_ascii=False) + "\n")


def _row(figure: Figure) -> tuple[str, ...]:
    reference = "" if figure.reference is None else f"{figure.reference:.3g} {figure.reference_name}"
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
    budget = "" if figure.budget is None else f"≤ {figure.budget:g}"
    end = " · ".join(filter(None, ("over" if figure.is_over else "", figure.note)))
    return (figure.name, f"{figure.value:.3g} {figure.unit}", reference, ratio, budget, end)
