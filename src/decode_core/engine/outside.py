"""The question whether a call that the sandbox blocked may run once outside of it (permissions.md §11)."""

from decode_core.decisions import DecisionQueue, Question
from decode_core.engine.offers import Offers
from decode_core.engine.questions import permission_question
from decode_core.permissions.gate import PermissionGate
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome
from decode_core.permissions.request import PermissionDecision, PermissionRequest
from decode_core.tools.spec import ToolArgs, ToolSpec
from decode_core.workspace import Workspace


def may_be_asked_outside(request: PermissionRequest, gate: PermissionGate, decisions: DecisionQueue) -> bool:
    """Whether a person is there to be asked, in a mode in which that is allowed, about a call that nothing refuses."""
    if gate.mode not in (PermissionMode.DEFAULT, PermissionMode.EDIT) or not decisions.has_person:
        return False
    return gate.check(request).outcome in (PermissionOutcome.ALLOW, PermissionOutcome.ASK)


def outside_decision(request: PermissionRequest, blocked: str, mode: PermissionMode) -> PermissionDecision:
    """The ask, by the sandbox."""
    reason = f"The sandbox blocked {blocked}. Allow to run this call again, once, outside of it."
    return PermissionDecision(
        PermissionOutcome.ASK,
        DecidedBy.SANDBOX,
        reason,
        mode,
        request.kind,
        request.kind,
        request.subject,
        steps=("it ran in the sandbox and failed", f"the sandbox blocked {blocked}"),
    )


def outside_question(
    question_id: str,
    spec: ToolSpec,
    args: ToolArgs,
    request: PermissionRequest,
    decision: PermissionDecision,
    workspace: Workspace,
) -> Question:
    """The question. Nothing of it can be remembered, and the arguments stay as they are."""
    answers = Offers(("once", "deny", "tell", "stop"))
    return permission_question(question_id, spec, args, request, decision, workspace, answers)
