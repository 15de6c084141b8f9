"""Shell commands as rules see them: wide for deny and ask, narrow for allow (permissions.md §4). Pure."""

from collections.abc import Iterator

from decode_core.permissions.patterns import Pattern, matches
from decode_core.permissions.request import PermissionRequest
from decode_core.permissions.rules import Rule
from decode_core.permissions.shell.narrow import Parts, covers_part, equals_call, parts_of
from decode_core.permissions.shell.reading import read_script
from decode_core.permissions.shell.wide import read_wide


def covers_command(pattern: Pattern | None, request: PermissionRequest) -> bool:
    """Whether an allow rule's pattern alone covers all commands of the call; None is the bare rule.

    Redirections into files are not looked at: they are edits, and are decided as such.
    """
    if pattern is None:
        return read_script(request.subject).is_parsed
    if equals_call(pattern, request.subject):
        return True
    parts = call_parts(request)
    return parts.obstacle is None and bool(parts.parts) and all(covers_part(pattern, part) for part in parts.parts)


def takes_call_whole(rule: Rule, request: PermissionRequest) -> bool:
    """Whether the rule covers the call with its redirections and hazards: bare, or literally this text."""
    if rule.pattern is None:
        return read_script(request.subject).is_parsed
    return equals_call(rule.pattern, request.subject)


def call_parts(request: PermissionRequest) -> Parts:
    """What a rule has to cover of the call."""
    return parts_of(request.subject, request.shell.globs if request.shell is not None else None)


def narrow_readings(request: PermissionRequest) -> tuple[str, ...]:
    """Every text that an allow rule's pattern is tried on for the command."""
    parts = call_parts(request)
    return (request.subject.strip(), *(part.reading for part in parts.parts))


def matches_command_wide(pattern: Pattern | None, text: str) -> bool:
    """Whether a deny or ask rule's pattern matches any reasonable reading of the command."""
    if pattern is None:
        return True
    return any(matches(pattern, reading, star_crosses_slash=True) for reading in read_wide(text).readings)


def wide_readings(text: str) -> tuple[str, ...]:
    """Every reading of `text` that a deny rule may be meant for."""
    return read_wide(text).readings


def unread_reason(text: str) -> str | None:
    """Why a patterned deny or ask rule for the shell may be meant for something unseen in the call, or None."""
    return read_wide(text).unread


def hides_words(request: PermissionRequest) -> bool:
    """Whether a word stays unknown that a deny or ask rule for files may be meant for."""
    wide = read_wide(request.subject)
    if wide.has_unknown_words:
        return True
    return wide.has_patterns and (request.shell is None or request.shell.has_unknown_patterns)


def words_of(request: PermissionRequest) -> Iterator[str]:
    """Every word, option value and redirection target of the call, and what its patterns match."""
    yield from read_wide(request.subject).words
    if request.shell is not None:
        yield from request.shell.matched


def is_parsed(text: str) -> bool:
    """Whether the text is read as bash reads it."""
    return read_script(text).is_parsed
