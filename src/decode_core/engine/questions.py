"""What a permission question says: the call, why it asks, what it would change, what each answer would store."""

from typing import Any

from decode_core.decisions import Question
from decode_core.events import QuestionKind
from decode_core.permissions.matching import covers
from decode_core.permissions.modes import DecidedBy, ToolKind
from decode_core.permissions.patterns import escape
from decode_core.permissions.request import PermissionDecision, PermissionRequest, SubjectKind
from decode_core.permissions.rules import Rule, RuleError, RuleList, RuleSource, parse_rule
from decode_core.tools.spec import ChangePreview, ToolArgs, ToolSpec
from decode_core.workspace import Workspace


def permission_question(
    question_id: str,
    spec: ToolSpec,
    args: ToolArgs,
    request: PermissionRequest,
    decision: PermissionDecision,
    workspace: Workspace,
    rules_file: str | None,
) -> Question:
    """The question for an asked call; its payload is described at `decisions.Question`.

    `rules_file` is where "always" would be stored, None where nothing can be.
    """
    stores = _storable(request, decision, rules_file)
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
        "stores": stores,
        "offers": ["once", *(["always"] if stores else []), "deny", "tell", "stop"],
    }
    return Question(question_id, QuestionKind.PERMISSION, payload, request.call_id)


def exact_rule(request: PermissionRequest) -> Rule | None:
    """The session rule that matches this call's subject and no other, or None where there is none.

    An empty subject has no rule; a rule that would not cover the very call is never offered.
    """
    if request.subject_kind is SubjectKind.PATH:
        subject = request.paths[0].relative if request.paths else ""
    else:
        subject = request.subject.strip()
    if not subject or subject == ".":
        return None
    try:
        rule = parse_rule(f"{request.tool}({escape(subject)})", RuleList.ALLOW, RuleSource.SESSION)
    except RuleError:
        return None
    return rule if covers(rule, request) else None


def _storable(
    request: PermissionRequest, decision: PermissionDecision, rules_file: str | None
) -> dict[str, str] | None:
    """What "always, exactly this" would store; None where the stored rule would not answer the next such call."""
    rule = exact_rule(request)
    if rules_file is None or rule is None or decision.by is not DecidedBy.MODE:
        return None
    note = "any change of this file" if request.kind is ToolKind.FILE_EDIT else "exactly this call"
    return {"rule": rule.text, "list": "allow", "file": rules_file, "layer": "project", "note": note}


def _preview(preview: ChangePreview | str | None) -> dict[str, Any] | None:
    match preview:
        case ChangePreview():
            return {"path": preview.path, "before": preview.before, "after": preview.after}
        case str():
            return {"problem": preview}
        case None:
            return None
