"""Where a plan lies, and what is in it: contract, chain of revisions, archives, journal."""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from decode_core.plans import canonical
from decode_core.plans.canonical import NotJsonError, parse_object
from decode_core.plans.chain import CHAIN_FILE, Chain, follow_chain
from decode_core.plans.contract import ContractError, StampedContract, read_contract, revision_faults
from decode_core.plans.durable import read_if_there
from decode_core.plans.errors import PlanError, PlanUsageError
from decode_core.plans.events import AnyEvent
from decode_core.plans.generation import Generation, generation_of_manifest
from decode_core.plans.journal import Journal, read_archives, read_journal
from decode_core.plans.lock import LOCK_FOLDER
from decode_core.plans.projection import Archive
from decode_core.plans.shapes import PLAN_PATTERN
from decode_core.plans.standing import Standing

if TYPE_CHECKING:
    from decode_core.plans.tree import Repository

_LOOKS = 5
_PAUSE_S = 0.02

_REVISION = re.compile(r"contract\.r([1-9][0-9]{0,8})\.json")
_ARCHIVE = re.compile(r"journal-archive-([0-9]{6,})-([0-9]{6,})\.ndjson")


@dataclass(frozen=True)
class PlanFolder:
    """A plan folder and the repository it belongs to."""

    path: Path

    @property
    def name(self) -> str:
        """The plan's name."""
        return self.path.name

    @property
    def root(self) -> Path:
        """The folder that holds `.dwp`; for a plan that lies elsewhere, its parent."""
        above = self.path.parents
        return above[2] if len(above) > 2 and above[1].name == ".dwp" else above[0]

    @property
    def repository(self) -> "Repository":
        """The repository, for git's answers."""
        # what is asked of git is no part of reading a plan
        from decode_core.plans.tree import Repository

        return Repository(self.root)

    @property
    def manifest(self) -> Path:
        """`manifest.json`."""
        return self.path / "manifest.json"

    @property
    def contract(self) -> Path:
        """`contract.json`, the first revision."""
        return self.path / "contract.json"

    @property
    def journal(self) -> Path:
        """`journal.ndjson`."""
        return self.path / "journal.ndjson"

    @property
    def chain(self) -> Path:
        """`journal.chain`, ours."""
        return self.path / CHAIN_FILE

    def markdown(self) -> list[tuple[str, bytes]]:
        """Name and bytes of the Markdown files directly in the folder."""
        try:
            return [(file.name, file.read_bytes()) for file in sorted(self.path.glob("*.md")) if file.is_file()]
        except OSError as error:
            raise PlanError(f"the plan's Markdown could not be read: {error.strerror}") from None


def locate_plan(given: Path | None, start: Path) -> PlanFolder:
    """The plan that `given` names (its folder, or a file in it), or the only one around `start`.

    Raises PlanUsageError when there is none, or more than one to choose from.
    """
    if given is not None:
        place = given.absolute()
        for folder in (place, *place.parents):
            if re.fullmatch(PLAN_PATTERN, folder.name) and folder.is_dir():
                return PlanFolder(folder.resolve())
        raise PlanUsageError(f"{given} is no plan folder; it is named PLAN_ and two to five words, and must exist")
    place = start.resolve()
    for folder in (place, *place.parents):
        if re.fullmatch(PLAN_PATTERN, folder.name):
            return PlanFolder(folder)
        plans = list_plans(folder)
        if len(plans) > 1:
            names = ", ".join(plan.name for plan in plans)
            raise PlanUsageError(f"there are {len(plans)} plans here: {names}; name one: --plan {plans[-1].path}")
        if plans:
            return plans[0]
    raise PlanUsageError("there is no plan here; name one with --plan, or begin one with `decode plan init NAME`")


def list_plans(root: Path) -> list[PlanFolder]:
    """The plans of a repository, by name."""
    try:
        folders = sorted((root / ".dwp" / "plans").iterdir())
    except OSError:
        return []
    return [PlanFolder(folder) for folder in folders if folder.is_dir() and re.fullmatch(PLAN_PATTERN, folder.name)]


@dataclass(frozen=True)
class Manifest:
    """The manifest: written once, never edited."""

    generation: Generation
    contract_id: str


@dataclass(frozen=True)
class LoadedPlan:
    """A plan as it lies on disk at one moment."""

    folder: PlanFolder
    contracts: tuple[StampedContract, ...]
    """All revisions, the live one last."""
    archived: Journal
    archives: tuple[Archive, ...]
    journal: Journal
    journal_size: int
    """Bytes of the live file as it was read."""
    chain: Chain

    @property
    def contract(self) -> StampedContract:
        """The live contract."""
        return self.contracts[-1]

    @property
    def contract_ids(self) -> tuple[str, ...]:
        """Every identity the plan has had."""
        return tuple(one.id for one in self.contracts)

    @property
    def events(self) -> Sequence[AnyEvent]:
        """All events, archives first."""
        return (*self.archived.events, *self.journal.events)

    @property
    def last_seq(self) -> int:
        """The highest number ever given."""
        return self.journal.last_seq or self.archived.last_seq

    @cached_property
    def standing(self) -> Standing:
        """What the events prove."""
        return Standing(self.contract.model, self.events)


def load_plan(folder: PlanFolder) -> LoadedPlan:
    """Read a whole plan. Raises PlanError, ContractError, CorruptJournalError."""
    manifest, contracts = read_manifest(folder), read_contracts(folder)
    if not contracts:
        hint = (
            "its materialization was not finished; run `decode plan materialize` again" if manifest else "no contract"
        )
        raise PlanError(f"{folder.name} holds no approved plan: {hint}")
    generation = contracts[0].model.generation
    if manifest is not None and manifest.generation is not generation:
        raise PlanError(
            f"{folder.name} mixes generations: the manifest is {manifest.generation}, the contract {generation}"
        )
    if manifest is not None and manifest.contract_id not in [one.id for one in contracts]:
        raise PlanError(f"{folder.name}: the manifest names another contract; restore contract.json as it was approved")
    # the chain is read first: a writer extends it last, so a reader never finds it longer than the journal
    chain_data = read_if_there(folder.chain) or b""
    files = _archive_files(folder)
    archived = read_archives(files, generation=generation)
    data = read_if_there(folder.journal) or b""
    journal = read_journal(data, after=archived.last_seq, generation=generation)
    chain = follow_chain(
        chain_data,
        (*archived.events, *journal.events),
        (*archived.lines, *journal.lines),
    )
    return LoadedPlan(folder, contracts, archived, _archives(files), journal, len(data), chain)


def load_settled(folder: PlanFolder, sleep: Callable[[float], None] = time.sleep) -> LoadedPlan:
    """Read a whole plan for somebody who only looks, without the lock.

    A torn last line may be one that is being written: while somebody holds the lock it is looked at again, a few times.
    Raises as `load_plan`.
    """
    plan = load_plan(folder)
    for _ in range(_LOOKS):
        if plan.journal.torn is None or not (folder.path / LOCK_FOLDER).exists():
            break
        sleep(_PAUSE_S)
        plan = load_plan(folder)
    return plan


def read_manifest(folder: PlanFolder) -> Manifest | None:
    """The manifest, or None where there is none. Raises PlanError for one that is not what the schema allows."""
    data = read_if_there(folder.manifest)
    if data is None:
        return None
    try:
        document = parse_object(data)
    except NotJsonError as error:
        raise PlanError(f"{folder.manifest}: {error}") from None
    generation = generation_of_manifest(document.get("schema"))
    match document.get("contract"):
        case {"id": str() as identity, "path": "contract.json", **rest} if (
            generation is not None
            and not rest
            and set(document) == {"schema", "plan", "contract"}
            and document["plan"] == folder.name
            and re.fullmatch("[0-9a-f]{64}", identity)
        ):
            return Manifest(generation, identity)
        case _:
            raise PlanError(f"{folder.manifest} is no manifest of {folder.name}")


def manifest_document(contract: StampedContract) -> canonical.Document:
    """The manifest that points to a contract."""
    model = contract.model
    return {
        "schema": model.generation.manifest_schema,
        "plan": model.plan,
        "contract": {"id": contract.id, "path": "contract.json"},
    }


def read_contracts(folder: PlanFolder) -> tuple[StampedContract, ...]:
    """All revisions in order, the chain checked link by link. Empty where there is no contract."""
    first = read_if_there(folder.contract)
    found = {} if first is None else {1: _contract_of(folder, folder.contract, first)}
    chain = folder.path / "contracts"
    for file in sorted(chain.iterdir()) if chain.is_dir() else ():
        number = _REVISION.fullmatch(file.name)
        data = read_if_there(file) if number else None
        if number is None or data is None:
            # an amendment that was not finished lies there under another name
            continue
        contract = _contract_of(folder, file, data)
        if contract.model.revision != int(number[1]):
            raise PlanError(f"{file}: holds revision {contract.model.revision}")
        known = found.setdefault(int(number[1]), contract)
        if known.id != contract.id:
            raise PlanError(f"{file}: differs from contract.json, though both are revision 1")
    contracts = [found[number] for number in sorted(found)]
    if contracts and contracts[0].model.revision != 1:
        raise PlanError(f"{folder.name}: revision 1 is not there, so nothing shows what was approved first")
    for parent, child in pairwise(contracts):
        faults = revision_faults(parent, child)
        if faults:
            raise ContractError(faults)
    return tuple(contracts)


def _contract_of(folder: PlanFolder, file: Path, data: bytes) -> StampedContract:
    try:
        contract = read_contract(parse_object(data))
    except NotJsonError as error:
        raise PlanError(f"{file}: {error}") from None
    if contract.model.plan != folder.name:
        raise PlanError(f"{file}: is the contract of {contract.model.plan}, not of {folder.name}")
    return contract


def _archive_files(folder: PlanFolder) -> list[tuple[str, bytes]]:
    names = sorted(
        (int(match[1]), file.name)
        for file in folder.path.iterdir()
        if (match := _ARCHIVE.fullmatch(file.name)) is not None
    )
    return [(name, read_if_there(folder.path / name) or b"") for _, name in names]


def _archives(files: Sequence[tuple[str, bytes]]) -> tuple[Archive, ...]:
    matches = [(name, _ARCHIVE.fullmatch(name)) for name, _ in files]
    return tuple(Archive(name, int(match[1]), int(match[2])) for name, match in matches if match is not None)
