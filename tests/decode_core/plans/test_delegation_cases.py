"""The 51 cases of delegation: what is accepted, what is refused and recorded, what is an error and is not.

A = accepted, R = refused (5, recorded), E = error (1, not recorded). Rows that name `stricter` are accepted by the
publisher's ledger and refused here, for a reason that delegation.md §2 gives.
"""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from decode_core.plans.addon_registry import read_caps, set_addon
from decode_core.plans.errors import ExitCode, PlanError, RefusedError
from decode_core.plans.events import AnyEvent, Delegation, Refusal
from decode_core.plans.lock import LOCK_FOLDER, LockedError
from decode_core.plans.verbs.delegate import cancel, collect, launch, observe
from decode_core.plans.verbs.statements import Statement, append_statement
from decode_core.plans.verbs.tasks import complete_task
from plan_bench import Document, PlanBench, absent, contract, git, launch_payload, make_bench, present, task

Try = Callable[[PlanBench], object]


def ready(place: Path, document: Document | None = None, *, with_git: bool = True) -> PlanBench:
    """Tasks one and two started, agentkit and herdr enabled."""
    bench = make_bench(place, document, with_git=with_git)
    bench.enable("agentkit", "herdr")
    for name in ("one", "two"):
        bench.start(name)
    return bench


def go(bench: PlanBench, name: str = "one", **changes: Any) -> Delegation:
    return launch(bench.folder, f"T-{name}", launch_payload(**changes), bench.writer, bench.machine())


def unmarked() -> Document:
    """The same tasks without parallel_safe."""
    return contract(tasks=[task("one"), task("two"), task("three", after=("one",))])


def worktree(bench: PlanBench, name: str = "wt") -> str:
    path = bench.root.parent / name
    git(bench.root, "worktree", "add", "-q", str(path), "-b", f"dwp/x/{name}")
    return str(path)


def added(bench: PlanBench, act: Callable[[], object], error: type[Exception] | None = None) -> list[AnyEvent]:
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
    before = bench.journal
    with pytest.raises(PlanError, match=says) as error:
        act()
    assert error.value.exit_code is ExitCode.ERROR
    assert not isinstance(error.value, RefusedError)
    assert bench.journal == before


def test_01_a_v6_plan_never_delegates(tmp_path: Path) -> None:
    bench = ready(tmp_path, contract("v6"))
    assert_refused(bench, lambda: go(bench), "no v7 plan")


def test_02_without_the_grant(tmp_path: Path) -> None:
    bench = ready(tmp_path, contract(permissions={"granted": ["gate_command_exec"], "not_granted": []}))
    assert_refused(bench, lambda: go(bench), "does not grant agent_delegation")


def test_03_unknown_task(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    assert_refused(bench, lambda: go(bench, "nine"), "no task 'T-nine'", "delegate T-nine")


def test_04_task_not_started(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    bench.enable("agentkit")
    assert_refused(bench, lambda: go(bench), "the task has not started - start it before delegating")


def test_05_task_already_complete(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    bench.finish("one")
    assert_refused(bench, lambda: go(bench), "already complete")


@pytest.mark.parametrize("place", ["/somewhere", "absent"])
def test_06_07_an_unmarked_task_is_delegated_read_only_alone(tmp_path: Path, place: str) -> None:
    bench = ready(tmp_path, unmarked())
    assert_refused(bench, lambda: go(bench, worktree=place), r"not read-only \(worktree null\)")


def test_08_an_unmarked_task_read_only_in_git_has_a_tree_mark(tmp_path: Path) -> None:
    bench = ready(tmp_path, unmarked())
    note = go(bench).note or ""
    assert note.startswith("read-only tree ")
    mark = note.split()[2]
    assert len(mark) == 32
    assert set(mark) <= set("0123456789abcdef")


def test_09_an_unmarked_task_read_only_without_git(tmp_path: Path) -> None:
    bench = ready(tmp_path, unmarked(), with_git=False)
    assert_refused(bench, lambda: go(bench), "needs git")


def test_10_a_marked_task_read_only_without_git_has_the_mark_none(tmp_path: Path) -> None:
    bench = ready(tmp_path, with_git=False)
    assert (go(bench).note or "").startswith("read-only tree none")


def test_11_a_marked_task_with_a_worktree(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    place = worktree(bench)
    event = go(bench, worktree=place, target=place)
    assert (event.worktree, event.note, event.is_read_only) == (place, None, False)


def test_12_a_marked_task_with_no_word_of_a_worktree(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    event = go(bench, worktree="absent")
    assert "worktree" not in event.model_fields_set
    assert not event.is_read_only


@pytest.mark.parametrize("place", ["/no/such/place", "src", "."])
def test_13_stricter_a_worktree_must_exist_and_belong_to_the_repository(tmp_path: Path, place: str) -> None:
    bench = ready(tmp_path)
    assert_refused(bench, lambda: go(bench, worktree=place), "no existing worktree of this repository")


def test_13_stricter_a_worktree_of_another_repository_is_none_of_ours(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    assert_refused(bench, lambda: go(bench, worktree=str(other)), "no existing worktree of this repository")


@pytest.mark.parametrize("via", ["nobody", "../agentkit", "agentkit/../herdr", "", 7, None])
def test_14_15_the_carrier_must_be_an_addon(tmp_path: Path, via: object) -> None:
    bench = ready(tmp_path)
    assert_refused(bench, lambda: go(bench, via=via), "is no delegation addon")


def test_16_the_transport_must_be_the_addons(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    says = "addon agentkit carries transport 'headless', not 'interactive'"
    assert_refused(bench, lambda: go(bench, transport="interactive"), says)


def test_17_interactive_through_herdr(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    event = go(bench, via="herdr", transport="interactive", target="local:w1:p2")
    assert event.target == "local:w1:p2"


def test_18_an_addon_that_is_not_enabled(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    set_addon(bench.root, "agentkit", enabled=False)
    assert_refused(bench, lambda: go(bench), r"not enabled and detected .*\(effective subagents sources: none\)")


@pytest.mark.parametrize("probe", [absent, present(2)], ids=["19 missing", "20 interface 2"])
def test_19_20_an_addon_that_is_not_there_or_speaks_another_interface(tmp_path: Path, probe: Any) -> None:
    bench = ready(tmp_path)
    act = lambda: launch(bench.folder, "T-one", launch_payload(), bench.writer, bench.machine(probe))  # noqa: E731
    assert_refused(bench, act, "not enabled and detected with a compatible interface")


def test_21_a_host_never_stands_in_for_an_addon(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    set_addon(bench.root, "agentkit", enabled=False)
    machine = bench.machine(caps=read_caps('{"subagents": true}'))
    act = lambda: launch(bench.folder, "T-one", launch_payload(), bench.writer, machine)  # noqa: E731
    assert_refused(bench, act, r"\(effective subagents sources: host\)")


@pytest.mark.parametrize("text", ['{"telepathy": true}', '{"subagents": 1}', "[]", "{"])
def test_22_unknown_abilities_are_one_sentence_instead_of_a_traceback(text: str) -> None:
    with pytest.raises(PlanError, match="--caps"):
        read_caps(text)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"prompt_digest": "absent"}, "needs a prompt_digest"),
        ({"prompt_digest": "0" * 64}, "prompt_digest"),
        ({"delegation_id": "a b"}, "delegation_id"),
        ({"delegation_id": 7}, "delegation_id"),
        ({"worktree": ""}, "worktree"),
        ({"worktree": "x" * 301}, "worktree"),
        ({"target": "x" * 201}, "target"),
        ({"kind": None}, "kind must not be null"),
        ({"note": "x" * 500}, "note"),
        ({"note": 1}, "note"),
        ({"target": "\ud800"}, "not valid"),
    ],
)
def test_25_to_28_shapes_are_errors_and_not_recorded(tmp_path: Path, changes: Document, says: str) -> None:
    bench = ready(tmp_path)
    assert_error(bench, lambda: go(bench, **changes), says)


def test_29_what_does_not_belong_to_a_launch_is_dropped(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    event = go(bench, result_path="x", result_digest="y", state="completed", trust="observed", whatever=[1])
    assert (event.state, event.result_path, event.result_digest) == ("launched", None, None)


@pytest.mark.parametrize("name", ["one", "two"])
@pytest.mark.parametrize("closed", [True, False])
def test_30_an_id_is_used_once_in_the_whole_plan(tmp_path: Path, name: str, *, closed: bool) -> None:
    bench = ready(tmp_path)
    go(bench)
    if closed:
        cancel(bench.folder, "T-one", {"delegation_id": "d1"}, bench.writer)
    assert_refused(bench, lambda: go(bench, name), "delegation_id d1 already recorded", f"delegate T-{name}")


def test_31_stricter_a_second_writer_on_a_task(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    go(bench, worktree=worktree(bench, "a"))
    act = lambda: go(bench, delegation_id="d2", worktree=worktree(bench, "b"))  # noqa: E731
    assert_refused(bench, act, "one writer at a time")


def test_31_a_second_reader_on_a_task_is_accepted(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    go(bench)
    go(bench, delegation_id="d2")
    assert len(bench.plan.standing.open_delegations("T-one")) == 2


def test_32_stricter_a_sibling_with_an_overlapping_surface(tmp_path: Path) -> None:
    tasks = [
        task("one", surface="src/", parallel_safe=True),
        task("two", surface="src/two.py", parallel_safe=True),
        task("three"),
    ]
    bench = ready(tmp_path, contract(tasks=tasks))
    go(bench, worktree=worktree(bench, "a"))
    act = lambda: go(bench, "two", delegation_id="d2", worktree=worktree(bench, "b"))  # noqa: E731
    assert_refused(bench, act, "one writer at a time", "delegate T-two")


def test_33_a_raw_delegation_event_is_not_taken(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    raw = Statement("delegation", launch_payload(state="launched", task="T-one"))
    assert_error(bench, lambda: append_statement(bench.folder, raw, bench.writer), "raw delegation")


@pytest.mark.parametrize("state", ["completed", "failed"])
def test_34_collect_with_a_result(tmp_path: Path, state: str) -> None:
    bench = ready(tmp_path)
    go(bench, profile="@default")
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
    bench = ready(tmp_path)
    go(bench)
    payload = {"delegation_id": "d1", **({} if state is None else {"state": state})}
    assert_error(bench, lambda: collect(bench.folder, "T-one", payload, bench.writer), "completed or failed")


@pytest.mark.parametrize(("delegation", "name"), [("d9", "one"), ("d1", "two"), ("d1", "nine")])
@pytest.mark.parametrize("verb", [collect, cancel])
def test_36_37_only_what_was_launched_for_this_task(tmp_path: Path, verb: Any, delegation: str, name: str) -> None:
    bench = ready(tmp_path)
    go(bench)
    act = lambda: verb(bench.folder, f"T-{name}", {"delegation_id": delegation, "state": "failed"}, bench.writer)  # noqa: E731
    says = f"no launched delegation '{delegation}' for this task"
    assert_refused(bench, act, says, f"delegate T-{name}")


@pytest.mark.parametrize("first", ["completed", "failed", "cancelled"])
@pytest.mark.parametrize("verb", [collect, cancel])
def test_38_an_end_is_an_end(tmp_path: Path, verb: Any, first: str) -> None:
    bench = ready(tmp_path)
    go(bench)
    payload = {"delegation_id": "d1", "state": first}
    (cancel if first == "cancelled" else collect)(bench.folder, "T-one", payload, bench.writer)
    act = lambda: verb(bench.folder, "T-one", {"delegation_id": "d1", "state": "failed"}, bench.writer)  # noqa: E731
    assert_refused(bench, act, f"delegation d1 is already {first}")


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../../b", "..", "", None, 3])
def test_39_a_result_stays_in_plan_and_repository(tmp_path: Path, path: object) -> None:
    bench = ready(tmp_path)
    go(bench)
    payload = {"delegation_id": "d1", "state": "completed", "result_path": path}
    assert_error(bench, lambda: collect(bench.folder, "T-one", payload, bench.writer), "result_path")
    assert len(bench.plan.standing.open_delegations()) == 1


def test_40_a_missing_result_has_no_digest(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    go(bench)
    payload = {"delegation_id": "d1", "state": "completed", "result_path": "not/there.json"}
    assert collect(bench.folder, "T-one", payload, bench.writer).result_digest is None


def test_41_a_result_that_links_outside_has_no_digest(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    go(bench)
    (tmp_path / "secret").write_text("s")
    (bench.folder.path / "out").symlink_to(tmp_path / "secret")
    payload = {"delegation_id": "d1", "state": "completed", "result_path": "out"}
    assert collect(bench.folder, "T-one", payload, bench.writer).result_digest is None


@pytest.mark.parametrize("verb", [collect, cancel])
def test_42_43_a_reader_that_moved_the_tree_has_failed(tmp_path: Path, verb: Any) -> None:
    bench = ready(tmp_path)
    go(bench)
    (bench.root / "new.txt").write_text("x")
    payload = {"delegation_id": "d1", "state": "completed"}
    events = added(bench, lambda: verb(bench.folder, "T-one", payload, bench.writer), RefusedError)
    failed, refusal = events
    assert isinstance(failed, Delegation)
    assert isinstance(refusal, Refusal)
    assert (failed.state, failed.result_path) == ("failed", None)
    assert failed.note == "read-only delegate: the working tree changed between launch and collect"
    assert refusal.reason.startswith("delegation d1 was launched read-only but the working tree changed — recorded")


def test_42_a_reader_on_a_still_tree_is_collected(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    (bench.root / "new.txt").write_text("x")
    go(bench)
    bench.say("something else happened")
    assert (
        collect(bench.folder, "T-one", {"delegation_id": "d1", "state": "completed"}, bench.writer).state == "completed"
    )


def test_44_stricter_an_edit_to_a_file_that_was_dirty_before_is_seen(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    (bench.root / "src" / "product.py").write_text("x = 2\n")
    go(bench)
    (bench.root / "src" / "product.py").write_text("x = 3\n")
    payload = {"delegation_id": "d1", "state": "completed"}
    events = added(bench, lambda: collect(bench.folder, "T-one", payload, bench.writer), RefusedError)
    assert [event.type for event in events] == ["delegation", "refusal"]


def test_45_46_47_no_word_of_a_delegate_completes_a_task(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    (bench.root / "src" / "one.py").write_text("x\n")
    go(bench)
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
    bench = ready(tmp_path)
    go(bench)
    assert bench.gate("one").exit_code == 1


def test_49_observe_changes_nothing(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    go(bench)
    before = {file: file.read_bytes() for file in bench.folder.path.rglob("*") if file.is_file()}
    assert [one.launch.delegation_id for one in observe(bench.folder)] == ["d1"]
    assert {file: file.read_bytes() for file in bench.folder.path.rglob("*") if file.is_file()} == before


def test_50_a_torn_tail_is_mended_before_the_verb(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    size = len(bench.journal)
    with bench.folder.journal.open("ab") as file:
        file.write(b'{"actor":{"ide')
    events = added(bench, lambda: go(bench))
    assert [event.type for event in events] == ["journal_repair", "delegation"]
    assert json.loads(bench.journal.splitlines()[-2])["byte_offset"] == size


@pytest.mark.parametrize("owner", ["living", "dead", "none"])
def test_51_a_lock_is_broken_only_when_its_owner_is_gone(tmp_path: Path, owner: str) -> None:
    bench = ready(tmp_path)
    lock = bench.folder.path / LOCK_FOLDER
    lock.mkdir()
    if owner != "none":
        gone = subprocess.Popen(["true"])
        gone.wait()
        pid = os.getppid() if owner == "living" else gone.pid
        (lock / "owner.json").write_text(json.dumps({"identity": "x", "pid": pid, "epoch_ts": 0}))
    os.utime(lock, (0, 0))
    if owner == "living":
        assert_error(bench, lambda: go(bench), "held by x")
        assert lock.exists()
    else:
        assert go(bench).state == "launched"
        assert not lock.exists()


def test_51_the_lock_is_a_lock_for_errors_too(tmp_path: Path) -> None:
    bench = ready(tmp_path)
    with pytest.raises(PlanError):
        go(bench, delegation_id="a b")
    assert not (bench.folder.path / LOCK_FOLDER).exists()
    assert issubclass(LockedError, PlanError)
