"""What a permission question says: the call, why it asks, what it would change, what each answer would store."""

from typing import Any

from decode_core.decisions import Question
from decode_core.engine.offers import Offers
from decode_core.events import QuestionKind
from decode_core.permissions.request import PermissionDecision, PermissionRequest
from decode_core.permissions.resolve import facts_digest
from decode_core.tools.spec import ChangePreview, ToolArgs, ToolSpec
from decode_core.workspace import Workspace


def permission_question(
    question_id: str,
    spec: ToolSpec,
    args: ToolArgs,
    request: PermissionRequest,
    decision: PermissionDecision,
    workspace: Workspace,
    offered: Offers,
) -> Question:
    """The question for an asked call; its payload is described at `decisions.Question`."""
    payload: dict[str, Any] = {
        "tool": spec.name,
        "kind": spec.kind.value,
        "subject": request.subject,
        "subject_kind": request.subject_kind.value,
        "reason": decision.reason,
        "by": decision.by.value,
        "mode": decision.mode.value,
        "agent_path": list(request.agent_path),
        "cwd": str(workspace.root),
        "args": dict(request.args),
        "steps": list(decision.steps),
        "preview": _preview(spec.preview(args, request) if spec.preview else None),
        "facts": facts_digest(request),
        "stores": offered.stores,
        "offers": list(offered.names),
    }
    return Question(question_id, QuestionKind.PERMISSION, payload, request.call_id)


def _preview(preview: ChangePreview | str | None) -> dict[str, Any] | None:
    match preview:
        case ChangePreview():
            return {"path": preview.path, "before": preview.before, "after": preview.after}
        case str():
            return {"problem": preview}
        case None:
            return None
