"""Which commands are proven to only read: whole kinds of harmless and of dangerous ones (permissions.md §6)."""

import os
from pathlib import Path

import pytest

from shell_workspace import is_read, judge, make_workspace, run_git, why_not_read

HARMLESS = (Path(__file__).parent / "harmless.txt").read_text(encoding="utf-8").splitlines()
DANGEROUS = (Path(__file__).parent / "dangerous.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("command", HARMLESS)
def test_a_harmless_command_is_proven(ws: Path, command: str) -> None:
    assert is_read(ws, command.replace("\\n", "\n")), why_not_read(ws, command)


@pytest.mark.parametrize("command", DANGEROUS)
def test_a_dangerous_command_is_not(ws: Path, command: str) -> None:
    assert not is_read(ws, command.replace("\\n", "\n"))


def test_a_proven_call_runs_in_plan_under_a_readonly_rule_alone(ws: Path) -> None:
    assert judge(ws, "git diff", "plan", readonly=["bash(git *)"]).outcome == "allow"
    assert judge(ws, "git diff", "plan", allow=["bash(git *)"]).outcome == "deny"
    assert judge(ws, "ls", "plan", readonly=["bash(git *)"]).outcome == "deny"


def test_a_proven_call_is_recorded_as_a_read_and_names_its_rule(ws: Path) -> None:
    decision = judge(ws, "ls -la", readonly=["bash"])
    assert (decision.kind, decision.effective_kind) == ("other", "read_only")
    assert decision.rule is not None
    assert decision.rule.text == "bash"
    assert judge(ws, "ls -la").effective_kind == "other"


def test_a_readonly_rule_and_an_allow_rule_cover_a_call_together(ws: Path) -> None:
    git, npm = ["bash(git *)"], ["bash(npm test)"]
    assert judge(ws, "git diff && npm test", readonly=git, allow=npm).outcome == "allow"
    assert judge(ws, "git push && npm test", readonly=git, allow=npm).outcome == "ask"
    assert judge(ws, "git diff && npm test", "plan", readonly=git, allow=npm).outcome == "deny"


def test_deny_and_ask_rules_hold_for_proven_calls(ws: Path) -> None:
    assert judge(ws, "git diff", readonly=["bash"], deny=["bash(git diff*)"]).outcome == "deny"
    assert judge(ws, "git diff", "bypass", readonly=["bash"], ask=["bash(git *)"]).outcome == "ask"
    assert judge(ws, "cat README.md", readonly=["bash"], deny=["read(README.md)"]).outcome == "deny"


@pytest.mark.parametrize(
    "key",
    [
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.worktree",
        "core.attributesFile",
        "core.excludesFile",
        "core.alternateRefsCommand",
        "diff.external",
        "diff.x.textconv",
        "diff.x.command",
        "filter.x.clean",
        "filter.x.process",
        "gpg.program",
        "include.path",
        "includeIf.onbranch:main.path",
        "alias.log",
        "format.pretty",
        "log.showSignature",
        "extensions.worktreeConfig",
        "remote.origin.promisor",
        "remote.origin.uploadpack",
        "submodule.x.update",
        "pager.log",
        "interactive.diffFilter",
        "some.newKey",
    ],
)
def test_git_asks_where_the_repository_sets_a_key_that_may_run_something(tmp_path: Path, key: str) -> None:
    ws = make_workspace(tmp_path)
    assert is_read(ws, "git log -1")
    run_git(ws, "config", key, "x")
    assert not is_read(ws, "git log -1")
    assert key.lower().rpartition(".")[0] in why_not_read(ws, "git log -1").lower()
    assert is_read(ws, "ls")


@pytest.mark.parametrize("text", ["[core]\n\tfsmonitor", '[diff "a"] textconv = x', "[core] bare = true", "nonsense"])
def test_odd_spellings_of_the_configuration_are_read_or_refused(tmp_path: Path, text: str) -> None:
    ws = make_workspace(tmp_path)
    with (ws / ".git" / "config").open("a") as file:
        file.write(text + "\n")
    assert not is_read(ws, "git status")


def test_ordinary_keys_are_no_obstacle(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    for key, value in (
        ("user.name", "x"),
        ("remote.origin.url", "https://example.invalid/x.git"),
        ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
        ("branch.main.remote", "origin"),
        ("branch.feature/a.b.merge", "refs/heads/main"),
        ("core.autocrlf", "input"),
        ("pull.rebase", "true"),
        ("color.ui", "auto"),
    ):
        run_git(ws, "config", key, value)
    assert is_read(ws, "git status")


def test_patches_are_proven_only_where_no_tracked_file_may_hold_a_secret(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    (ws / "keys").mkdir()
    (ws / "keys" / "server.pem").write_text("secret\n")
    run_git(ws, "add", "-A")
    for command in (
        "git diff",
        "git log -p",
        "git show",
        "git show HEAD",
        "git grep x",
        "git diff -- keys",
        "git diff .",
    ):
        assert not is_read(ws, command), command
    for command in (
        "git log",
        "git status",
        "git diff -- src",
        "git show HEAD:README.md",
        "git log -p -- src README.md",
    ):
        assert is_read(ws, command), command
    for command in ("git diff -- 's*'", "git diff -- ':!src'", "git diff -- src keys", "git show HEAD:keys/server.pem"):
        assert not is_read(ws, command), command


def test_another_repository_is_not_the_workspaces_own(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    run_git(ws / "docs", "init", "-q")
    assert is_read(ws, "git status")
    assert not is_read(ws, "cd docs && git status")
    assert not is_read(ws, "git status", folder=ws / "docs")
    bare = tmp_path / "plain"
    bare.mkdir()
    assert not is_read(bare, "git status")


def test_a_repository_that_points_elsewhere_is_not_proven(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    (ws / ".git" / "objects" / "info" / "alternates").write_text("/tmp/x\n")
    assert not is_read(ws, "git log")
    (ws / ".git").rename(tmp_path / "elsewhere")
    (ws / ".git").write_text(f"gitdir: {tmp_path / 'elsewhere'}\n")
    assert not is_read(ws, "git log")


def test_submodules_take_the_proof_from_what_looks_at_files(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    head = (ws / ".git" / "refs" / "heads" / "main").read_text().strip()
    run_git(ws, "update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    assert not is_read(ws, "git status")
    assert is_read(ws, "git log --oneline")


def test_an_index_of_another_format_takes_the_proof_from_patches(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    run_git(ws, "update-index", "--index-version", "4")
    assert not is_read(ws, "git diff")
    (ws / ".git" / "index").write_bytes(b"DIRC")
    assert not is_read(ws, "git diff")
    assert is_read(ws, "git log --oneline")


def test_a_command_is_judged_from_the_folder_in_which_it_will_run(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    (ws / "src" / "out").symlink_to("/etc")
    assert is_read(ws, "cat out/shadow")
    assert not is_read(ws, "cat out/shadow", folder=ws / "src")
    assert is_read(ws, "cat ../README.md", folder=ws / "src")
    assert not is_read(ws, "cat ../README.md")


def test_what_never_ends_is_not_proven(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    os.mkfifo(ws / "pipe")
    assert not is_read(ws, "cat pipe")
    assert not is_read(ws, "cat *")


def test_a_recursive_read_is_proven_only_where_it_meets_no_secret(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    assert is_read(ws, "grep -r x src")
    assert is_read(ws, "rg x")
    (ws / "src" / "deep" / "id_rsa").write_text("x")
    assert not is_read(ws, "grep -r x src")
    assert not is_read(ws, "rg x")
    assert is_read(ws, "find src")


def test_folders_are_compared_only_where_they_hold_no_secret(tmp_path: Path) -> None:
    ws = make_workspace(tmp_path)
    assert is_read(ws, "diff src docs")
    (ws / "docs" / ".env").write_text("KEY=1\n")
    assert not is_read(ws, "diff src docs")
