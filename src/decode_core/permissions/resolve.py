"""Freezes the facts of a call into a `PermissionRequest`: the I/O before the pure verdict (permissions.md §1)."""

import hashlib
import json
from collections.abc import Collection, Mapping, Set as AbstractSet
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from decode_core.permissions.modes import ToolKind
from decode_core.permissions.path_facts import path_fact
from decode_core.permissions.request import PathFact, PermissionDecision, PermissionRequest, ShellFacts, SubjectKind
from decode_core.permissions.urls import Url, UrlError, parse_url
from decode_core.workspace import Workspace


def resolve(
    *,
    call_id: str,
    tool: str,
    kind: ToolKind,
    subject: str,
    subject_kind: SubjectKind,
    args: Mapping[str, Any],
    workspace: Workspace,
    asks_person: bool = False,
    needs_approval: bool | None = None,
    agent_path: tuple[str, ...] = (),
    offers_exit_plan_mode: bool = False,
    named_hosts: Collection[str] = (),
    folder: Path | None = None,
) -> PermissionRequest:
    """Return the request for a call of a known tool with valid arguments.

    `folder` is where a command begins (default: the root). A path that cannot be resolved (a loop of links, a name that
    is too long, a NUL) makes the request invalid.
    """
    paths: tuple[PathFact, ...] = ()
    url: Url | None = None
    invalid: str | None = None
    shell: ShellFacts | None = None
    if subject_kind is SubjectKind.PATH:
        try:
            paths = (path_fact(subject or ".", workspace, with_digest=kind is ToolKind.FILE_EDIT),)
        except (OSError, ValueError, RuntimeError) as error:
            invalid = f"the path {subject!r} cannot be resolved: {error}"
    elif subject_kind is SubjectKind.COMMAND:
        # imported when the first command is judged: starting must not wait for it
        from decode_core.permissions.shell_facts import shell_facts

        shell = shell_facts(subject, workspace, folder or workspace.root)
    elif subject_kind is SubjectKind.URL:
        try:
            url = parse_url(subject)
        except UrlError as error:
            invalid = f"{error}."
    return PermissionRequest(
        call_id=call_id,
        tool=tool,
        kind=kind,
        subject=subject,
        subject_kind=subject_kind,
        args=args,
        paths=paths,
        url=url,
        shell=shell,
        host_is_named=url is not None and url.host in named_hosts,
        invalid=invalid,
        asks_person=asks_person,
        needs_approval=needs_approval,
        agent_path=agent_path,
        offers_exit_plan_mode=offers_exit_plan_mode,
    )


def same_facts(before: PermissionRequest, after: PermissionRequest) -> bool:
    """Whether the world still is as the person saw it: the same files with the same bytes."""
    return before.paths == after.paths and before.shell == after.shell


def facts_digest(request: PermissionRequest) -> str:
    """SHA-256 over everything that a question shows and its answer is for: the arguments and the facts.

    The same in another process, so that an answer given there counts for this very call only.
    """
    facts = {
        "tool": request.tool,
        "args": dict(request.args),
        "paths": [asdict(path) for path in request.paths],
        "shell": None if request.shell is None else _shell_values(request.shell),
    }
    text = json.dumps(facts, sort_keys=True, default=_ordered)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _shell_values(shell: ShellFacts) -> dict[str, Any]:
    """The facts of a command, with keys that JSON can hold."""
    globs = sorted([folder, pattern, list(words)] for (folder, pattern), words in shell.globs.items())
    return {**asdict(replace(shell, globs={})), "globs": globs}


def _ordered(value: object) -> Any:
    return sorted(map(str, value)) if isinstance(value, AbstractSet) else str(value)


def as_judged(request: PermissionRequest, decision: PermissionDecision) -> PermissionRequest:
    """The request as its tool is to run it: hardened, where the verdict took it for a mere read (permissions.md §6)."""
    return replace(request, is_hardened=decision.effective_kind is not decision.kind)
