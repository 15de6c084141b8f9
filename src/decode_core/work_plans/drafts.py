"""A draft contract from its proposal to its approval, step by step, for front ends that show it (delegation.md §4).

Every function reads or writes files and takes up to a few hundredths of a second; an interface calls them in a thread.
"""

import getpass
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from decode_core.plans.canonical import Document, NotJsonError, parse_object
from decode_core.plans.contract import Contract, ContractError, read_contract
from decode_core.plans.draft import check_draft
from decode_core.plans.durable import read_if_there, write_whole
from decode_core.plans.errors import PlanError
from decode_core.plans.folder import list_plans, load_plan
from decode_core.plans.ledger import MAX_IDENTITY, Writer
from decode_core.plans.outline import Outline
from decode_core.plans.proposal import Proposal, plan_name, propose
from decode_core.plans.verbs.materialize import materialize
from decode_core.work_plans.gate_permission import approve_here
from decode_core.work_plans.handover import HandedOver, enabled_transports, hand_over


@dataclass(frozen=True)
class DraftState:
    """A draft as it lies on disk."""

    contract: Contract | None
    """None where it is no valid contract."""
    faults: tuple[str, ...]
    """Why it cannot be approved, one sentence each."""
    warnings: tuple[str, ...]
    document: Document | None = None


def preview(root: Path, outline: Outline) -> Proposal:
    """What a plan would be handed over as; nothing is written. Raises PlanError for a plan without steps."""
    if not outline.steps:
        raise PlanError("the plan has no steps to hand over; it lists them under a heading Steps, or as sections")
    name = plan_name(outline.title, [folder.name for folder in list_plans(root)])
    return propose(outline, name, author(), datetime.now(UTC), enabled_transports(root))


def write_draft(root: Path, outline: Outline, text: str) -> HandedOver:
    """Make the plan's folder with its text and its draft. Raises PlanError."""
    return hand_over(root, outline, text, author())


def read_draft(done: HandedOver) -> DraftState:
    """Read the draft and check it as its approval would. Raises PlanError where it cannot be read."""
    data = read_if_there(done.draft)
    if data is None:
        raise PlanError(f"{done.draft} is gone")
    try:
        document = parse_object(data)
        contract = read_contract(document).model
    except NotJsonError as error:
        return DraftState(None, (str(error),), ())
    except ContractError as error:
        return DraftState(None, error.faults, ())
    report = check_draft(contract)
    faults = report.faults
    if contract.plan != done.folder.name:
        faults = (*faults, f"the contract is for {contract.plan}, but the folder is {done.folder.name}")
    return DraftState(contract, faults, report.warnings, document)


def change_draft(done: HandedOver, text: str) -> None:
    """Replace the draft by what a person edited. Raises PlanError."""
    write_whole(done.draft, text.rstrip("\n").encode("utf-8", "replace") + b"\n")


def approve_draft(done: HandedOver, shown: DraftState) -> str:
    """Approve the draft that a person was shown; returns the contract's identity.

    Raises PlanError, also when the file is another one by now: nothing is approved unseen.
    """
    state = read_draft(done)
    if state.document is None or state.document != shown.document:
        raise PlanError("the draft was changed meanwhile; look at it again")
    approved = materialize(done.folder, state.document, Writer(identity=author()))
    approve_here(load_plan(done.folder))
    return approved.contract.id


def author() -> str:
    """Who drafts and approves: the person's name on this machine."""
    return getpass.getuser()[:MAX_IDENTITY]
