"""The 51 cases of delegation, from 34 on: what is accepted, what is refused and recorded, what is an error and is not.

A = accepted, R = refused (5, recorded), E = error (1, not recorded). Rows that name `stricter` are accepted by the
publisher's ledger and refused here, for a reason that delegation.md §2 gives.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from decode_core.plans.errors import ExitCode, PlanError, RefusedError
from decode_core.plans.events import Delegation, Refusal
from decode_core.plans.lock import LOCK_FOLDER, LockedError
from decode_core.plans.verbs.delegate import cancel, collect, observe
from decode_core.plans.verbs.tasks import complete_task
from plan_delegations import assert_error, assert_refused, events_added, launched, ready_plan


@pytest.mark.parametrize("state", ["completed", "failed"])
def test_34_collect_with_a_result(tmp_path: Path, state: str) -> None:
    bench = ready_plan(tmp_path)
    launched(bench, profile="@default")
    result = bench.folder.path / "analysis_results" / "delegations" / "d1" / "result.json"
    result.parent.mkdir(parents=True)
    result.write_text("{}")
    path = "analysis_results/delegations/d1/result.json"
    payload = {"delegation_id": "d1", "state": state, "result_path": path}
    event = collect(bench.folder, "T-one", payload, bench.writer)
    assert (event.state, event.result_path) == (state, path)
    assert event.result_digest == "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    assert (event.kind, event.profile, event.target, event.via) == ("claude", "@default", "/repo", "agentkit")
    assert event.is_read_only
    assert event.prompt_digest is None


@pytest.mark.parametrize("state", [None, "launched", "cancelled", "done", 1])
def test_35_collect_needs_a_state(tmp_path: Path, state: object) -> None:
    bench = ready_plan(tmp_path)
    launched(bench)
    payload = {"delegation_id": "d1", **({} if state is None else {"state": state})}
    assert_error(bench, lambda: collect(bench.folder, "T-one", payload, bench.writer), "completed or failed")


@pytest.mark.parametrize(("delegation", "name"), [("d9", "one"), ("d1", "two"), ("d1", "nine")])
@pytest.mark.parametrize("verb", [collect, cancel])
def test_36_37_only_what_was_launched_for_this_task(tmp_path: Path, verb: Any, delegation: str, name: str) -> None:
    bench = ready_plan(tmp_path)
    launched(bench)
    act = lambda: verb(bench.folder, f"T-{name}", {"delegation_id": delegation, "state": "failed"}, bench.writer)  # noqa: E731
    says = f"no launched delegation '{delegation}' for this task"
    assert_refused(bench, act, says, f"delegate T-{name}")


@pytest.mark.parametrize("first", ["completed", "failed", "cancelled"])
@pytest.mark.parametrize("verb", [collect, cancel])
def test_38_an_end_is_an_end(tmp_path: Path, verb: Any, first: str) -> None:
    bench = ready_plan(tmp_path)
    launched(bench)
    payload = {"delegation_id": "d1", "state": first}
    (cancel if first == "cancelled" else collect)(bench.folder, "T-one", payload, bench.writer)
    act = lambda: verb(bench.folder, "T-one", {"delegation_id": "d1", "state": "failed"}, bench.writer)  # noqa: E731
    assert_refused(bench, act, f"delegation d1 is already {first}")


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../../b", "..", "", None, 3])
def test_39_a_result_stays_in_plan_and_repository(tmp_path: Path, path: object) -> None:
    bench = ready_plan(tmp_path)
    launched(bench)
    payload = {"delegation_id": "d1", "state": "completed", "result_path": path}
    assert_error(bench, lambda: collect(bench.folder, "T-one", payload, bench.writer), "result_path")
    assert len(bench.plan.standing.open_delegations()) == 1


def test_40_a_missing_result_has_no_digest(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    launched(bench)
    payload = {"delegation_id": "d1", "state": "completed", "result_path": "not/there.json"}
    assert collect(bench.folder, "T-one", payload, bench.writer).result_digest is None


def test_41_a_result_that_links_outside_has_no_digest(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    launched(bench)
    (tmp_path / "secret").write_text("s")
    (bench.folder.path / "out").symlink_to(tmp_path / "secret")
    payload = {"delegation_id": "d1", "state": "completed", "result_path": "out"}
    assert collect(bench.folder, "T-one", payload, bench.writer).result_digest is None


@pytest.mark.parametrize("verb", [collect, cancel])
def test_42_43_a_reader_that_moved_the_tree_has_failed(tmp_path: Path, verb: Any) -> None:
    bench = ready_plan(tmp_path)
    launched(bench)
    (bench.root / "new.txt").write_text("x")
    payload = {"delegation_id": "d1", "state": "completed"}
    events = events_added(bench, lambda: verb(bench.folder, "T-one", payload, bench.writer), RefusedError)
    failed, refusal = events
    assert isinstance(failed, Delegation)
    assert isinstance(refusal, Refusal)
    assert (failed.state, failed.result_path) == ("failed", None)
    assert failed.note == "read-only delegate: the working tree changed between launch and collect"
    assert refusal.reason.startswith("delegation d1 was launched read-only but the working tree changed — recorded")


def test_42_a_reader_on_a_still_tree_is_collected(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    (bench.root / "new.txt").write_text("x")
    launched(bench)
    bench.say("something else happened")
    assert (
        collect(bench.folder, "T-one", {"delegation_id": "d1", "state": "completed"}, bench.writer).state == "completed"
    )


def test_44_stricter_an_edit_to_a_file_that_was_dirty_before_is_seen(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    (bench.root / "src" / "product.py").write_text("x = 2\n")
    launched(bench)
    (bench.root / "src" / "product.py").write_text("x = 3\n")
    payload = {"delegation_id": "d1", "state": "completed"}
    events = events_added(bench, lambda: collect(bench.folder, "T-one", payload, bench.writer), RefusedError)
    assert [event.type for event in events] == ["delegation", "refusal"]


def test_45_46_47_no_word_of_a_delegate_completes_a_task(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    (bench.root / "src" / "one.py").write_text("x\n")
    launched(bench)
    for says in (
        r"delegation\(s\) still open: d1 — collect or cancel them first",
        "in-window accepted evidence: AC-one",
    ):
        with pytest.raises(RefusedError, match=says) as refused:
            complete_task(bench.folder, "T-one", bench.writer)
        assert refused.value.exit_code is ExitCode.COMPLETION_REFUSED
        last = bench.events[-1]
        assert isinstance(last, Refusal)
        assert (last.subject, last.stage) == ("T-one", "gate")
        if len(bench.plan.standing.open_delegations()) == 1:
            collect(bench.folder, "T-one", {"delegation_id": "d1", "state": "completed"}, bench.writer)
    bench.gate("one")
    before = bench.journal
    assert complete_task(bench.folder, "T-one", bench.writer).evidence == (len(bench.events),)
    assert bench.journal == before


def test_48_a_gate_runs_while_a_delegation_is_open(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    launched(bench)
    assert bench.gate("one").exit_code == 1


def test_49_observe_changes_nothing(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    launched(bench)
    before = {file: file.read_bytes() for file in bench.folder.path.rglob("*") if file.is_file()}
    assert [one.launch.delegation_id for one in observe(bench.folder)] == ["d1"]
    assert {file: file.read_bytes() for file in bench.folder.path.rglob("*") if file.is_file()} == before


def test_50_a_torn_tail_is_mended_before_the_verb(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    size = len(bench.journal)
    with bench.folder.journal.open("ab") as file:
        file.write(b'{"actor":{"ide')
    events = events_added(bench, lambda: launched(bench))
    assert [event.type for event in events] == ["journal_repair", "delegation"]
    assert json.loads(bench.journal.splitlines()[-2])["byte_offset"] == size


@pytest.mark.parametrize("owner", ["living", "dead", "none"])
def test_51_a_lock_is_broken_only_when_its_owner_is_gone(tmp_path: Path, owner: str) -> None:
    bench = ready_plan(tmp_path)
    lock = bench.folder.path / LOCK_FOLDER
    lock.mkdir()
    if owner != "none":
        gone = subprocess.Popen(["true"])
        gone.wait()
        pid = os.getppid() if owner == "living" else gone.pid
        (lock / "owner.json").write_text(json.dumps({"identity": "x", "pid": pid, "epoch_ts": 0}))
    os.utime(lock, (0, 0))
    if owner == "living":
        assert_error(bench, lambda: launched(bench), "held by x")
        assert lock.exists()
    else:
        assert launched(bench).state == "launched"
        assert not lock.exists()


def test_51_the_lock_is_a_lock_for_errors_too(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    with pytest.raises(PlanError):
        launched(bench, delegation_id="a b")
    assert not (bench.folder.path / LOCK_FOLDER).exists()
    assert issubclass(LockedError, PlanError)
