"""Plans in Markdown are handed over: approved steps, goal, what is out of scope; a folder with plan and draft."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from decode_core.event_values import Plan
from decode_core.plans.addon_registry import set_addon
from decode_core.plans.errors import PlanError
from decode_core.plans.folder import load_plan
from decode_core.plans.ledger import Writer
from decode_core.plans.verbs.materialize import materialize
from decode_core.tools.plan_text import plan_steps
from decode_core.work_plans.handover import enabled_transports, hand_over, outline_of, outline_of_plan
from plan_bench import make_folder

BODY = """# Retry failed downloads

## Goal
Downloads survive a flaky network,
without hammering the server.

A second paragraph.

## Steps
1. **Add a loop** in `src/net.py`
   - Check: `pytest -q`
2. Document it
   Files: docs/net.md
3. Look again

## Checks
- `make test` passes

## Files
- `src/net.py`

## Out of scope
- a new *library*

## Invariants
- The API stays
"""
FRONT = """---
title: Retries
session: abc
version: 2
approved_steps:
- 1
- 3
---

"""
NOW = datetime(2026, 12, 1, 8, tzinfo=UTC)


def test_an_approved_file_gives_its_approved_steps_alone() -> None:
    outline = outline_of(FRONT + BODY)
    assert outline.title == "Retries"
    assert [step.number for step in outline.steps] == [1, 3]
    assert outline.steps[0].body == ("   - Check: `pytest -q`",)
    assert outline.steps[1].body == ("",)


def test_any_markdown_gives_all_its_steps() -> None:
    outline = outline_of(BODY)
    assert outline.title == "Retry failed downloads"
    assert [step.number for step in outline.steps] == [1, 2, 3]
    assert outline.goal == "Downloads survive a flaky network, without hammering the server."
    assert outline.out_of_scope == ("a new *library*",)
    assert outline.invariants == ("The API stays",)
    assert (outline.checks, outline.files) == (("`make test` passes",), ("`src/net.py`",))


def test_sections_are_steps_with_what_stands_below_them() -> None:
    outline = outline_of("# T\n## Plan\n### Do this\nCheck: `x`\n#### detail\nmore\n### Do that\ny\n## End\nz\n")
    assert [(step.text, step.body) for step in outline.steps] == [
        ("Do this", ("Check: `x`", "#### detail", "more")),
        ("Do that", ("y",)),
    ]


def test_a_reviewed_plan_gives_what_the_person_ticked() -> None:
    plan = Plan(version=1, title="Retries", text=BODY, steps=plan_steps(BODY), approved=(2,))
    assert [step.number for step in outline_of_plan(plan).steps] == [2]


def test_the_folder_holds_the_plan_and_a_draft_that_can_be_approved(tmp_path: Path) -> None:
    make_folder(tmp_path, "PLAN_004_older_plan")
    done = hand_over(tmp_path, outline_of(BODY), BODY, "Ann", now=NOW)
    assert done.folder.name == "PLAN_005_retry_failed_downloads"
    assert (done.folder.path / "README.md").read_text() == BODY
    document = json.loads(done.draft.read_text())
    assert document == done.proposal.document
    assert document["authorization"]["authority"] == "Ann"
    assert document["outcome"]["out_of_scope"] == ["a new *library*"]
    materialize(done.folder, document, Writer())
    assert load_plan(done.folder).contract.model.tasks[0].title == "Add a loop in src/net.py"


@pytest.mark.parametrize("text", ["", "   \n", "---\napproved_steps: []\n---\n# T\n"])
def test_a_plan_without_steps_is_not_handed_over(tmp_path: Path, text: str) -> None:
    with pytest.raises(PlanError, match="no steps"):
        hand_over(tmp_path, outline_of(text), text, "Ann")
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    make_folder(tmp_path, "PLAN_001_a_b")
    with pytest.raises(PlanError, match="exists"):
        hand_over(tmp_path, outline_of(BODY), BODY, "Ann", name="PLAN_001_a_b")


def test_only_enabled_addons_that_carry_delegates_count(tmp_path: Path) -> None:
    set_addon(tmp_path, "decode", enabled=True)
    set_addon(tmp_path, "herdr", enabled=False)
    set_addon(tmp_path, "martian", enabled=True)
    assert enabled_transports(tmp_path, tmp_path / "home") == ["decode"]
