"""What a brief for a delegate must carry, and what it must never carry."""

import re
from collections.abc import Mapping

from decode_core.plans.contract import Contract, Task
from decode_core.plans.standing import criteria_of

_SECRET_NAME = re.compile(r"(_API_KEY|_TOKEN|_SECRET|_PASSWORD)$")
_SECRET_SHAPE = re.compile(
    r"""
      \bsk-[A-Za-z0-9_-]{20,}
    | \bgh[opsru]_[A-Za-z0-9]{30,}
    | \bgithub_pat_[A-Za-z0-9_]{30,}
    | \bglpat-[A-Za-z0-9_-]{20,}
    | \bxox[abprs]-[A-Za-z0-9-]{20,}
    | \bAKIA[0-9A-Z]{16}\b
    | \bAIza[0-9A-Za-z_-]{35}
    | \beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.
    | -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----
    """,
    re.VERBOSE,
)
_SHORTEST_SECRET = 8


def brief_fault(
    brief: str, contract: Contract, task: Task, worktree: str | None, environment: Mapping[str, str]
) -> str | None:
    """Why a brief may not go out, or None: the objective (the task's title), each criterion of the task word for word,
    the writable worktree, and no secret. The secret itself is never named.
    """
    if task.title not in brief:
        return f"the brief does not name the objective of {task.id}: {task.title!r}"
    for name in criteria_of(task):
        criterion = contract.criterion(name)
        if criterion is not None and criterion.statement not in brief:
            return f"the brief does not carry {name} word for word"
    if worktree is not None and worktree not in brief:
        return f"the brief does not name the writable worktree {worktree}"
    return secret_fault(brief, environment)


def secret_fault(text: str, environment: Mapping[str, str]) -> str | None:
    """Where a secret seems to stand in a text, or None: values of secret variables, and the shapes of known tokens."""
    for name, value in environment.items():
        if _SECRET_NAME.search(name) and len(value) >= _SHORTEST_SECRET and value in text:
            return f"the brief holds the value of {name}; take it out, a delegate has its own environment"
    if _SECRET_SHAPE.search(text):
        return "the brief holds what looks like a key or token; take it out"
    return None
