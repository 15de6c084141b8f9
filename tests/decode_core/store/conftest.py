from collections.abc import Iterator

import pytest

from decode_core.store.database import Database


@pytest.fixture
def database() -> Iterator[Database]:
    """A fresh store in the data directory of the test."""
    opened = Database.open()
    yield opened
    opened.close()
