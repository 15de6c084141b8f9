"""Reads the result of exit_plan_mode: approved, sent back with comments, or rejected.

The result is written for a model, in words (`tools/planning.py`). What is unclear is read as the stricter of its
meanings: a plan that may have been sent back was, and where only part is approved, nothing is done that is not named.
"""

import re
from itertools import takewhile

from decode_core.engine.offline.plan_text import Review, Verdict
from decode_core.tools.plan_text import plan_steps

_EDITED = "The person edited it; this text holds:"
_APPROVED_STEPS = "Approved steps:"
_COMMENTS = "Comments:"
_STEP = re.compile(r"^(?P<number>\d{1,9})\. (?P<text>.+)$")
_COMMENT = re.compile(r"^- On (?:the whole plan|“.*?”): (?P<said>.*)$")


def read_review(result: str, planned: tuple[str, ...]) -> Review:
    """Return what the person decided on a plan with the steps `planned`."""
    first = re.split(r"[.:;\n]", result.strip(), maxsplit=1)[0].lower()
    if "reject" in first:
        return Review(Verdict.REJECTED)
    if "approved" in first and "not approved" not in first:
        in_part = "part" in first or "only" in first
        steps = _approved(result, () if in_part else planned)
        return Review(Verdict.APPROVED, steps, _comments(result), _numbers(result))
    return Review(Verdict.REFINE, remarks=_comments(result))


def _approved(result: str, otherwise: tuple[str, ...]) -> tuple[str, ...]:
    """The steps that are listed as approved, else those of the edited plan, else `otherwise`."""
    before, mark, edited = result.partition(_EDITED)
    lines = before.split("\n")
    if _APPROVED_STEPS in lines:
        steps: list[str] = []
        for line in lines[lines.index(_APPROVED_STEPS) + 1 :]:
            step = _STEP.match(line)
            if step is None:
                break
            steps.append(step["text"].strip())
        return tuple(steps)
    if mark and otherwise:
        return tuple(step.text for step in plan_steps(_before_comments(edited)))
    return otherwise


def _numbers(result: str) -> tuple[int, ...]:
    """The numbers of the steps that are listed as approved, where only part is."""
    lines = result.partition(_EDITED)[0].split("\n")
    if _APPROVED_STEPS not in lines:
        return ()
    listed = map(_STEP.match, lines[lines.index(_APPROVED_STEPS) + 1 :])
    return tuple(int(step["number"]) for step in takewhile(bool, listed) if step)


def _comments(result: str) -> tuple[str, ...]:
    """The person's comments, without the lines of the plan that they stand on."""
    _, mark, listed = result.rpartition(f"\n{_COMMENTS}\n")
    said: list[str] = []
    for line in listed.split("\n") if mark else []:
        begun = _COMMENT.match(line)
        if begun is not None:
            said.append(begun["said"])
        elif said:
            said[-1] += f"\n{line.removeprefix('  ')}"
    return tuple(comment for each in said if (comment := each.strip()))


def _before_comments(text: str) -> str:
    head, mark, _ = text.rpartition(f"\n{_COMMENTS}\n")
    return head if mark else text
