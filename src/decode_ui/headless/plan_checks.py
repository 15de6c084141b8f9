"""`decode plan validate|doctor`: whether a plan, a contract or a journal is sound, and what hinders the next step."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from decode_core.plans.addon_detection import effective_abilities
from decode_core.plans.addon_registry import load_registry
from decode_core.plans.contract import ContractError, read_contract, revision_faults
from decode_core.plans.draft import check_draft
from decode_core.plans.errors import ExitCode, PlanError
from decode_core.plans.folder import LoadedPlan, load_plan
from decode_core.plans.journal import read_journal
from decode_core.plans.record_faults import record_faults
from decode_core.plans.verbs.reading import Soundness, check_plan, examine
from decode_core.work_plans.gate_permission import folder_distrust, is_approved_here, trusting_probe
from decode_ui.headless.plan_context import PlanContext, as_json_option, object_in, pass_plan


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


@click.command("doctor")
@as_json_option
@pass_plan
def doctor_command(context: PlanContext, *, as_json: bool) -> None:
    """Whether the plan is sound, and what may hinder its next step: locks, open delegations, addons, git."""
    plan = load_plan(context.folder)
    found = examine(plan)
    registry = load_registry(plan.folder.root, Path.home())
    abilities = effective_abilities(registry, trusting_probe(plan.folder.root, Path.home()))
    whole = Soundness(found.faults, (*found.warnings, *abilities.warnings, *_before_gates(plan)))
    _end(context, whole, plan.contract.id, as_json=as_json)


def _before_gates(plan: LoadedPlan) -> Iterator[str]:
    """What stands before the plan's gates on this machine."""
    distrust = folder_distrust(plan.folder.root)
    if distrust is not None:
        yield distrust
    if not is_approved_here(plan):
        yield "the contract was not approved on this machine, so that its first gate asks at a terminal"


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
        faults = record_faults([stamped], journal.events)
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
