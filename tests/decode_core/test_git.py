"""The one place where decode starts git: whatever a repository says, nothing of it runs (permissions.md §6, §9)."""

import ast
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import decode_core
import decode_ui
from decode_core.git import GitError, run_git

PROGRAMS = [Path(next(iter(package.__path__))) for package in (decode_core, decode_ui)]


class Hostile:
    """A repository with one commit and a changed file, whose configuration may be made to leave a canary."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.canary = root.parent / "canary"
        self.script = root.parent / "evil.sh"
        self.script.write_text(f"#!/bin/sh\ntouch {self.canary}\ncat\n")
        self.script.chmod(0o755)
        root.mkdir()
        self.git("init", "-q", "-b", "main")
        (root / "a.txt").write_text("one\n")
        self.git("add", ".")
        self.git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "one")
        (root / "a.txt").write_text("two\n")

    def git(self, *words: str, folder: Path | None = None) -> None:
        subprocess.run(["git", *words], cwd=folder or self.root, check=True, capture_output=True)

    def configure(self, text: str, file: str = ".git/config") -> None:
        with (self.root / file).open("a") as config:
            config.write(text)

    def attributes(self, text: str) -> None:
        (self.root / ".gitattributes").write_text(text)


def fsmonitor(repository: Hostile) -> None:
    repository.configure(f"[core]\n\tfsmonitor = {repository.script}\n")


def hooks(repository: Hostile) -> None:
    folder = repository.root / ".git" / "hooks"
    folder.mkdir(exist_ok=True)
    for name in ("post-index-change", "fsmonitor-watchman", "reference-transaction"):
        (folder / name).write_text(repository.script.read_text())
        (folder / name).chmod(0o755)


def hooks_path(repository: Hostile) -> None:
    folder = repository.root / "hooks"
    folder.mkdir()
    (folder / "post-index-change").write_text(repository.script.read_text())
    (folder / "post-index-change").chmod(0o755)
    repository.configure("[core]\n\thooksPath = hooks\n")


def clean_filter(repository: Hostile) -> None:
    repository.configure(f'[filter "x=y"]\n\tclean = {repository.script}\n\tsmudge = {repository.script}\n')
    repository.attributes("* filter=x=y\n")


def process_filter(repository: Hostile) -> None:
    repository.configure(f'[filter "x"]\n\tprocess = {repository.script}\n\trequired = true\n')
    repository.attributes("* filter=x\n")


def text_conversion(repository: Hostile) -> None:
    repository.configure(f'[diff "x"]\n\ttextconv = {repository.script}\n')
    repository.attributes("* diff=x\n")


def external_diff(repository: Hostile) -> None:
    repository.configure(f'[diff]\n\texternal = {repository.script}\n[diff "x"]\n\tcommand = {repository.script}\n')
    repository.attributes("* diff=x\n")


def pager_and_editor(repository: Hostile) -> None:
    repository.configure(f"[core]\n\tpager = {repository.script}\n\teditor = {repository.script}\n")


def alias(repository: Hostile) -> None:
    repository.configure(f"[alias]\n\tstatus = !{repository.script}\n")


def submodule(repository: Hostile) -> None:
    inner = Hostile(repository.root.parent / "inner")
    inner.git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qam", "two")
    words = ("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "sub")
    repository.git(*words)
    config = repository.root / ".git" / "modules" / "sub" / "config"
    config.write_text(config.read_text() + f'[filter "x"]\n\tclean = {repository.script}\n')
    (repository.root / "sub" / ".gitattributes").write_text("* filter=x\n")
    (repository.root / "sub" / "a.txt").write_text("tre\n")


TRAPS = [fsmonitor, hooks, hooks_path, clean_filter, process_filter, text_conversion, external_diff, pager_and_editor]
TRAPS += [alias, submodule]
CALLS = [("status", "--porcelain"), ("diff",), ("log", "-p"), ("rev-parse", "HEAD")]


@pytest.mark.parametrize("trap", TRAPS)
def test_nothing_that_a_repository_configures_runs(tmp_path: Path, trap: Callable[[Hostile], None]) -> None:
    repository = Hostile(tmp_path / "clone")
    trap(repository)
    repository.canary.unlink(missing_ok=True)
    for words in CALLS:
        assert run_git(repository.root, *words) or words[0] == "diff"
    assert not repository.canary.exists()
    assert b"a.txt" in run_git(repository.root, "status", "--porcelain")


@pytest.mark.parametrize("trap", [fsmonitor, clean_filter])
def test_the_traps_would_work_without_the_wrapper(tmp_path: Path, trap: Callable[[Hostile], None]) -> None:
    repository = Hostile(tmp_path / "clone")
    trap(repository)
    repository.git("status")
    assert repository.canary.exists(), "a trap that never closes tests nothing"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[include]\n\tpath = /tmp/x\n", "takes more from another file"),
        ('[includeIf "gitdir:~/"]\n\tpath = x\n', "takes more from another file"),
        ("[core]\n\tworktree = /etc\n", "another work tree"),
        ("not a line\n", "cannot be read"),
    ],
)
def test_what_cannot_be_switched_off_refuses_the_call(tmp_path: Path, text: str, told: str) -> None:
    repository = Hostile(tmp_path / "clone")
    repository.configure(text)
    with pytest.raises(GitError, match=told):
        run_git(repository.root, "status")


def test_the_worktree_configuration_counts_too(tmp_path: Path) -> None:
    repository = Hostile(tmp_path / "clone")
    repository.configure("[extensions]\n\tworktreeConfig = true\n")
    repository.configure(f'[filter "x"]\n\tclean = {repository.script}\n', ".git/config.worktree")
    repository.attributes("* filter=x\n")
    assert b"a.txt" in run_git(repository.root, "status", "--porcelain")
    assert not repository.canary.exists()


def test_a_linked_work_tree_is_judged_by_the_repository_it_belongs_to(tmp_path: Path) -> None:
    repository = Hostile(tmp_path / "clone")
    repository.git("worktree", "add", "-q", str(tmp_path / "linked"))
    clean_filter(repository)
    (tmp_path / "linked" / ".gitattributes").write_text("* filter=x=y\n")
    (tmp_path / "linked" / "a.txt").write_text("tre\n")
    assert b"a.txt" in run_git(tmp_path / "linked", "status", "--porcelain")
    assert not repository.canary.exists()


def test_an_embedded_bare_repository_is_not_taken_for_one(tmp_path: Path) -> None:
    folder = tmp_path / "clone" / "bare"
    folder.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "--bare", "."], cwd=folder, check=True, capture_output=True)
    canary = tmp_path / "canary"
    with (folder / "config").open("a") as config:
        config.write(f'[core]\n\tfsmonitor = "touch {canary}"\n\tbare = false\n\tworktree = ..\n')
    with pytest.raises(GitError):
        run_git(folder, "status")
    assert not canary.exists()


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    import os

    repository = Hostile(tmp_path / "clone")
    (repository.root / ".git" / "config").unlink()
    os.mkfifo(repository.root / ".git" / "config")
    with pytest.raises(GitError):
        run_git(repository.root, "status")


def test_a_git_in_the_workspace_and_variables_of_git_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Hostile(tmp_path / "clone")
    (repository.root / "git").write_text(repository.script.read_text())
    (repository.root / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{repository.root}:.:/usr/bin:/bin")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(repository.script))
    assert b"two" in run_git(repository.root, "diff")
    assert not repository.canary.exists()


def test_faults_are_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GitError, match="git status failed: "):
        run_git(tmp_path, "status")
    assert run_git(tmp_path, "status", check=False) == b""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="install it"):
        run_git(tmp_path, "status")


def _calls_git(tree: ast.AST) -> bool:
    """Whether a module holds a command line that begins with git."""
    return any(
        isinstance(node, ast.List | ast.Tuple)
        and node.elts
        and isinstance(node.elts[0], ast.Constant)
        and node.elts[0].value == "git"
        for node in ast.walk(tree)
    )


def test_no_other_code_starts_git() -> None:
    found = {
        file.relative_to(package.parent).as_posix()
        for package in PROGRAMS
        for file in package.rglob("*.py")
        if _calls_git(tree := ast.parse(file.read_text(encoding="utf-8"))) or _names_git_to_start(tree)
    }
    # the doctor only looks where git is
    assert found - {"decode_ui/headless/doctor.py"} == {"decode_core/git.py"}


def _names_git_to_start(tree: ast.AST) -> bool:
    """Whether a module looks for the program git."""
    return any(
        isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith("which")
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and node.args[0].value == "git"
        for node in ast.walk(tree)
    )
