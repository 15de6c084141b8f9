"""What the ASK dialog says, read from the payload of a question. Pure: text in, inert text out."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import SubjectKind
from decode_ui.widgets.body_rows import BodyRow, RowTone, argument_rows, inert_line, text_rows
from decode_ui.widgets.diff_body import change_counts, diff_rows

KEEPING = ("session", "always", "folder", "never")
"""Answers that keep one thing, in the order in which the dialog tells what."""
TOLD = frozenset({*KEEPING, "pattern"})


@dataclass(frozen=True)
class Kept:
    """What an answer keeps: `rule` (or a path, or a folder), where, and what it lets through or refuses."""

    rule: str
    place: str
    note: str = ""


@dataclass(frozen=True)
class Patterns:
    """Rules to choose from and to edit, the most fitting first, and the places where one can be kept."""

    rules: tuple[str, ...]
    places: Mapping[str, str]


@dataclass(frozen=True)
class AskView:
    """One permission question, ready to be shown. All text is inert and on one line but for `body`."""

    title: str
    tool: str
    subject: str
    """What the call acts on; empty where the body is the subject."""
    about: str
    """Agents, working directory and size of the change: what stands dim beside the subject."""
    reason: str
    mode: str
    """The mode in force if it is why the call asks, else empty."""
    body: tuple[BodyRow, ...]
    change: tuple[str, str] | None
    """The text before and after, where both can be shown side by side."""
    programs: tuple[str, ...]
    """Programs that a command names, shown where the command itself does not fit."""
    must_be_read: bool
    """Whether allowing waits until the end of the body has been on the screen, where it does not fit."""
    keeps: Mapping[str, Kept]
    """What the answers keep, by answer."""
    patterns: Patterns | None
    offers: frozenset[str]


def ask_view(payload: Mapping[str, Any]) -> AskView:
    """Read the payload of a permission question (`decisions.Question`).

    What is missing or of another shape shows as nothing and offers nothing: an answer that is not understood is never
    offered.
    """
    tool = _line(payload.get("tool")) or "unknown tool"
    subject = _text(payload.get("subject"))
    is_command = payload.get("subject_kind") == SubjectKind.COMMAND or tool == "bash"
    stores = payload.get("stores")
    keeps = {answer: kept for answer in KEEPING if (kept := _kept(stores, answer)) is not None}
    patterns = _patterns(stores)
    told = {*keeps, *(["pattern"] if patterns is not None else [])}
    # an answer that keeps something is offered only where it can be said what
    offers = frozenset(each for each in _list(payload.get("offers")) if each in told or each not in TOLD)
    about = [" › ".join(inert_line(name) for name in _list(payload.get("agent_path"))), _place(payload.get("cwd"))]
    preview = payload.get("preview")
    if isinstance(preview, Mapping) and isinstance(preview.get("after"), str):
        before = preview.get("before")
        about.append("new file" if before is None else change_counts(_text(before), preview["after"]))
    return AskView(
        title=_title(payload.get("kind"), is_command=is_command),
        tool=tool,
        subject="" if is_command else inert_line(subject),
        about=" · ".join(part for part in about if part),
        reason=_line(payload.get("reason")) or "no reason was given",
        mode=_line(payload.get("mode")) if payload.get("by") == "mode" else "",
        change=_change(preview),
        body=tuple(_body(payload, subject, is_command=is_command)),
        programs=programs_of(subject) if is_command else (),
        must_be_read=is_command,
        keeps=keeps,
        patterns=patterns,
        offers=offers,
    )


def programs_of(command: str) -> tuple[str, ...]:
    """Every word of a shell command that may be a program, in order and once each.

    A list of words, not a parse: the first word of every piece between operators, also inside quotes and
    substitutions, and what a wrapper such as `sudo` or `xargs` runs. It rather names one too many.
    """
    found: dict[str, None] = {}
    for piece in _OPERATORS.split(command.replace("\\\n", " ")):
        expected = True
        for word in piece.replace('"', " ").replace("'", " ").split():
            if not expected:
                break
            if word in _KEYWORDS or word == "!" or _ASSIGNMENT.match(word) or _OPTION_OR_NUMBER.match(word):
                continue
            found.setdefault(inert_line(word), None)
            expected = PurePath(word).name in _WRAPPERS
    return tuple(found)


_OPERATORS = re.compile(r"&&|\|\||[;&|\n(){}`]")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_OPTION_OR_NUMBER = re.compile(r"-|\d+[smhd]?$|[<>]")
_KEYWORDS = frozenset({"if", "then", "elif", "else", "fi", "do", "done", "while", "until", "case", "esac", "$"})
_WRAPPERS = frozenset(
    {"sudo", "doas", "env", "command", "builtin", "exec", "nice", "ionice", "nohup", "time", "timeout", "stdbuf"}
    | {"setsid", "watch", "xargs", "parallel", "busybox", "eval", "sh", "bash", "dash", "zsh", "ksh"}
)


def _title(kind: object, *, is_command: bool) -> str:
    if is_command:
        return "Allow this command?"
    return "Allow this edit?" if kind == ToolKind.FILE_EDIT else "Allow this call?"


def _body(payload: Mapping[str, Any], subject: str, *, is_command: bool) -> list[BodyRow]:
    args = payload.get("args")
    args = {str(name): value for name, value in args.items()} if isinstance(args, Mapping) else {}
    preview = payload.get("preview")
    if is_command:
        rest = {name: value for name, value in args.items() if value != subject}
        rows = text_rows(subject, gutter="$ ")
        return [*rows, BodyRow(""), *argument_rows(rest)] if rest else rows
    if isinstance(preview, Mapping) and isinstance(preview.get("after"), str):
        before = preview.get("before")
        return diff_rows(None if before is None else _text(before), preview["after"])
    rows = argument_rows(args)
    if isinstance(preview, Mapping) and preview.get("problem"):
        problem = f"The change cannot be shown: {_text(preview['problem'])}"
        return [*text_rows(problem, RowTone.WARNING), BodyRow(""), *rows]
    return rows


def _change(preview: object) -> tuple[str, str] | None:
    if not isinstance(preview, Mapping):
        return None
    before, after = preview.get("before"), preview.get("after")
    return (before, after) if isinstance(before, str) and isinstance(after, str) else None


def _kept(stores: object, answer: str) -> Kept | None:
    kept = stores.get(answer) if isinstance(stores, Mapping) else None
    if not isinstance(kept, Mapping):
        return None
    what = _line(kept.get("rule")) or _line(kept.get("path")) or _line(kept.get("folder"))
    place = _line(kept.get("file")) or _line(kept.get("place"))
    return Kept(what, place, _line(kept.get("note"))) if what else None


def _patterns(stores: object) -> Patterns | None:
    found = stores.get("pattern") if isinstance(stores, Mapping) else None
    rules = tuple(_list(found.get("rules"))) if isinstance(found, Mapping) else ()
    places = found.get("places") if isinstance(found, Mapping) else None
    named = {str(place): _text(name) for place, name in places.items()} if isinstance(places, Mapping) else {}
    return Patterns(rules, named) if rules else None


def _place(cwd: object) -> str:
    folder = _text(cwd)
    home = str(Path.home().resolve())
    if folder == home or folder.startswith(f"{home}{os.sep}"):
        folder = "~" + folder[len(home) :]
    return f"in {inert_line(folder)}" if folder else ""


def _list(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list | tuple) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _line(value: object) -> str:
    return inert_line(_text(value))
