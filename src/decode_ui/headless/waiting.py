"""A question that waits, for people and programs on the command line: what it is about, and how it is answered."""

from collections.abc import Iterator, Sequence
from typing import Any

from decode_core.events import DecisionRequested, EventBase, QuestionKind

SHOWN = 200
"""Characters of a question on its one line."""


def question_line(asked: DecisionRequested) -> str:
    """What is asked, on one line."""
    payload = asked.payload
    match asked.kind:
        case QuestionKind.PERMISSION:
            text = f"{payload.get('tool', 'a call')} {payload.get('subject', '')}".strip()
        case QuestionKind.PLAN_REVIEW:
            plan = payload.get("plan", {})
            text = f"plan version {plan.get('version', 1)} {plan.get('title', '')}".strip()
        case QuestionKind.ASK_USER:
            text = str(payload.get("question", "a question"))
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"


def answer_commands(session_id: str, asked: DecisionRequested) -> Iterator[str]:
    """The commands that answer it, a line each."""
    command = f"decode sessions answer {session_id} --question {asked.id}"
    match asked.kind:
        case QuestionKind.PERMISSION:
            yield f"look at it:   decode sessions answer {session_id}"
            yield f"allow it:     {command} --allow"
            yield f"refuse it:    {command} --deny --note 'why'"
        case QuestionKind.PLAN_REVIEW:
            yield f"read it:      decode sessions answer {session_id}"
            yield f"approve it:   {command} --allow"
            yield f"send it back: {command} --refine --note 'what should be different'"
            yield f"reject it:    {command} --deny"
        case QuestionKind.ASK_USER:
            if asked.payload.get("options"):
                yield f"choose:       {command} --choose 'an option or its number'"
            if asked.payload.get("allow_free_text", True):
                yield f"answer it:    {command} --text 'your answer'"
            yield f"decline:      {command} --deny"


def way_back(session_id: str, events: Sequence[EventBase]) -> Iterator[str]:
    """What is left on the terminal by an application that was left with a question open."""
    asked = next((event for event in reversed(events) if isinstance(event, DecisionRequested)), None)
    about = f": {question_line(asked)}" if asked is not None else ""
    yield f"A question waits for your answer{about}"
    yield f"open it:   decode --resume {session_id}"
    yield f"answer it: decode sessions answer {session_id}"


def question_row(asked: DecisionRequested) -> dict[str, Any]:
    """The question as plain data."""
    return {
        "id": asked.id,
        "kind": asked.kind.value,
        "about": question_line(asked),
        "payload": asked.payload,
        "answer_with": f"decode sessions answer {asked.session_id} --question {asked.id}",
    }


def question_text(asked: DecisionRequested) -> Iterator[str]:
    """The whole question, a line each: what it is about, why it is asked, and what would change."""
    payload = asked.payload
    yield f"{asked.id}  {question_line(asked)}"
    match asked.kind:
        case QuestionKind.PERMISSION:
            yield f"in mode {payload.get('mode', '')}: {payload.get('reason', '')}"
            yield from _arguments(payload)
        case QuestionKind.PLAN_REVIEW:
            yield ""
            yield from str(payload.get("plan", {}).get("text", "")).splitlines()
        case QuestionKind.ASK_USER:
            for number, option in enumerate(payload.get("options", ()), 1):
                yield f"  {number}. {option}"


def _arguments(payload: dict[str, Any]) -> Iterator[str]:
    preview = payload.get("preview") or {}
    if "after" in preview:
        yield from _difference(preview)
        return
    for name, value in dict(payload.get("args", {})).items():
        lines = str(value).splitlines() or [""]
        yield f"  {name}: {lines[0]}"
        yield from (f"    {line}" for line in lines[1:])


def _difference(preview: dict[str, Any]) -> Iterator[str]:
    from difflib import unified_diff

    before, after = str(preview.get("before") or ""), str(preview["after"])
    path = str(preview.get("path", ""))
    was = path if preview.get("before") is not None else "(new file)"
    yield ""
    yield from unified_diff(before.splitlines(), after.splitlines(), was, path, lineterm="")
