"""Approved plans as files: names, front matter, and never through a link (plan-mode.md §2)."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, strategies as st

from decode_core.events import Plan, PlanStep
from decode_core.neutral import neutralise_line
from decode_core.plan_mode.files import PlanNotKept, keep_plan, plan_document, slug

WHEN = datetime(2026, 3, 4, 23, 59, 1, tzinfo=UTC)
STEPS = tuple(PlanStep(number=number, text=f"step {number}", line=number) for number in (1, 2, 3))


def plan(title: str = "Configurable retries", text: str = "## Steps\n1. a\n2. b\n3. c\n") -> Plan:
    return Plan(version=2, title=title, text=text, steps=STEPS, approved=(1, 3))


def kept(root: Path, a_plan: Plan | None = None) -> str:
    return keep_plan(root, a_plan or plan(), session_id="s1", approved_at=WHEN)


def test_the_file_holds_front_matter_and_the_plan(tmp_path: Path) -> None:
    name = kept(tmp_path)
    assert name == ".decode/plans/2026-03-04-configurable-retries.md"
    _, front, text = (tmp_path / name).read_text().split("---\n", 2)
    assert yaml.safe_load(front) == {
        "title": "Configurable retries",
        "session": "s1",
        "version": 2,
        "approved_at": "2026-03-04T23:59:01Z",
        "approved_steps": [1, 3],
        "steps": 3,
    }
    assert text == "\n## Steps\n1. a\n2. b\n3. c\n"


def test_no_file_is_replaced_and_the_longest_name_keeps_to_its_limit(tmp_path: Path) -> None:
    long = plan(title="x" * 200)
    first, second = kept(tmp_path, long), kept(tmp_path, long)
    assert first.endswith("/2026-03-04-" + "x" * 64 + ".md")
    assert second.endswith("/2026-03-04-" + "x" * 62 + "-2.md")


@given(st.text())
def test_a_slug_is_a_safe_name_for_any_title(title: str) -> None:
    assert re.fullmatch(r"[a-z0-9-]{1,64}", slug(title))


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("", "plan"),
        ("../../etc/passwd", "etc-passwd"),
        ("Über -- Größe!", "uber-groe"),
        ("計画", "plan"),
        ("a" * 63 + " b", "a" * 63),
    ],
)
def test_what_a_slug_makes_of_a_title(title: str, name: str) -> None:
    assert slug(title) == name


@given(title=st.text(), text=st.text(min_size=1))
@example(title="\x85", text="x")
@example(title="a\u2028---\napproved_steps: [1, 2, 3]\n---\n", text="---\nversion: 9\n---")
def test_nothing_in_title_or_text_can_forge_the_front_matter(title: str, text: str) -> None:
    document = plan_document(plan(title, text), session_id="s1", approved_at=WHEN)
    front = yaml.safe_load(document.removeprefix("---\n").partition("\n---\n")[0])
    assert front["title"] == neutralise_line(" ".join(title.split()))
    assert list(front) == ["title", "session", "version", "approved_at", "approved_steps", "steps"]
    assert front["approved_steps"] == [1, 3]


@pytest.mark.parametrize("linked", [".decode", ".decode/plans"])
def test_a_linked_folder_is_not_followed(tmp_path: Path, linked: str) -> None:
    root, elsewhere = tmp_path / "ws", tmp_path / "elsewhere"
    (root / linked).parent.mkdir(parents=True)
    elsewhere.mkdir()
    (root / linked).symlink_to(elsewhere)
    with pytest.raises(PlanNotKept, match="was not written"):
        kept(root)
    assert list(elsewhere.iterdir()) == []


def test_a_link_under_the_wanted_name_is_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "target"
    folder = tmp_path / ".decode/plans"
    folder.mkdir(parents=True)
    (folder / "2026-03-04-configurable-retries.md").symlink_to(target)
    assert kept(tmp_path) == ".decode/plans/2026-03-04-configurable-retries-2.md"
    assert not target.exists()


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / ".decode").write_text("a file")
    with pytest.raises(PlanNotKept, match=r"^The approved plan was not written to .decode/plans: not a directory\.$"):
        kept(tmp_path)


def test_half_a_surrogate_pair_is_written_as_a_question_mark(tmp_path: Path) -> None:
    name = kept(tmp_path, plan(text="1. \ud800"))
    assert (tmp_path / name).read_text().endswith("1. ?\n")
