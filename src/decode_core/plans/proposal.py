"""A draft contract from a plan in prose (delegation.md §4): steps become tasks, stated checks become gates.

Nothing is approved here. The draft says what the plan says, and where the plan is silent it takes the careful reading
and says so: a step without a check is signed by a person, one without files may touch anything, and steps run one after
the other unless the plan says what they wait for.
"""

import re
import shlex
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from decode_core.plans.canonical import Document
from decode_core.plans.commands import MAX_COMMAND, first_program
from decode_core.plans.draft_document import draft_document
from decode_core.plans.outline import Outline, OutlineStep, StatedCheck, StepFacts, read_paths, read_step, whole_step
from decode_core.plans.surface import overlap

WHOLE_REPOSITORY = "."
MAX_TITLE = 200
_SLUG_CHARS = 40
_SLUG_WORDS = 4
_SMALL_WORD = re.compile("an?|and|as|at|by|for|from|in|into|is|its?|of|on|or|so|that|the|then|this|to|with")


class Condition(StrEnum):
    """The four conditions of `parallel_safe` (delegation.md §2)."""

    ADDON = "a delegation addon is enabled"
    SURFACE = "its files meet no sibling's"
    OUTPUT = "its output is bounded"
    GATES = "its gates run in this plan"


@dataclass(frozen=True)
class ProposedTask:
    """What became of a step."""

    step: int
    task: str
    title: str
    surface: tuple[str, ...]
    checks: tuple[str, ...]
    failing: Mapping[Condition, str]
    """The conditions of `parallel_safe` that do not hold, each with the reason as a clause."""
    notes: tuple[str, ...]
    """Where the plan was silent, and what was taken instead."""

    @property
    def parallel_safe(self) -> bool:
        """Whether it is proposed to the person, who sets it by approving the draft."""
        return not self.failing


@dataclass(frozen=True)
class Proposal:
    """A draft, and how it came about."""

    document: Document
    tasks: tuple[ProposedTask, ...]


def propose(outline: Outline, name: str, author: str, now: datetime, enabled: Collection[str]) -> Proposal:
    """Turn an outline into a draft contract for the plan `name`. Pure.

    `now` is in UTC; `enabled` are the keys of the delegation addons that the registry enables.
    """
    whole = whole_step(outline)
    steps = (*outline.steps, *([whole] if whole is not None else []))
    draft = _Draft(steps, read_paths(outline.files))
    rows, tasks, criteria = [], [], []
    for step in steps:
        row, task, its_criteria = draft.task_of(step)
        rows.append(row)
        tasks.append(task)
        criteria += its_criteria
    together = _may_run_together(tasks)
    proposed = [
        _judged(row, task, together[task["id"]], draft.is_stated[task["id"]], enabled)
        for row, task in zip(rows, tasks, strict=True)
    ]
    for task, row in zip(tasks, proposed, strict=True):
        if row.parallel_safe:
            task["parallel_safe"] = True
    delegates = any(row.parallel_safe for row in proposed)
    document = draft_document(
        name,
        now,
        author,
        title=outline.title[:MAX_TITLE],
        statement=outline.goal or outline.title,
        out_of_scope=outline.out_of_scope,
        invariants=[
            {"id": f"INV-{slug}", "statement": text} for slug, text in _slugs(outline.invariants, fallback="invariant")
        ],
        criteria=criteria,
        tasks=tasks,
        allowed_paths=list(dict.fromkeys(entry for task in tasks for entry in task["touched_surface"])),
        allowed_programs=draft.programs or ["true"],
        delegates=delegates,
    )
    return Proposal(document, tuple(proposed))


def plan_name(title: str, taken: Iterable[str]) -> str:
    """A name for a plan: the next number, and two to five words of its title."""
    numbers = [int(found[1]) for name in taken if (found := re.match(r"PLAN_(\d{3,})_", name)) is not None]
    words = re.findall(r"[a-z0-9]+", _ascii(title))[:5]
    return f"PLAN_{max(numbers, default=0) + 1:03}_{'_'.join([*words, *['work', 'plan'][: max(0, 2 - len(words))]])}"


class _Draft:
    def __init__(self, steps: Sequence[OutlineStep], files: Sequence[str]) -> None:
        self._files = tuple(dict.fromkeys(files))
        self.programs: list[str] = []
        self.is_stated: dict[str, bool] = {}
        self._waited_for: set[int] = set()
        self._facts = {step.number: read_step(step) for step in steps}
        titles = [facts.title for facts in self._facts.values()]
        self._slugs = dict(zip(self._facts, (slug for slug, _ in _slugs(titles, fallback="step")), strict=True))

    def task_of(self, step: OutlineStep) -> tuple[ProposedTask, dict[str, Any], list[dict[str, Any]]]:
        """A step's row for the person, its task and its criteria."""
        facts, slug, notes = self._facts[step.number], self._slugs[step.number], list[str]()
        checks = facts.checks
        if not checks:
            checks = (StatedCheck(f"{facts.title}: done", None),)
            notes.append("the plan states no check, so that a person signs it off")
        criteria, gates = [], []
        for number, check in enumerate(checks, start=1):
            criterion = f"AC-{slug}" + (f"-{number}" if len(checks) > 1 else "")
            command = None if check.command is None else self._command(check.command, notes)
            label = "asserted" if command is None else "observed"
            said = check.statement if command is None else f"{command} exits 0"
            criteria.append(
                {
                    "id": criterion,
                    "statement": check.statement,
                    "observable_check": said,
                    "accepted_evidence": [label],
                }
            )
            gates.append({"criterion": criterion, "check": command or f"a person confirms: {check.statement}"})
        surface = facts.surface or self._files or (WHOLE_REPOSITORY,)
        if not facts.surface and self._files:
            notes.append("it names no files, so that it may touch those of the whole plan")
        elif not facts.surface:
            notes.append("the plan names no files, so that it may touch anything")
        elif not facts.is_surface_stated:
            notes.append("its files were gathered from the paths in its text")
        task: dict[str, Any] = {
            "id": f"T-{slug}",
            "title": facts.title[:MAX_TITLE],
            "prerequisites": self._prerequisites(step.number, facts, notes),
            "touched_surface": list(surface),
            "gate_intent": gates,
        }
        self.is_stated[task["id"]] = facts.is_surface_stated or bool(facts.output)
        shown = tuple(gate["check"] for gate in gates)
        row = ProposedTask(step.number, task["id"], task["title"], surface, shown, failing={}, notes=tuple(notes))
        return row, task, criteria

    def _command(self, command: str, notes: list[str]) -> str:
        """The command as a gate can run it; what is more than one program goes through a declared shell."""
        # the grammar is loaded for a draft alone
        from decode_core.permissions.shell.reading import read_script

        script = read_script(command)
        single = len(script.commands) == 1 and script.problem is None and not script.commands[0].assignments
        if not single and first_program(command) not in ("sh", "bash"):
            notes.append(f"`{command}` is more than one program, so that `sh -c` runs it")
            command = f"sh -c {shlex.quote(command)}"
        if len(command) > MAX_COMMAND:
            notes.append(f"a check has more than {MAX_COMMAND} characters: put it into a script")
        program = first_program(command)
        if program and program not in self.programs:
            self.programs.append(program)
        return command

    def _prerequisites(self, number: int, facts: StepFacts, notes: list[str]) -> list[str]:
        earlier = [one for one in self._facts if one < number]
        waited_for = self._waited_for
        if facts.after is None:
            # whatever nothing waits for yet: the step begins when all before it is done
            due = [one for one in earlier if one not in waited_for]
            waited_for.update(due)
            return [f"T-{self._slugs[one]}" for one in due]
        unknown = [str(one) for one in facts.after if one not in earlier]
        if unknown:
            notes.append(f"it is said to wait for {', '.join(unknown)}, which is no earlier step of this draft")
        known = [one for one in facts.after if one in earlier]
        waited_for.update(known)
        return [f"T-{self._slugs[one]}" for one in known]


def _judged(
    row: ProposedTask,
    task: dict[str, Any],
    siblings: Sequence[dict[str, Any]],
    has_bounded_output: bool,  # noqa: FBT001 - one of four facts, each by its name
    enabled: Collection[str],
) -> ProposedTask:
    meets = next(
        (
            f"{pair[0]} meets {pair[1]} of {other['id']}"
            for other in siblings
            if (pair := overlap(task["touched_surface"], other["touched_surface"])) is not None
        ),
        "",
    )
    signed = [gate["criterion"] for gate in task["gate_intent"] if gate["check"].startswith("a person confirms: ")]
    is_bounded = has_bounded_output and WHOLE_REPOSITORY not in task["touched_surface"]
    reasons = {
        Condition.ADDON: "" if enabled else "no delegation addon is enabled (`decode plan config enable`)",
        Condition.SURFACE: meets,
        Condition.OUTPUT: "" if is_bounded else "the plan states neither its files nor its output",
        Condition.GATES: f"a person signs {', '.join(signed)}" if signed else "",
    }
    return replace(row, failing={condition: reason for condition, reason in reasons.items() if reason})


def _may_run_together(tasks: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """For each task those that are neither before nor after it."""
    before: dict[str, set[str]] = {}
    for task in tasks:
        # prerequisites stand earlier in the list, so theirs are known
        before[task["id"]] = set(task["prerequisites"]).union(*(before[name] for name in task["prerequisites"]))
    return {
        task["id"]: [
            other
            for other in tasks
            if other is not task and other["id"] not in before[task["id"]] and task["id"] not in before[other["id"]]
        ]
        for task in tasks
    }


def _slugs(texts: Iterable[str], *, fallback: str) -> list[tuple[str, str]]:
    """Each text with a short name, every name once."""
    found: dict[str, str] = {}
    for text in texts:
        words = [word for word in re.findall(r"[a-z0-9]+", _ascii(text)) if not _SMALL_WORD.fullmatch(word)]
        slug = "-".join(words[:_SLUG_WORDS])[:_SLUG_CHARS].rstrip("-") or fallback
        number = 2
        unique = slug
        while unique in found:
            unique = f"{slug}-{number}"
            number += 1
        found[unique] = text
    return list(found.items())


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
