"""Options to choose from, as rows: the cursor, the key that chooses, a tick where several may be chosen. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from decode_ui.widgets.body_rows import BodyRow, fit_rows, inert_line

KEYS = "123456789"
"""The keys of the first options that are shown; the rest is reached by the cursor or by a filter."""
CURSOR = "›"
MOST = 2_000
"""Characters of an option that are shown; the rest is an ellipsis."""


class Ticks(StrEnum):
    """Whether the options carry ticks, and how they look."""

    NONE = ""
    ON = "☑"
    OFF = "☐"


@dataclass(frozen=True)
class OptionRow:
    """One row on the screen. `place` is that of its option among all, from 0; `key` is empty but in a first row."""

    place: int
    mark: str
    key: str
    tick: Ticks
    text: str


def option_rows(
    options: Sequence[str], shown: Iterable[int], width: int, *, cursor: int | None, ticked: frozenset[int] | None
) -> list[OptionRow]:
    """Return the rows of the options at the places `shown`, in `width` cells; a text is cut by MOST alone.

    `cursor` is the place under the cursor; `ticked` holds the ticked places, None where nothing can be ticked.
    """
    gutter = 4 if ticked is None else 6
    rows: list[OptionRow] = []
    for number, place in enumerate(shown):
        text = inert_line(options[place][: MOST + 1])
        text = text[:MOST] + "…" if len(text) > MOST else text
        tick = Ticks.NONE if ticked is None else Ticks.ON if place in ticked else Ticks.OFF
        key = KEYS[number] if number < len(KEYS) else " "
        for index, piece in enumerate(fit_rows([BodyRow(text)], max(width - gutter, 4))):
            if index:
                rows.append(OptionRow(place, " ", "", Ticks.NONE, " " * (gutter - 2) + piece.text))
            else:
                mark = CURSOR if place == cursor else " "
                rows.append(OptionRow(place, mark, key, tick, piece.text))
    return rows


def matching(options: Sequence[str], words: str) -> list[int]:
    """Places of the options that hold every one of `words`, in any order, upper and lower case alike."""
    wanted = words.casefold().split()
    return [place for place, text in enumerate(options) if all(word in text.casefold() for word in wanted)]
