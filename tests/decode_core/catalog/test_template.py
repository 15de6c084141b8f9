"""New agents: the template is sound as it stands, and a copy differs in its name alone."""

from pathlib import Path

import pytest

from decode_core.catalog.definition import Layer
from decode_core.catalog.loader import builtin_folder
from decode_core.catalog.reading import read_agent
from decode_core.catalog.template import is_name, new_agent, renamed


def test_the_template_is_a_sound_agent() -> None:
    reading = read_agent(Path("x.md"), new_agent("release-notes"), Layer.PROJECT, [])
    assert reading.agent is not None
    assert (reading.agent.name, reading.agent.tools) == ("release-notes", ("read", "glob", "grep", "ask_user"))
    assert reading.warnings == ()


@pytest.mark.parametrize("file", sorted(builtin_folder().glob("*.md")), ids=lambda file: file.stem)
def test_a_copy_differs_in_its_name_alone(file: Path) -> None:
    copy = renamed(file.read_bytes(), "mine")
    reading = read_agent(Path("mine.md"), copy, Layer.PROJECT, [])
    assert reading.agent is not None
    assert reading.agent.name == "mine"
    assert copy == file.read_bytes().replace(f"name: {file.stem}".encode(), b"name: mine", 1)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('---\r\nname: "x" # mine\r\n---\r\n', "---\r\nname: y # mine\r\n---\r\n"),
        ("\ufeff---\ndescription: d\nname:   x\n---\n", "\ufeff---\ndescription: d\nname:   y\n---\n"),
        ("---\nname: [\n---\n", "---\nname: [\n---\n"),
        ("no front matter", "no front matter"),
        ("---\n{name: x, mode: plan}\n---\n", "---\n{name: y, mode: plan}\n---\n"),
    ],
)
def test_however_the_name_is_written(before: str, after: str) -> None:
    assert renamed(before.encode(), "y").decode() == after


@pytest.mark.parametrize(("name", "fits"), [("a", True), ("a-1", True), ("A", False), ("-a", False), ("a/b", False)])
def test_what_a_name_may_be(name: str, fits: bool) -> None:
    assert is_name(name) is fits
