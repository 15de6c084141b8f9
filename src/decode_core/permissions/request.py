"""A call with its facts frozen, and the verdict over it (permissions.md §1)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome, ToolKind
from decode_core.permissions.rules import Rule
from decode_core.permissions.tighten import Tighten
from decode_core.permissions.urls import Url


class SubjectKind(StrEnum):
    """How a tool's subject is read by rules."""

    PATH = "path"
    COMMAND = "command"
    URL = "url"
    TEXT = "text"
    NONE = "none"


@dataclass(frozen=True)
class PathFact:
    """What is known of one path of a call at the moment it was resolved."""

    given: str
    lexical: Path
    """Absolute, `..` folded, links not followed."""
    real: Path
    """Absolute, links followed."""
    relative: str
    """`lexical` against the root, POSIX; absolute where it lies outside."""
    real_relative: str
    inside: bool
    """Whether the real path lies in the workspace or an added folder."""
    free_to_read: bool = False
    """Outside, but no secret to anybody: the interpreter's library, headers, outputs that the session spilled."""
    exists: bool = False
    is_file: bool = False
    device: int | None = None
    inode: int | None = None
    digest: str | None = None
    """SHA-256 of the bytes, for files that a call may change."""


@dataclass(frozen=True)
class ShellFacts:
    """What was found out about a shell call: what its patterns match, what it writes, what can be proven of it."""

    globs: Mapping[tuple[str, str], tuple[str, ...]]
    """(folder, pattern) → the words that it matches."""
    folder: str
    """Where the call begins: absolute, links resolved. Everything here holds for this folder alone."""
    unproven: tuple[str | None, ...]
    """For each part that a rule has to cover, why it is not proven to read only, as a clause; None where it is."""
    edits: tuple[PathFact, ...] | None = ()
    """Files that redirections write; None where one is not known."""
    protected: str | None = None
    """Why the call touches a protected resource, as a sentence without its full stop."""
    reads_configuration: bool = False
    """A program of the call obeys files of settings, as git does: it is proven only where a sandbox holds it, too."""
    matched: tuple[str, ...] = ()
    """Every file that a pattern matches, from the root."""
    has_unknown_patterns: bool = False
    """A pattern matches too much, or counts from an unknown folder."""

    @property
    def is_proven(self) -> bool:
        """Whether every part only reads, and only what may be read."""
        return bool(self.unproven) and all(problem is None for problem in self.unproven)


@dataclass(frozen=True)
class PermissionRequest:
    """One call, ready to be judged by a pure function."""

    call_id: str
    tool: str
    kind: ToolKind | None
    """None: the registry does not know the tool."""
    subject: str = ""
    subject_kind: SubjectKind = SubjectKind.NONE
    args: Mapping[str, Any] = field(default_factory=dict)
    paths: tuple[PathFact, ...] = ()
    url: Url | None = None
    shell: ShellFacts | None = None
    """Commands only; None: nothing was looked up, and nothing is proven."""
    host_is_named: bool = False
    """The person has named the URL's host in this session, in a prompt or by a grant."""
    invalid: str | None = None
    """Why the arguments cannot be used, as one sentence."""
    asks_person: bool = False
    """CONTROL only: the tool puts its own question."""
    needs_approval: bool | None = None
    """The tool's own wish; None: by its kind."""
    refused_by_tool: str | None = None
    """The tool's own `needs_approval` said deny, or the active agent has no such tool; with this reason."""
    unjudged: str | None = None
    """Why the facts could not be gathered, as one sentence: the call is denied."""
    objection: Tighten | None = None
    """What the guards said against the call."""
    rewritten_from: tuple["PermissionRequest", ...] = ()
    """The call as the model made it and as each guard but the last left it: deny rules hold for these, too."""
    is_hardened: bool = False
    """Set after the verdict: it took the call for a read because of a proof, so it runs in a closed environment."""
    agent_path: tuple[str, ...] = ()
    offers_exit_plan_mode: bool = False

    @property
    def reads_inside(self) -> bool:
        """Whether the call only reads, and nothing but the workspace: no address, no server's tool."""
        is_local = self.url is None and not self.tool.startswith("mcp__")
        return self.kind is ToolKind.READ_ONLY and is_local and all(fact.inside for fact in self.paths)


@dataclass(frozen=True)
class PermissionDecision:
    """A verdict and why. `steps` tells the way there, one sentence a step that had something to say."""

    outcome: PermissionOutcome
    by: DecidedBy
    reason: str
    mode: PermissionMode
    kind: ToolKind | None = None
    effective_kind: ToolKind | None = None
    subject: str = ""
    rule: Rule | None = None
    mode_changed_outcome: bool = False
    steps: tuple[str, ...] = ()
