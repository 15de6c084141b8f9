"""A plan in a small git repository, a clock that only goes on when it is read, and the published schemas.

Repositories and plans are made once a process and copied for each test: git is not started for what is always the same.
"""

import atexit
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from decode_core.plans.addon_detection import Detection, Probe
from decode_core.plans.addon_registry import set_addon
from decode_core.plans.canonical import canonical_bytes, hex_digest, labelled_digest
from decode_core.plans.errors import ExitCode, PlanError
from decode_core.plans.events import AnyEvent
from decode_core.plans.folder import LoadedPlan, PlanFolder, load_plan
from decode_core.plans.ledger import Writer
from decode_core.plans.verbs.delegate import Machine
from decode_core.plans.verbs.gate import GateOutcome, GateRequest, Walls, gate, no_walls
from decode_core.plans.verbs.materialize import materialize
from decode_core.plans.verbs.statements import Statement, append_statement
from decode_core.plans.verbs.tasks import start_task

PLANS = Path(__file__).parent / "decode_core" / "plans"
GOLDEN = PLANS / "golden" / "plans" / "PLAN_001_golden_delegation"
NAME = "PLAN_002_small_bench"
PROMPT = labelled_digest(b"do it")

Document = dict[str, Any]

AMENDMENT: Document = {
    "original_criterion": "o",
    "observed_finding": "f",
    "disposition": "d",
    "revised_criterion": "r",
    "reason": "r",
    "authority": "o",
    "affected_tasks": ["T-one"],
    "evidence_preserved": [],
}


@cache
def schema(name: str) -> Draft202012Validator:
    """A validator for one of the published schemas, such as `journal-event-v7`."""
    return Draft202012Validator(json.loads((PLANS / "schema" / f"{name}.schema.json").read_text()))


def schema_faults(name: str, document: object) -> list[str]:
    """What a published schema says against a document."""
    return [error.message for error in schema(name).iter_errors(document)]


@cache
def line_faults(generation: str, line: bytes) -> tuple[str, ...]:
    """What the schema of a generation's events says against a journal line; the same line is looked at once."""
    return tuple(schema_faults(f"journal-event-{generation}", json.loads(line)))


def task(name: str, *, after: tuple[str, ...] = (), surface: str | None = None, **more: Any) -> Document:
    """A task with one gate, `true`, for the criterion of the same name."""
    return {
        "id": f"T-{name}",
        "title": f"Do {name}",
        "prerequisites": [f"T-{one}" for one in after],
        "touched_surface": [surface or f"src/{name}.py"],
        "gate_intent": [{"criterion": f"AC-{name}", "check": f"test -e src/{name}.py"}],
        **more,
    }


def criterion(name: str, *accepted: str) -> Document:
    """A criterion, observed unless said otherwise."""
    return {
        "id": f"AC-{name}",
        "statement": f"{name} is there",
        "observable_check": f"src/{name}.py exists",
        "accepted_evidence": list(accepted or ("observed",)),
    }


def contract(generation: str = "v7", *, plan: str = NAME, **changes: Any) -> Document:
    """A valid contract: `one` and `two` may be delegated, `three` waits for `one` and is not marked."""
    marked: dict[str, Any] = {"parallel_safe": True} if generation == "v7" else {}
    document: Document = {
        "schema": f"https://deepworkplan.com/schema/plan-contract/{generation}.json",
        "spec_version": "7.0.0",
        "plan": plan,
        "revision": 1,
        "created_at": "2026-11-30T00:00:00Z",
        "outcome": {"statement": "Files.", "success_definition": "They exist.", "out_of_scope": []},
        "acceptance": {"criteria": [criterion("one"), criterion("two"), criterion("three")]},
        "invariants": [],
        "scope": {
            "allowed_paths": ["src/"],
            "allowed_command_classes": ["test", "true", "sh"],
            "forbidden_operations": ["push"],
        },
        "authorization": {
            "mechanism": "plan_authorship",
            "authority": "the owner",
            "timestamp": "2026-11-30T00:00:00Z",
            "boundaries": "this plan",
            "consent_checkpoints": [],
        },
        "permissions": {"granted": ["gate_command_exec", "agent_delegation"], "not_granted": ["network_access"]},
        "dependencies": [],
        "resource_envelope": {
            "limits": [{"id": "hours", "limit": 2, "unit": "hours", "enforcement": "advisory"}],
        },
        "tasks": [task("one", **marked), task("two", **marked), task("three", after=("one",))],
    }
    return {**document, **changes}


def git(root: Path, *words: str) -> str:
    """Run git as nobody in particular."""
    who = {"GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "e", "GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "e"}
    done = subprocess.run(
        ["git", "-c", "init.defaultBranch=main", *words],
        cwd=root,
        env={**os.environ, **who},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def present(interface: int = 1) -> Probe:
    """A machine on which every addon is there."""

    def probe(_: object) -> Detection:
        reason = "" if interface == 1 else f"it speaks interface {interface}, not 1"
        return Detection(present=True, interface=interface, reason=reason)

    return probe


def absent(_: object) -> Detection:
    """A machine on which no addon is there."""
    return Detection(present=False, reason="it is not installed")


def permitted(_: LoadedPlan, __: str) -> Walls:
    """A permission engine that lets every gate run, in the environment of the tests."""
    return no_walls(os.environ)


@dataclass
class Ticking:
    """A clock that goes on by a second whenever it is read."""

    at: datetime = datetime(2026, 12, 1, 8, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.at += timedelta(seconds=1)
        return self.at


@dataclass
class PlanBench:
    """A materialized plan to try verbs on."""

    root: Path
    folder: PlanFolder
    clock: Ticking = field(default_factory=Ticking)
    writer: Writer = field(init=False)
    environment: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """A writer that goes by the bench's clock and waits for no lock."""
        self.writer = Writer(now=self.clock, wait_s=0)

    def copied(self, place: Path) -> "PlanBench":
        """The same plan, repository and time under another folder."""
        shutil.copytree(self.root.parent, place, symlinks=True, dirs_exist_ok=True)
        root = place / self.root.name
        return PlanBench(root, PlanFolder(root / self.folder.path.relative_to(self.root)), Ticking(self.clock.at))

    @property
    def home(self) -> Path:
        """The person's home."""
        return self.root.parent / "home"

    @property
    def plan(self) -> LoadedPlan:
        """The plan as it lies on disk."""
        return load_plan(self.folder)

    @property
    def events(self) -> list[AnyEvent]:
        """Its events."""
        return list(self.plan.events)

    @property
    def journal(self) -> bytes:
        """The bytes of its journal."""
        return self.folder.journal.read_bytes()

    def machine(self, probe: Probe | None = None, **changes: Any) -> Machine:
        """The machine, with every addon on it unless said otherwise."""
        options: dict[str, Any] = {"environment": self.environment, "probe": probe or present(), **changes}
        return Machine(self.home, **options)

    def enable(self, *keys: str) -> None:
        """Enable addons in the repository's registry."""
        for key in keys:
            set_addon(self.root, key, enabled=True)

    def start(self, name: str) -> None:
        """Start a task by its short name."""
        start_task(self.folder, f"T-{name}", self.writer)

    def gate(self, name: str, **changes: Any) -> GateOutcome:
        """Run the gate of a task by its short name."""
        request = GateRequest(f"T-{name}", f"AC-{name}", f"test -e src/{name}.py", **changes)
        return gate(self.folder, request, self.writer, permitted)

    def finish(self, name: str) -> None:
        """Make the file of a task, and show it."""
        (self.root / "src" / f"{name}.py").write_text("x = 1\n")
        self.start(name)
        assert self.gate(name).exit_code == 0

    def say(self, statement: str, **changes: Any) -> int:
        """Append an observation."""
        said = Statement("observation", {"statement": statement}, **changes)
        return append_statement(self.folder, said, self.writer).seq

    def documents(self) -> list[Document]:
        """The journal as JSON objects."""
        return [json.loads(line) for line in self.journal.splitlines()]

    def assert_valid(self) -> None:
        """Hold every file of the plan against the published schemas and our own reader."""
        generation = self.plan.contract.model.generation.value
        for line in self.journal.splitlines():
            assert line_faults(generation, line) == (), line
        path = self.folder.path
        assert schema_faults(f"plan-contract-{generation}", json.loads((path / "contract.json").read_text())) == []
        assert schema_faults(f"plan-manifest-{generation}", json.loads((path / "manifest.json").read_text())) == []


Preparation = Callable[[PlanBench], object]
"""What is done to a plan before a test begins; a function of a module, since it is known by its identity."""

_PREPARED: dict[tuple[str, Preparation | None, bool], PlanBench] = {}


def make_repository(root: Path, *, with_git: bool = True) -> None:
    """A folder with one source file; `.dwp` is ignored but for its configuration."""
    shutil.copytree(_repository(with_git=with_git), root.parent, symlinks=True, dirs_exist_ok=True)
    if root.name != "repo":
        (root.parent / "repo").rename(root)


@cache
def _repository(*, with_git: bool) -> Path:
    place = _patterns() / f"repository-{with_git}"
    root = place / "repo"
    (root / "src").mkdir(parents=True)
    (root / "src" / "product.py").write_text("x = 1\n")
    (root / ".gitignore").write_text(".dwp/*\n!.dwp/config.json\n")
    (place / "home").mkdir()
    if with_git:
        git(root, "init", "-q", "--template=")
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "begin")
    return place


@cache
def _patterns() -> Path:
    """A folder of this process for what is made once and copied."""
    folder = Path(mkdtemp(prefix="decode-plan-patterns-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def make_folder(root: Path, name: str = NAME) -> PlanFolder:
    """An empty plan folder with a README."""
    folder = PlanFolder(root / ".dwp" / "plans" / name)
    folder.path.mkdir(parents=True)
    (folder.path / "README.md").write_text("# A plan\n")
    return folder


def make_bench(place: Path, document: Document | None = None, *, with_git: bool = True) -> PlanBench:
    """A materialized plan under `place`."""
    return prepared(place, document, with_git=with_git)


def prepared(
    place: Path, document: Document | None = None, prepare: Preparation | None = None, *, with_git: bool = True
) -> PlanBench:
    """A materialized plan under `place` on which `prepare` was done; both happen once a process for each contract."""
    wanted = document or contract()
    key = (hex_digest(canonical_bytes(wanted)), prepare, with_git)
    pattern = _PREPARED.get(key)
    if pattern is None:
        root = Path(mkdtemp(dir=_patterns())) / "repo"
        make_repository(root, with_git=with_git)
        pattern = PlanBench(root, make_folder(root))
        materialize(pattern.folder, wanted, pattern.writer)
        if prepare is not None:
            prepare(pattern)
        _PREPARED[key] = pattern
    return pattern.copied(place)


def launch_payload(delegation_id: str = "d1", **changes: Any) -> Document:
    """A launch that holds for a read-only delegate; a value of None that is named `absent` is left out."""
    payload = {
        "delegation_id": delegation_id,
        "transport": "headless",
        "via": "agentkit",
        "kind": "claude",
        "target": "/repo",
        "worktree": None,
        "prompt_digest": PROMPT,
        **changes,
    }
    return {name: value for name, value in payload.items() if value != "absent"}


def fails(act: Callable[[], object], says: str, code: ExitCode = ExitCode.ERROR) -> None:
    """An act raises a plan's error that says this and ends with this code."""
    with pytest.raises(PlanError, match=says) as error:
        act()
    assert error.value.exit_code is code
