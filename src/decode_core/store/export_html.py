"""A session as one HTML page that loads nothing and runs nothing, whatever stands in it."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from decode_core.events import EventBase
from decode_core.neutral import neutralise
from decode_core.store.exported import REDACTION_NOTE, Call, Line
from decode_core.store.sessions import SessionInfo
from decode_core.store.told import told

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
    yield from told(_Page(), events)
    yield "</body>\n</html>\n"


class _Page:
    """`told.Form` as HTML."""

    def prompt(self, text: str) -> Iterator[str]:
        yield f"<hr>\n<div class='prompt'>{_text(text)}</div>\n"

    def said(self, text: str) -> Iterator[str]:
        yield f"<p class='note'>Said during the turn:</p><div class='prompt'>{_text(text)}</div>\n"

    def thinking(self, text: str) -> Iterator[str]:
        yield f"<details><summary>Thinking</summary><pre>{_text(text)}</pre></details>\n"

    def answer(self, text: str) -> Iterator[str]:
        yield f"<div class='answer'>{_text(text)}</div>\n"

    def call(self, call: Call, arguments: str, notes: Sequence[str]) -> Iterator[str]:
        begun = call.started
        yield f"<details><summary><code>{_text(begun.tool)}</code> {_text(begun.subject)} · "
        yield f"<span class='{call.outcome.replace(' ', '-')}'>{call.outcome}</span></summary>\n"
        yield f"<pre>{_text(arguments)}</pre>\n"
        for note in notes:
            yield from self.note(note)
        if call.finished is not None and call.finished.text:
            yield f"<pre>{_text(call.finished.text)}</pre>\n"
        yield "</details>\n"

    def line(self, line: Line) -> Iterator[str]:
        yield f"<details><summary>You ran <code>{_text(line.started.command)}</code> · {_text(line.outcome)}</summary>"
        yield f"<pre>{_text(line.output)}</pre></details>\n"

    def plan(self, heading: str, text: str) -> Iterator[str]:
        yield f"<h2>{_text(heading)}</h2><pre>{_text(text)}</pre>\n"

    def note(self, text: str) -> Iterator[str]:
        yield f"<p class='note'>{_text(text)}</p>\n"


def _text(text: str) -> str:
    return escape(neutralise(text), quote=True)
