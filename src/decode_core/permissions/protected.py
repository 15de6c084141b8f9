"""Protected resources: paths that ask in every mode but bypass (permissions.md §7). Pure tables and lookups."""

import fnmatch
import re
from collections.abc import Iterable

from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import PathFact, PermissionRequest, SubjectKind

PROTECTED_WRITES: dict[str, str] = {
    ".decode": "decode's own settings, agents and plans",
    ".dwp": "plan records",
    ".gitmodules": "what git fetches and runs",
    ".gitattributes": "what git runs on files",
    ".gitconfig": "git's configuration",
    "AGENTS.md": "instructions for agents",
    "CLAUDE.md": "instructions for agents",
    ".claude": "another agent's settings",
    ".codex": "another agent's settings",
    ".cursor": "another agent's settings",
    ".gemini": "another agent's settings",
    ".mcp.json": "which servers are started",
    ".vscode": "what the editor runs",
    ".idea": "what the editor runs",
    ".devcontainer": "what a container runs",
    ".husky": "git hooks",
    ".pre-commit-config.yaml": "git hooks",
    ".envrc": "what the shell runs on entry",
    ".npmrc": "where packages come from",
    ".gitlab-ci.yml": "what CI runs",
    ".circleci": "what CI runs",
    ".bashrc": "shell start-up",
    ".bash_profile": "shell start-up",
    ".bash_login": "shell start-up",
    ".bash_logout": "shell start-up",
    ".bash_aliases": "shell start-up",
    ".profile": "shell start-up",
    ".zshrc": "shell start-up",
    ".zshenv": "shell start-up",
    ".zprofile": "shell start-up",
    ".zlogin": "shell start-up",
    ".inputrc": "shell start-up",
}
"""Names that are protected against writes at any depth, with everything below them, and what they steer."""

GIT_FREE = frozenset({"index", "objects", "refs", "logs"})
"""Parts of `.git` that committing writes; the rest of it is protected."""

SECRET_NAMES = (".env", ".env.*", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "*.pem", "*.p12", "*.pfx", "*.key")
SECRET_EXCEPT = (".env.example", ".env.sample", ".env.template", ".env.dist", "*.pub")
SECRET_FOLDERS = frozenset({".ssh", ".aws", ".gnupg", ".kube"})


def protected_reason(request: PermissionRequest) -> str | None:
    """One sentence why the call touches a protected resource, or None."""
    changes = request.kind is not ToolKind.READ_ONLY
    if request.subject_kind is SubjectKind.COMMAND:
        return None
    for fact in request.paths:
        if reason := protected_path(fact, changes=changes):
            return reason
    return None


def protected_path(fact: PathFact, *, changes: bool) -> str | None:
    """One sentence why this path is protected against a change (or a read), or None."""
    for reading in (fact.relative, fact.real_relative):
        if changes and (what := protected_write(reading)):
            return f"{fact.given} is protected: it holds {what}"
        if is_secret(reading):
            return f"{fact.given} may hold a secret"
    if not fact.inside and (changes or not fact.free_to_read):
        return f"{fact.given} lies outside the workspace"
    return None


def protected_write(path: str) -> str | None:
    """What a change of `path` (POSIX, any form) would steer, or None if it is not protected."""
    parts = _names(path)
    for index, part in enumerate(parts):
        if part in _WRITES:
            return _WRITES[part]
        if part == ".git":
            below = parts[index + 1 :]
            if not below or below[0] not in GIT_FREE or below[:2] == ["objects", "info"]:
                return "the repository's configuration and hooks"
        if part == ".github" and parts[index + 1 : index + 2] in ([], ["workflows"]):
            return "what CI runs"
    return None


def is_secret(path: str) -> bool:
    """Whether reading `path` would read a credential, judged by its name alone."""
    names = _names(path)
    name = names[-1] if names else ""
    if _SECRET_EXCEPT.match(name):
        return False
    if _SECRET.match(name) or not SECRET_FOLDERS.isdisjoint(names):
        return True
    return (".config" in names[:-1] and "credential" in name) or _is_environ(path, names)


def _is_environ(path: str, names: list[str]) -> bool:
    return path.startswith("/") and names[:1] == ["proc"] and names[-1] in ("environ", "mem", "cmdline")


def _names(path: str) -> list[str]:
    """The names in a path, with case folded."""
    return [name for name in path.casefold().split("/") if name not in ("", ".")]


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(fnmatch.translate(pattern) for pattern in patterns))


_SECRET = _any_of(SECRET_NAMES)
_SECRET_EXCEPT = _any_of(SECRET_EXCEPT)
_WRITES = {name.casefold(): what for name, what in PROTECTED_WRITES.items()}
