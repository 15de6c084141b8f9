"""Which resources of a workspace no command in the sandbox may change (permissions.md §7 and §11)."""

import os
from pathlib import Path

from decode_core.permissions.sandbox.guarded import MAX_FOLDERS, GuardedFinder
from decode_core.permissions.sandbox.profile import Guarded
from shell_workspace import run_git


def find(root: Path) -> Guarded:
    return GuardedFinder([root]).find()


def names(paths: tuple[Path, ...], root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in paths}


def make(root: Path, *files: str) -> Path:
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")
    return root


def test_what_exists_is_found_at_any_depth_and_what_does_not_is_named_in_the_root(tmp_path: Path) -> None:
    make(tmp_path, ".vscode/tasks.json", "packages/a/.npmrc", "docs/AGENTS.md", ".github/workflows/ci.yml")
    found = find(tmp_path)
    assert names(found.read_only, tmp_path) == {".vscode", "packages/a/.npmrc", "docs/AGENTS.md", ".github/workflows"}
    assert {".mcp.json", ".decode", ".envrc", ".git"} <= names(found.absent, tmp_path)
    assert not {".vscode", ".github"} & names(found.absent, tmp_path)
    assert ".github" in names(found.pinned, tmp_path)


def test_other_peoples_projects_in_the_tree_steer_nothing(tmp_path: Path) -> None:
    make(tmp_path, "node_modules/x/.npmrc", ".venv/lib/.vscode/a")
    assert find(tmp_path).read_only == ()


def test_a_repository_can_commit_and_nothing_else(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-q")
    make(
        tmp_path, ".git/modules/lib/HEAD", ".git/modules/lib/config", ".git/modules/a/b/HEAD", ".git/modules/a/b/config"
    )
    found = find(tmp_path)
    read_only, pinned = names(found.read_only, tmp_path), names(found.pinned, tmp_path)
    assert {".git/config", ".git/hooks", ".git/info", ".git/objects/info"} <= read_only
    assert {".git/modules/lib/config", ".git/modules/a/b/config"} <= read_only
    assert {".git", ".git/objects", ".git/modules", ".git/modules/lib"} <= pinned
    assert {".git/commondir", ".git/config.worktree"} <= names(found.absent, tmp_path)
    assert not {".git/index", ".git/objects", ".git/refs", ".git/HEAD"} & read_only


def test_a_linked_work_tree_shares_what_a_commit_writes(tmp_path: Path) -> None:
    main, tree = tmp_path / "main", tmp_path / "tree"
    main.mkdir()
    run_git(main, "init", "-q")
    run_git(main, "commit", "--allow-empty", "-qm", "x")
    run_git(main, "worktree", "add", "-q", str(tree))
    found = find(tree)
    assert {main / ".git/worktrees/tree", main / ".git/objects", main / ".git/refs"} <= set(found.shared)
    assert {tree / ".git", main / ".git/worktrees/tree/commondir"} <= set(found.read_only)
    assert main / ".git/config" not in found.shared


def test_a_git_file_that_names_a_repository_which_does_not_know_it_shares_nothing(tmp_path: Path) -> None:
    other = make(tmp_path / "other", ".git/worktrees/t/gitdir", ".git/objects/x")
    (other / ".git/worktrees/t/commondir").write_text("../..\n")
    tree = make(tmp_path / "tree")
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {other}/.git/worktrees/t\n")
    assert find(tree).shared == ()


def test_a_link_is_compared_and_its_target_in_the_workspace_is_read_only(tmp_path: Path) -> None:
    make(tmp_path, "AGENTS.md", "shared/rules")
    (tmp_path / "CLAUDE.md").symlink_to("shared/rules")
    (tmp_path / ".mcp.json").symlink_to("/etc/hosts")
    found = find(tmp_path)
    assert names(found.links, tmp_path) == {"CLAUDE.md", ".mcp.json"}
    assert names(found.read_only, tmp_path) == {"AGENTS.md", "shared/rules"}


def test_a_folder_that_did_not_change_is_not_read_again_and_one_that_did_is(tmp_path: Path) -> None:
    make(tmp_path, "a/b/x")
    finder = GuardedFinder([tmp_path])
    assert finder.find().read_only == ()
    os.utime(tmp_path / "a/b", ns=(0, 0))
    assert finder.find().read_only == ()
    make(tmp_path, "a/b/.envrc")
    assert names(finder.find().read_only, tmp_path) == {"a/b/.envrc"}


def test_a_very_large_tree_is_looked_at_as_far_as_the_limit_nearest_first(tmp_path: Path) -> None:
    for number in range(MAX_FOLDERS + 50):
        (tmp_path / f"d{number}" / "below").mkdir(parents=True)
    make(tmp_path, ".vscode/x")
    finder = GuardedFinder([tmp_path])
    assert names(finder.find().read_only, tmp_path) == {".vscode"}
