"""The offline model in a real session: the real tools, gate and plan review, on real files."""

import subprocess
from pathlib import Path

import pytest

from decode_core.decisions import Allow, Answer, PlanReview
from decode_core.events import AssistantMessage, DecisionRequested, ModeChanged, PlanProposed, QuestionKind
from decode_core.permissions.modes import PermissionMode
from decode_core.session import Session
from sessions import Played, play


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "README.md").write_text("# Demo\n\nfoo bar foo\n", encoding="utf-8")
    (root / "src" / "app.py").write_text("# TODO: begin\nx = 1\n", encoding="utf-8")
    return root


def said(played: Played) -> list[str]:
    return [event.text for event in played.of(AssistantMessage) if event.text]


def ask(folder: Path, *prompts: str, mode: PermissionMode | None = None) -> Played:
    """Send the prompts; whatever is asked is allowed, and plans are rejected."""

    def person(question: DecisionRequested, session: Session) -> Answer | None:
        return PlanReview("reject") if question.kind is QuestionKind.PLAN_REVIEW else Allow.once()

    return play(folder, model="offline", prompts=prompts, mode=mode, answer=person)


def test_the_three_promises_of_the_first_screen_are_kept(folder: Path) -> None:
    played = ask(folder, "list the python files", "find TODO", "plan a change to README")
    assert said(played)[:2] == [
        "1 file for `**/*.py`:\n\n- `src/app.py`",
        "`TODO`: 1 match in 1 file\n\n- `src/app.py:1` `# TODO: begin`",
    ]
    (proposed,) = played.of(PlanProposed)
    assert "- `README.md`: 3 lines; sections: `Demo`" in proposed.plan.text
    assert [step.text for step in proposed.plan.steps][-1] == "Read `README.md`"


@pytest.mark.parametrize("prompt", ["read README.md", "show readme", "what does README.md say?"])
def test_a_file_is_shown_without_its_numbers(folder: Path, prompt: str) -> None:
    assert said(ask(folder, prompt)) == ["`README.md`:\n\n```markdown\n# Demo\n\nfoo bar foo\n```"]


def test_an_empty_and_a_missing_file_are_told_apart(folder: Path) -> None:
    (folder / "empty.txt").touch()
    assert said(ask(folder, "read empty.txt", "read gone.txt")) == [
        "`empty.txt`: The file is empty.",
        "`read gone.txt` failed: gone.txt does not exist.",
    ]


def test_replacing_changes_the_file_and_tells_how_often(folder: Path) -> None:
    played = ask(folder, "replace foo with baz in README.md")
    assert said(played) == ["Replaced `foo` with `baz` in `README.md`: 2 replacements."]
    assert (folder / "README.md").read_text(encoding="utf-8") == "# Demo\n\nbaz bar baz\n"
    assert played.calls == [("read", "ok"), ("edit", "ok")]


def test_a_file_is_created_once(folder: Path) -> None:
    played = ask(folder, "create docs/a.txt with hello", "create docs/a.txt with bye", "overwrite docs/a.txt with new")
    first, second, third = said(played)
    assert first == "Created `docs/a.txt` (1 line)."
    assert second.startswith("`docs/a.txt` is there already; I left it alone.")
    assert third == "Wrote `docs/a.txt` anew (1 line)."
    assert (folder / "docs" / "a.txt").read_text(encoding="utf-8") == "new\n"


def test_a_command_and_its_failure_are_shown(folder: Path) -> None:
    played = ask(folder, "run echo hello", "run exit 3")
    assert said(played) == ["`echo hello`:\n\n```\nhello\n```", "`exit 3` failed:\n\n```\n(Exit code 3.)\n```"]


def test_changes_are_reviewed(folder: Path) -> None:
    for command in ("init -q", "add -A"):
        subprocess.run(["git", *command.split()], cwd=folder, check=True)
    (folder / "src" / "app.py").write_text("# TODO: begin\nbreakpoint()\n", encoding="utf-8")
    (answer,) = said(ask(folder, "review my changes"))
    assert answer.startswith("1 file changed, +1 −1:\n\n- `src/app.py` +1 −1")
    assert "- `src/app.py:2` debug output: `breakpoint()`" in answer


def test_in_plan_mode_the_denied_edit_passes_on_the_gates_reason(folder: Path) -> None:
    played = ask(folder, "replace foo with baz in README.md", mode=PermissionMode.PLAN)
    assert played.calls == [("read", "ok"), ("edit", "denied")]
    (answer,) = said(played)
    assert answer.startswith("`edit README.md` was not allowed: ")
    assert "plan mode" in answer
    assert "foo bar foo" in (folder / "README.md").read_text(encoding="utf-8")


def test_a_plan_is_revised_by_a_comment_and_carried_out_in_the_mode_of_the_approval(folder: Path) -> None:
    answers = iter([PlanReview("refine", comments=(("## Steps", "replace foo with baz"),)), PlanReview("approve")])

    def person(question: DecisionRequested, session: Session) -> Answer | None:
        return next(answers) if question.kind is QuestionKind.PLAN_REVIEW else Allow.once()

    played = play(folder, model="offline", prompts=("plan a change to README",), answer=person)
    assert [(event.from_mode, event.to_mode) for event in played.of(ModeChanged)] == [
        (PermissionMode.DEFAULT, PermissionMode.PLAN),
        (PermissionMode.PLAN, PermissionMode.EDIT),
    ]
    assert [event.plan.version for event in played.of(PlanProposed)] == [1, 2]
    assert "baz bar baz" in (folder / "README.md").read_text(encoding="utf-8")
    assert said(played)[-1].startswith("The plan is approved.\n\nReplaced `foo` with `baz` in `README.md`")


def test_of_a_plan_approved_in_part_the_refused_step_is_left_out(folder: Path) -> None:
    def person(question: DecisionRequested, session: Session) -> Answer | None:
        return PlanReview("approve", approved=(2,))

    played = play(folder, model="offline", prompts=("plan: replace foo with baz in README.md",), answer=person)
    assert "edit" not in [tool for tool, _ in played.calls]
    assert "foo bar foo" in (folder / "README.md").read_text(encoding="utf-8")
