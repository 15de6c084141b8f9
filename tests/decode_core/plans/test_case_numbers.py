"""Every row of the table of delegation cases has a test that carries its number."""

import ast
import re
from pathlib import Path

ROWS = 51
FILES = (
    Path(__file__).parent / "test_launch_cases.py",
    Path(__file__).parent / "test_collect_cases.py",
    Path(__file__).parents[2] / "decode_ui" / "headless" / "test_plan_refusals.py",
)


def test_all_51_rows_are_tested() -> None:
    """dwp-records (c). `test_25_to_28_…` stands for a range, `test_06_07_…` for two rows."""
    found: set[int] = set()
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef):
                found |= rows_of(node.name)
    assert found == set(range(1, ROWS + 1))


def rows_of(name: str) -> set[int]:
    span = re.match(r"test_(\d\d)_to_(\d\d)_", name)
    if span is not None:
        return set(range(int(span[1]), int(span[2]) + 1))
    numbers = re.match(r"test_((?:\d\d_)+)", name)
    return set() if numbers is None else {int(number) for number in numbers[1].rstrip("_").split("_")}
