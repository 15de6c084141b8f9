"""Hands a plan in Markdown over as a Deep Work Plan: its steps become the tasks of a draft contract (delegation.md §4).

`outline_of` and `outline_of_plan` are pure; `hand_over` makes the folder. The plan is not approved by that: a person
sees the draft, edits it, and approves it with `decode plan materialize`.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from decode_core.catalog.frontmatter import read_front_matter
from decode_core.catalog.yamlvalues import Scalar, Sequence
from decode_core.event_values import Plan, PlanStep
from decode_core.plans.addon_descriptors import read_descriptor
from decode_core.plans.addon_registry import load_registry
from decode_core.plans.errors import PlanError
from decode_core.plans.folder import PlanFolder, list_plans
from decode_core.plans.outline import Outline, OutlineStep
from decode_core.plans.proposal import Proposal, plan_name, propose
from decode_core.plans.verbs.materialize import DRAFT_FILE, make_plan
from decode_core.tools.plan_text import plan_steps

_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_ITEM = re.compile(r"^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$")
_OUT_OF_SCOPE = ("out of scope", "not in scope", "non-goals")
_INVARIANTS = ("invariants", "must stay true", "must not change")
_CHECKS = ("checks", "check", "verification", "acceptance", "done when")
_FILES = ("files", "touched files", "surface")
_GOAL = ("goal", "context", "summary", "outcome")


@dataclass(frozen=True)
class HandedOver:
    """A plan that was handed over and waits for its approval."""

    folder: PlanFolder
    proposal: Proposal

    @property
    def draft(self) -> Path:
        """The draft contract, to be edited."""
        return self.folder.path / DRAFT_FILE


def outline_of(text: str) -> Outline:
    """The outline of a plan file. With front matter that names approved steps, those alone."""
    front = read_front_matter(text.encode("utf-8", "replace"))
    body = front.body if front.entries else text
    title, numbers = "", None
    for key, entry in front.entries.items():
        match key, entry.value:
            case "title", Scalar(text=said):
                title = said
            case "approved_steps", Sequence(items=items):
                numbers = [int(one.text) for one in items if isinstance(one, Scalar) and one.text.isdecimal()]
            case _:
                pass
    return _outline(body, title, plan_steps(body), numbers)


def outline_of_plan(plan: Plan) -> Outline:
    """The outline of a reviewed plan: the steps that were approved, or all while nobody decided."""
    return _outline(plan.text, plan.title, plan.steps or plan_steps(plan.text), plan.approved)


def hand_over(
    root: Path, outline: Outline, text: str, author: str, *, name: str | None = None, now: datetime | None = None
) -> HandedOver:
    """Make the folder of a new plan below `root`: the plan's text as its README, and the draft beside it.

    Raises PlanError for a plan without steps, for a name that is none or is taken, and where it cannot be written.
    """
    if not outline.steps:
        raise PlanError("the plan has no steps to hand over; it lists them under a heading Steps, or as sections")
    chosen = name or plan_name(outline.title, [folder.name for folder in list_plans(root)])
    proposal = propose(outline, chosen, author, (now or datetime.now(UTC)).astimezone(UTC), enabled_transports(root))
    return HandedOver(make_plan(root, chosen, text.rstrip() + "\n", proposal.document), proposal)


def enabled_transports(root: Path, home: Path | None = None) -> list[str]:
    """The keys of the delegation addons that the registry enables; none is looked for on the machine."""
    registry = load_registry(root, home or Path.home())
    known = [(key, read_descriptor(key)) for key, entry in registry.addons.items() if entry.enabled]
    return sorted(key for key, descriptor in known if descriptor is not None and descriptor.transport is not None)


def _outline(text: str, title: str, steps: tuple[PlanStep, ...], numbers: Collection[int] | None) -> Outline:
    lines = text.split("\n")
    shown = [
        OutlineStep(step.number, step.text, tuple(_body(lines, step, steps[index + 1 :])))
        for index, step in enumerate(steps)
        if numbers is None or step.number in numbers
    ]
    heading = next((found[2] for line in lines if (found := _HEADING.match(line))), "")
    return Outline(
        title=" ".join((title or heading or (steps[0].text if steps else "")).split()) or "Untitled plan",
        steps=tuple(shown),
        goal=_first_paragraph(lines, _GOAL),
        out_of_scope=tuple(_items_under(lines, _OUT_OF_SCOPE)),
        invariants=tuple(_items_under(lines, _INVARIANTS)),
        checks=tuple(_items_under(lines, _CHECKS)),
        files=tuple(_items_under(lines, _FILES)),
    )


def _body(lines: list[str], step: PlanStep, later: tuple[PlanStep, ...]) -> Iterator[str]:
    """The lines of a step up to the next one, or to a heading that does not stand below it."""
    own = _HEADING.match(lines[step.line]) if step.line < len(lines) else None
    level = len(own[1]) if own else 0
    end = later[0].line if later else len(lines)
    for line in lines[step.line + 1 : end]:
        heading = _HEADING.match(line)
        if heading is not None and len(heading[1]) <= (level or 6):
            return
        yield line


def _section(lines: list[str], titles: tuple[str, ...]) -> Iterator[str]:
    inside = False
    for line in lines:
        heading = _HEADING.match(line)
        if heading is not None:
            inside = heading[2].strip(" *_:").casefold() in titles
        elif inside:
            yield line


def _items_under(lines: list[str], titles: tuple[str, ...]) -> Iterator[str]:
    for line in _section(lines, titles):
        item = _ITEM.match(line)
        if item is not None and item[1].strip():
            yield " ".join(item[1].split())


def _first_paragraph(lines: list[str], titles: tuple[str, ...]) -> str:
    words: list[str] = []
    for line in _section(lines, titles):
        if line.strip():
            words.append(line.strip())
        elif words:
            break
    return " ".join(words)
