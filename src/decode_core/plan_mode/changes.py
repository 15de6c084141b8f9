"""What changed between two versions of a plan, step by step. Pure."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from decode_core.event_values import Plan, PlanStep

SAME_STEP = 0.4
"""Share of common words from which a step in the place of another one is that step, changed."""
NEAR = 8
"""How many of the steps that are gone a new one is compared with: a plan of any length costs next to nothing."""


@dataclass(frozen=True)
class StepChanges:
    """Steps of the newer plan that are new or changed, steps of the older one that are gone, in their order."""

    added: tuple[PlanStep, ...] = ()
    changed: tuple[PlanStep, ...] = ()
    removed: tuple[PlanStep, ...] = ()
    same_text: bool = False
    """The two texts are the same."""


def step_changes(older: Plan, newer: Plan) -> StepChanges:
    """Compare two versions by the texts of their steps; a step that only moved its number is the same step."""
    added: list[PlanStep] = []
    changed: list[PlanStep] = []
    removed: list[PlanStep] = []
    before, after = [step.text for step in older.steps], [step.text for step in newer.steps]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after).get_opcodes():
        if tag == "equal":
            continue
        gone = list(older.steps[i1:i2])
        for step in newer.steps[j1:j2]:
            match = next((old for old in gone[:NEAR] if _alike(old.text, step.text)), None)
            if match is None:
                added.append(step)
            else:
                gone.remove(match)
                changed.append(step)
        removed += gone
    return StepChanges(tuple(added), tuple(changed), tuple(removed), older.text.strip() == newer.text.strip())


def _alike(one: str, other: str) -> bool:
    words, others = (set(re.findall(r"\w+", text.casefold())) for text in (one, other))
    return len(words & others) >= SAME_STEP * max(len(words | others), 1)
