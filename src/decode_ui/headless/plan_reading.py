"""`decode plan status|ready|inspect`: what a plan says."""

from collections.abc import Iterator
from typing import Any

import click

from decode_core.collector import CollectorRest
from decode_core.plans.folder import LoadedPlan, load_settled
from decode_core.plans.verbs.reading import inspect_document, ready_document, status_document
from decode_ui.headless.plan_context import PlanContext, as_json_option, pass_plan


@click.command("status")
@as_json_option
@pass_plan
def status_command(context: PlanContext, *, as_json: bool) -> None:
    """Tasks, criteria with their evidence, and delegations."""
    document = status_document(_load(context))
    context.show(document, lambda: _status_lines(document), as_json=as_json)


@click.command("ready")
@as_json_option
@pass_plan
def ready_command(context: PlanContext, *, as_json: bool) -> None:
    """The tasks whose prerequisites are complete."""
    rows = ready_document(_load(context))
    context.show(rows, lambda: [f"{row['task']}  {row['title']}" for row in rows], as_json=as_json)


@click.command("inspect")
@as_json_option
@pass_plan
def inspect_command(context: PlanContext, *, as_json: bool) -> None:
    """What the journal holds, and whether its last line is torn."""
    document = inspect_document(_load(context))
    context.show(document, lambda: _inspect_lines(document), as_json=as_json)


def _load(context: PlanContext) -> LoadedPlan:
    # ten thousand events are kept to the end of the process: the collector finds nothing among them
    with CollectorRest():
        return load_settled(context.folder)


def _status_lines(document: dict[str, Any]) -> Iterator[str]:
    approved = "approved" if document["approved"] else "NOT APPROVED"
    tasks, delegations = document["tasks"], document["delegations"]
    done = sum(task["status"] == "completed" for task in tasks)
    yield f"{document['plan']}  revision {document['revision']}, {approved}, {done} of {len(tasks)} tasks complete"
    width = max(len(task["id"]) for task in tasks)
    for task in tasks:
        waits = f"  (waits for {', '.join(task['waits_for'])})" if task["waits_for"] else ""
        state = "ready" if task["ready"] and task["status"] == "pending" else task["status"].replace("_", " ")
        yield f"  {task['id']:<{width}}  {state:<11}  {task['title']}{waits}"
        yield from (f"    {line}" for line in _criterion_lines(task["criteria"]))
    if document["invariants"]:
        yield "invariants"
    for one in document["invariants"]:
        said = "not looked at yet" if one["latest"] is None else f"{one['latest']} (seq {one['seq']})"
        yield f"  {one['id']}  {said}  {one['statement']}"
    if delegations:
        yield "delegations"
    for row in delegations:
        yield f"  {row['delegation_id']}  {row['task']}  {row['state']}  {row['transport']} via {row['via']}"
    yield from (f"warning: {warning}" for warning in document["warnings"])
    yield from _next_line(document)


def _criterion_lines(criteria: list[dict[str, Any]]) -> Iterator[str]:
    for criterion in criteria:
        failed = ", latest run failed" if criterion["latest_failed"] else ""
        if criterion["satisfied"]:
            yield f"{criterion['criterion']}  {criterion['trust']} (seq {criterion['seq']}){failed}"
        else:
            yield f"{criterion['criterion']}  not shown{failed}: {'; '.join(criterion['checks'])}"


def _next_line(document: dict[str, Any]) -> Iterator[str]:
    if not document["approved"]:
        return
    for task in document["tasks"]:
        if task["status"] == "in_progress":
            yield f"next: decode plan gate --task {task['id']}, then: decode plan complete --task {task['id']}"
            return
    for task in document["tasks"]:
        if task["ready"]:
            yield f"next: decode plan start --task {task['id']}"
            return


def _inspect_lines(document: dict[str, Any]) -> Iterator[str]:
    yield f"{document['plan']}  {document['generation']}, revision {document['revision']}"
    yield f"contract {document['contract_id']}"
    yield f"{document['events']} events, last seq {document['last_seq']}"
    yield from (f"  {name:<16} {count}" for name, count in document["types"].items())
    if document["torn_tail"]:
        yield f"TORN TAIL at byte {document['torn_tail']['byte_offset']}: {document['torn_tail']['cause']}"
