"""The case files: samples of whole kinds of faults, drawn from public reports on other tools."""

import json
from pathlib import Path
from typing import Any

import pytest

from shell_workspace import judge_call

CASES = [
    pytest.param(case, id=f"{file.stem}-{case['id']}")
    for file in sorted((Path(__file__).parent / "cases").glob("*.jsonl"))
    for case in map(json.loads, file.read_text(encoding="utf-8").splitlines())
]


@pytest.mark.parametrize("case", CASES)
def test_a_case_gets_the_outcome_that_it_expects(ws: Path, case: dict[str, Any]) -> None:
    decision = judge_call(ws, case["tool"], case["args"], case["mode"], case["rules"])
    wanted = {"not_allow": ("ask", "deny"), "invalid_or_deny": ("invalid", "deny")}.get(
        case["expect"], (case["expect"],)
    )
    assert decision.outcome in wanted, decision.reason
