"""Reads the result of exit_plan_mode: approved, sent back with remarks, or rejected.

The result is written for a model, in words. What is unclear is read as the stricter of its meanings: a plan that may
have been sent back was, and where only part of a plan is approved, nothing is done that is not named.
"""

import re

from decode_core.engine.offline.plan_text import Review, Verdict

_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?P<text>.+)$")
_APPROVED_HEAD = re.compile(r"^\W*(?:approved\b.*\bsteps?|steps?\b.*\bapproved|(?:steps|plan))\W*$", re.IGNORECASE)
_IN_PART = re.compile(r"\b(?:refused|only|part|not approved)\b", re.IGNORECASE)
_NUMBERS = re.compile(r"approved steps?(?: are)?:?\s*(?P<numbers>\d+(?:\s*(?:,|and)\s*\d+)*)", re.IGNORECASE)
_ON_A_LINE = re.compile(
    r"^(?:on\s+|line\s+)?(?P<quote>[“\"`']).*?[”\"`']\s*(?::|—|-|→)\s*(?P<remark>.+)$", re.IGNORECASE
)
_ON_ALL = re.compile(
    r"^(?:note|remark|on the (?:whole )?plan|on the whole|in general)\b[^:]*:\s*(?P<remark>.+)$", re.IGNORECASE
)
_ASKS_FOR_MORE = re.compile(
    r"exit_plan_mode|\bnew (?:plan|version)\b|^\W*(?:revise|comments?|note)\b[^:]*:?\s*$", re.IGNORECASE
)


def read_review(result: str, planned: tuple[str, ...] = ()) -> Review:
    """Return what the person decided on a plan with the steps `planned`."""
    text = result.strip()
    first = re.split(r"[.:;\n]", text, maxsplit=1)[0].lower()
    if "reject" in first:
        return Review(Verdict.REJECTED)
    if "approved" in first and "not approved" not in first:
        return Review(Verdict.APPROVED, _approved(text, planned))
    return Review(Verdict.REFINE, remarks=_remarks(text))


def _approved(text: str, planned: tuple[str, ...]) -> tuple[str, ...]:
    """The steps that are listed as approved; all of the plan where the text speaks of no limit."""
    listed: list[str] = []
    is_listed = is_inside = False
    for line in text.splitlines():
        item = _ITEM.match(line)
        if item is not None and is_inside:
            listed.append(item["text"].strip())
        elif item is None and line.strip():
            is_inside = _APPROVED_HEAD.match(line.strip()) is not None
            is_listed = is_listed or is_inside
    if is_listed:
        return tuple(listed)
    if numbers := _NUMBERS.search(text):
        wanted = {int(number) for number in re.findall(r"\d{1,6}", numbers["numbers"])}
        return tuple(step for number, step in enumerate(planned, start=1) if number in wanted)
    return () if _IN_PART.search(text) else planned


def _remarks(text: str) -> tuple[str, ...]:
    head, _, rest = text.partition("\n")
    lines = [head.partition(": ")[2], *rest.splitlines()]
    return tuple(remark for line in lines if (remark := _remark(line)))


def _remark(line: str) -> str | None:
    """The person's words in a line; None for quotes of the plan and for what the tool asks the model to do."""
    item = _ITEM.match(line)
    said = (item["text"] if item else line).strip()
    if not said or said.startswith(">") or _ASKS_FOR_MORE.search(said):
        return None
    match = _ON_A_LINE.match(said) or _ON_ALL.match(said)
    return (match["remark"] if match else said).strip()
