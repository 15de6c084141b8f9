"""Kill -9 at every point of every verb: the next verb goes on, and nothing that was recorded is lost.

A child process runs a verb and is killed at its n-th write, sync, rename, folder or cut; the n-th write is done half.
The points are counted up until the verb gets through.
"""

import os
import shutil
import signal
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from decode_core.plans.errors import PlanError
from decode_core.plans.events import Delegation, DelegationState
from decode_core.plans.folder import PlanFolder, load_plan
from decode_core.plans.lock import OWNER_GRACE_S, Clock
from decode_core.plans.verbs.delegate import cancel, collect, launch
from decode_core.plans.verbs.materialize import materialize
from decode_core.plans.verbs.outputs import write_projection
from decode_core.plans.verbs.reading import check_plan
from decode_core.plans.verbs.statements import sign_off
from plan_bench import PlanBench, contract, criterion, launch_payload, make_bench, make_folder, make_repository

Verb = Callable[[PlanBench], object]
MAX_POINTS = 120


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Countdown:
    """Kills this process at the n-th point."""

    def __init__(self, left: int) -> None:
        self.left = left

    def arm(self) -> None:
        for name in ("fsync", "ftruncate", "rename", "replace", "mkdir", "unlink", "rmdir"):
            self._wrap(name)
        real_write = os.write

        def write(descriptor: int, data: Any) -> int:
            if self._is_due():
                real_write(descriptor, bytes(data)[: len(data) // 2])
                die()
            return real_write(descriptor, data)

        os.write = write

    def _wrap(self, name: str) -> None:
        real = getattr(os, name)

        def wrapped(*args: Any, **options: Any) -> Any:
            if self._is_due():
                die()
            return real(*args, **options)

        setattr(os, name, wrapped)

    def _is_due(self) -> bool:
        self.left -= 1
        return self.left < 0


def killed_at(point: int, act: Callable[[], object]) -> bool:
    """Run an act in a child that is killed at a point; whether it was."""
    with warnings.catch_warnings():
        # the child runs this one act and never returns to the threads of the test runner
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            Countdown(point).arm()
            act()
        except PlanError:
            os._exit(0)
        except BaseException:
            os._exit(70)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    assert os.WEXITSTATUS(status) == 0
    return False


def copy_of(pattern: PlanBench, place: Path) -> PlanBench:
    shutil.copytree(pattern.root.parent, place, symlinks=True)
    return PlanBench(place / "repo", PlanFolder(place / "repo" / ".dwp" / "plans" / pattern.folder.name))


def wait_a_while(bench: PlanBench) -> None:
    """A writer that died between making the lock and signing it is given two seconds."""
    bench.writer = replace(bench.writer, clock=Clock(now=lambda: time.time() + 2 * OWNER_GRACE_S))


def started(place: Path) -> PlanBench:
    criteria = {"criteria": [criterion("one", "observed", "asserted"), criterion("two"), criterion("three")]}
    bench = make_bench(place, contract(acceptance=criteria))
    bench.enable("agentkit")
    bench.start("one")
    (bench.root / "src" / "one.py").write_text("x\n")
    return bench


def launched(place: Path) -> PlanBench:
    bench = started(place)
    launch(bench.folder, "T-one", launch_payload(), bench.writer, bench.machine())
    return bench


def moved(place: Path) -> PlanBench:
    bench = launched(place)
    (bench.root / "moved.txt").write_text("x")
    return bench


def torn(place: Path) -> PlanBench:
    bench = started(place)
    bench.folder.journal.write_bytes(bench.journal + b'{"torn')
    return bench


def unfinished_line(place: Path) -> PlanBench:
    bench = started(place)
    bench.folder.journal.write_bytes(bench.journal[:-1])
    return bench


def empty(place: Path) -> PlanBench:
    make_repository(place / "repo")
    return PlanBench(place / "repo", make_folder(place / "repo"))


VERBS: dict[str, tuple[Callable[[Path], PlanBench], Verb]] = {
    "materialize": (empty, lambda b: materialize(b.folder, contract(), b.writer)),
    "start": (started, lambda b: b.start("two")),
    "refused start": (started, lambda b: b.start("three")),
    "gate": (started, lambda b: b.gate("one")),
    "append": (started, lambda b: b.say("something")),
    "append after a torn line": (torn, lambda b: b.say("something")),
    "append after a line without its end": (unfinished_line, lambda b: b.say("something")),
    "sign off": (started, lambda b: sign_off(b.folder, "AC-one", "README.md", "Ann", b.writer)),
    "launch": (started, lambda b: launch(b.folder, "T-one", launch_payload(), b.writer, b.machine())),
    "collect": (
        launched,
        lambda b: collect(b.folder, "T-one", {"delegation_id": "d1", "state": "completed"}, b.writer),
    ),
    "collect on a moved tree": (
        moved,
        lambda b: collect(b.folder, "T-one", {"delegation_id": "d1", "state": "completed"}, b.writer),
    ),
    "cancel": (launched, lambda b: cancel(b.folder, "T-one", {"delegation_id": "d1"}, b.writer)),
    "project": (started, lambda b: write_projection(b.folder, b.writer)),
}


@pytest.mark.parametrize("name", VERBS)
def test_killed_anywhere_the_next_verb_goes_on(tmp_path: Path, name: str) -> None:
    make, verb = VERBS[name]
    pattern = make(tmp_path / "pattern")
    point = 0
    while True:
        bench = copy_of(pattern, tmp_path / str(point))
        before = bench.journal if bench.folder.journal.exists() else b""
        kept = before[: before.rfind(b"\n") + 1]
        was_killed = killed_at(point, partial(verb, bench))
        wait_a_while(bench)
        if not bench.folder.journal.exists():
            materialize(bench.folder, contract(), bench.writer)
        assert bench.journal.startswith(kept), "a recorded line is gone"
        if name == "materialize":
            materialize(bench.folder, contract(), bench.writer)
        bench.say("after the crash")
        assert bench.journal.startswith(kept)
        bench.assert_valid()
        plan = load_plan(bench.folder)
        assert check_plan(plan).faults == ()
        assert plan.journal.torn is None
        assert len(plan.chain.links) == len(plan.events)
        ends = [one for one in plan.events if isinstance(one, Delegation) and one.state is not DelegationState.LAUNCHED]
        assert len(ends) <= 1
        if not was_killed:
            break
        point += 1
        assert point < MAX_POINTS
    assert point > 0, "the verb has no point at which it could be killed"


def test_killed_within_a_collect_it_can_be_collected_again(tmp_path: Path) -> None:
    pattern = launched(tmp_path / "pattern")
    point = 0
    while True:
        bench = copy_of(pattern, tmp_path / str(point))
        collect_it = partial(collect, bench.folder, "T-one", {"delegation_id": "d1", "state": "completed"})
        was_killed = killed_at(point, partial(collect_it, bench.writer))
        wait_a_while(bench)
        if bench.plan.standing.open_delegations():
            collect_it(bench.writer)
        assert bench.plan.standing.open_delegations() == []
        if not was_killed:
            break
        point += 1
