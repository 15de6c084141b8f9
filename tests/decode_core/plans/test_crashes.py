"""Kill -9 at every point of every verb: the next verb goes on, and nothing that was recorded is lost.

A verb dies at its n-th write, sync, rename, folder or cut; the n-th write is done half. The points are counted up until
the verb gets through. Most die in this process, which then changes no file any more until it is away from the verb and
leaves a lock of a dead process behind; a sample dies in a child that is really killed, and must leave the same files.
"""

import os
import shutil
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import pytest

from decode_core.plans.addon_registry import load_registry, set_addon
from decode_core.plans.errors import PlanError
from decode_core.plans.events import Delegation, DelegationState
from decode_core.plans.folder import load_plan
from decode_core.plans.lock import OWNER_GRACE_S, Clock
from decode_core.plans.verbs.delegate import cancel, collect, launch
from decode_core.plans.verbs.materialize import init_plan, materialize
from decode_core.plans.verbs.outputs import export_plan, write_projection
from decode_core.plans.verbs.reading import check_plan
from decode_core.plans.verbs.statements import sign_off
from decode_core.plans.verbs.tasks import complete_task
from plan_bench import PlanBench, contract, criterion, launch_payload, make_folder, make_repository, prepared

Verb = Callable[[PlanBench], object]
MAX_POINTS = 120
DEAD = 2**30
"""The number of no process."""


class Killed(BaseException):
    """The process is dead; no code of the program runs any more."""


def kill_here() -> NoReturn:
    raise Killed


def kill_process() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("a killed process goes on")


class Countdown:
    """Kills at the n-th point, and at every one after it: the dead do not tidy up."""

    def __init__(self, left: int, kill: Callable[[], NoReturn]) -> None:
        self.left = left
        self.kill = kill

    def arm(self, patch: pytest.MonkeyPatch) -> None:
        for name in ("fsync", "ftruncate", "rename", "replace", "mkdir", "unlink", "rmdir"):
            self._wrap(patch, name)
        real_write = os.write

        def write(descriptor: int, data: Any) -> int:
            self.left -= 1
            if self.left == -1:
                real_write(descriptor, bytes(data)[: len(data) // 2])
            if self.left < 0:
                self.kill()
            return real_write(descriptor, data)

        patch.setattr(os, "write", write)

    def _wrap(self, patch: pytest.MonkeyPatch, name: str) -> None:
        real = getattr(os, name)

        def wrapped(*args: Any, **options: Any) -> Any:
            self.left -= 1
            if self.left < 0:
                self.kill()
            return real(*args, **options)

        patch.setattr(os, name, wrapped)


@contextmanager
def as_dead_process(countdown: Countdown) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        countdown.arm(patch)
        patch.setattr(os, "getpid", lambda: DEAD)
        yield


def dies_at(point: int, act: Callable[[], object]) -> bool:
    """Run an act that dies at a point; whether it did."""
    with as_dead_process(Countdown(point, kill_here)):
        try:
            act()
        except PlanError:
            return False
        except Killed:
            return True
    return False


def is_killed_at(point: int, act: Callable[[], object]) -> bool:
    """Run an act in a child that is killed at a point; whether it was."""
    with warnings.catch_warnings():
        # the child runs this one act and never returns to the threads of the test runner
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            Countdown(point, kill_process).arm(pytest.MonkeyPatch())
            with suppress(PlanError):
                act()
        except BaseException:
            os._exit(70)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    assert os.WEXITSTATUS(status) == 0
    return False


def back_to(pattern: PlanBench, bench: PlanBench) -> None:
    """Put the plan, and it alone, back to what it was before the verb: no verb here touches the checkout."""
    shutil.rmtree(bench.folder.path)
    shutil.copytree(pattern.folder.path, bench.folder.path, symlinks=True)


def wait_a_while(bench: PlanBench) -> None:
    """A writer that died between making the lock and signing it is given two seconds."""
    bench.writer = replace(bench.writer, clock=Clock(now=lambda: time.time() + 2 * OWNER_GRACE_S))


def started(place: Path) -> PlanBench:
    criteria = {"criteria": [criterion("one", "observed", "asserted"), criterion("two"), criterion("three")]}
    return prepared(place, contract(acceptance=criteria), _start)


def _start(bench: PlanBench) -> None:
    bench.enable("agentkit")
    bench.start("one")
    (bench.root / "src" / "one.py").write_text("x\n")


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
    "refused launch": (started, lambda b: launch(b.folder, "T-two", launch_payload(), b.writer, b.machine())),
    "refused complete": (started, lambda b: complete_task(b.folder, "T-one", b.writer)),
    "export": (started, lambda b: export_plan(b.folder, b.root.parent / f"copy-{b.clock().timestamp()}", b.writer)),
    "project": (started, lambda b: write_projection(b.folder, b.writer)),
}


@pytest.mark.parametrize("name", VERBS)
def test_killed_anywhere_the_next_verb_goes_on(tmp_path: Path, name: str) -> None:
    make, verb = VERBS[name]
    pattern = make(tmp_path / "pattern")
    bench = pattern.copied(tmp_path / "bench")
    before = bench.journal if bench.folder.journal.exists() else b""
    kept = before[: before.rfind(b"\n") + 1]
    for point in count():
        back_to(pattern, bench)
        was_killed = dies_at(point, partial(verb, bench))
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
        assert point < MAX_POINTS
    assert point > 0, "the verb has no point at which it could be killed"


def test_killed_within_a_collect_it_can_be_collected_again(tmp_path: Path) -> None:
    pattern = launched(tmp_path / "pattern")
    bench = pattern.copied(tmp_path / "bench")
    for point in count():
        back_to(pattern, bench)
        collect_it = partial(collect, bench.folder, "T-one", {"delegation_id": "d1", "state": "completed"})
        was_killed = dies_at(point, partial(collect_it, bench.writer))
        wait_a_while(bench)
        if bench.plan.standing.open_delegations():
            collect_it(bench.writer)
        assert bench.plan.standing.open_delegations() == []
        if not was_killed:
            break


def test_killed_within_an_init_the_plan_can_be_begun_again(tmp_path: Path) -> None:
    for point in count():
        root = tmp_path / str(point)
        bench = PlanBench(root, make_folder(root, "PLAN_009_the_other"))
        was_killed = dies_at(point, partial(init_plan, root, "PLAN_001_new_one", bench.writer))
        place = root / ".dwp" / "plans" / "PLAN_001_new_one"
        assert sorted(file.name for file in place.glob("*")) in ([], ["README.md", "contract.draft.json"])
        if not place.exists():
            init_plan(root, "PLAN_001_new_one", bench.writer)
        assert (place / "README.md").exists()
        if not was_killed:
            break
    assert point > 2


def test_killed_within_a_change_of_the_registry_it_is_the_old_or_the_new(tmp_path: Path) -> None:
    for point in count():
        root = tmp_path / str(point)
        set_addon(root, "herdr", enabled=True)
        was_killed = dies_at(point, partial(set_addon, root, "agentkit", enabled=True))
        registry = load_registry(root, tmp_path)
        assert registry.is_enabled("herdr")
        assert registry.warnings == ()
        set_addon(root, "agentkit", enabled=True)
        assert load_registry(root, tmp_path).is_enabled("agentkit")
        if not was_killed:
            break
    assert point > 2


@pytest.mark.parametrize("point", [0, 1, 3, 5, 8, 10])
def test_a_process_that_is_really_killed_leaves_the_same_files(tmp_path: Path, point: int) -> None:
    """The deaths above are those of a process: the files after both are the same, but for the owner of the lock."""
    make, verb = VERBS["append after a torn line"]
    pattern = make(tmp_path / "pattern")
    left = []
    for kill, place in ((dies_at, "here"), (is_killed_at, "there")):
        bench = pattern.copied(tmp_path / place)
        assert kill(point, partial(verb, bench))
        left.append(files_of(bench))
        wait_a_while(bench)
        bench.say("after the crash")
        assert check_plan(bench.plan).faults == ()
    assert left[0] == left[1]


def files_of(bench: PlanBench) -> dict[str, bytes]:
    path = bench.folder.path
    return {
        "owner" if "owner" in file.name else str(file.relative_to(path)): b""
        if "owner" in file.name
        else file.read_bytes()
        for file in path.rglob("*")
        if file.is_file()
    }
