"""Stored sessions as rows of a picker and as a preview. Pure; all texts are neutral."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import PurePath

from textual.content import Content

from decode_core.neutral import neutralise_line
from decode_core.store.sessions import SessionInfo
from decode_ui.headless.waiting import question_line
from decode_ui.session_shelf import Preview
from decode_ui.wording import one_line

TITLE_CELLS = 44
PREVIEW_CELLS = 300
"""Characters of a prompt or answer in the preview."""


def matching(sessions: Sequence[SessionInfo], text: str) -> list[SessionInfo]:
    """Those in whose title, folder, agent, model or id all words stand."""
    words = text.casefold().split()
    return [info for info in sessions if all(word in _haystack(info) for word in words)]


def row(info: SessionInfo, *, now: datetime, is_here: bool, is_current: bool, held_by: str, said: str = "") -> Content:
    """One line: when, what it is called, and what is special about it."""
    title = neutralise_line(info.title) or "(no prompt yet)"
    cut = title if len(title) <= TITLE_CELLS else title[: TITLE_CELLS - 1] + "…"
    notes = [
        ("this session", "$accent") if is_current else None,
        ("? waits for you", "$warning") if info.question else None,
        (f"open in {held_by}", "$muted") if held_by and not is_current else None,
        (f"{info.turns} turn{'' if info.turns == 1 else 's'}", "$muted"),
        None if is_here else (neutralise_line(PurePath(info.workspace).name or info.workspace), "$muted"),
        (one_line(said), "$muted") if said else None,
    ]
    parts: list[str | tuple[str, str]] = [(f"{ago(info.changed, now):>9}", "$muted"), "  ", f"{cut:<{TITLE_CELLS}}"]
    for note in filter(None, notes):
        parts += ["  ", note]
    return Content.assemble(*parts)


def ago(moment: datetime, now: datetime) -> str:
    """When that was, as people say it."""
    passed = now - moment
    if passed < timedelta(minutes=1):
        return "just now"
    if passed < timedelta(hours=1):
        return f"{int(passed.total_seconds() // 60)} min ago"
    if passed < timedelta(days=1):
        return f"{int(passed.total_seconds() // 3600)} h ago"
    if passed < timedelta(days=7):
        return f"{passed.days} d ago"
    return f"{moment.astimezone(UTC):%d %b %y}" if moment.year != now.year else f"{moment.astimezone(UTC):%d %b}"


def preview(info: SessionInfo, look: Preview | None) -> Content:
    """What the marked session is: where, with whom, what was said last."""
    lines: list[Content] = [
        _line("where", info.workspace),
        _line("agent", f"{info.agent} · mode {info.mode} · {info.model}"),
        _line("begun", f"{info.created:%Y-%m-%d %H:%M} UTC · id {info.id}{_forked(info)}"),
    ]
    if look is not None and look.session_id == info.id:
        if look.question is not None:
            lines.append(Content.assemble(("waits    ", "$warning"), neutralise_line(question_line(look.question))))
        lines.append(_line("you", _short(look.prompt)))
        lines.append(_line("decode", _short(look.answer)))
    return Content("\n").join(lines)


def _forked(info: SessionInfo) -> str:
    return f" · fork of {info.forked_from}" if info.forked_from else ""


def _line(name: str, text: str) -> Content:
    return Content.assemble((f"{name:<9}", "$muted"), neutralise_line(text))


def _short(text: str) -> str:
    line = " ".join(text[: 4 * PREVIEW_CELLS].split())
    return line if len(line) <= PREVIEW_CELLS else line[: PREVIEW_CELLS - 1] + "…"


def _haystack(info: SessionInfo) -> str:
    return f"{info.title} {info.workspace} {info.agent} {info.model} {info.id}".casefold()
