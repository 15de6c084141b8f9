"""The workspace of the permission cases, built once for all tests that only look at it."""

from pathlib import Path

import pytest

from shell_workspace import make_workspace


@pytest.fixture(scope="session")
def ws(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace that no test changes."""
    return make_workspace(tmp_path_factory.mktemp("cases"))
