"""What changed between two versions of a plan, step by step. Pure."""

from dataclasses import dataclass
from difflib import SequenceMatcher

from decode_core.event_values import Plan, PlanStep

SAME_STEP = 0.5
"""Share of common text from which a step in the place of another one is that step, changed."""


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
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        gone = list(older.steps[i1:i2])
        for step in newer.steps[j1:j2]:
            match = next((old for old in gone if _alike(old.text, step.text)), None)
            if match is None:
                added.append(step)
            else:
                gone.remove(match)
                changed.append(step)
        removed += gone
    return StepChanges(tuple(added), tuple(changed), tuple(removed), older.text.strip() == newer.text.strip())


def _alike(one: str, other: str) -> bool:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.real_quick_ratio() >= SAME_STEP and matcher.ratio() >= SAME_STEP
