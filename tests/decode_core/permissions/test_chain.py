"""A sub-agent's call gets the strictest verdict of everyone above it and its own (permissions.md §8)."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from decode_core.permissions.by_mode import DONT_ASK_REASON
from decode_core.permissions.chain import check_chain
from decode_core.permissions.gate import PermissionGate
from decode_core.permissions.modes import PermissionMode, PermissionOutcome, ToolKind
from decode_core.permissions.request import PathFact, PermissionRequest, SubjectKind
from decode_core.permissions.rules import Rule, RuleList, RuleSource, parse_rule
from shell_workspace import request_of

STRICTNESS = [PermissionOutcome.ALLOW, PermissionOutcome.ASK, PermissionOutcome.DENY]
MODES = st.sampled_from(list(PermissionMode))


def write(path: str = "a.py") -> PermissionRequest:
    fact = PathFact(path, Path("/ws") / path, Path("/ws") / path, path, path, inside=True)
    chain = ("build", "explore")
    return PermissionRequest("c", "write", ToolKind.FILE_EDIT, path, SubjectKind.PATH, paths=(fact,), agent_path=chain)


def gate(mode: PermissionMode | str, **lists: list[str]) -> PermissionGate:
    rules = [parse_rule(text, RuleList(name), RuleSource.USER) for name, texts in lists.items() for text in texts]
    return PermissionGate(PermissionMode(mode), rules)


@pytest.mark.parametrize(
    ("parent", "child", "outcome"),
    [
        (gate("default"), gate("bypass"), "ask"),
        (gate("default"), gate("edit", allow=["write"]), "ask"),
        (gate("plan"), gate("bypass", allow=["write"]), "deny"),
        (gate("bypass"), gate("plan"), "deny"),
        (gate("bypass", deny=["write"]), gate("bypass"), "deny"),
        (gate("bypass"), gate("bypass", deny=["write(a.py)"]), "deny"),
        (gate("bypass", ask=["write"]), gate("bypass"), "ask"),
        (gate("dont_ask"), gate("default"), "deny"),
        (gate("edit"), gate("edit"), "allow"),
        (gate("edit"), gate("default", allow=["write(*.py)"]), "allow"),
    ],
)
def test_the_strictest_counts(parent: PermissionGate, child: PermissionGate, outcome: str) -> None:
    assert check_chain([parent, child], write()).outcome.value == outcome


def test_where_anybody_is_in_dont_ask_nothing_pauses() -> None:
    decision = check_chain([gate("default", ask=["write"]), gate("dont_ask", allow=["write"])], write())
    assert (decision.outcome, decision.reason) == (PermissionOutcome.DENY, DONT_ASK_REASON)


def test_a_childs_readonly_rule_proves_nothing_to_its_parent(ws: Path) -> None:
    call = request_of(ws, "bash", {"command": "git status"})
    assert check_chain([gate("default"), gate("plan", readonly=["bash"])], call).outcome is PermissionOutcome.ASK
    both = [gate("default", readonly=["bash"]), gate("plan", readonly=["bash"])]
    assert check_chain(both, call).outcome is PermissionOutcome.ALLOW


def test_a_change_above_holds_from_the_next_call_on() -> None:
    parent, child = gate("edit"), gate("edit")
    assert check_chain([parent, child], write()).outcome is PermissionOutcome.ALLOW
    parent.set_mode(PermissionMode.PLAN)
    assert check_chain([parent, child], write()).outcome is PermissionOutcome.DENY


def test_a_chain_without_anybody_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="at least one gate"):
        check_chain([], write())


RULES = st.lists(
    st.builds(
        parse_rule,
        st.sampled_from(["write", "write(*.py)", "write(a*)", "edit"]),
        st.sampled_from(list(RuleList)),
        st.just(RuleSource.USER),
    ),
    max_size=4,
)


@given(st.lists(st.tuples(MODES, RULES), min_size=1, max_size=4), st.sampled_from(["a.py", ".env", ".vscode/x", "b"]))
def test_no_chain_is_looser_than_any_of_its_gates(chain: list[tuple[PermissionMode, list[Rule]]], path: str) -> None:
    gates = [PermissionGate(mode, rules) for mode, rules in chain]
    outcome = check_chain(gates, write(path)).outcome
    for each in gates:
        assert STRICTNESS.index(outcome) >= STRICTNESS.index(each.check(write(path)).outcome)
    if PermissionMode.DONT_ASK in [mode for mode, _ in chain]:
        assert outcome is not PermissionOutcome.ASK
