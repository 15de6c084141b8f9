"""`decode plan status|ready|inspect|validate|project|export|doctor`: what a plan says, and whether it is sound."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from decode_core.plans.addon_detection import effective_abilities, machine_probe
from decode_core.plans.addon_registry import load_registry
from decode_core.plans.contract import ContractError, read_contract, revision_faults
from decode_core.plans.draft import check_draft
from decode_core.plans.errors import ExitCode, PlanError
from decode_core.plans.folder import load_plan
from decode_core.plans.journal import read_journal
from decode_core.plans.standing import record_faults
from decode_core.plans.verbs.outputs import export_plan, write_projection
from decode_core.plans.verbs.reading import (
    Soundness,
    check_plan,
    examine,
    inspect_document,
    ready_document,
    status_document,
)
from decode_ui.headless.plan_context import PlanContext, as_json_option, object_in, pass_plan


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


@click.command("validate")
@click.option("--contract", type=click.Path(path_type=Path), help="Check this contract instead of the whole plan.")
@click.option("--parent", type=click.Path(path_type=Path), help="Check that the contract is the next revision of this.")
@click.option("--recorded", is_flag=True, help="Leave out the checks that hold only for drafts.")
@click.option("--journal", type=click.Path(path_type=Path), help="Check this journal (against --contract if given).")
@as_json_option
@pass_plan
def validate_command(
    context: PlanContext,
    *,
    contract: Path | None,
    parent: Path | None,
    recorded: bool,
    journal: Path | None,
    as_json: bool,
) -> None:
    """Check a plan, a contract or a journal; the identity of a contract is printed."""
    if parent is not None and contract is None:
        raise click.UsageError("--parent needs --contract")
    if journal is not None:
        found, identity = _check_journal(journal, contract), None
    elif contract is not None:
        found, identity = _check_contract(contract, parent, is_draft=not recorded)
    else:
        plan = load_plan(context.folder)
        found, identity = check_plan(plan), plan.contract.id
    _end(context, found, identity, as_json=as_json)


@click.command("project")
@pass_plan
def project_command(context: PlanContext) -> None:
    """Write state.json anew from contract and journal."""
    place = write_projection(context.folder, context.writer)
    context.show({"state": str(place)}, lambda: [f"written: {place}"])


@click.command("export")
@click.option("--dest", type=click.Path(path_type=Path), required=True, help="A new folder.")
@pass_plan
def export_command(context: PlanContext, *, dest: Path) -> None:
    """Copy the plan's records and evidence to a new folder, with digests."""
    done = export_plan(context.folder, dest, context.writer)
    context.show({"folder": str(done.folder), "files": done.files}, lambda: [f"{done.files} files in {done.folder}"])


@click.command("doctor")
@as_json_option
@pass_plan
def doctor_command(context: PlanContext, *, as_json: bool) -> None:
    """Whether the plan is sound, and what may hinder its next step: locks, open delegations, addons, git."""
    plan = load_plan(context.folder)
    found = examine(plan)
    registry = load_registry(plan.folder.root, Path.home())
    abilities = effective_abilities(registry, machine_probe(plan.folder.root, Path.home()))
    whole = Soundness(found.faults, (*found.warnings, *abilities.warnings))
    _end(context, whole, plan.contract.id, as_json=as_json)


READING_COMMANDS: Sequence[click.Command] = (
    status_command,
    ready_command,
    inspect_command,
    validate_command,
    project_command,
    export_command,
    doctor_command,
)
"""The verbs of this module, in the order of the help."""


def _check_contract(file: Path, parent: Path | None, *, is_draft: bool) -> tuple[Soundness, str | None]:
    try:
        contract = read_contract(object_in(file))
    except ContractError as error:
        return Soundness(error.faults), None
    faults = [] if parent is None else revision_faults(read_contract(object_in(parent)), contract)
    report = check_draft(contract.model)
    if is_draft:
        faults += report.faults
    return Soundness(tuple(faults), report.warnings if is_draft else ()), contract.id


def _check_journal(file: Path, contract: Path | None) -> Soundness:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise PlanError(f"{file} could not be read: {error.strerror}") from None
    journal = read_journal(data, name=file.name)
    faults: list[str] = []
    if contract is not None:
        stamped = read_contract(object_in(contract))
        faults = record_faults(stamped.model, journal.events, [stamped.id])
    torn = () if journal.torn is None else (f"TORN TAIL: {journal.torn.cause}",)
    return Soundness(tuple(faults), torn)


def _end(context: PlanContext, found: Soundness, identity: str | None, *, as_json: bool) -> None:
    document = {
        "valid": not found.faults,
        "contract_id": identity,
        "faults": list(found.faults),
        "warnings": list(found.warnings),
    }
    context.show(document, lambda: _soundness_lines(found, identity), as_json=as_json)
    sys.exit(ExitCode.ERROR if found.faults else ExitCode.OK)


def _soundness_lines(found: Soundness, identity: str | None) -> Iterator[str]:
    yield from (f"fault: {fault}" for fault in found.faults)
    yield from (f"warning: {warning}" for warning in found.warnings)
    if not found.faults:
        yield f"valid: {identity}" if identity else "valid"


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
