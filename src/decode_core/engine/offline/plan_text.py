"""The plan of the offline model as a document, and the person's answer to it as a value.

Each step that the rules can carry out is written as the very request that does it, so that an edited or partly approved
plan is carried out as it reads.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from decode_core.engine.offline.carry_out import Doable
from decode_core.engine.offline.markdown import code, fence, one_line
from decode_core.engine.offline.requests import (
    EVERYWHERE,
    CreateFile,
    ListFiles,
    OverwriteFile,
    ReadFile,
    Replace,
    RunCommand,
    Search,
)


@dataclass(frozen=True)
class Step:
    """One step: its line in the plan, and the request that carries it out; None is a step for the person."""

    text: str
    request: Doable | None = None


@dataclass(frozen=True)
class Draft:
    """A plan before it is a document."""

    goal: str
    facts: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    checks: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    """What the person said to earlier versions."""

    @property
    def title(self) -> str:
        """The goal in a few words."""
        return _sentence(self.goal, 60).removesuffix(".")

    @property
    def markdown(self) -> str:
        """The document."""
        parts = [f"# {self.title}", f"**Goal.** {_sentence(self.goal)}"]
        if self.facts:
            parts += ["## What is there", _list(self.facts)]
        if self.remarks:
            parts += ["## What you said", _list([one_line(remark) for remark in self.remarks])]
        parts += ["## Steps", "\n".join(f"{number}. {step.text}" for number, step in enumerate(self.steps, start=1))]
        for step in self.steps:
            if isinstance(step.request, CreateFile | OverwriteFile) and step.request.content:
                parts += [f"## Content of {code(step.request.path)}", fence(step.request.content)]
        if self.checks:
            parts += ["## Checks", _list(self.checks)]
        if self.files:
            parts += ["## Files", _list([code(path) for path in self.files])]
        return "\n\n".join(parts) + "\n"


def step_for(request: Doable) -> Step:
    """The step that carries out `request`."""
    match request:
        case Replace(old, new, where):
            place = "everywhere" if where in (None, EVERYWHERE) else f"in {code(where)}"
            verb = f"Replace {code(old)} with {code(new)} {place}" if new else f"Remove {code(old)} {place}"
            return Step(verb, request)
        case CreateFile(path):
            return Step(f"Create {code(path)}", request)
        case OverwriteFile(path):
            return Step(f"Overwrite {code(path)} with the content below", request)
        case RunCommand(command):
            return Step(f"Run {code(command)}", request)
        case ReadFile(path):
            return Step(f"Read {code(path)}", request)
        case Search(text, path, glob):
            place = f" in {code(path or glob or '')}" if path or glob else ""
            return Step(f"Search {code(text)}{place}", request)
        case ListFiles(pattern, folder):
            return Step(f"List {code(pattern)}" + (f" in {code(folder)}" if folder else ""), request)


class Verdict(StrEnum):
    """What the person decided on a plan."""

    APPROVED = "approved"
    REFINE = "refine"
    REJECTED = "rejected"


@dataclass(frozen=True)
class Review:
    """The person's answer to a plan: the approved steps as they read in the answer, and what was said to it.

    `numbers` are those of the steps in the plan; empty where every step counts, in order.
    """

    verdict: Verdict
    steps: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()


def _sentence(text: str, most: int = 400) -> str:
    words = one_line(text.strip().rstrip("."), most)
    return words[:1].upper() + words[1:] + ("" if words.endswith(("…", "?", "!")) else ".")


def _list(items: Sequence[str]) -> str:
    return "\n".join(f"- {item}" for item in items)
