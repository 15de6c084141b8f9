"""Freezes the facts of a call into a `PermissionRequest`: the I/O before the pure verdict (permissions.md §1)."""

import hashlib
import os
import stat
import sysconfig
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import PathFact, PermissionRequest, SubjectKind
from decode_core.permissions.urls import Url, UrlError, parse_url
from decode_core.workspace import Workspace

MAX_DIGEST_BYTES = 64 * 1024 * 1024
"""Larger files are told apart by device, inode, size and time alone."""


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
) -> PermissionRequest:
    """Return the request for a call of a known tool with valid arguments.

    A path that cannot be resolved (a loop of links, a name that is too long, a NUL) makes the request invalid.
    """
    paths: tuple[PathFact, ...] = ()
    url: Url | None = None
    invalid: str | None = None
    if subject_kind is SubjectKind.PATH:
        try:
            paths = (path_fact(subject or ".", workspace, with_digest=kind is ToolKind.FILE_EDIT),)
        except (OSError, ValueError, RuntimeError) as error:
            invalid = f"the path {subject!r} cannot be resolved: {error}"
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
        host_is_named=url is not None and url.host in named_hosts,
        invalid=invalid,
        asks_person=asks_person,
        needs_approval=needs_approval,
        agent_path=agent_path,
        offers_exit_plan_mode=offers_exit_plan_mode,
    )


def path_fact(text: str, workspace: Workspace, *, with_digest: bool) -> PathFact:
    """Look at one path. Raises OSError, ValueError or RuntimeError when it cannot be resolved."""
    lexical = workspace.absolute(text)
    # the text as given, not the folded one: `link/../x` leads elsewhere than `x`
    unfolded = Path(os.path.expanduser(text)) if text.startswith("~") else Path(text)  # noqa: PTH111 - keeps ~user
    real = Path(os.path.realpath(workspace.root / unfolded))
    try:
        info = os.stat(real)  # noqa: PTH116 - one call for all facts
    except (FileNotFoundError, NotADirectoryError):
        info = None
    regular = info is not None and stat.S_ISREG(info.st_mode)
    return PathFact(
        given=text,
        lexical=lexical,
        real=real,
        relative=workspace.relative(lexical),
        real_relative=workspace.relative(real),
        inside=workspace.holds(real),
        free_to_read=any(root in real.parents for root in (*free_roots(), *workspace.readable)),
        exists=info is not None,
        is_file=regular,
        device=info.st_dev if info else None,
        inode=info.st_ino if info else None,
        digest=_digest(real, info) if with_digest and regular and info else None,
    )


@cache
def free_roots() -> tuple[Path, ...]:
    """Folders outside every workspace that may be read unasked: the interpreter's library and public headers."""
    paths = sysconfig.get_paths()
    library = (paths.get(key) for key in ("stdlib", "platstdlib", "purelib", "platlib"))
    return (Path("/usr/include"), Path("/usr/share/doc"), *(Path(path).resolve() for path in library if path))


def same_facts(before: PermissionRequest, after: PermissionRequest) -> bool:
    """Whether the world still is as the person saw it: the same files with the same bytes."""
    return before.paths == after.paths


def _digest(path: Path, info: os.stat_result) -> str | None:
    if info.st_size > MAX_DIGEST_BYTES:
        return f"size:{info.st_size}:mtime:{info.st_mtime_ns}"
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
