"""The order of evaluation of permissions.md §2: modes × kinds × rules, and the exact reasons."""

import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from decode_core.permissions.by_mode import DONT_ASK_REASON, PLAN_REASON
from decode_core.permissions.gate import PLAN_HINT, PermissionGate
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome, ToolKind
from decode_core.permissions.request import PathFact, PermissionDecision, PermissionRequest, SubjectKind
from decode_core.permissions.rules import Rule, RuleList, RuleSource, parse_rule
from decode_core.permissions.urls import parse_url

ROOT = Path("/ws")
KINDS = {
    "read": (ToolKind.READ_ONLY, SubjectKind.PATH),
    "write": (ToolKind.FILE_EDIT, SubjectKind.PATH),
    "edit": (ToolKind.FILE_EDIT, SubjectKind.PATH),
    "bash": (ToolKind.OTHER, SubjectKind.COMMAND),
    "ask_user": (ToolKind.CONTROL, SubjectKind.TEXT),
    "enter_plan_mode": (ToolKind.CONTROL, SubjectKind.NONE),
    "deploy": (ToolKind.OTHER, SubjectKind.TEXT),
}
LOOSE_TO_STRICT = [PermissionOutcome.ALLOW, PermissionOutcome.ASK, PermissionOutcome.DENY]


def fact(path: str, *, real: str | None = None) -> PathFact:
    lexical = Path(os.path.normpath(ROOT / path))
    target = lexical if real is None else Path(real)
    inside = target == ROOT or ROOT in target.parents

    def relative(it: Path) -> str:
        return it.relative_to(ROOT).as_posix() if it == ROOT or ROOT in it.parents else it.as_posix()

    return PathFact(path, lexical, target, relative(lexical), relative(target), inside)


def request(tool: str, subject: str = "", *, real: str | None = None, **more: object) -> PermissionRequest:
    kind, subject_kind = KINDS[tool]
    paths = (fact(subject, real=real),) if subject_kind is SubjectKind.PATH else ()
    values: dict[str, object] = {"asks_person": tool == "ask_user", **more}
    return PermissionRequest("c1", tool, kind, subject, subject_kind, {}, paths, **values)  # type: ignore[arg-type]


def rules(**lists: list[str]) -> list[Rule]:
    return [parse_rule(text, RuleList(name), RuleSource.USER) for name, texts in lists.items() for text in texts]


def check(mode: str, call: PermissionRequest, **lists: list[str]) -> PermissionDecision:
    return PermissionGate(PermissionMode(mode), rules(**lists)).check(call)


@pytest.mark.parametrize(
    ("mode", "outcomes"),
    [
        ("default", "allow ask ask ask allow"),
        ("plan", "allow deny deny ask allow"),
        ("edit", "allow allow ask ask allow"),
        ("dont_ask", "allow deny deny deny allow"),
        ("bypass", "allow allow allow ask allow"),
    ],
)
def test_the_mode_decides_what_no_rule_settles(mode: str, outcomes: str) -> None:
    calls = [
        request("read", "a.py"),
        request("write", "a.py"),
        request("bash", "make"),
        request("ask_user", "?"),
        request("enter_plan_mode"),
    ]
    assert " ".join(check(mode, call).outcome for call in calls) == outcomes


def test_an_unknown_tool_is_not_found_even_where_an_ask_rule_names_it() -> None:
    decision = check("default", PermissionRequest("c1", "nope", None), ask=["nope"])
    assert (decision.outcome, decision.by) == (PermissionOutcome.NOT_FOUND, DecidedBy.REGISTRY)


def test_invalid_arguments_are_invalid_before_any_rule() -> None:
    decision = check("bypass", request("write", "a", invalid="path: too long"), deny=["write"])
    assert (decision.outcome, decision.reason) == (PermissionOutcome.INVALID, "path: too long")


@pytest.mark.parametrize("mode", list(PermissionMode))
def test_a_deny_rule_holds_in_every_mode_and_against_every_allow(mode: PermissionMode) -> None:
    decision = check(mode, request("bash", "rm -rf x"), deny=["bash(rm *)"], allow=["bash", "bash(rm -rf x)"])
    assert (decision.outcome, decision.by) == (PermissionOutcome.DENY, DecidedBy.RULE)
    assert decision.rule is not None
    assert decision.rule.text == "bash(rm *)"


def test_the_plan_ceiling_stands_above_allow_rules_and_gives_its_exact_reason() -> None:
    decision = check("plan", request("write", "a.txt"), allow=["write"])
    assert decision.outcome is PermissionOutcome.DENY
    assert decision.by is DecidedBy.PLAN_CEILING
    assert decision.reason == PLAN_REASON
    offered = check("plan", request("write", "a.txt", offers_exit_plan_mode=True), allow=["write"])
    assert offered.reason == PLAN_REASON + PLAN_HINT


def test_without_the_plan_ceiling_an_allow_rule_wins_in_plan_and_nothing_else_does() -> None:
    gate = PermissionGate(PermissionMode.PLAN, rules(allow=["write(docs/*)"]), plan_ceiling=False)
    assert gate.check(request("write", "docs/a.md")).outcome is PermissionOutcome.ALLOW
    assert gate.check(request("write", "src/a.py")).outcome is PermissionOutcome.DENY


@pytest.mark.parametrize("mode", ["default", "edit", "bypass"])
def test_an_ask_rule_is_sticky(mode: str) -> None:
    assert check(mode, request("write", "a"), ask=["write(a)"], allow=["write"]).outcome is PermissionOutcome.ASK


def test_dont_ask_turns_every_ask_into_a_deny_with_its_exact_reason() -> None:
    for call in (request("write", "a"), request("bash", "make"), request("read", "../x"), request("ask_user", "?")):
        decision = check("dont_ask", call)
        assert (decision.outcome, decision.reason) == (PermissionOutcome.DENY, DONT_ASK_REASON)
    assert check("dont_ask", request("read", "a"), ask=["read"]).outcome is PermissionOutcome.DENY


def test_an_allow_rule_runs_in_dont_ask() -> None:
    assert check("dont_ask", request("bash", "npm test"), allow=["bash(npm test)"]).outcome is PermissionOutcome.ALLOW


@pytest.mark.parametrize(
    "path",
    [
        "../x",
        "/etc/x",
        ".decode/settings.json",
        ".decode/agents/build.md",
        ".git/hooks/pre-commit",
        ".git/config",
        "sub/.git/hooks/pre-commit",
        "AGENTS.md",
        ".github/workflows/ci.yml",
        ".env",
        "deep/.vscode/tasks.json",
        ".DECODE/settings.json",
    ],
)
def test_protected_writes_ask_in_every_mode_but_bypass(path: str) -> None:
    assert check("edit", request("write", path), allow=["write(**)"]).by is DecidedBy.PROTECTED
    assert check("edit", request("write", path)).outcome is PermissionOutcome.ASK
    assert check("dont_ask", request("write", path)).outcome is PermissionOutcome.DENY
    assert check("bypass", request("write", path)).outcome is PermissionOutcome.ALLOW


def test_a_link_that_leads_out_asks() -> None:
    assert check("edit", request("write", "link/x", real="/etc/x")).outcome is PermissionOutcome.ASK
    assert check("default", request("read", "link/x", real="/etc/x")).outcome is PermissionOutcome.ASK


@pytest.mark.parametrize("path", [".git/index", ".git/objects/ab/cd", ".git/refs/heads/main", "docs/.env.example"])
def test_what_committing_writes_and_templates_are_free(path: str) -> None:
    assert check("edit", request("write", path)).outcome is PermissionOutcome.ALLOW


@pytest.mark.parametrize("path", [".env", "config/.env.local", "keys/id_rsa", "server.pem", ".ssh/known_hosts"])
def test_reading_a_secret_asks(path: str) -> None:
    assert check("default", request("read", path)).by is DecidedBy.PROTECTED


def test_commands_that_name_a_protected_path_ask() -> None:
    decision = check("edit", request("bash", "cp x .git/hooks/pre-commit"), allow=["bash(cp *)"])
    assert (decision.outcome, decision.by) == (PermissionOutcome.ASK, DecidedBy.PROTECTED)


@pytest.mark.parametrize("path", ["link/x.pem", "./.env", "..hidden/.env", "é/.env"])
def test_a_reason_names_a_path_as_it_is_written(path: str) -> None:
    reason = check("default", request("read", path)).reason
    assert reason.startswith(f"{path} ")
    assert reason.endswith(".")


def test_a_deny_on_a_file_tool_stops_a_command_that_names_the_file() -> None:
    assert check("bypass", request("bash", "cat .env"), deny=["read(.env)"]).outcome is PermissionOutcome.DENY
    assert (
        check("bypass", request("bash", "echo x > src/a.py"), deny=["write(src/**)"]).outcome is PermissionOutcome.DENY
    )


def test_broken_settings_ask_for_everything_but_reads_inside_and_control() -> None:
    gate = PermissionGate(PermissionMode.BYPASS, rules(allow=["bash"]), degraded="settings.json:3 is broken.")
    assert gate.check(request("bash", "make")).by is DecidedBy.DEGRADED
    assert gate.check(request("write", "a")).by is DecidedBy.DEGRADED
    assert gate.check(request("read", "a")).outcome is PermissionOutcome.ALLOW
    assert gate.check(request("read", "../a")).outcome is PermissionOutcome.ASK
    page = PermissionRequest(
        "c1", "web_fetch", ToolKind.READ_ONLY, "https://a.example/", SubjectKind.URL,
        url=parse_url("https://a.example/"), host_is_named=True,
    )  # fmt: skip
    assert gate.check(page).by is DecidedBy.DEGRADED
    served = PermissionRequest("c1", "mcp__x__list", ToolKind.READ_ONLY, "x", SubjectKind.TEXT)
    assert gate.check(served).by is DecidedBy.DEGRADED
    assert gate.check(request("enter_plan_mode")).outcome is PermissionOutcome.ALLOW


def test_the_tools_own_wish() -> None:
    assert check("default", request("deploy", "x", needs_approval=False)).outcome is PermissionOutcome.ALLOW
    assert check("edit", request("deploy", "x", needs_approval=True)).outcome is PermissionOutcome.ASK
    assert check("edit", request("write", "x", needs_approval=True)).outcome is PermissionOutcome.ALLOW
    assert check("bypass", request("deploy", "x", needs_approval=True)).outcome is PermissionOutcome.ALLOW
    assert check("default", request("deploy", "x", refused_by_tool="Not on Fridays.")).by is DecidedBy.POLICY


def test_the_mode_may_be_a_callable_that_is_read_at_every_check() -> None:
    modes = iter([PermissionMode.EDIT, PermissionMode.PLAN])
    gate = PermissionGate(lambda: next(modes))
    outcomes = [gate.check(request("write", "a")).outcome for _ in range(2)]
    assert outcomes == [PermissionOutcome.ALLOW, PermissionOutcome.DENY]


def test_a_fault_inside_the_gate_is_a_deny() -> None:
    broken = PermissionRequest("c1", "read", ToolKind.READ_ONLY, "x", SubjectKind.PATH, {}, (None,))  # type: ignore[arg-type]
    decision = PermissionGate(PermissionMode.BYPASS).check(broken)
    assert (decision.outcome, decision.by) == (PermissionOutcome.DENY, DecidedBy.ARGUMENTS)


def test_a_verdict_says_whether_the_mode_made_the_difference() -> None:
    assert check("edit", request("write", "a")).mode_changed_outcome
    assert not check("edit", request("read", "a")).mode_changed_outcome


def test_set_rules_replaces_one_source_only() -> None:
    gate = PermissionGate(PermissionMode.DEFAULT, rules(deny=["bash(rm *)"]))
    gate.set_rules(RuleSource.AGENT, [parse_rule("bash(make)", RuleList.ALLOW, RuleSource.AGENT)])
    assert gate.check(request("bash", "make")).outcome is PermissionOutcome.ALLOW
    gate.set_rules(RuleSource.AGENT, [])
    assert gate.check(request("bash", "make")).outcome is PermissionOutcome.ASK
    assert gate.check(request("bash", "rm x")).outcome is PermissionOutcome.DENY


_TEXTS = st.lists(
    st.sampled_from(["bash", "bash(git *)", "bash(rm *)", "write(src/**)", "write(*)", "read(.env)", "edit"])
)
_CALLS = st.one_of(
    st.sampled_from(["git log", "rm -rf x", "cat .env", "git log; rm x", "sudo rm x"]).map(
        lambda c: request("bash", c)
    ),
    st.sampled_from(["src/a.py", ".env", "a", "../x", ".git/config"]).flatmap(
        lambda path: st.sampled_from(["read", "write", "edit"]).map(lambda tool: request(tool, path))
    ),
)


@given(mode=st.sampled_from(list(PermissionMode)), call=_CALLS, deny=_TEXTS, allow=_TEXTS, ask=_TEXTS, extra=_TEXTS)
def test_another_deny_rule_never_loosens(
    mode: PermissionMode, call: PermissionRequest, deny: list[str], allow: list[str], ask: list[str], extra: list[str]
) -> None:
    before = check(mode, call, deny=deny, allow=allow, ask=ask)
    after = check(mode, call, deny=deny + extra, allow=allow, ask=ask)
    assert LOOSE_TO_STRICT.index(after.outcome) >= LOOSE_TO_STRICT.index(before.outcome)


@given(call=_CALLS, allow=_TEXTS, ask=_TEXTS)
def test_in_plan_nothing_with_an_effect_runs_under_any_rules(
    call: PermissionRequest, allow: list[str], ask: list[str]
) -> None:
    decision = check("plan", call, allow=allow, ask=ask)
    assert call.kind is ToolKind.READ_ONLY or decision.outcome is PermissionOutcome.DENY
