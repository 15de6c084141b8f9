"""What the format leaves open and is refused here: depth, fan-out, prerequisites, one writer per path, briefs."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from decode_core.plans.canonical import labelled_digest
from decode_core.plans.errors import PlanError, RefusedError
from decode_core.plans.events import Delegation
from decode_core.plans.folder import PlanFolder
from decode_core.plans.surface import overlap
from decode_core.plans.verbs.delegate import launch
from plan_bench import PlanBench, git, launch_payload, make_bench

BRIEF = "Do one\n\nDone when: one is there\n"


@pytest.fixture
def bench(tmp_path: Path) -> PlanBench:
    bench = make_bench(tmp_path)
    bench.enable("agentkit")
    bench.start("one")
    bench.start("two")
    return bench


def go(bench: PlanBench, name: str = "one", brief: str | None = None, fan_out: int = 4, **changes: Any) -> Delegation:
    text = None if brief is None else brief.encode()
    machine = bench.machine(fan_out=fan_out)
    return launch(bench.folder, f"T-{name}", launch_payload(**changes), bench.writer, machine, text)


def refused(bench: PlanBench, says: str, **options: Any) -> None:
    with pytest.raises(RefusedError, match=says):
        go(bench, **options)
    last = bench.documents()[-1]
    assert (last["type"], last["stage"]) == ("refusal", "dispatch")
    bench.assert_valid()


@pytest.mark.parametrize("mark", ["DECODE_DELEGATE_DEPTH", "HERDR_PEERS_DEPTH"])
@pytest.mark.parametrize(("value", "is_refused"), [("1", True), ("2", True), ("0", False), ("", False)])
def test_a_delegate_does_not_delegate(bench: PlanBench, mark: str, value: str, *, is_refused: bool) -> None:
    bench.environment = {mark: value}
    if is_refused:
        refused(bench, "a delegate does not delegate")
    else:
        assert go(bench).state == "launched"


def test_a_plan_inside_the_worktree_of_a_delegation_does_not_delegate(bench: PlanBench, tmp_path: Path) -> None:
    place = tmp_path / "wt"
    git(bench.root, "worktree", "add", "-q", str(place), "-b", "dwp/PLAN_x_y/d1")
    inner = place / ".dwp" / "plans" / bench.folder.name
    inner.parent.mkdir(parents=True)
    bench.folder.path.rename(inner)
    bench.root, bench.folder = place, PlanFolder(inner)
    bench.enable("agentkit")
    refused(bench, "another plan's delegation")


def test_open_delegations_are_bounded(bench: PlanBench) -> None:
    for number in range(2):
        go(bench, delegation_id=f"d{number}", fan_out=2)
    refused(bench, "2 delegations are open, and 2 is the limit", delegation_id="d9", fan_out=2)


def test_what_a_task_waits_for_must_still_be_complete(bench: PlanBench) -> None:
    bench.finish("one")
    bench.start("three")
    (bench.root / "again.txt").write_text("x")
    bench.start("one")
    refused(bench, "prerequisites are not complete: T-one", name="three")


def test_one_worktree_has_one_writer(bench: PlanBench, tmp_path: Path) -> None:
    place = tmp_path / "wt"
    git(bench.root, "worktree", "add", "-q", str(place))
    go(bench, worktree=str(place))
    refused(bench, "d1 already writes in", name="two", delegation_id="d2", worktree=str(place))


@pytest.mark.parametrize("alias", ["../wt", "../repo/../wt", "../link"])
def test_one_worktree_under_another_name_has_one_writer_too(bench: PlanBench, tmp_path: Path, alias: str) -> None:
    place = tmp_path / "wt"
    git(bench.root, "worktree", "add", "-q", str(place))
    (tmp_path / "link").symlink_to(place)
    go(bench, worktree=str(place))
    refused(bench, "d1 already writes in", name="two", delegation_id="d2", worktree=alias)


def test_disjoint_surfaces_are_written_at_once(bench: PlanBench, tmp_path: Path) -> None:
    for name, delegation in (("one", "d1"), ("two", "d2")):
        git(bench.root, "worktree", "add", "-q", str(tmp_path / name))
        assert go(bench, name, delegation_id=delegation, worktree=str(tmp_path / name)).state == "launched"


def test_a_good_brief_is_digested(bench: PlanBench) -> None:
    event = go(bench, brief=BRIEF, prompt_digest="absent")
    assert event.prompt_digest == labelled_digest(BRIEF.encode())


def test_a_brief_that_is_not_the_recorded_one_is_an_error(bench: PlanBench) -> None:
    before = bench.journal
    with pytest.raises(PlanError, match="not the digest of the brief"):
        go(bench, brief=BRIEF)
    assert bench.journal == before


@pytest.mark.parametrize(
    ("brief", "says"),
    [
        ("Done when: one is there", "does not name the objective"),
        ("Do one. Done when it is.", "does not carry AC-one word for word"),
        (BRIEF + "sk-" + "a1" * 16, "looks like a key or token"),
        (BRIEF + "ghp_" + "a1" * 20, "looks like a key or token"),
        (BRIEF + "AKIA" + "A1" * 8, "looks like a key or token"),
        (BRIEF + "-----BEGIN RSA PRIVATE KEY-----", "looks like a key or token"),
        (BRIEF + "use hunter2-hunter2", "holds the value of MY_API_KEY"),
    ],
)
def test_a_brief_is_whole_and_holds_no_secret(bench: PlanBench, brief: str, says: str) -> None:
    bench.environment = {"MY_API_KEY": "hunter2-hunter2", "OTHER_TOKEN": "short"}
    refused(bench, says, brief=brief, prompt_digest="absent")
    assert "hunter2" not in bench.journal.decode()


def test_a_brief_names_the_worktree_that_may_be_written(bench: PlanBench, tmp_path: Path) -> None:
    git(bench.root, "worktree", "add", "-q", str(tmp_path / "wt"))
    options: dict[str, Any] = {"worktree": str(tmp_path / "wt"), "prompt_digest": "absent"}
    refused(bench, "does not name the writable worktree", brief=BRIEF, **options)
    assert go(bench, brief=f"{BRIEF}Work in {tmp_path / 'wt'}", **options).state == "launched"


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ("src/a.py", "src/a.py", True),
        ("src/a.py", "src/b.py", False),
        ("src", "src/b.py", True),
        ("src/", "src/b.py", True),
        ("src", "src2/b.py", False),
        ("./src/a.py", "src/x/../a.py", True),
        (".", "anything", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/a.md", False),
        ("src/*.py", "docs/a.py", False),
        ("src/**", "src/a/b/c.py", True),
        ("**/a.py", "docs/a.py", True),
        ("src/*/a.py", "src/x", True),
        ("src/a*", "src/ab*", True),
        ("src/a*", "src/b*", False),
        ("src/[ab].py", "src/a.py", True),
        ("SRC/a.py", "src/A.py", True),
    ],
)
def test_surfaces_meet_when_they_can_name_the_same_file(one: str, other: str, *, meet: bool) -> None:
    assert (overlap([one], [other]) is not None) is meet
    assert (overlap([other], [one]) is not None) is meet


@given(st.lists(st.sampled_from(["src", "a", "b.py", "*.py", "**", "?"]), min_size=1, max_size=4))
def test_a_surface_meets_itself(parts: list[str]) -> None:
    assert overlap(["/".join(parts)], ["/".join(parts)]) is not None


def test_the_first_broken_rule_is_the_reason(bench: PlanBench) -> None:
    bench.environment = {"DECODE_DELEGATE_DEPTH": "1"}
    refused(bench, "unknown|no task", name="nine")
    bench.writer = replace(bench.writer, identity="somebody")
    refused(bench, "a delegate does not delegate", worktree="/nowhere")
