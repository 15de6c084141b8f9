"""Whether a rule speaks of a call: wide for deny and ask, narrow for allow (permissions.md §3). Pure.

What rules make of commands is imported when the first command is judged: starting must not wait for it.
"""

from decode_core.permissions.modes import ToolKind
from decode_core.permissions.paths import covers_narrow, matches_wide, matches_wide_text
from decode_core.permissions.protected import is_secret, protected_reason, protected_write
from decode_core.permissions.request import PermissionRequest, SubjectKind
from decode_core.permissions.rules import Rule
from decode_core.permissions.urls import covers_url, touches_url

FILE_TOOLS = ("read", "write", "edit", "multi_edit")
"""Tools whose path rules also stop a shell command that plainly names the path."""


SAME_POWER = {"multi_edit": "edit"}
"""A tool → the one whose rules hold for it, too, because both can do the same to the same subject."""


def speaks_of(rule: Rule, request: PermissionRequest) -> bool:
    """Whether a rule is written for the call's tool, or for the one of the same power: edit(x) speaks of multi_edit."""
    if rule.names(request.tool):
        return True
    twin = SAME_POWER.get(request.tool)
    return twin is not None and request.kind is ToolKind.FILE_EDIT and rule.names(twin)


def touches(rule: Rule, request: PermissionRequest) -> bool:
    """Whether a deny or ask rule matches any reasonable reading of the call."""
    if not speaks_of(rule, request):
        return False
    if rule.pattern is None:
        return True
    match request.subject_kind:
        case SubjectKind.PATH:
            return any(matches_wide(rule.pattern, fact) for fact in request.paths)
        case SubjectKind.COMMAND:
            from decode_core.permissions.command import matches_command_wide

            return matches_command_wide(rule.pattern, request.subject)
        case SubjectKind.URL:
            return request.url is not None and touches_url(rule.pattern, request.url, request.subject)
        case _:
            return rule.covers_text(request.subject or request.tool)


def stops_shell_access(rule: Rule, request: PermissionRequest) -> bool:
    """Whether a patterned deny or ask on a file tool stops a command, because the command plainly names such a path."""
    if request.subject_kind is not SubjectKind.COMMAND or rule.pattern is None:
        return False
    if rule.tool not in FILE_TOOLS:
        return False
    from decode_core.permissions.command import words_of

    return any(matches_wide_text(rule.pattern, tidy(word)) for word in words_of(request))


def covers(rule: Rule, request: PermissionRequest) -> bool:
    """Whether an allow rule covers every part of the call."""
    if not speaks_of(rule, request):
        return False
    match request.subject_kind:
        case SubjectKind.COMMAND:
            from decode_core.permissions.command import covers_command

            return covers_command(rule.pattern, request)
        case _ if rule.pattern is None:
            return True
        case SubjectKind.PATH:
            pattern = rule.pattern
            return bool(request.paths) and all(covers_narrow(pattern, fact) for fact in request.paths)
        case SubjectKind.URL:
            return request.url is not None and covers_url(rule.pattern, request.url)
        case SubjectKind.TEXT | SubjectKind.NONE:
            return rule.covers_text(request.subject or request.tool)


def names_protected(request: PermissionRequest) -> str | None:
    """Why the call touches a protected resource, by its path or by a word of its command, or None."""
    if request.subject_kind is not SubjectKind.COMMAND:
        return protected_reason(request)
    from decode_core.permissions.command import is_parsed, words_of

    if request.shell is not None and (request.shell.protected or is_parsed(request.subject)):
        return request.shell.protected
    for word in words_of(request):
        path = tidy(word)
        if what := protected_write(path):
            return f"the command names {word}, which is protected: it holds {what}"
        if is_secret(path):
            return f"the command names {word}, which may hold a secret"
    return None


def tidy(word: str) -> str:
    """A word as a path relative to the workspace root: `./x`, `a/../x` and doubled slashes folded."""
    parts: list[str] = []
    for part in word.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return ("/" if word.startswith("/") else "") + "/".join(parts)
