"""Protected paths that the person opened for one session: "this session, this path" (permissions.md §7). Pure."""

from dataclasses import dataclass
from pathlib import Path

from decode_core.permissions.modes import ToolKind
from decode_core.permissions.protected import protected_write
from decode_core.permissions.request import PathFact, PermissionRequest, SubjectKind

LASTING = frozenset({"instructions for agents"})
"""What a protected file may steer and still be opened for a session; settings, hooks, servers, git's configuration and
everything else that runs something is asked about each time."""


@dataclass(frozen=True)
class PathGrant:
    """One path for one tool. The real path counts as well: a link that leads elsewhere later is asked about again."""

    tool: str
    lexical: Path
    real: Path


def grants_for(request: PermissionRequest) -> frozenset[PathGrant]:
    """What has to be granted for this call and its like; empty where it cannot be granted for a session."""
    if request.subject_kind is not SubjectKind.PATH or not all(_may_last(fact, request) for fact in request.paths):
        return frozenset()
    return frozenset(PathGrant(request.tool, fact.lexical, fact.real) for fact in request.paths)


def _may_last(fact: PathFact, request: PermissionRequest) -> bool:
    if request.kind is ToolKind.READ_ONLY:
        return True
    steered = {protected_write(reading) for reading in (fact.relative, fact.real_relative)} - {None}
    return steered <= LASTING
