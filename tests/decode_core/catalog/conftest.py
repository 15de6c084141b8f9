"""What the tests of the catalog share: the text of a sound agent, key by key."""

from collections.abc import Callable

import pytest

AgentText = Callable[..., str]


@pytest.fixture
def agent_text() -> AgentText:
    """A function that writes an agent's file: its keys, in order, with YAML as given; None leaves a key out."""

    def write(prompt: str = "Do it.", **keys: str | None) -> str:
        values = {"name": "x", "description": "d", "tools": "[read]", "mode": "default", **keys}
        lines = [f"{key}: {value}\n" for key, value in values.items() if value is not None]
        return f"---\n{''.join(lines)}---\n{prompt}\n"

    return write
