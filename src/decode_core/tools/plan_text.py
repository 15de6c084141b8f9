"""The steps of a plan (plan-mode.md §2), read from its Markdown. Pure; any text has a meaning."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from decode_core.events import PlanStep

MAX_STEP_CHARS = 500
"""A longer step is cut on its one line; the plan's text holds all of it."""


def plan_steps(markdown: str) -> tuple[PlanStep, ...]:
    """Return the steps: the top-level list items under a heading "Steps" (else "Plan"), or its sections.

    Where such a heading has items of its own before its first section, the items are the steps. A plan without steps is
    one step, named by its title or first line; a blank text has none.
    """
    lines = list(_lines(markdown))
    for title in ("steps", "plan"):
        for index, line in enumerate(lines):
            if line.level and line.title == title and (steps := _below(lines, index)):
                return _numbered(steps)
    first = next((line for line in lines if line.level), None) or next((line for line in lines if line.text), None)
    return () if first is None else _numbered([(first.number, first.text)])


@dataclass(frozen=True)
class _Line:
    number: int
    text: str
    """Without heading signs and outer blanks."""
    indent: int = 0
    level: int = 0
    """Level of a heading, 0 for other lines."""
    item: str | None = None
    """What a list item says."""
    is_code: bool = False

    @property
    def title(self) -> str:
        """The heading as it is compared: without emphasis, numbering and a colon."""
        return re.sub(r"^[\d.)\s]+|[*_:`]", "", self.text).strip().casefold()


def _lines(markdown: str) -> Iterator[_Line]:
    fence = ""
    for number, raw in enumerate(markdown.split("\n")):
        line = raw.rstrip().expandtabs(4)
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            yield _Line(number, line.strip(), is_code=True)
        elif mark:
            fence = mark[1]
            yield _Line(number, line.strip(), is_code=True)
        elif heading := _HEADING.match(line):
            yield _Line(number, (heading[2] or "").strip(), level=len(heading[1]))
        else:
            item = _ITEM.match(line)
            indent = len(line) - len(line.lstrip())
            yield _Line(number, line.strip(), indent, item=(item[1] or "").strip() if item else None)


def _below(lines: Sequence[_Line], heading: int) -> list[tuple[int, str]]:
    """The steps under a heading, as pairs of line and text."""
    level = lines[heading].level
    section: list[_Line] = []
    for line in lines[heading + 1 :]:
        if 0 < line.level <= level:
            break
        section.append(line)
    first_part = next((index for index, line in enumerate(section) if line.level), len(section))
    if items := _items(section[:first_part]):
        return items
    top = min((line.level for line in section if line.level), default=0)
    return [(line.number, line.text) for line in section if line.level == top and line.text] if top else []


def _items(section: Sequence[_Line]) -> list[tuple[int, str]]:
    """Top-level list items with the lines that their first paragraph runs on."""
    items: list[tuple[int, str]] = []
    outermost = 4
    runs_on = False
    for line in section:
        if line.item is not None and not line.is_code and line.indent < outermost + 2:
            if not items:
                if line.indent >= outermost:
                    continue
                outermost = line.indent
            items.append((line.number, _CHECKBOX.sub("", line.item)))
            runs_on = True
        elif line.item is not None or line.is_code or not line.text:
            runs_on = False
        elif runs_on:
            number, text = items[-1]
            if len(text) < MAX_STEP_CHARS:
                items[-1] = (number, f"{text} {line.text}".strip())
    return [(number, text) for number, text in items if text]


def _numbered(steps: Sequence[tuple[int, str]]) -> tuple[PlanStep, ...]:
    return tuple(
        PlanStep(number=number, text=_one_line(text), line=line) for number, (line, text) in enumerate(steps, start=1)
    )


def _one_line(text: str) -> str:
    text = " ".join(text.split()) or "(untitled)"
    return text if len(text) <= MAX_STEP_CHARS else f"{text[: MAX_STEP_CHARS - 1]}…"


_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_ITEM = re.compile(r"^ *(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(.*)|$)")
_CHECKBOX = re.compile(r"^\[[ xX]\]\s+")
