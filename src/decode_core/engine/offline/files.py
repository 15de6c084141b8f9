"""Work on files: read, search, list, create, replace."""

import re
from collections.abc import Generator
from pathlib import PurePosixPath
from typing import TypeVar

from decode_core.engine.local_model import Call
from decode_core.engine.offline.markdown import bullets, code, counted, cut, fence
from decode_core.engine.offline.requests import (
    EVERYWHERE,
    CreateFile,
    ListFiles,
    OverwriteFile,
    ReadFile,
    Replace,
    Search,
)
from decode_core.engine.offline.results import (
    FileText,
    any_case,
    escape_glob,
    escape_regex,
    file_text,
    matches,
    notes,
    paths,
)
from decode_core.engine.offline.turn import Result
from decode_core.engine.offline.wording import anywhere, is_pattern
from decode_core.engine.offline.work import StoppedError, Work, attempt, failure, must
from decode_core.events import CallOutcome

SHOWN_LINES = 60
SHOWN_FILES = 40
SHOWN_MATCHES = 30
MOST_REPLACED = 20
"""Files that one request changes at most."""

_T = TypeVar("_T")
Steps = Generator[tuple[Call, ...], tuple[Result, ...], _T]
"""A part of some work, with its value."""


def read(request: ReadFile) -> Work:
    """Show a file."""
    limit = request.last - request.first + 1 if request.first is not None and request.last is not None else None
    path, result = yield from _opened(request.path, request.first, limit)
    content = file_text(result.text)
    if not content.lines:
        return f"{code(path)}: {content.note.strip('()') or 'nothing to show.'}"
    shown, left_out = cut(content.lines, SHOWN_LINES)
    last = content.first + len(content.lines) - 1
    title = f"{code(path)}, lines {content.first} to {last}" if content.first > 1 or limit else code(path)
    answer = f"{title}:\n\n{fence(shown, _language(path))}"
    if left_out:
        begin = content.first + SHOWN_LINES
        answer += (
            f"\n\n{counted(left_out, 'more line')} read; for the next: {code(f'read {path} lines {begin}-{last}')}"
        )
    return answer


def search(request: Search) -> Work:
    """Find a text."""
    result = yield from must(
        "grep",
        pattern=request.text if request.is_regex else escape_regex(request.text),
        path=request.path,
        glob=request.glob,
    )
    found = matches(result.text)
    where = request.path or request.glob
    place = f" in {code(where)}" if where else ""
    if not found:
        return f"{code(request.text)} was not found{place}."
    files = len({match.path for match in found})
    lines = [f"- {code(f'{match.path}:{match.line}')} {code(match.text.strip()[:160])}" for match in found]
    shown, left_out = cut(lines, SHOWN_MATCHES)
    title = f"{code(request.text)}: {counted(len(found), 'match')} in {counted(files, 'file')}{place}"
    return f"{title}\n\n{shown}" + (f"\n- … and {left_out} more" if left_out else "") + _noted(result)


def list_files(request: ListFiles) -> Work:
    """List files."""
    result = yield from must("glob", pattern=request.pattern, path=request.folder)
    found = paths(result.text)
    place = f" in {code(request.folder)}" if request.folder else ""
    what = "" if request.pattern == EVERYWHERE else f" for {code(request.pattern)}"
    if not found:
        return f"No files{what}{place}."
    return f"{counted(len(found), 'file')}{what}{place}:\n\n{bullets(found, SHOWN_FILES)}{_noted(result)}"


def create(request: CreateFile) -> Work:
    """Make a new file; one that is there already is left alone."""
    name = str(PurePosixPath(request.path))
    listed = yield from attempt("glob", pattern=escape_glob(name))
    if name in paths(listed.text):
        other = f"`replace OLD with NEW in {name}`, or `overwrite {name} with TEXT`"
        raise StoppedError(f"{code(name)} is there already; I left it alone. To change it: {other}.")
    yield from must("write", path=request.path, content=request.content)
    lines = request.content.count("\n")
    return f"Created {code(request.path)} ({counted(lines, 'line') if lines else 'empty'})."


def overwrite(request: OverwriteFile) -> Work:
    """Give a file a new content; it is read first, as every tool that changes a file wants it."""
    yield from attempt("read", path=request.path)
    yield from must("write", path=request.path, content=request.content)
    return f"Wrote {code(request.path)} anew ({counted(request.content.count(chr(10)), 'line')})."


def replace_text(request: Replace) -> Work:
    """Replace a text in one file or in several."""
    done: list[str] = []
    for path in (yield from targets(request)):
        try:
            done.append((yield from _replace_in(path, request.old, request.new)))
        except StoppedError as stopped:
            raise StoppedError("\n\n".join([*done, str(stopped)])) from None
    return "\n\n".join(done)


def targets(request: Replace) -> Steps[list[str]]:
    """The files that a replacement means. Raises StoppedError where that is not clear."""
    where = request.where
    if where is not None and not is_pattern(where) and not where.endswith("/"):
        return [where]
    folder = where.rstrip("/") if where is not None and where.endswith("/") else None
    glob = anywhere(where) if where not in (None, EVERYWHERE) and folder is None else None
    result = yield from must("grep", pattern=escape_regex(request.old), path=folder, glob=glob, files_only=True)
    found = paths(result.text)
    if not found:
        raise StoppedError(f"{code(request.old)} was not found; nothing was changed.")
    if where is None and len(found) > 1:
        raise StoppedError(
            f"{code(request.old)} is in {counted(len(found), 'file')}; say in which, or add `everywhere`:\n\n"
            + bullets(found, SHOWN_FILES)
        )
    if len(found) > MOST_REPLACED:
        raise StoppedError(f"{code(request.old)} is in {len(found)} files; I change at most {MOST_REPLACED} at once.")
    return found


def opened(path: str) -> Steps[tuple[str, FileText]]:
    """Read a whole file, found by its name if the path is not exact. Raises StoppedError where there is none."""
    path, result = yield from _opened(path, None, None)
    return path, file_text(result.text)


def _opened(path: str, offset: int | None, limit: int | None) -> Steps[tuple[str, Result]]:
    result = yield from attempt("read", path=path, offset=offset, limit=limit)
    if result.outcome is not CallOutcome.FAILED:
        return path, result
    name = PurePosixPath(path).name
    listed = yield from attempt("glob", pattern=f"**/{any_case(name)}*")
    found = [each for each in paths(listed.text) if each != path and _is_named(each, name)]
    found = [each for each in found if PurePosixPath(each).name == name] or found
    if listed.outcome is CallOutcome.FAILED or not found:
        raise StoppedError(failure(result))
    if len(found) > 1:
        raise StoppedError(f"{code(path)} is not there; which of these?\n\n{bullets(found, SHOWN_FILES)}")
    return found[0], (yield from must("read", path=found[0], offset=offset, limit=limit))


def _noted(result: Result) -> str:
    told = notes(result.text)
    return f"\n\n{told}" if told else ""


def _is_named(path: str, name: str) -> bool:
    """Whether a file has this name, capitals aside, or has it as its name without the ending."""
    found = PurePosixPath(path)
    return name.lower() in (found.name.lower(), found.stem.lower())


def _replace_in(path: str, old: str, new: str) -> Work:
    path, content = yield from opened(path)
    count = content.text.count(old)
    result = yield from attempt("edit", path=path, old=old, new=new, replace_all=True)
    if result.outcome is CallOutcome.FAILED:
        if not count and "\n" not in old:
            raise StoppedError(f"{code(old)} does not occur in {code(path)}; nothing was changed there.")
        raise StoppedError(failure(result))
    told = re.search(r": (?P<number>[\d,]+) replacements? at ", result.text)
    number = int(told["number"].replace(",", "")) if told else max(count, 1)
    verb = f"Replaced {code(old)} with {code(new)}" if new else f"Removed {code(old)}"
    return f"{verb} in {code(path)}: {counted(number, 'replacement' if new else 'place')}."


def _language(path: str) -> str:
    ending = PurePosixPath(path).suffix.lstrip(".").lower()
    return _HIGHLIGHTED.get(ending, "")


_HIGHLIGHTED = {
    "c": "c",
    "css": "css",
    "go": "go",
    "html": "html",
    "java": "java",
    "js": "javascript",
    "json": "json",
    "md": "markdown",
    "py": "python",
    "rs": "rust",
    "sh": "bash",
    "sql": "sql",
    "toml": "toml",
    "ts": "typescript",
    "yaml": "yaml",
    "yml": "yaml",
}
"""Endings of files and the language that their fence names."""
