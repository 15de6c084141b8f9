"""What can be said of a shell command without parsing it. Pure.

Until the shell analysis stands, an allow pattern matches only text made of plain words; everything else is covered by
a literal rule or a bare `bash` alone. Deny and ask read wide: every piece between shell operators counts, wrappers are
looked through, and text that is not plain asks wherever a patterned deny or ask rule for bash exists, because the rule
might be meant for something in it.
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from decode_core.permissions.patterns import Pattern, matches

MAX_COMMAND_BYTES = 65_536

TRUSTED_FOLDERS = frozenset({"/bin", "/usr/bin", "/usr/local/bin"})
"""Where a program named by its path counts by its base name for allow rules."""

WRAPPERS = frozenset(
    {"sudo", "doas", "env", "command", "builtin", "exec", "nice", "ionice", "nohup", "time", "timeout", "stdbuf"}
    | {"setsid", "watch", "xargs", "parallel", "busybox", "find", "fd", "ssh", "sh", "bash", "dash", "zsh", "ksh"}
    | {"eval", "trap", "coproc"}
)
"""Programs that run another command which stands among their arguments."""

_NOT_PLAIN = re.compile(
    r"[;&|<>$(){}\[\]`\\!#\x00-\x08\x0a-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
_QUOTED_BLANK = re.compile(r"""'[^']*[ \t][^']*'|"[^"]*[ \t][^"]*\"""")
_OPERATORS = re.compile(r"[;&|<>$(){}\[\]`\n]+")
_KEYWORDS = frozenset({"if", "then", "elif", "else", "do", "while", "until", "time"})
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")


def is_plain(text: str) -> bool:
    """Whether `text` is one simple command of plain words: no operators, expansions, escapes or quoted blanks."""
    if not text.strip() or len(text) > MAX_COMMAND_BYTES or _NOT_PLAIN.search(text) or _QUOTED_BLANK.search(text):
        return False
    if text.count("'") % 2 or text.count('"') % 2:
        return False
    return not _ASSIGNMENT.match(text.split()[0])


def covers_command(pattern: Pattern | None, text: str) -> bool:
    """Whether an allow rule's pattern covers the command; None is the bare rule, which covers all but control text."""
    if pattern is None:
        return len(text) <= MAX_COMMAND_BYTES and not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text)
    if pattern.is_literal and pattern.literal == text.strip():
        return True
    return is_plain(text) and matches(pattern, _plain_reading(text), star_crosses_slash=True)


def narrow_readings(text: str) -> tuple[str, ...]:
    """Every text that an allow rule's pattern is tried on for the command."""
    return (text.strip(), _plain_reading(text)) if is_plain(text) else (text.strip(),)


def _plain_reading(text: str) -> str:
    """The words with one blank between; a program of a system folder by its base name."""
    words = text.split()
    if "/" in words[0]:
        program = PurePosixPath(words[0])
        if program.parent.as_posix() in TRUSTED_FOLDERS:
            words[0] = program.name
    return " ".join(words)


def matches_command_wide(pattern: Pattern | None, text: str) -> bool:
    """Whether a deny or ask rule's pattern matches any reasonable reading of the command."""
    if pattern is None:
        return True
    return any(matches(pattern, reading, star_crosses_slash=True) for reading in wide_readings(text))


def wide_readings(text: str) -> Iterator[str]:
    """Every reading of `text` that a deny rule may be meant for: the raw text, each piece, and what wrappers run."""
    collapsed = " ".join(text.split())
    yield text
    yield collapsed
    unquoted = text.replace("\\\n", "").replace("\\", "").replace("'", "").replace('"', "")
    for piece in _OPERATORS.split(unquoted):
        words = piece.split()
        while words and (
            _ASSIGNMENT.match(words[0]) or words[0] in ("if", "then", "else", "do", "while", "until", "time")
        ):
            words = words[1:]
        behind_wrapper = False
        for index, word in enumerate(words):
            if index == 0 or behind_wrapper:
                reading = " ".join([_program(word), *words[index + 1 :]])
                yield reading
                yield f"{reading} {{}}"  # what xargs and find append
            behind_wrapper = behind_wrapper or _program(word) in WRAPPERS


def _program(word: str) -> str:
    return (PurePosixPath(word).name or word) if "/" in word else word


def words_of(text: str) -> list[str]:
    """Every word and option value in `text`, quotes and operators dropped: what may name a path."""
    pieces = re.split(r"[\s;&|<>$(){}`\"'\\]+", text)
    words: list[str] = []
    for piece in pieces:
        words.append(piece)
        if "=" in piece:
            words.extend(piece.split("="))
    return [word for word in words if word]
