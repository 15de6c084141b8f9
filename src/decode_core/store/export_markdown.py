"""A session as Markdown that a person reads."""

import re
from collections.abc import Iterable, Iterator, Sequence

from decode_core.events import EventBase
from decode_core.neutral import neutralise, neutralise_line
from decode_core.store.exported import REDACTION_NOTE, Call, Line
from decode_core.store.sessions import SessionInfo, clean_title
from decode_core.store.told import told

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
    yield from told(_Document(), events)


class _Document:
    """`told.Form` as Markdown."""

    def prompt(self, text: str) -> Iterator[str]:
        yield f"\n## {_plain(clean_title(text)[:HEADING]) or 'Prompt'}\n\n{_quote(text)}\n"

    def said(self, text: str) -> Iterator[str]:
        yield f"\nSaid during the turn:\n\n{_quote(text)}\n"

    def thinking(self, text: str) -> Iterator[str]:
        yield f"\nThinking:\n\n{_fenced(text)}\n"

    def answer(self, text: str) -> Iterator[str]:
        yield f"\n{_defused(text)}\n"

    def call(self, call: Call, arguments: str, notes: Sequence[str]) -> Iterator[str]:
        yield f"\n### {_plain(call.started.tool)} {_code(call.started.subject)} · {call.outcome}\n\n"
        yield _fenced(arguments, "json") + "\n"
        for note in notes:
            yield from self.note(note)
        if call.finished is not None and call.finished.text:
            yield f"\n{_fenced(call.finished.text)}\n"

    def line(self, line: Line) -> Iterator[str]:
        yield f"\n### You ran {_code(line.started.command)} · {_plain(line.outcome)}\n"
        if line.output:
            yield f"\n{_fenced(line.output)}\n"

    def plan(self, heading: str, text: str) -> Iterator[str]:
        yield f"\n### {_plain(heading)}\n\n{_fenced(text, 'markdown')}\n"

    def note(self, text: str) -> Iterator[str]:
        yield f"\n*{_plain(text)}*\n"


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
