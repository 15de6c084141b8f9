"""How deep delegation goes: one step. A delegate is known by its environment, and its checkout by the branch.

Source: dwp-records (c), the guardrails: depth 1, and a journal that is written by the parent session alone.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from decode_core.workspace import git_branch

DEPTH_MARKS = ("DECODE_DELEGATE_DEPTH", "HERDR_PEERS_DEPTH")
"""Environment variables that a delegate finds set; it never delegates."""

_DELEGATE_BRANCH = re.compile(r"dwp/[^/]+/[^/]+")


def depth_mark(environment: Mapping[str, str]) -> str | None:
    """The variable that says that this process is a delegate, or None."""
    return next((mark for mark in DEPTH_MARKS if environment.get(mark, "0") not in ("", "0")), None)


def is_delegate_checkout(root: Path) -> bool:
    """Whether a folder is a worktree on a delegation's branch (`dwp/<plan>/<id>`)."""
    return (root / ".git").is_file() and _DELEGATE_BRANCH.fullmatch(git_branch(root) or "") is not None
