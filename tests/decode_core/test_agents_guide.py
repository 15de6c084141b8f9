"""The guide to agents (docs/guides/agents.md): its example is a sound agent, and what it names exists."""

import re
from pathlib import Path

from decode_core.catalog.definition import Layer
from decode_core.catalog.reading import KNOWN_KEYS, Reading, read_agent
from decode_core.permissions.modes import PermissionMode
from decode_core.tools.registry import builtin_registry

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "agents.md").read_text(encoding="utf-8")


def example() -> Reading:
    """The agent in the guide, as a project's file."""
    found = re.search(r"```markdown\n(.*?)```", GUIDE, re.DOTALL)
    assert found is not None
    path = Path(".decode/agents/api-reviewer.md")
    return read_agent(path, found.group(1).encode(), Layer.PROJECT, builtin_registry().names)


def test_the_example_is_sound_without_a_warning() -> None:
    reading = example()
    assert (reading.errors, reading.warnings) == ((), ())
    assert reading.agent is not None
    assert (reading.agent.name, reading.agent.mode) == ("api-reviewer", PermissionMode.DEFAULT)
    assert [rule.text for rule in reading.agent.rules] == [
        "read(.env)",
        "bash(git push *)",
        "bash(make lint)",
        "bash(git *)",
    ]


def test_the_table_explains_every_key() -> None:
    table = GUIDE[GUIDE.index("## What each key means") : GUIDE.index("## Where files lie")]
    assert {word for word in re.findall(r"`([a-z_]+)`", table) if word in KNOWN_KEYS} == set(KNOWN_KEYS)
