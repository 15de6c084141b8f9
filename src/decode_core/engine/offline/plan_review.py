"""Reads the result of exit_plan_mode: approved, sent back with remarks, or rejected."""

import re

from decode_core.engine.offline.plan_text import Review, Verdict

_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?P<text>.+)$")
_REMARK_ON_LINE = re.compile(r"^\s*(?:[-*+]\s+)?(?:On\s+|Line\s+)?[“\"`'](?P<line>.*?)[”\"`']\s*:\s*(?P<remark>.+)$")
_NOTE = re.compile(
    r"^\s*(?:[-*+]\s+)?(?:Note|On the whole(?: plan)?|On the plan|In general)\b[^:]*:\s*(?P<remark>.+)$", re.IGNORECASE
)


def read_review(result: str) -> Review:
    """Return what the person decided. Unclear texts count as sent back: nothing is done that was not approved."""
    first = re.split(r"[.:;\n]", result.strip(), maxsplit=1)[0].lower()
    if "reject" in first:
        return Review(Verdict.REJECTED)
    if "approved" in first and "not approved" not in first:
        return Review(Verdict.APPROVED, _approved_steps(result))
    return Review(Verdict.REFINE, remarks=_remarks(result))


def _approved_steps(result: str) -> tuple[str, ...] | None:
    """The steps under a line that speaks of approved steps, else those of the plan text that the result holds."""
    listed: list[str] = []
    inside = found = False
    for line in result.splitlines():
        item = _ITEM.match(line)
        if item is None and line.strip():
            inside = bool(
                re.match(
                    r"\W*(?:approved\b.*steps?|steps?\b.*approved|(?:steps|plan)\W*$)", line.strip(), re.IGNORECASE
                )
            )
            found = found or inside
        elif item is not None and inside:
            listed.append(item["text"].strip())
    return tuple(listed) if found else None


def _remarks(result: str) -> tuple[str, ...]:
    remarks: list[str] = []
    for line in result.splitlines()[1:]:
        match = _REMARK_ON_LINE.match(line) or _NOTE.match(line) or _ITEM.match(line)
        if match is None:
            continue
        remark = match.groupdict().get("remark") or match.groupdict().get("text")
        if remark and remark.strip():
            remarks.append(remark.strip())
    return tuple(remarks)
