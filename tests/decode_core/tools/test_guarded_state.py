"""What is protected is compared before and after a command, and put back; nothing is lost (permissions.md §11)."""

from collections.abc import Callable
from pathlib import Path

import pytest

from decode_core.permissions.sandbox.profile import Guarded
from decode_core.tools.guarded_state import Difference, GuardedState, put_back


def changed(root: Path, change: Callable[[Path], object]) -> list[Difference]:
    """Let something be changed between two looks at a workspace."""
    guarded = Guarded(read_only=(root / ".vscode", root / "AGENTS.md"), absent=(root / ".envrc",), links=(root / "l",))
    state = GuardedState()
    before = state.read(guarded)
    change(root)
    after = state.read(guarded)
    found = put_back(before, after, root / "aside") if before != after else []
    assert state.read(guarded) == before
    return found


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".vscode" / "deep").mkdir(parents=True)
    (tmp_path / ".vscode" / "deep" / "tasks.json").write_text("{}")
    (tmp_path / "AGENTS.md").write_text("be good")
    (tmp_path / "AGENTS.md").chmod(0o640)
    (tmp_path / "l").symlink_to("AGENTS.md")
    return tmp_path


def write(name: str, text: str) -> Callable[[Path], object]:
    return lambda root: (root / name).write_text(text)


def replace_by_link(root: Path) -> None:
    (root / "AGENTS.md").unlink()
    (root / "AGENTS.md").symlink_to("/etc/passwd")


def move_folder(root: Path) -> None:
    (root / ".vscode").rename(root / "elsewhere")


def point_elsewhere(root: Path) -> None:
    (root / "l").unlink()
    (root / "l").symlink_to("/etc")


@pytest.mark.parametrize(
    ("change", "paths"),
    [
        (lambda root: None, []),
        (write("AGENTS.md", "be evil"), ["AGENTS.md"]),
        (lambda root: (root / "AGENTS.md").unlink(), ["AGENTS.md"]),
        (lambda root: (root / "AGENTS.md").chmod(0o777), ["AGENTS.md"]),
        (replace_by_link, ["AGENTS.md"]),
        (write(".envrc", "run me"), [".envrc"]),
        (write(".vscode/new.json", "{}"), [".vscode/new.json"]),
        (lambda root: (root / ".vscode" / "deep").chmod(0o700), [".vscode/deep"]),
        (move_folder, [".vscode", ".vscode/deep", ".vscode/deep/tasks.json"]),
        (point_elsewhere, ["l"]),
        (write("other", "x"), []),
    ],
)
def test_every_difference_is_put_back_and_told(root: Path, change: Callable[[Path], object], paths: list[str]) -> None:
    found = changed(root, change)
    assert [each.path.relative_to(root).as_posix() for each in found] == paths
    assert all(each.restored for each in found)


def test_the_changed_version_is_kept_aside(root: Path) -> None:
    (difference,) = changed(root, write("AGENTS.md", "mine, typed just now"))
    assert difference.kept_as is not None
    assert difference.kept_as.read_text() == "mine, typed just now"


def test_a_folder_that_came_to_be_goes_away_whole(root: Path) -> None:
    def make(root: Path) -> None:
        (root / ".envrc" / "below").mkdir(parents=True)
        (root / ".envrc" / "below" / "x").write_text("kept")

    (difference,) = changed(root, make)
    assert difference.kept_as is not None
    assert (difference.kept_as / "below" / "x").read_text() == "kept"


def test_a_change_that_hides_behind_the_old_time_stamp_is_seen(root: Path) -> None:
    import os

    def forge(root: Path) -> None:
        info = (root / "AGENTS.md").stat()
        (root / "AGENTS.md").write_text("be evl!")
        os.utime(root / "AGENTS.md", ns=(info.st_atime_ns, info.st_mtime_ns))

    assert [each.path.name for each in changed(root, forge)] == ["AGENTS.md"]


def test_what_is_recorded_in_a_plan_meanwhile_is_never_put_back(tmp_path: Path) -> None:
    """Another process may write a plan's journal while a command runs; its registry of addons is compared."""
    journal = tmp_path / ".dwp" / "plans" / "PLAN_001_a_b" / "journal.ndjson"
    journal.parent.mkdir(parents=True)
    journal.write_text("one\n")
    (tmp_path / ".dwp" / "config.json").write_text("{}")
    guarded, state = Guarded(read_only=(tmp_path / ".dwp",)), GuardedState()
    before = state.read(guarded)
    journal.write_text("one\ntwo\n")
    (tmp_path / ".dwp" / "config.json").write_text('{"addons": {}}')
    found = put_back(before, state.read(guarded), tmp_path / "aside")
    assert [one.path.name for one in found] == ["config.json"]
    assert journal.read_text() == "one\ntwo\n"


def test_an_agent_that_a_person_saves_while_a_command_runs_stays_saved(tmp_path: Path) -> None:
    agent = tmp_path / ".decode" / "agents" / "reviewer.md"
    agent.parent.mkdir(parents=True)
    agent.write_text("first")
    guarded, state = Guarded(read_only=(tmp_path / ".decode",)), GuardedState()
    before = state.read(guarded)
    agent.write_text("second")
    (tmp_path / ".decode" / "settings.json").write_text("{}")
    assert state.read(guarded) == before


def test_the_projects_folder_itself_must_stay_what_it_was(tmp_path: Path) -> None:
    folder = tmp_path / ".decode"
    folder.mkdir()
    guarded, state = Guarded(read_only=(folder,)), GuardedState()
    before = state.read(guarded)
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    (difference,) = put_back(before, state.read(guarded), tmp_path / "aside")
    assert difference.path == folder
    assert folder.is_dir()
    assert not folder.is_symlink()
