"""The 51 cases of delegation, up to 33: what is accepted, what is refused and recorded, what is an error and is not.

A = accepted, R = refused (5, recorded), E = error (1, not recorded). Rows that name `stricter` are accepted by the
publisher's ledger and refused here, for a reason that delegation.md §2 gives.
"""

from pathlib import Path
from typing import Any

import pytest

from decode_core.plans.addon_registry import read_caps, set_addon
from decode_core.plans.errors import PlanError
from decode_core.plans.verbs.delegate import cancel, launch
from decode_core.plans.verbs.statements import Statement, append_statement
from plan_bench import Document, absent, contract, git, launch_payload, make_bench, present, task
from plan_delegations import add_worktree, assert_error, assert_refused, launched, ready_plan, unmarked


def test_01_a_v6_plan_never_delegates(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path, contract("v6"))
    assert_refused(bench, lambda: launched(bench), "no v7 plan")


def test_02_without_the_grant(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path, contract(permissions={"granted": ["gate_command_exec"], "not_granted": []}))
    assert_refused(bench, lambda: launched(bench), "does not grant agent_delegation")


def test_03_unknown_task(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    assert_refused(bench, lambda: launched(bench, "nine"), "no task 'T-nine'", "delegate T-nine")


def test_04_task_not_started(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    bench.enable("agentkit")
    assert_refused(bench, lambda: launched(bench), "the task has not started - start it before delegating")


def test_05_task_already_complete(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    bench.finish("one")
    assert_refused(bench, lambda: launched(bench), "already complete")


@pytest.mark.parametrize("place", ["/somewhere", "absent"])
def test_06_07_an_unmarked_task_is_delegated_read_only_alone(tmp_path: Path, place: str) -> None:
    bench = ready_plan(tmp_path, unmarked())
    assert_refused(bench, lambda: launched(bench, worktree=place), r"not read-only \(worktree null\)")


def test_08_an_unmarked_task_read_only_in_git_has_a_tree_mark(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path, unmarked())
    note = launched(bench).note or ""
    assert note.startswith("read-only tree ")
    mark = note.split()[2]
    assert len(mark) == 32
    assert set(mark) <= set("0123456789abcdef")


def test_09_an_unmarked_task_read_only_without_git(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path, unmarked(), with_git=False)
    assert_refused(bench, lambda: launched(bench), "needs git")


def test_10_a_marked_task_read_only_without_git_has_the_mark_none(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path, with_git=False)
    assert (launched(bench).note or "").startswith("read-only tree none")


def test_11_a_marked_task_with_a_worktree(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    place = add_worktree(bench)
    event = launched(bench, worktree=place, target=place)
    assert (event.worktree, event.note, event.is_read_only) == (place, None, False)


def test_12_a_marked_task_with_no_word_of_a_worktree(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    event = launched(bench, worktree="absent")
    assert "worktree" not in event.model_fields_set
    assert not event.is_read_only


@pytest.mark.parametrize("place", ["/no/such/place", "src", "."])
def test_13_stricter_a_worktree_must_exist_and_belong_to_the_repository(tmp_path: Path, place: str) -> None:
    bench = ready_plan(tmp_path)
    assert_refused(bench, lambda: launched(bench, worktree=place), "no existing worktree of this repository")


def test_13_stricter_a_worktree_of_another_repository_is_none_of_ours(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    assert_refused(bench, lambda: launched(bench, worktree=str(other)), "no existing worktree of this repository")


@pytest.mark.parametrize("via", ["nobody", "../agentkit", "agentkit/../herdr", "", 7, None])
def test_14_15_the_carrier_must_be_an_addon(tmp_path: Path, via: object) -> None:
    bench = ready_plan(tmp_path)
    assert_refused(bench, lambda: launched(bench, via=via), "is no delegation addon")


def test_16_the_transport_must_be_the_addons(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    says = "addon agentkit carries transport 'headless', not 'interactive'"
    assert_refused(bench, lambda: launched(bench, transport="interactive"), says)


def test_17_interactive_through_herdr(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    event = launched(bench, via="herdr", transport="interactive", target="local:w1:p2")
    assert event.target == "local:w1:p2"


def test_18_an_addon_that_is_not_enabled(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    set_addon(bench.root, "agentkit", enabled=False)
    assert_refused(bench, lambda: launched(bench), r"not enabled and detected .*\(effective subagents sources: none\)")


@pytest.mark.parametrize("probe", [absent, present(2)], ids=["19 missing", "20 interface 2"])
def test_19_20_an_addon_that_is_not_there_or_speaks_another_interface(tmp_path: Path, probe: Any) -> None:
    bench = ready_plan(tmp_path)
    act = lambda: launch(bench.folder, "T-one", launch_payload(), bench.writer, bench.machine(probe))  # noqa: E731
    assert_refused(bench, act, "not enabled and detected with a compatible interface")


def test_21_a_host_never_stands_in_for_an_addon(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
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
        ({"kind": None}, "kind: must not be null"),
        ({"note": "x" * 500}, "note"),
        ({"note": 1}, "note"),
        ({"target": "\ud800"}, "not valid"),
    ],
)
def test_25_to_28_shapes_are_errors_and_not_recorded(tmp_path: Path, changes: Document, says: str) -> None:
    bench = ready_plan(tmp_path)
    assert_error(bench, lambda: launched(bench, **changes), says)


def test_29_what_does_not_belong_to_a_launch_is_dropped(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    event = launched(bench, result_path="x", result_digest="y", state="completed", trust="observed", whatever=[1])
    assert (event.state, event.result_path, event.result_digest) == ("launched", None, None)


@pytest.mark.parametrize("name", ["one", "two"])
@pytest.mark.parametrize("closed", [True, False])
def test_30_an_id_is_used_once_in_the_whole_plan(tmp_path: Path, name: str, *, closed: bool) -> None:
    bench = ready_plan(tmp_path)
    launched(bench)
    if closed:
        cancel(bench.folder, "T-one", {"delegation_id": "d1"}, bench.writer)
    assert_refused(bench, lambda: launched(bench, name), "delegation_id d1 already recorded", f"delegate T-{name}")


def test_31_stricter_a_second_writer_on_a_task(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    launched(bench, worktree=add_worktree(bench, "a"))
    act = lambda: launched(bench, delegation_id="d2", worktree=add_worktree(bench, "b"))  # noqa: E731
    assert_refused(bench, act, "one writer at a time")


def test_31_a_second_reader_on_a_task_is_accepted(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    launched(bench)
    launched(bench, delegation_id="d2")
    assert len(bench.plan.standing.open_delegations("T-one")) == 2


def test_32_stricter_a_sibling_with_an_overlapping_surface(tmp_path: Path) -> None:
    tasks = [
        task("one", surface="src/", parallel_safe=True),
        task("two", surface="src/two.py", parallel_safe=True),
        task("three"),
    ]
    bench = ready_plan(tmp_path, contract(tasks=tasks))
    launched(bench, worktree=add_worktree(bench, "a"))
    act = lambda: launched(bench, "two", delegation_id="d2", worktree=add_worktree(bench, "b"))  # noqa: E731
    assert_refused(bench, act, "one writer at a time", "delegate T-two")


def test_33_a_raw_delegation_event_is_not_taken(tmp_path: Path) -> None:
    bench = ready_plan(tmp_path)
    raw = Statement("delegation", launch_payload(state="launched", task="T-one"))
    assert_error(bench, lambda: append_statement(bench.folder, raw, bench.writer), "raw delegation")
