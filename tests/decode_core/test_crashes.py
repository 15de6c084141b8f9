"""kill -9 around writes to the store: nothing acknowledged is lost, nothing is done twice, questions stay open.

`crash_matrix.py` can die before and after every write; here every so manieth point is tried. All of them:
`PYTHONPATH=tests .venv/bin/python tests/crash_matrix.py FOLDER`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from strict_provider import pairing_fault

MATRIX = Path(__file__).parents[1] / "crash_matrix.py"
STEP = 11
"""No divisor of the points that belong to an event, so that before and after, asks and tools are all met."""


def test_a_killed_session_goes_on_wherever_it_was_killed(tmp_path: Path) -> None:
    argv = [sys.executable, str(MATRIX), str(tmp_path), str(STEP)]
    run = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False, env=os.environ)
    points = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 0, run.stderr
    assert [point for point in points if point["faults"]] == []
    assert points[-1]["ended"]
    assert len(points) >= 9


CALL = {"role": "assistant", "content": "", "tool_calls": [{"id": "a", "function": {"name": "x", "arguments": "{}"}}]}
RESULT = {"role": "tool", "tool_call_id": "a", "content": "x"}
PROMPT = {"role": "user", "content": "x"}


@pytest.mark.parametrize(
    ("messages", "says"),
    [
        ([PROMPT, CALL, RESULT, PROMPT], None),
        ([PROMPT, CALL, PROMPT], "have no results"),
        ([PROMPT, CALL], "have no results"),
        ([PROMPT, RESULT], "no call"),
        ([PROMPT, CALL, RESULT, RESULT], "no call"),
        ([PROMPT, {"role": "assistant", "content": ""}], "nothing in it"),
    ],
)
def test_the_strict_provider_is_strict(messages: list[dict[str, object]], says: str | None) -> None:
    """The matrix proves nothing unless its server refuses what providers refuse."""
    fault = pairing_fault(messages)
    assert fault is None if says is None else says in (fault or "")
