"""A plan as rows: its Markdown line by line, a gutter for steps, and the person's comments. Pure.

A plan is read for its text, so every line of the source stays a line that can be commented on; Markdown is only given
its looks: headings bold, code in its colour, list markers of steps replaced by a tick and a number.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content

from decode_core.events import Plan, PlanStep
from decode_ui.transcript.foreign import prose

TICKED, UNTICKED = "☑", "☐"
BAR = "┃"
NOT_APPROVED = "  (not approved)"
SAID = "you: "


@dataclass(frozen=True)
class PlanRow:
    """One row on the screen. `line` is the line of the plan that it belongs to, counted from 0."""

    line: int
    content: Content
    is_comment: bool = False


@dataclass(frozen=True)
class PlanLine:
    """One line of the plan, inert, with its step if one begins here, and the step that it is part of."""

    number: int
    text: str
    step: PlanStep | None = None
    part_of: PlanStep | None = None
    in_code: bool = False


class PlanText:
    """The lines of a plan, read once. Rows are made line by line, on demand: a long plan costs what is looked at."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.lines = list(_read(plan))
        self.gutter = 4 + max((len(str(step.number)) for step in plan.steps), default=1)
        self._folded: list[str] | None = None

    def height(self, number: int, ticked: frozenset[int], width: int) -> int:
        """How many rows line `number` takes; most are one row, and none is made to find that out."""
        line = self.lines[number]
        # signs of Markdown only go away; what is added stands in the gutter and behind a step that is not approved
        most = len(line.text) + (self.gutter if line.part_of is not None else 0)
        if line.step is not None and line.step.number not in ticked:
            most += len(NOT_APPROVED)
        if most <= width and line.text.isascii():
            return 1
        return len(self.rows(number, ticked, width))

    def rows(self, number: int, ticked: frozenset[int], width: int, found: str = "") -> list[PlanRow]:
        """The rows of line `number` at `width` cells. `ticked` holds numbers of steps; `found` is shown where it is."""
        line = self.lines[number]
        refused = line.part_of is not None and line.part_of.number not in ticked
        first, rest, content = self._looks(line, refused=refused)
        if refused:
            content = Content.styled(content.plain, "$muted")
        if found:
            content = _highlighted(content, found)
        pieces = content.wrap(max(width - cell_len(rest), 10)) if content else [content]
        return [PlanRow(number, (Content(rest) if index else first) + piece) for index, piece in enumerate(pieces)]

    def comment_rows(self, number: int, comment: str, width: int) -> list[PlanRow]:
        """The rows of what the person wrote on line `number`."""
        lead = " " * self.gutter + f"{BAR} "
        rows: list[PlanRow] = []
        for index, text in enumerate(prose(comment).split("\n")):
            said = SAID if index == 0 else " " * len(SAID)
            for part, piece in enumerate(Content(text).wrap(max(width - self.gutter - 7, 10)) if text else [Content()]):
                before = lead + (said if part == 0 else " " * len(SAID))
                rows.append(PlanRow(number, Content.styled(before + piece.plain, "$verdict-ask"), is_comment=True))
        return rows

    def lines_with(self, words: str) -> list[int]:
        """Numbers of the lines that hold `words`, however they are cased; Markdown's signs in a line do not count."""
        if not words:
            return []
        if self._folded is None:
            self._folded = [inline(line.text).plain.casefold() for line in self.lines]
        wanted = words.casefold()
        return [number for number, text in enumerate(self._folded) if wanted in text]

    def _looks(self, line: PlanLine, *, refused: bool) -> tuple[Content, str, Content]:
        """What stands before the text on its first row and on later ones, and the text."""
        if line.step is not None:
            sign, colour = (UNTICKED, "$muted") if refused else (TICKED, "$verdict-allow")
            number = f"{line.step.number:>{self.gutter - 4}}"
            gutter = Content.assemble((sign, colour), " ", (number, colour if refused else "bold"), "  ")
            text = inline(_MARKER.sub("", line.text))
            return gutter, " " * self.gutter, text + Content(NOT_APPROVED if refused else "")
        indent = len(line.text) - len(line.text.lstrip(" "))
        shift = " " * _SHIFT if line.part_of is not None and indent else ""
        if line.in_code:
            return Content(shift), shift, Content.styled(line.text, "$accent")
        if heading := _HEADING.match(line.text):
            return Content(), "", Content.styled(line.text[heading.end() :], "bold")
        marker = _MARKER.match(line.text, indent)
        lead = shift + " " * indent
        return Content(lead), " " * (len(shift) + (marker.end() if marker else indent)), inline(line.text[indent:])


def inline(text: str) -> Content:
    """Return one line of inert text with `code` and **bold** in their looks."""
    parts: list[Content] = []
    at = 0
    for match in _INLINE.finditer(text):
        parts.append(Content(text[at : match.start()]))
        code, bold = match.group("code"), match.group("bold")
        parts.append(Content.styled(code, "$accent") if code is not None else Content.styled(bold, "bold"))
        at = match.end()
    return Content("").join([*parts, Content(text[at:])])


_SHIFT = 2
"""Cells by which a tick and a number are wider than a list marker: what is nested under a step moves by these."""
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+")
_MARKER = re.compile(r"\s*(?:#{1,6}[ \t]+|(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)")
_FENCE = re.compile(r"\s*(```|~~~)")
_INLINE = re.compile(r"`(?P<code>[^`]+)`|\*\*(?P<bold>[^*]+)\*\*")


def _read(plan: Plan) -> Iterable[PlanLine]:
    starts = {step.line: step for step in plan.steps}
    inside: PlanStep | None = None
    level = 0
    in_code = False
    for number, text in enumerate(plan.text.split("\n")):
        fence = bool(_FENCE.match(text))
        step = starts.get(number)
        if step is not None:
            inside, level = step, _level(text)
        elif inside is not None and not in_code and not fence and _leaves(text, level):
            inside = None
        yield PlanLine(number, prose(text.expandtabs(4)), step, inside, in_code or fence)
        in_code = in_code != fence


def _leaves(text: str, level: int) -> bool:
    """Whether a line is no part of the step before it. `level` is that of the step's heading, 0 for a list item."""
    if heading := _level(text):
        return not level or heading <= level
    return not level and bool(text.strip()) and not text.startswith((" ", "\t"))


def _level(text: str) -> int:
    return text.count("#", 0, heading.end()) if (heading := _HEADING.match(text)) else 0


def _highlighted(content: Content, words: str) -> Content:
    """`content` with every place of `words` reversed; a text that changes its length when folded is left alone."""
    text, wanted = content.plain.casefold(), words.casefold()
    if len(text) != len(content.plain):
        return content
    at = text.find(wanted)
    while at >= 0:
        content = content.stylize("reverse", at, at + len(wanted))
        at = text.find(wanted, at + len(wanted))
    return content
