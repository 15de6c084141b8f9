"""The projection of a plan: `state.json`, a function of contract and journal alone.

No clock is read: the same journal gives the same bytes, in this program and in the publisher's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from decode_core.plans.canonical import Document
from decode_core.plans.contract import StampedContract, Task
from decode_core.plans.events import AnyEvent, Intervention, ResourceSample, ViewRender
from decode_core.plans.generation import SNAPSHOT_SCHEMA
from decode_core.plans.standing import Standing, criteria_of


@dataclass(frozen=True)
class Archive:
    """A rolled part of the journal."""

    file: str
    first_seq: int
    last_seq: int


def project(
    contract: StampedContract, events: Sequence[AnyEvent], standing: Standing, archives: Sequence[Archive] = ()
) -> Document:
    """The snapshot document. View renders leave no trace in it, since they come from it."""
    counted = [event for event in events if not isinstance(event, ViewRender)]
    state: Document = {
        "schema": SNAPSHOT_SCHEMA,
        "plan": contract.model.plan,
        "contract_id": contract.id,
        "contract_revision": contract.model.revision,
        "generated_by": contract.model.generation.helper,
        "updated_at": max((event.ts for event in counted), default=""),
        "tasks": [_task(task, standing) for task in contract.model.tasks],
        "positions": {event.type: {"seq": event.seq} for event in counted},
        "resources": {
            "limits": contract.document["resource_envelope"]["limits"],
            "latest_samples": _samples(counted),
        },
        "checkpoint": _open_question(counted),
        "blocker": None,
    }
    if archives:
        state["archives"] = [
            {"file": one.file, "first_seq": one.first_seq, "last_seq": one.last_seq} for one in archives
        ]
    return state


def _task(task: Task, standing: Standing) -> Document:
    start = standing.start(task.id)
    return {
        "id": task.id,
        "title": task.title,
        "status": standing.status(task).value,
        "started_seq": None if start is None else start.seq,
        "criteria": [_criterion(task, name, standing) for name in criteria_of(task)],
    }


def _criterion(task: Task, name: str, standing: Standing) -> Document:
    run = standing.evidence(task.id, name)
    if run is None:
        start = standing.start(task.id)
        return {
            "criterion": name,
            "satisfied": False,
            "started_seq": None if start is None else start.seq,
            "stale_seqs": standing.stale(task.id, name),
        }
    shown: Document = {"criterion": name, "satisfied": True, "via_seq": run.seq, "trust": run.trust.value}
    if run.evidence_path is not None:
        shown["evidence_path"] = run.evidence_path
    return shown


def _samples(events: Sequence[AnyEvent]) -> dict[str, Any]:
    return {
        event.limit_id or event.source: {"value": event.value, "seq": event.seq, "trust": event.trust.value}
        for event in events
        if isinstance(event, ResourceSample)
    }


def _open_question(events: Sequence[AnyEvent]) -> str | None:
    latest = next((event for event in reversed(events) if isinstance(event, Intervention)), None)
    return latest.question if latest is not None and latest.resolution is None else None
