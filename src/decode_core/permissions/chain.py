"""One verdict for a call of a sub-agent: the strictest of everyone above it and its own (permissions.md §8). Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from decode_core.permissions.by_mode import DONT_ASK_REASON
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome
from decode_core.permissions.request import PermissionDecision, PermissionRequest

_STRICTNESS = {
    PermissionOutcome.ALLOW: 0,
    PermissionOutcome.ASK: 1,
    PermissionOutcome.DENY: 2,
    PermissionOutcome.INVALID: 3,
    PermissionOutcome.NOT_FOUND: 4,
}


class Judge(Protocol):
    """What judges calls: the gate of one agent."""

    @property
    def mode(self) -> PermissionMode:
        """The mode in force."""
        ...

    def check(self, request: PermissionRequest) -> PermissionDecision:
        """The verdict over a call."""
        ...


def check_chain(gates: Sequence[Judge], request: PermissionRequest) -> PermissionDecision:
    """Judge a call by every gate of a chain of agents, the person's own agent first, as they stand now.

    No mode and no allow or readonly rule of a child turns an ask or a deny above it into a run; plan anywhere is plan,
    since that gate refuses; where anybody is in dont_ask, nothing pauses. `request.agent_path` names the chain. Of
    equally strict verdicts the outermost counts: it is the one that the person can change. Raises ValueError without a
    gate.
    """
    if not gates:
        raise ValueError("a chain of agents has at least one gate")
    decision = strictest([gate.check(request) for gate in gates])
    if decision.outcome is PermissionOutcome.ASK and any(gate.mode is PermissionMode.DONT_ASK for gate in gates):
        steps = (*decision.steps, "an agent of the chain is in dont_ask, which refuses what would ask")
        return replace(decision, outcome=PermissionOutcome.DENY, by=DecidedBy.MODE, reason=DONT_ASK_REASON, steps=steps)
    return decision


def strictest(decisions: Sequence[PermissionDecision]) -> PermissionDecision:
    """The strictest of these verdicts, the first of equal ones: not found, invalid, deny, ask, allow."""
    return max(decisions, key=lambda decision: _STRICTNESS[decision.outcome])
