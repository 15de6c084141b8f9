"""Looks up what a shell call touches and freezes it: patterns, folders, proofs. I/O, but never a process."""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from decode_core.permissions.git_repository import read_index, repository_problem
from decode_core.permissions.path_facts import path_fact
from decode_core.permissions.protected import is_secret, protected_path
from decode_core.permissions.request import PathFact, ShellFacts
from decode_core.permissions.shell.folders import join
from decode_core.permissions.shell.narrow import TRUSTED_FOLDERS, Part, Parts, parts_of
from decode_core.permissions.shell.proof import Reading, obeys_settings, problems_of
from decode_core.permissions.shell.reading import read_script
from decode_core.permissions.shell.script import Direction, Script
from decode_core.permissions.shell.wide import path_readings
from decode_core.permissions.shell.wrappers import base_name
from decode_core.workspace import Workspace

MAX_PATTERNS = 64
MAX_MATCHES = 2_000
"""Files that the patterns of one call may match; a pattern that matches more stays unknown."""
MAX_NAMED = 500
"""Words of one call that are looked up; a call that names more asks."""
MAX_PATH_CHARACTERS = 4_096
MAX_WALKED = 20_000
"""Files that a recursive read may pass to be proven."""

_FREE_DEVICES = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/63", "/dev/tty"})
_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def shell_facts(text: str, workspace: Workspace, start: Path) -> ShellFacts:
    """The facts of the call `text`, which begins in the folder `start`. Never raises for what the text holds."""
    world = _World(workspace, start)
    script = read_script(text)
    globs = world.globs_of(script)
    parts = parts_of(text, globs)
    problems = problems_of(parts, script, world)
    matched = tuple(
        dict.fromkeys(world.from_root(text, folder) for (folder, _), all_ in globs.items() for text in all_)
    )
    return ShellFacts(
        globs=globs,
        folder=str(start),
        unproven=problems if parts.parts else (parts.obstacle or "it runs no command",),
        edits=world.edits_of(parts),
        protected=world.protected_by(parts, problems),
        reads_configuration=any(obeys_settings(part) for part in parts.parts),
        matched=matched,
        has_unknown_patterns=world.has_unknown_patterns,
    )


class _World:
    """The file system as one call sees it."""

    def __init__(self, workspace: Workspace, start: Path) -> None:
        self._workspace = workspace
        self._start = start
        self._seen: dict[tuple[str, str], PathFact | None] = {}
        self.has_unknown_patterns = False

    def globs_of(self, script: Script) -> dict[tuple[str, str], tuple[str, ...]]:
        """What every pattern of the call matches in every folder it may run in."""
        found: dict[tuple[str, str], tuple[str, ...]] = {}
        total = 0
        loops = [word for words in script.loops.values() for word in words]
        for command in script.commands:
            for word in (*command.words, *loops):
                for form in word.forms:
                    if form.glob is None:
                        continue
                    for folder in sorted(command.folders or ()):
                        key = (folder, form.glob)
                        if key in found:
                            continue
                        matched = self._expand(folder, form.glob) if len(found) < MAX_PATTERNS else None
                        if matched is None or total + len(matched) > MAX_MATCHES:
                            self.has_unknown_patterns = True
                            continue
                        total += len(matched)
                        found[key] = matched
                    self.has_unknown_patterns = self.has_unknown_patterns or command.folders is None
        return found

    def edits_of(self, parts: Parts) -> tuple[PathFact, ...] | None:
        """The files that redirections write; None where one is not known."""
        edits: list[PathFact] = []
        for redirection in parts.redirections:
            if redirection.direction is Direction.WRITES:
                target = redirection.target.value
                if target is None or redirection.folders is None:
                    return None
                facts = [self._fact(target, folder) for folder in sorted(redirection.folders)]
                if any(fact is None for fact in facts):
                    return None
                edits.extend(fact for fact in facts if fact is not None)
        return tuple(edits)

    def protected_by(self, parts: Parts, problems: tuple[str | None, ...]) -> str | None:
        """Why the call touches a protected resource, as a sentence without its full stop, or None."""
        looked = 0
        for part, problem in zip(parts.parts, problems, strict=True):
            if problem is None:
                continue
            for text, changes, is_metadata in _named_by(part):
                looked += 1
                if looked > MAX_NAMED:
                    return f"the command names more than {MAX_NAMED} places"
                for folder in sorted(part.folders) if part.folders is not None else ("",):
                    if reason := self._protected(text, folder, changes=changes, is_metadata=is_metadata):
                        return reason
        for redirection in parts.redirections:
            if redirection.target.value is not None:
                changes = redirection.direction is Direction.WRITES
                for folder in sorted(redirection.folders) if redirection.folders is not None else ("",):
                    if reason := self._protected(redirection.target.value, folder, changes=changes, is_metadata=False):
                        return reason
        return None

    def read_problem(self, text: str, folder: str, reading: Reading) -> str | None:
        """Why it may not be read unasked: outside, a secret, no regular file, or a tree that holds a secret."""
        if text == "/dev/null":
            return None
        fact = self._fact(text, folder)
        if fact is None:
            return f"{text} cannot be looked up"
        if not fact.inside and not fact.free_to_read:
            return f"{text} lies outside the workspace"
        if reading is Reading.METADATA:
            return None
        if is_secret(fact.relative) or is_secret(fact.real_relative):
            return f"{text} may hold a secret"
        if fact.exists and not fact.is_file:
            try:
                mode = os.stat(fact.real).st_mode  # noqa: PTH116 - one call
            except OSError:
                return f"{text} cannot be looked up"
            if not stat.S_ISDIR(mode):
                return f"{text} is no regular file"
            if reading is not Reading.CONTENT:
                return self._tree_problem(fact.real, with_hidden=reading is Reading.TREE)
        return None

    def repository_problem(self, folder: str, *, looks_at_files: bool) -> str | None:
        """Why git may run or read something unseen there."""
        root = self._workspace.root
        here = Path(os.path.realpath(self._start / folder))
        if here != root and root not in here.parents:
            return "the folder lies outside the workspace"
        while here != root:
            if (here / ".git").exists() or (here / ".git").is_symlink():
                return "the folder belongs to another repository"
            here = here.parent
        if problem := repository_problem(root):
            return problem
        index = read_index(root)
        if looks_at_files and (index is None or index.has_submodules):
            return "the repository has submodules, or an index that cannot be read"
        return None

    def tracked_secrets(self) -> tuple[str, ...] | None:
        """Tracked paths that may hold a secret."""
        index = read_index(self._workspace.root)
        return None if index is None else index.secrets

    def from_root(self, text: str, folder: str) -> str:
        """The path from the root of the workspace, lexically."""
        return self._workspace.relative(Path(os.path.normpath(self._start / join(folder, text))))

    def _fact(self, text: str, folder: str) -> PathFact | None:
        if len(text) > MAX_PATH_CHARACTERS:
            return None  # no file system knows such a path
        key = (text, folder)
        if key not in self._seen:
            try:
                self._seen[key] = path_fact(text, self._workspace, with_digest=False, start=self._start / folder)
            except (OSError, ValueError, RuntimeError):
                self._seen[key] = None
        return self._seen[key]

    def _protected(self, text: str, folder: str, *, changes: bool, is_metadata: bool) -> str | None:
        if text in _FREE_DEVICES or _URL.match(text):
            return None
        fact = self._fact(text, folder)
        if fact is None:
            return f"in this command, {text} cannot be looked up"
        if is_metadata:
            return None if fact.inside or fact.free_to_read else f"in this command, {text} lies outside the workspace"
        reason = protected_path(fact, changes=changes)
        return f"in this command, {reason}" if reason else None

    def _tree_problem(self, real: Path, *, with_hidden: bool) -> str | None:
        seen = 0
        waiting = [real]
        while waiting:
            folder = waiting.pop()
            try:
                entries = list(os.scandir(folder))
            except OSError:
                return f"{self._workspace.relative(folder)} cannot be listed"
            for entry in entries:
                seen += 1
                if seen > MAX_WALKED:
                    return "there are too many files below it to look for secrets"
                if entry.name.startswith(".") and not with_hidden:
                    continue
                path = self._workspace.relative(Path(entry.path))
                if is_secret(path):
                    return f"{path} may hold a secret"
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
        return None

    def _expand(self, folder: str, pattern: str) -> tuple[str, ...] | None:
        """What a shell makes of the pattern, and possibly more; None where that is too much."""
        prefixes = ["/"] if pattern.startswith("/") else [""]
        *above, last = [part for part in pattern.split("/") if part]
        for component in above:
            found = self._step(folder, prefixes, component)
            if found is None:
                return None
            prefixes = [f"{each}/" for each in found]
        return None if (found := self._step(folder, prefixes, last)) is None else tuple(sorted(found))

    def _step(self, folder: str, prefixes: list[str], component: str) -> list[str] | None:
        found: list[str] = []
        wild = re.sub(r"\[\*\]", "", component)
        expression = re.compile(_expression(component), re.DOTALL)
        for prefix in prefixes:
            if "*" not in wild:
                found.append(prefix + component.replace("[*]", "*"))
                continue
            try:
                names = [each.name for each in (self._start / join(folder, prefix or ".")).iterdir()]
            except OSError:
                continue
            hidden = [".", ".."] if component.startswith(".") else []
            for name in (*hidden, *names):
                if name.startswith(".") and not component.startswith("."):
                    continue
                if expression.fullmatch(name):
                    found.append(prefix + name)
                    if len(found) > MAX_MATCHES:
                        return None
        return found


def _expression(component: str) -> str:
    pieces = re.split(r"(\[\*\]|\*+)", component)
    return "".join(r"\*" if piece == "[*]" else ".*" if piece[:1] == "*" else re.escape(piece) for piece in pieces)


def _named_by(part: Part) -> Iterator[tuple[str, bool, bool]]:
    """What a part may touch: (text, whether it may change it, whether it sees names and properties alone)."""
    use = part.use
    if use is not None and use.unproven is None:
        # the table knows all that it reads; it changes nothing
        yield from ((arg.text, False, use.is_metadata) for arg in use.reads if arg.is_known and arg.text != "-")
        yield from ((arg.text, False, True) for arg in part.args if arg.is_expanded)
        return
    if "/" in part.program and part.program.rpartition("/")[0] not in TRUSTED_FOLDERS:
        yield part.program, False, True
    texts = use.texts if use is not None else ()
    for arg in part.args:
        if arg.is_known and arg.number not in texts:
            for reading in path_readings(arg.text):
                if not reading.startswith("-") and base_name(reading) != "":
                    yield reading, True, False
