"""One walk over a conversation for every form in which people read it: what is told, in which order, in which words."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

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
from decode_core.store.exported import Call, Line, Part, parts


class Form(Protocol):
    """How each piece is written. Every text is foreign: a form makes it harmless before it writes it."""

    def prompt(self, text: str) -> Iterator[str]:
        """What the person asked for; a turn begins."""
        ...

    def said(self, text: str) -> Iterator[str]:
        """What the person said during the turn."""
        ...

    def thinking(self, text: str) -> Iterator[str]:
        """What the model thought."""
        ...

    def answer(self, text: str) -> Iterator[str]:
        """What the model answered: Markdown."""
        ...

    def call(self, call: Call, arguments: str, notes: Sequence[str]) -> Iterator[str]:
        """A call with its arguments as JSON, what was decided on it, and its result."""
        ...

    def line(self, line: Line) -> Iterator[str]:
        """A shell line of the person's own."""
        ...

    def plan(self, heading: str, text: str) -> Iterator[str]:
        """A plan that was proposed: Markdown."""
        ...

    def note(self, text: str) -> Iterator[str]:
        """One sentence between all that."""
        ...


def told(form: Form, events: Iterable[EventBase]) -> Iterator[str]:
    """The conversation in a form, piece by piece."""
    for part in parts(events):
        yield from _part(form, part)


def _part(form: Form, part: Part) -> Iterator[str]:
    match part:
        case TurnStarted(prompt=prompt):
            yield from form.prompt(prompt)
        case SteeringTaken(text=text):
            yield from form.said(text)
        case AssistantMessage(text=text, thinking=thinking):
            if thinking:
                yield from form.thinking(thinking)
            if text:
                yield from form.answer(text)
        case Call():
            yield from form.call(
                part, json.dumps(part.started.args, ensure_ascii=False, indent=1), list(_verdicts(part))
            )
        case Line():
            yield from form.line(part)
        case ModeChanged(from_mode=before, to_mode=after, cause=cause):
            yield from form.note(f"Mode {before} → {after} ({cause}).")
        case PlanProposed(plan=plan):
            yield from form.plan(f"Plan, version {plan.version}: {plan.title}", plan.text)
        case PlanDecided(answer=answer, note=note, comments=comments):
            yield from form.note(f"Plan: {answer}{_after(note)}")
            for comment in comments:
                yield from form.note(f"On “{comment.quoted}”: {comment.text}")
        case NoticeRaised(level=level, text=text, hint=hint):
            yield from form.note(f"{level.value.capitalize()}: {text}{_after(hint)}")
        case TurnFinished(end=end, reason=reason):
            yield from form.note(f"Turn {end}{_after(reason)}")


def _verdicts(call: Call) -> Iterator[str]:
    for verdict in call.verdicts:
        yield f"{verdict.outcome}, by {verdict.by}: {verdict.reason}"
    if call.answer is not None:
        yield f"Answered: {call.answer.answer}{_after(call.answer.note)}"


def _after(text: str) -> str:
    return f": {text}" if text else ""
