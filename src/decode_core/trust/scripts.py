"""Which files of a folder the commands of its hooks and servers name.

Generous: every word of every text that stands in `hooks` and `mcp` is tried as a path, since a script that is missed
could be changed without a question.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MAX_SCRIPTS = 200
"""Files looked up at most; hooks and servers of a real project name a few."""

_SETTINGS_KEYS = ("hooks", "mcp")


def script_names(root: Path, settings: bytes | None, servers: bytes | None) -> tuple[str, ...]:
    """Paths below `root`, in POSIX form, of the regular files that the texts of these two files name."""
    given = _object(settings)
    values = [*(given.get(key) for key in _SETTINGS_KEYS), _object(servers)]
    found: dict[str, None] = {}
    for word in _words(values):
        name = _below(root, word)
        if name is not None:
            found[name] = None
        if len(found) >= MAX_SCRIPTS:
            break
    return tuple(found)


def _object(data: bytes | None) -> dict[str, Any]:
    try:
        value = json.loads(data or b"{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _words(value: Any) -> Iterator[str]:
    """Every text below `value`, whole and by the words that a shell would see, and what stands behind a `=`."""
    match value:
        case str():
            for word in (value, *_split(value)):
                yield word
                if "=" in word:
                    yield word.rpartition("=")[2]
        case list():
            for item in value:
                yield from _words(item)
        case dict():
            for item in value.values():
                yield from _words(item)
        case _:
            pass


def _split(text: str) -> list[str]:
    import shlex

    try:
        lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        return list(lexer)
    except ValueError:
        return text.split()


def _below(root: Path, word: str) -> str | None:
    """The path below `root` that a word names, if a file stands there."""
    if not word or "\0" in word or len(word) > 4_096:
        return None
    path = os.path.normpath(os.path.join(root, word))  # noqa: PTH118 - `..` is folded without following links
    prefix = f"{root}{os.sep}" if str(root) != os.sep else os.sep
    if not path.startswith(prefix):
        return None
    try:
        return Path(path).relative_to(root).as_posix() if os.path.isfile(path) else None  # noqa: PTH113 - never raises
    except (OSError, ValueError):
        return None
