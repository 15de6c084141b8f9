"""A draft contract for a person to edit: what a new plan begins with, or what a plan in prose says."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from decode_core.plans.canonical import Document
from decode_core.plans.generation import Generation

_CRITERION = {
    "id": "AC-tests-pass",
    "statement": "The tests pass.",
    "observable_check": "make test exits 0",
    "accepted_evidence": ["observed"],
}
_TASK = {
    "id": "T-first",
    "title": "The first task",
    "prerequisites": [],
    "touched_surface": ["src/"],
    "gate_intent": [{"criterion": "AC-tests-pass", "check": "make test"}],
}


def draft_document(
    name: str,
    now: datetime,
    author: str,
    *,
    title: str = "",
    statement: str = "What is true at the end.",
    success: str = "Every criterion below is shown.",
    out_of_scope: Sequence[str] = (),
    criteria: Sequence[Document] = (_CRITERION,),
    invariants: Sequence[Document] = (),
    tasks: Sequence[Document] = (_TASK,),
    allowed_paths: Sequence[str] = ("src/",),
    allowed_programs: Sequence[str] = ("make",),
    delegates: bool = False,
) -> Document:
    """The draft; by itself it can be approved as it is. `now` is in UTC."""
    stamp = now.strftime("%Y-%m-%dT%H:%M:%SZ")
    granted = ["gate_command_exec", "fs_write_plan_scope", "fs_write_repo_scope"]
    document: dict[str, Any] = {
        "schema": Generation.V7.contract_schema,
        "spec_version": "7.0.0",
        "plan": name,
        "revision": 1,
        "created_at": stamp,
        "outcome": {
            "statement": statement,
            "success_definition": success,
            "out_of_scope": list(out_of_scope),
        },
        "acceptance": {"criteria": list(criteria)},
        "invariants": list(invariants),
        "scope": {
            "allowed_paths": list(allowed_paths),
            "allowed_command_classes": list(allowed_programs),
            "forbidden_operations": ["push", "publish"],
        },
        "authorization": {
            "mechanism": "plan_authorship",
            "authority": author,
            "timestamp": stamp,
            "boundaries": "this plan only",
            "consent_checkpoints": [],
        },
        "permissions": {
            "granted": [*granted, *(["agent_delegation"] if delegates else [])],
            "not_granted": ["network_access"],
        },
        "dependencies": [],
        "resource_envelope": {
            "limits": [{"id": "wall_clock_h", "limit": 8, "unit": "hours", "enforcement": "advisory"}]
        },
        "tasks": list(tasks),
    }
    return {**document, "title": title} if title else document
