"""A draft contract from a plan: delegation.md §4 (`plan import`) and the four conditions of `parallel_safe` (§2)."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings, strategies as st

from decode_core.plans.contract import read_contract
from decode_core.plans.draft import check_draft
from decode_core.plans.outline import Outline, OutlineStep
from decode_core.plans.proposal import ProposedTask, plan_name, propose
from plan_bench import Document, schema_faults

NOW = datetime(2026, 12, 1, 8, tzinfo=UTC)
STEP = ("Files: src/a.py", "Check: `pytest -q`", "After: none")


def draft(*steps: tuple[str, ...], enabled: tuple[str, ...] = ("decode",)) -> tuple[Document, tuple[ProposedTask, ...]]:
    outline = Outline("Retry downloads", tuple(OutlineStep(n, s[0], s[1:]) for n, s in enumerate(steps, start=1)))
    proposal = propose(outline, "PLAN_001_retry_downloads", "Ann", NOW, enabled)
    assert schema_faults("plan-contract-v7", proposal.document) == []
    assert check_draft(read_contract(proposal.document).model).faults == ()
    return proposal.document, proposal.tasks


def test_steps_become_tasks_checks_gates_and_files_surfaces() -> None:
    document, rows = draft(("Add a retry loop", *STEP))
    assert document["tasks"] == [
        {
            "id": "T-add-retry-loop",
            "title": "Add a retry loop",
            "prerequisites": [],
            "touched_surface": ["src/a.py"],
            "gate_intent": [{"criterion": "AC-add-retry-loop", "check": "pytest -q"}],
            "parallel_safe": True,
        }
    ]
    assert document["acceptance"]["criteria"][0]["accepted_evidence"] == ["observed"]
    assert document["scope"]["allowed_command_classes"] == ["pytest"]
    assert document["scope"]["allowed_paths"] == ["src/a.py"]
    assert "agent_delegation" in document["permissions"]["granted"]
    assert rows[0].notes == ()


def test_what_the_plan_does_not_say_is_taken_with_care_and_said() -> None:
    document, (row,) = draft(("Think about it",))
    assert document["tasks"][0]["touched_surface"] == ["."]
    assert document["acceptance"]["criteria"][0]["accepted_evidence"] == ["asserted"]
    assert "agent_delegation" not in document["permissions"]["granted"]
    assert "parallel_safe" not in document["tasks"][0]
    assert [note.split(",")[0] for note in row.notes] == ["the plan states no check", "the plan names no files"]


@pytest.mark.parametrize(
    ("check", "gate"),
    [
        ("pytest -q", "pytest -q"),
        ("a && b", "sh -c 'a && b'"),
        ("X=1 pytest", "sh -c 'X=1 pytest'"),
        ("grep 'x' y | wc -l", """sh -c 'grep '"'"'x'"'"' y | wc -l'"""),
        ("sh -c 'a && b'", "sh -c 'a && b'"),
        ("bash run.sh; true", "bash run.sh; true"),
    ],
)
def test_more_than_one_program_runs_in_a_declared_shell(check: str, gate: str) -> None:
    document, _ = draft(("Do it", f"Check: `{check}`"))
    assert document["tasks"][0]["gate_intent"][0]["check"] == gate


def test_steps_run_one_after_the_other_unless_the_plan_says_what_they_wait_for() -> None:
    document, _ = draft(("One",), ("Two", "After: none"), ("Three",), ("Four", "After: 1"), ("Five", "After: 9"))
    waits = {task["id"]: task["prerequisites"] for task in document["tasks"]}
    assert waits == {
        "T-one": [],
        "T-two": [],
        "T-three": ["T-one", "T-two"],
        "T-four": ["T-one"],
        "T-five": [],
    }


@pytest.mark.parametrize(
    ("steps", "enabled", "failing"),
    [
        ((("Do it", *STEP),), ("decode",), []),
        ((("Do it", *STEP),), (), ["a delegation addon is enabled"]),
        ((("Do it", *STEP), ("Other", "Files: src/", "After: none")), ("decode",), ["its files meet no sibling's"]),
        ((("Do it", *STEP), ("Other", "Files: src/")), ("decode",), []),
        ((("Do `src/a.py`", "Check: `pytest -q`"),), ("decode",), ["its output is bounded"]),
        ((("Do `src/a.py`", "Check: `pytest -q`", "Output: one file"),), ("decode",), []),
        ((("Do it", "Files: ."),), ("decode",), ["its output is bounded", "its gates run in this plan"]),
        ((("Do it", "Files: a/b", "Check: Ann reads it"),), ("decode",), ["its gates run in this plan"]),
    ],
)
def test_parallel_safe_is_proposed_where_all_four_hold_and_the_failing_are_shown(
    steps: tuple[tuple[str, ...], ...], enabled: tuple[str, ...], failing: list[str]
) -> None:
    document, rows = draft(*steps, enabled=enabled)
    assert list(rows[0].failing) == failing
    assert all(rows[0].failing.values())
    assert rows[0].parallel_safe is (not failing)
    assert document["tasks"][0].get("parallel_safe", False) is (not failing)


def test_what_is_stated_for_the_whole_plan_holds_for_it() -> None:
    outline = Outline(
        "Retry downloads",
        (OutlineStep(1, "Do it"), OutlineStep(3, "Tell `docs/a.md`")),
        checks=("`make test`", "Ann has read it."),
        files=("`src/a.py` (new)", "`docs/a.md`"),
    )
    proposal = propose(outline, "PLAN_001_retry_downloads", "Ann", NOW, ())
    first, second, whole = proposal.document["tasks"]
    assert (first["touched_surface"], second["touched_surface"]) == (["src/a.py", "docs/a.md"], ["docs/a.md"])
    assert (whole["title"], whole["prerequisites"]) == ("Check the whole", [second["id"]])
    assert [gate["check"] for gate in whole["gate_intent"]] == ["make test", "a person confirms: Ann has read it"]
    assert check_draft(read_contract(proposal.document).model).faults == ()


def test_names_of_tasks_are_short_and_there_once() -> None:
    document, _ = draft(("Add tests",), ("Add tests",), ("测试",), ("!!!",))
    assert [task["id"] for task in document["tasks"]] == ["T-add-tests", "T-add-tests-2", "T-step", "T-step-2"]


@pytest.mark.parametrize(
    ("title", "taken", "name"),
    [
        ("Retry failed downloads", (), "PLAN_001_retry_failed_downloads"),
        ("One two three four five six", ("PLAN_007_x_y", "PLAN_a_b"), "PLAN_008_one_two_three_four_five"),
        ("Once", (), "PLAN_001_once_work"),
        ("…", (), "PLAN_001_work_plan"),
        ("Éclair", ("PLAN_1000_x_y",), "PLAN_1001_eclair_work"),
    ],
)
def test_a_plan_is_named_by_the_next_number_and_its_title(title: str, taken: tuple[str, ...], name: str) -> None:
    assert plan_name(title, taken) == name


WORDS = st.sampled_from(
    ["Do", "`src/a.py`", "Check:", "`pytest -q`", "`a && b`", "Files:", "docs/", "After:", "1", "é", "'"]
)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=5))
def test_every_plan_gives_a_draft_that_can_be_approved(steps: list[str]) -> None:
    draft(*((step,) for step in steps))
