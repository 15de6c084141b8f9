"""A workspace with tools for every test of the tools."""

from pathlib import Path

import pytest

from tool_bench import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A scratch workspace."""
    return Bench(tmp_path)
