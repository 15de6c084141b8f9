"""A session as Markdown that a person reads."""

import json
import re
from collections.abc import Iterable, Iterator

from decode_core.events import (
    AssistantMessage,
    EventBase,
    ModeChanged,
    NoticeRaised,
    PlanDecided,
    PlanProposed,
    SteeringTaken,
    TurnFinished,
    TurnStarted,
)
from decode_core.neutral import neutralise, neutralise_line
from decode_core.store.exported import REDACTION_NOTE, Call, Line, Part, parts
from decode_core.store.sessions import SessionInfo, clean_title

HEADING = 80
"""Characters of a prompt in its heading."""


def markdown(title: str, info: SessionInfo, events: Iterable[EventBase], unreadable: int) -> Iterator[str]:
    """The pieces of the document.

    Answers are Markdown themselves and stay it, without images and HTML; everything else of foreign origin stands in
    code. Prompts are quoted.
    """
    yield f"# {_plain(title) or 'Session ' + info.id}\n\n"
    yield f"- Session: {_code(info.id)}\n- Workspace: {_code(info.workspace)}\n- Agent: {_code(info.agent)}\n"
    yield f"- Model: {_code(info.model)}\n- Begun: {info.created:%Y-%m-%d %H:%M:%S} UTC\n"
    if unreadable:
        yield f"- **{unreadable} events could not be read and are missing.**\n"
    yield f"\n{REDACTION_NOTE}\n"
    for part in parts(events):
        yield from _part(part)


def _part(part: Part) -> Iterator[str]:
    match part:
        case TurnStarted(prompt=prompt):
            yield f"\n## {_plain(clean_title(prompt)[:HEADING]) or 'Prompt'}\n\n{_quote(prompt)}\n"
        case SteeringTaken(text=text):
            yield f"\nSaid during the turn:\n\n{_quote(text)}\n"
        case AssistantMessage(text=text, thinking=thinking):
            if thinking:
                yield f"\nThinking:\n\n{_fenced(thinking)}\n"
            if text:
                yield f"\n{_defused(text)}\n"
        case Call():
            yield from _call(part)
        case Line(started=started):
            yield f"\n### You ran {_code(started.command)} · {_plain(part.outcome)}\n"
            if part.output:
                yield f"\n{_fenced(part.output)}\n"
        case ModeChanged(from_mode=before, to_mode=after, cause=cause):
            yield f"\n*Mode {before} → {after} ({cause}).*\n"
        case PlanProposed(plan=plan):
            yield f"\n### Plan, version {plan.version}: {_plain(plan.title)}\n\n{_fenced(plan.text, 'markdown')}\n"
        case PlanDecided(answer=answer, note=note, comments=comments):
            yield f"\n*Plan: {_plain(answer)}{_after(note)}*\n"
            for comment in comments:
                yield f"\n*On “{_plain(comment.quoted)}”: {_plain(comment.text)}*\n"
        case NoticeRaised(level=level, text=text, hint=hint):
            yield f"\n*{level.value.capitalize()}: {_plain(text)}{_after(hint)}*\n"
        case TurnFinished(end=end, reason=reason):
            yield f"\n*Turn {end}{_after(reason)}*\n"


def _call(call: Call) -> Iterator[str]:
    yield f"\n### {_plain(call.started.tool)} {_code(call.started.subject)} · {call.outcome}\n\n"
    yield _fenced(json.dumps(call.started.args, ensure_ascii=False, indent=1), "json") + "\n"
    for verdict in call.verdicts:
        yield f"\n*{verdict.outcome}, by {verdict.by}: {_plain(verdict.reason)}*\n"
    if call.answer is not None:
        yield f"\n*Answered: {_plain(call.answer.answer)}{_after(call.answer.note)}*\n"
    if call.finished is not None and call.finished.text:
        yield f"\n{_fenced(call.finished.text)}\n"


def _after(text: str) -> str:
    return f": {_plain(text)}" if text else ""


def _plain(text: str) -> str:
    """A foreign text on one line, every sign that means something in Markdown escaped."""
    return _SIGNS.sub(r"\\\g<0>", neutralise_line(text.replace("\n", " ")))


def _code(text: str) -> str:
    line = neutralise_line(text.replace("\n", " "))
    if not line.strip():
        return ""
    ticks = _longest_ticks(line, 0)
    return f"{ticks} {line} {ticks}" if "`" in line else f"`{line}`"


def _fenced(text: str, language: str = "") -> str:
    """A code block that nothing in the text can end."""
    fence = _longest_ticks(text, 2)
    return f"{fence}{language}\n{neutralise(text).rstrip()}\n{fence}"


def _longest_ticks(text: str, least: int) -> str:
    longest = max((len(ticks) for ticks in re.findall("`+", text)), default=0)
    return "`" * (max(longest, least) + 1)


def _quote(text: str) -> str:
    return "\n".join(f"> {_plain(line)}".rstrip() for line in text.strip().split("\n"))


def _defused(text: str) -> str:
    """Markdown of a model without what would load or run something where it is shown: images and HTML."""
    lines = []
    fence = ""
    for line in neutralise(text).strip("\n").split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif mark:
            fence = mark[1]
        else:
            line = _IMAGE.sub(r"!\\[", _TAG.sub(r"\\<", line))
        lines.append(line)
    if fence:
        lines.append(fence)  # what follows is not part of an answer that was cut in a code block
    return "\n".join(lines)


_SIGNS = re.compile(r"[\\`*_{}\[\]<>#|!~&]")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_IMAGE = re.compile(r"!\[")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
