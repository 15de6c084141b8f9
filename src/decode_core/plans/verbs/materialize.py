"""Begin a plan: a folder with a draft (`init`), and the approval that makes it a plan (`materialize`)."""

import re
import shutil
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from decode_core.plans.canonical import Document, plan_digest, pretty_bytes
from decode_core.plans.contract import ContractError, Mechanism, StampedContract, read_contract
from decode_core.plans.draft import check_draft
from decode_core.plans.draft_document import draft_document
from decode_core.plans.durable import write_whole
from decode_core.plans.errors import PlanError
from decode_core.plans.events import ActorKind
from decode_core.plans.folder import PlanFolder, load_plan, manifest_document, read_contracts, read_manifest
from decode_core.plans.ledger import MAX_IDENTITY, Ledger, Writer, keep_delegates_out
from decode_core.plans.lock import hold_lock
from decode_core.plans.shapes import PLAN_PATTERN

DRAFT_FILE = "contract.draft.json"


@dataclass(frozen=True)
class Approved:
    """A plan that is approved."""

    contract: StampedContract
    resumed: bool
    """Whether the approval stood there already."""
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Consent:
    """Who approves, and how; what is None is taken from the contract."""

    authority: str | None = None
    mechanism: Mechanism | None = None
    note: str | None = None


def init_plan(root: Path, name: str, writer: Writer) -> PlanFolder:
    """Make the folder of a new plan with a README and a draft contract to edit. Raises PlanError if it exists."""
    readme = f"# {name}\n\nWhat is to be reached, and why.\n"
    return make_plan(root, name, readme, draft_document(name, writer.now().astimezone(UTC), writer.identity))


def make_plan(root: Path, name: str, readme: str, draft: Document) -> PlanFolder:
    """Make the folder of a new plan, whole or not at all. Raises PlanError if it exists."""
    if re.fullmatch(PLAN_PATTERN, name) is None:
        raise PlanError(f"{name!r} is no plan name; it reads PLAN_[001_]two_to_five_words")
    plans = root / ".dwp" / "plans"
    if any(place.is_symlink() for place in (plans, plans.parent)):
        raise PlanError(f"{plans} is reached through a link; decode does not write through it")
    folder, half = PlanFolder(plans / name), plans / f".{name}.half"
    if folder.path.exists() or folder.path.is_symlink():
        raise PlanError(f"{folder.path} exists; choose another name")
    try:
        # made whole under another name, so that a crash leaves no half plan in the way of the next try
        shutil.rmtree(half, ignore_errors=True)
        half.mkdir(parents=True)
        write_whole(half / "README.md", readme.encode("utf-8", "replace"))
        write_whole(half / DRAFT_FILE, pretty_bytes(draft))
        half.rename(folder.path)
    except OSError as error:
        raise PlanError(f"{folder.path} could not be made: {error.strerror}") from None
    return folder


def materialize(folder: PlanFolder, draft: Document, writer: Writer, consent: Consent | None = None) -> Approved:
    """Approve a draft: manifest, then contract, then the approval in the journal.

    Done again after a crash it goes on where it stopped; done again on the same plan it changes nothing.
    Raises ContractError for an invalid draft, PlanError for a folder that holds another plan.
    """
    keep_delegates_out(folder, writer)
    consent = consent or Consent()
    contract = read_contract(draft)
    report = check_draft(contract.model)
    if report.faults:
        raise ContractError(report.faults)
    if contract.model.plan != folder.name:
        raise PlanError(f"the contract is for {contract.model.plan}, but the folder is {folder.name}")
    if contract.model.revision != 1:
        raise PlanError("a plan begins with revision 1; later revisions are amendments")
    if not folder.markdown():
        raise PlanError(f"{folder.path} holds no Markdown; an approval cites the plan a person has read")
    with hold_lock(folder.path, writer.identity, force=writer.force, wait_s=writer.wait_s, clock=writer.clock) as lock:
        _write_identity(folder, contract)
        ledger = Ledger(load_plan(folder), lock, writer)
        ledger.repair()
        resumed = ledger.plan.standing.approval(contract.id) is not None
        if not resumed:
            _approve(ledger, contract, consent)
    return Approved(contract, resumed, report.warnings)


def _write_identity(folder: PlanFolder, contract: StampedContract) -> None:
    manifest = read_manifest(folder)
    if manifest is not None and manifest.generation is not contract.model.generation:
        raise PlanError(f"{folder.name} is a {manifest.generation} plan; a plan never changes its generation")
    if manifest is not None and manifest.contract_id != contract.id:
        raise PlanError(f"{folder.name} was approved with another contract; it is amended, not materialized again")
    if (folder.path / "contracts").exists():
        raise PlanError(f"{folder.name} has amendments; it is not materialized again")
    known = read_contracts(folder)
    if known and known[0].id != contract.id:
        raise PlanError(f"{folder.contract} is another contract; it is amended, not materialized again")
    if manifest is None:
        write_whole(folder.manifest, pretty_bytes(manifest_document(contract)))
    if not known:
        write_whole(folder.contract, pretty_bytes(contract.document))


def _approve(ledger: Ledger, contract: StampedContract, consent: Consent) -> None:
    authority = consent.authority or contract.model.authorization.authority
    mechanism = consent.mechanism or contract.model.authorization.mechanism
    ledger.append(
        "approval",
        {
            "authority": authority,
            "mechanism": mechanism.value,
            "plan_digest": plan_digest(ledger.folder.markdown()),
        },
        actor={"kind": ActorKind.HUMAN.value, "identity": authority[:MAX_IDENTITY]},
        note=consent.note,
    )
