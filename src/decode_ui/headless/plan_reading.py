"""`decode plan status|ready|inspect`: what a plan says."""

from collections.abc import Iterator
from typing import Any

import click

from decode_core.plans.folder import load_plan
from decode_core.plans.verbs.reading import inspect_document, ready_document, status_document
from decode_ui.headless.plan_context import PlanContext, as_json_option, pass_plan


@click.command("status")
@as_json_option
@pass_plan
def status_command(context: PlanContext, *, as_json: bool) -> None:
    """Tasks, criteria with their evidence, and delegations."""
    document = status_document(load_plan(context.folder))
    context.show(document, lambda: _status_lines(document), as_json=as_json)


@click.command("ready")
@as_json_option
@pass_plan
def ready_command(context: PlanContext, *, as_json: bool) -> None:
    """The tasks whose prerequisites are complete."""
    rows = ready_document(load_plan(context.folder))
    context.show(rows, lambda: [f"{row['task']}  {row['title']}" for row in rows], as_json=as_json)


@click.command("inspect")
@as_json_option
@pass_plan
def inspect_command(context: PlanContext, *, as_json: bool) -> None:
    """What the journal holds, and whether its last line is torn."""
    document = inspect_document(load_plan(context.folder))
    context.show(document, lambda: _inspect_lines(document), as_json=as_json)


def _status_lines(document: dict[str, Any]) -> Iterator[str]:
    approved = "approved" if document["approved"] else "NOT APPROVED"
    yield f"{document['plan']}  revision {document['revision']}, {approved}"
    for task in document["tasks"]:
        ready = "  ready" if task["ready"] else ""
        waits = f"  waits for {', '.join(task['waits_for'])}" if task["waits_for"] else ""
        yield f"  {task['id']}  {task['status']}{ready}{waits}  {task['title']}"
        for criterion in task["criteria"]:
            shown = f"{criterion['trust']} (seq {criterion['seq']})" if criterion["satisfied"] else "not shown"
            failed = "  latest run failed" if criterion["latest_failed"] else ""
            yield f"    {criterion['criterion']}  {shown}{failed}"
    for row in document["delegations"]:
        yield f"  {row['delegation_id']}  {row['task']}  {row['state']}  {row['transport']} via {row['via']}"
    yield from (f"warning: {warning}" for warning in document["warnings"])


def _inspect_lines(document: dict[str, Any]) -> Iterator[str]:
    yield f"{document['plan']}  {document['generation']}, revision {document['revision']}"
    yield f"contract {document['contract_id']}"
    yield f"{document['events']} events, last seq {document['last_seq']}"
    yield from (f"  {name:<16} {count}" for name, count in document["types"].items())
    if document["torn_tail"]:
        yield f"TORN TAIL at byte {document['torn_tail']['byte_offset']}: {document['torn_tail']['cause']}"
