"""Faults that users of other tools reported, cases 1 to 24: each as a test of its kind. Sources stand in the ids."""

from pathlib import Path

import pytest

from decode_core.permissions.modes import PermissionOutcome
from shell_workspace import judge

ALLOW, ASK, DENY = PermissionOutcome.ALLOW, PermissionOutcome.ASK, PermissionOutcome.DENY


@pytest.mark.parametrize(
    ("command", "allowed", "outcome"),
    [
        pytest.param("git log; touch x", ["git log*"], ASK, id="claude-code-94314"),
        pytest.param("git log && touch x", ["git log*"], ASK, id="claude-code-94314-and"),
        pytest.param("git add a && git commit -m m && git push", ["git add *"], ASK, id="claude-code-16180"),
        pytest.param("cd src && python3 s.py", ["cd *"], ASK, id="claude-code-28784"),
        pytest.param("head -5 a 2>/dev/null || echo no", ["ls *", "find *"], ASK, id="claude-code-13649"),
        pytest.param("npm run test 2>&1", ["npm run test"], ALLOW, id="claude-code-13137"),
        pytest.param("ls .env 2>/dev/null || echo none", ["ls *", "echo *"], ALLOW, id="gemini-cli-20744"),
        pytest.param("wc README.md > ~/out", ["wc *", "echo *"], ASK, id="gemini-cli-11047"),
        pytest.param("echo x > file", ["wc *", "echo *"], ASK, id="crush-2368"),
        pytest.param("echo a >(tee /tmp/x)", ["echo *", "tee *"], ASK, id="gemini-cli-6010"),
        pytest.param("echo a; tee x", ["echo *"], ASK, id="gemini-cli-26788"),
        pytest.param("./run.sh 'curl x'", ["echo *"], ASK, id="gemini-cli-5495-script"),
        pytest.param("eval 'echo x'", ["echo *", "eval *"], ASK, id="gemini-cli-5495-eval"),
        pytest.param("CI=true git commit -m x", ["git log*"], ASK, id="opencode-16075"),
        pytest.param("AWS_PROFILE=p aws x", ["aws *"], ASK, id="pi-packages-481"),
        pytest.param("echo k >> ~/.ssh/authorized_keys", ["echo *"], ASK, id="opencode-32628"),
        pytest.param("git diff --no-index -- /etc/passwd a", ["git *"], ASK, id="opencode-39931"),
        pytest.param("echo hi > $(rm x)", ["echo *"], ASK, id="pi-packages-741"),
        pytest.param("cat <<EOF\n$(rm x)\nEOF", ["cat *", "cat"], ASK, id="pi-packages-741-heredoc"),
        pytest.param("cat <<'EOF'\n$(rm x)\nEOF", ["cat *", "cat"], ALLOW, id="pi-packages-741-quoted-heredoc"),
        pytest.param("A[$(rm x)]=1 ls", ["ls"], ASK, id="openclaude-1111"),
        pytest.param("git diff --output=f", ["git *"], ASK, id="KiroCrew-5037"),
        pytest.param("git show -of", ["git *"], ASK, id="hyperlocalise-1929"),
        pytest.param("git diff HEAD~1..HEAD", ["git *"], ALLOW, id="git-mcp-server-53-fine"),
        pytest.param("ls && rm -rf d", ["ls"], ASK, id="crush-2882"),
        pytest.param("go build ./... && go vet ./...", ["go build*", "go vet*"], ALLOW, id="crush-3892"),
        pytest.param("go build ./... && curl u | sh", ["go build*", "go vet*"], ASK, id="crush-3892-pipe"),
        pytest.param("bash -lc 'gh api x > f'", ["gh api *"], ASK, id="codex-13175"),
        pytest.param("GH_TOKEN=t gh api x", ["gh api *"], ASK, id="codex-10920"),
        pytest.param("timeout 5 gh api x", ["gh api *"], ALLOW, id="codex-13175-transparent"),
        pytest.param("sudo gh api x", ["gh api *"], ASK, id="codex-13175-sudo"),
        pytest.param("./fake-bash -c ls", ["ls"], ASK, id="codex-22171"),
    ],
)
def test_allow_rules_cover_every_command_or_ask(ws: Path, command: str, allowed: list[str], outcome: str) -> None:
    decision = judge(ws, command, allow=[f"bash({pattern})" for pattern in allowed])
    assert decision.outcome is outcome, decision.reason


@pytest.mark.parametrize(
    ("command", "denied"),
    [
        pytest.param("git fetch && git pull && git clean -fd", "bash(git clean*)", id="claude-code-37662"),
        pytest.param('f=.env && cat "$f"', "read(.env)", id="opencode-26042"),
        pytest.param("cat *.env .e*", "read(.env)", id="opencode-26042-pattern"),
        pytest.param("sudo rm x", "bash(rm *)", id="pi-packages-490"),
        pytest.param("env A=1 rm x", "bash(rm *)", id="pi-packages-490-env"),
        pytest.param("ls | xargs -0 rm x", "bash(rm *)", id="pi-packages-490-xargs"),
        pytest.param("timeout -k 1 5 rm x", "bash(rm *)", id="pi-packages-490-timeout"),
        pytest.param("nice -n 5 rm x", "bash(rm *)", id="pi-packages-490-nice"),
        pytest.param("nohup rm x &", "bash(rm *)", id="pi-packages-490-nohup"),
        pytest.param(r"find . -exec rm x {} \;", "bash(rm *)", id="pi-packages-490-find"),
        pytest.param("env -i sudo id", "bash(sudo *)", id="mellea-1087"),
        pytest.param("ssh -t h sudo id", "bash(sudo *)", id="mellea-1087-ssh"),
        pytest.param("bash -lc 'gh api x > f'", "bash(gh *)", id="codex-21571"),
    ],
)
def test_deny_rules_find_their_command_in_every_mode(ws: Path, command: str, denied: str) -> None:
    for mode in ("default", "plan", "edit", "bypass"):
        assert judge(ws, command, mode, deny=[denied], allow=["bash"]).outcome is DENY


def test_a_question_names_what_no_rule_covers(ws: Path) -> None:
    decision = judge(ws, "git add a && git commit -m m && git push", allow=["bash(git add *)"])
    assert any("git commit -m m" in step for step in decision.steps)


def test_an_ask_rule_holds_for_a_command_behind_an_assignment(ws: Path) -> None:
    assert judge(ws, "CI=true git commit -m x", ask=["bash(git *)"], allow=["bash"]).outcome is ASK
    assert judge(ws, "git diff --", "bypass", ask=["bash"]).outcome is ASK


def test_git_with_a_program_in_its_configuration_never_runs_unasked(ws: Path) -> None:
    for mode in ("default", "edit"):
        assert judge(ws, "git -c sudo id", mode, deny=["bash(sudo *)"], allow=["bash(git *)"]).outcome is not ALLOW


def test_a_link_out_of_the_workspace_is_outside(ws: Path) -> None:
    decision = judge(ws, "cp a link/f", "edit", allow=["bash(cp *)"])
    assert (decision.by, decision.reason) == ("protected", "In this command, link/f lies outside the workspace.")


def test_an_approved_command_is_stored_to_the_letter(ws: Path) -> None:
    stored = ["bash(grep foo a.log)"]
    assert judge(ws, "grep foo a.log", allow=stored).outcome is ALLOW
    assert judge(ws, "grep bar b.log", allow=stored).outcome is ASK
    assert judge(ws, "grep bar b.log", allow=["bash(grep *)"]).outcome is ALLOW


def test_a_loop_over_several_lines_can_be_stored_to_the_letter(ws: Path) -> None:
    loop = "for i in 1 2; do\n  make x$i\ndone"
    assert judge(ws, loop, allow=[f"bash({loop})"]).outcome is ALLOW
    assert judge(ws, loop.replace("make", "rm"), allow=[f"bash({loop})"]).outcome is ASK
