"""Whether a part of a shell call only reads, and only what may be read (permissions.md §6). Pure over a `World`."""

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Protocol

from decode_core.permissions.protected import is_secret
from decode_core.permissions.shell.narrow import Part, Parts
from decode_core.permissions.shell.programs import Arg, Use
from decode_core.permissions.shell.script import Direction, Redirection, Script


class Reading(Enum):
    """How much of a path a command sees."""

    METADATA = "metadata"
    """Names and properties."""
    CONTENT = "content"
    TREE = "tree"
    """What files in it and below hold."""
    VISIBLE_TREE = "visible tree"
    """The same, hidden files left out."""


class World(Protocol):
    """What the file system and the repository say. Problems are clauses for people."""

    def read_problem(self, text: str, folder: str, reading: Reading) -> str | None:
        """Why `text`, as seen from `folder`, may not be read unasked, or None."""
        ...

    def repository_problem(self, folder: str, *, looks_at_files: bool) -> str | None:
        """Why git may not be run in `folder` unasked, or None. `looks_at_files`: it compares the work tree."""
        ...

    def tracked_secrets(self) -> tuple[str, ...] | None:
        """Tracked paths, from the root, that may hold a secret; None where the index cannot be read."""
        ...

    def from_root(self, text: str, folder: str) -> str:
        """A path, as seen from `folder`, from the root of the workspace."""
        ...


def obeys_settings(part: Part) -> bool:
    """Whether the part's program reads files of settings that say what it does: of the programs in the table, git."""
    return part.use is not None and part.use.subcommand is not None


def problems_of(parts: Parts, script: Script, world: World) -> tuple[str | None, ...]:
    """For each part: why it is not proven to read only, as a clause, or None where it is."""
    whole = parts.obstacle or script.unproven or _redirection_problem(parts.redirections, world)
    return tuple(whole or _problem(part, script, world) for part in parts.parts)


def _redirection_problem(redirections: Iterable[Redirection], world: World) -> str | None:
    for redirection in redirections:
        if redirection.direction is not Direction.READS:
            return f"it writes {redirection.target.raw}"
        if redirection.target.value is None or redirection.folders is None:
            return "what it reads is only known when it runs"
        for folder in redirection.folders:
            if problem := world.read_problem(redirection.target.value, folder, Reading.CONTENT):
                return problem
    return None


def _problem(part: Part, script: Script, world: World) -> str | None:
    if part.use is None:
        return f"{part.program} is not in the table of programs that only read"
    if part.use.unproven:
        return part.use.unproven
    if part.folders is None:
        return "the folder in which it runs is not known"
    if unresolved := next(_unresolved(part, script), None):
        return f"the value of ${unresolved} is not known"
    if part.program in ("cd", "pushd") and not part.use.reads:
        return "it leaves the workspace"
    for folder in sorted(part.folders):
        if problem := _problem_in(part, part.use, folder, world):
            return problem
    return None


def _unresolved(part: Part, script: Script) -> Iterator[str]:
    """Variables whose values would be shown or used unseen."""
    for word in part.words:
        for form in word.forms:
            if form.is_known or form.variable in script.loops:
                continue
            for variable in word.variables:
                if variable.name not in script.loops or not variable.quoted or variable.default is not None:
                    yield variable.name


def _problem_in(part: Part, use: Use, folder: str, world: World) -> str | None:
    if problem := world.read_problem(".", folder, Reading.METADATA):
        return problem
    for arg in part.args:
        # whatever a pattern matched is at least listed
        if arg.is_expanded and (problem := world.read_problem(arg.text, folder, Reading.METADATA)):
            return problem
    if use.subcommand is not None:
        return _git_problem(use, folder, world)
    for arg in use.reads:
        if arg.text == "-" and part.program not in ("cd", "pushd"):
            continue
        if problem := world.read_problem(arg.text, folder, _reading(use)):
            return problem
    return None


def _reading(use: Use) -> Reading:
    if use.is_metadata:
        return Reading.METADATA
    if not use.is_recursive:
        return Reading.CONTENT
    return Reading.VISIBLE_TREE if use.skips_hidden else Reading.TREE


_LOOKS_AT_FILES = frozenset(
    ["status", "diff", "diff-files", "diff-index", "ls-files", "describe", "stash", "grep", "check-ignore", "blame"]
)


def _git_problem(use: Use, folder: str, world: World) -> str | None:
    if use.subcommand == "version":
        return None
    looks_at_files = use.subcommand in _LOOKS_AT_FILES
    if problem := world.repository_problem(folder, looks_at_files=looks_at_files):
        return problem
    for arg in (*use.reads, *(use.pathspecs or ())):
        if problem := world.read_problem(_path_in(arg.text), folder, Reading.METADATA):
            return problem
        if use.prints_history and is_secret(_path_in(arg.text)):
            return f"{arg.text} may hold a secret"
    if not use.prints_history:
        return None
    secrets = world.tracked_secrets()
    if secrets is None:
        return "the index of the repository cannot be read"
    named = _named_paths(use, folder, world)
    for secret in secrets:
        if named is None or any(path in ("", ".", secret) or secret.startswith(f"{path}/") for path in named):
            return f"{secret} is tracked and may hold a secret"
    return None


def _named_paths(use: Use, folder: str, world: World) -> list[str] | None:
    """The paths that the command is held to, from the root; None where it may show any."""
    if use.pathspecs:
        named = [arg.text for arg in use.pathspecs]
    elif use.subcommand in ("show", "cat-file") and use.reads and all(_is_blob(arg) for arg in use.reads):
        return [_path_in(arg.text) for arg in use.reads]
    elif use.subcommand == "blame" and use.reads:
        named = [arg.text for arg in use.reads[-1:]]
    else:
        return None
    if any(re.search(r"[*?\[\\]|^:", name) for name in named):
        return None
    return [world.from_root(name, folder) for name in named]


def _is_blob(arg: Arg) -> bool:
    return re.fullmatch(r"[^:]+:(?!\.{0,2}/)[^:*?\[\\]+", arg.text) is not None


def _path_in(text: str) -> str:
    """The path in `REV:path`, `:0:path` or `path`."""
    if text.startswith((":(", ":!", ":^", ":/")):
        return re.sub(r"^:(?:\([^)]*\)|[!^/]+)", "", text) or "."
    return text.rpartition(":")[2] or "."
