"""A session as one HTML page that loads nothing and runs nothing, whatever stands in it."""

import json
from collections.abc import Iterable, Iterator
from html import escape

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
from decode_core.neutral import neutralise
from decode_core.store.exported import REDACTION_NOTE, Call, Line, Part, parts
from decode_core.store.sessions import SessionInfo

_STYLE = """
:root { color-scheme: light dark; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .6rem; border-radius: .3rem; }
pre, .prompt { background: color-mix(in srgb, currentColor 7%, transparent); }
.prompt { padding: .6rem; border-left: .25rem solid #4078c0; white-space: pre-wrap; overflow-wrap: anywhere; }
.answer { white-space: pre-wrap; overflow-wrap: anywhere; }
.note { opacity: .75; font-style: italic; }
summary { cursor: pointer; }
.denied, .failed { color: #c0392b; }
"""


def html(title: str, info: SessionInfo, events: Iterable[EventBase], unreadable: int) -> Iterator[str]:
    """The pieces of the page. Every text is escaped; the page forbids itself scripts and anything remote."""
    name = _text(title or f"Session {info.id}")
    yield "<!doctype html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
    yield "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    yield "<meta name='referrer' content='no-referrer'>\n"
    yield "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
    yield f"<title>{name}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n<dl>\n"
    facts = {
        "Session": info.id,
        "Workspace": info.workspace,
        "Agent": info.agent,
        "Model": info.model,
        "Begun": f"{info.created:%Y-%m-%d %H:%M:%S} UTC",
    }
    for fact, value in facts.items():
        yield f"<dt>{fact}</dt><dd>{_text(value)}</dd>\n"
    yield "</dl>\n"
    if unreadable:
        yield f"<p><strong>{unreadable} events could not be read and are missing.</strong></p>\n"
    yield f"<p class='note'>{REDACTION_NOTE}</p>\n"
    for part in parts(events):
        yield from _part(part)
    yield "</body>\n</html>\n"


def _part(part: Part) -> Iterator[str]:
    match part:
        case TurnStarted(prompt=prompt):
            yield f"<hr>\n<div class='prompt'>{_text(prompt)}</div>\n"
        case SteeringTaken(text=text):
            yield f"<p class='note'>Said during the turn:</p><div class='prompt'>{_text(text)}</div>\n"
        case AssistantMessage(text=text, thinking=thinking):
            if thinking:
                yield f"<details><summary>Thinking</summary><pre>{_text(thinking)}</pre></details>\n"
            if text:
                yield f"<div class='answer'>{_text(text)}</div>\n"
        case Line(started=started):
            yield f"<details><summary>You ran <code>{_text(started.command)}</code> · {_text(part.outcome)}</summary>"
            yield f"<pre>{_text(part.output)}</pre></details>\n"
        case Call():
            yield from _call(part)
        case ModeChanged(from_mode=before, to_mode=after, cause=cause):
            yield _note(f"Mode {before} → {after} ({cause}).")
        case PlanProposed(plan=plan):
            yield f"<h2>Plan, version {plan.version}: {_text(plan.title)}</h2><pre>{_text(plan.text)}</pre>\n"
        case PlanDecided(answer=answer, note=note, comments=comments):
            yield _note(f"Plan: {answer}{_after(note)}")
            for comment in comments:
                yield _note(f"On “{comment.quoted}”: {comment.text}")
        case NoticeRaised(level=level, text=text, hint=hint):
            yield _note(f"{level.value.capitalize()}: {text}{_after(hint)}")
        case TurnFinished(end=end, reason=reason):
            yield _note(f"Turn {end}{_after(reason)}")


def _call(call: Call) -> Iterator[str]:
    begun = call.started
    yield f"<details><summary><code>{_text(begun.tool)}</code> {_text(begun.subject)} · "
    yield f"<span class='{call.outcome.replace(' ', '-')}'>{call.outcome}</span></summary>\n"
    yield f"<pre>{_text(json.dumps(begun.args, ensure_ascii=False, indent=1))}</pre>\n"
    for verdict in call.verdicts:
        yield _note(f"{verdict.outcome}, by {verdict.by}: {verdict.reason}")
    if call.answer is not None:
        yield _note(f"Answered: {call.answer.answer}{_after(call.answer.note)}")
    if call.finished is not None and call.finished.text:
        yield f"<pre>{_text(call.finished.text)}</pre>\n"
    yield "</details>\n"


def _note(text: str) -> str:
    return f"<p class='note'>{_text(text)}</p>\n"


def _after(text: str) -> str:
    return f": {text}" if text else ""


def _text(text: str) -> str:
    return escape(neutralise(text), quote=True)
