"""Guards: functions of the program that see every call before the rules do (permissions.md §2, step 2).

A guard can only make things stricter. It may say nothing, tighten, rewrite the arguments or block; there is no value by
which it could let a call run.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from decode_core.permissions.modes import ToolKind
from decode_core.permissions.tighten import Tighten

GUARD_TIMEOUT_S = 5.0
"""How long a guard may take unless it says otherwise, in seconds; the call is asked about after that."""


@dataclass(frozen=True)
class GuardedCall:
    """A call as a guard sees it: valid arguments as plain data, a copy that may be changed and given back."""

    call_id: str
    tool: str
    args: dict[str, Any]
    kind: ToolKind
    agent_path: tuple[str, ...]
    """The chain of agents, the calling one last."""


@dataclass(frozen=True)
class Rewrite:
    """Replace the arguments. They are validated and judged; deny rules also hold for the ones before."""

    args: Mapping[str, Any]


@dataclass(frozen=True)
class Block:
    """Refuse the call and end the turn as failed."""

    reason: str


Opinion = Tighten | Rewrite | Block | None
"""What a guard may return; None says nothing. Anything else counts as a guard that failed: the call is asked about."""

GuardFunction = Callable[[GuardedCall], Opinion | Awaitable[Opinion]]


@dataclass(frozen=True)
class Guard:
    """A guard: its function, its name for people, and its time limit in seconds."""

    check: GuardFunction
    name: str
    timeout_s: float = GUARD_TIMEOUT_S


def guard(check: GuardFunction, *, name: str | None = None, timeout_s: float = GUARD_TIMEOUT_S) -> Guard:
    """Make a guard of a plain or async function; usable as a decorator.

    A plain function runs in a thread of its own, an async one on the loop that opened the session. It is asked again
    before an approved call runs, so it should answer the same for the same call and change nothing.

    Raises ValueError for a time limit that is not above zero.
    """
    if not timeout_s > 0:
        raise ValueError(f"the time limit of a guard must be above zero seconds, not {timeout_s}")
    return Guard(check, name or str(getattr(check, "__name__", type(check).__name__)), timeout_s)
