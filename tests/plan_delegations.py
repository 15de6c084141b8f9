"""Delegations to try: a plan whose first two tasks have started, and how refusals are told from errors."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from decode_core.plans.errors import ExitCode, PlanError, RefusedError
from decode_core.plans.events import AnyEvent, Delegation, Refusal
from decode_core.plans.verbs.delegate import launch
from plan_bench import Document, PlanBench, contract, git, launch_payload, prepared, task


def ready_plan(place: Path, document: Document | None = None, *, with_git: bool = True) -> PlanBench:
    """Tasks one and two started, agentkit and herdr enabled."""
    return prepared(place, document, _begin, with_git=with_git)


def launched(bench: PlanBench, name: str = "one", **changes: Any) -> Delegation:
    """Launch a read-only delegate on a task, unless said otherwise."""
    return launch(bench.folder, f"T-{name}", launch_payload(**changes), bench.writer, bench.machine())


def unmarked() -> Document:
    """The same tasks without parallel_safe."""
    return contract(tasks=[task("one"), task("two"), task("three", after=("one",))])


def add_worktree(bench: PlanBench, name: str = "wt") -> str:
    """A worktree of the repository, as a path."""
    path = bench.root.parent / name
    git(bench.root, "worktree", "add", "-q", str(path), "-b", f"dwp/x/{name}")
    return str(path)


def events_added(bench: PlanBench, act: Callable[[], object], error: type[Exception] | None = None) -> list[AnyEvent]:
    """The events that an act adds."""
    before = len(bench.events)
    if error is None:
        act()
    else:
        with pytest.raises(error):
            act()
    bench.assert_valid()
    return bench.events[before:]


def assert_refused(bench: PlanBench, act: Callable[[], object], says: str, subject: str = "delegate T-one") -> None:
    """An act is refused with 5, and the journal grows by exactly this refusal."""
    before = len(bench.events)
    with pytest.raises(RefusedError, match=says) as refused:
        act()
    assert refused.value.exit_code is ExitCode.DELEGATION_REFUSED
    last = bench.events[-1]
    assert isinstance(last, Refusal)
    assert (last.subject, last.stage, last.reason) == (subject, "dispatch", str(refused.value))
    assert (last.actor.kind, last.actor.identity) == ("helper", bench.plan.contract.model.generation.helper)
    assert len(bench.events) == before + 1
    bench.assert_valid()


def assert_error(bench: PlanBench, act: Callable[[], object], says: str = "") -> None:
    """An act ends with 1, and the journal stays as it was."""
    before = bench.journal
    with pytest.raises(PlanError, match=says) as error:
        act()
    assert error.value.exit_code is ExitCode.ERROR
    assert not isinstance(error.value, RefusedError)
    assert bench.journal == before


def _begin(bench: PlanBench) -> None:
    bench.enable("agentkit", "herdr")
    for name in ("one", "two"):
        bench.start(name)
