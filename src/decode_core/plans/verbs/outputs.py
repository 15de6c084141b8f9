"""Files made from a plan: the projection beside it, and a copy to hand on."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from decode_core.plans.canonical import Document, hex_digest, pretty_bytes
from decode_core.plans.durable import file_inside, write_whole
from decode_core.plans.errors import PlanError
from decode_core.plans.events import Delegation, Evidenced
from decode_core.plans.folder import LoadedPlan, PlanFolder
from decode_core.plans.ledger import Writer, open_ledger
from decode_core.plans.projection import project

STATE_FILE = "state.json"
EXPORT_MANIFEST = "EXPORT_MANIFEST.json"


@dataclass(frozen=True)
class Exported:
    """A copy of a plan."""

    folder: Path
    files: int


def projection_of(plan: LoadedPlan) -> Document:
    """The snapshot of a loaded plan."""
    return project(plan.contract, plan.events, plan.standing, plan.archives)


def write_projection(folder: PlanFolder, writer: Writer) -> Path:
    """Write `state.json` anew from contract and journal. Raises PlanError."""
    with open_ledger(folder, writer) as ledger:
        place = folder.path / STATE_FILE
        write_whole(place, pretty_bytes(projection_of(ledger.plan)))
        return place


def export_plan(folder: PlanFolder, destination: Path, writer: Writer) -> Exported:
    """Copy a plan's records to a new folder, with a manifest of SHA-256 digests.

    More than the publisher's: manifest, Markdown and delegation results are in it, too. Raises PlanError when the
    destination exists or lies in the plan itself.
    """
    destination = destination.absolute()
    if destination.exists() or destination.is_symlink():
        raise PlanError(f"{destination} exists; name a new folder")
    if folder.path in destination.resolve().parents:
        raise PlanError("a plan is not exported into itself")
    half = destination.with_name(f".{destination.name}.half")
    with open_ledger(folder, writer) as ledger:
        files = {name: file.read_bytes() for name, file in _files_of(ledger.plan)}
        files[STATE_FILE] = pretty_bytes(projection_of(ledger.plan))
    try:
        shutil.rmtree(half, ignore_errors=True)
        for name, data in files.items():
            place = half / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        listing = {
            "plan": folder.name,
            "files": [
                {"path": name, "sha256": hex_digest(data), "bytes": len(data)} for name, data in sorted(files.items())
            ],
        }
        write_whole(half / EXPORT_MANIFEST, pretty_bytes(listing))
        half.rename(destination)
    except OSError as error:
        shutil.rmtree(half, ignore_errors=True)
        raise PlanError(f"{destination} could not be written: {error.strerror}") from None
    return Exported(destination, len(files) + 1)


def _files_of(plan: LoadedPlan) -> list[tuple[str, Path]]:
    folder = plan.folder.path
    found: dict[str, Path] = {}
    patterns = (
        "manifest.json",
        "contract.json",
        "contracts/contract.r*.json",
        "journal.ndjson",
        "journal.chain",
        "journal-archive-*.ndjson",
        "evidence.jsonl",
        "*.md",
        "gates/*/*.log",
        "analysis_results/delegations/*/*",
    )
    for pattern in patterns:
        for file in sorted(folder.glob(pattern)):
            name = file.relative_to(folder).as_posix()
            # a link that leads out is left out: an export holds the plan's own files
            real = file_inside(name, folder)
            if real is not None:
                found[name] = real
    for event in plan.events:
        cited = event.evidence_path if isinstance(event, Evidenced) else None
        if isinstance(event, Delegation):
            cited = event.result_path
        real = None if cited is None else file_inside(cited, folder, plan.folder.root)
        if cited is not None and real is not None:
            found.setdefault(cited, real)
    return list(found.items())
