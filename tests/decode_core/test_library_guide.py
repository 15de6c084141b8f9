"""The guide of the library runs as it stands: every example prints what the page says it prints."""

import contextlib
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "library.md"
_FENCE = re.compile(r"^```(?P<language>\w+)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """A program of the guide, the text that follows it, and the section that it stands in."""

    section: str
    program: str
    prints: str


def fences() -> list[tuple[str, str, int]]:
    text = GUIDE.read_text(encoding="utf-8")
    return [(found["language"], found["body"], found.start()) for found in _FENCE.finditer(text)]


def examples() -> Iterator[Example]:
    text = GUIDE.read_text(encoding="utf-8")
    blocks = fences()
    for (language, body, start), after in zip(blocks, [*blocks[1:], ("", "", 0)], strict=True):
        if language == "python":
            section = re.findall(r"^## (.+)$", text[:start], re.MULTILINE)[-1]
            yield Example(section, body, after[1] if after[0] == "text" else "")


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.section)
def test_an_example_prints_what_the_guide_says(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("some notes\n")
    for language, body, _ in fences():
        if language == "yaml":
            name = body.splitlines()[0].removeprefix("# ")
            Path(name).write_text(body, encoding="utf-8")
    printed = io.StringIO()
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(printed):
        exec(compile(example.program, f"{GUIDE.name}: {example.section}", "exec"), names)  # noqa: S102 - our own page
    assert example.prints
    assert printed.getvalue() == example.prints


def test_the_guide_has_examples_and_they_import_nothing_else_of_the_core() -> None:
    programs = [example.program for example in examples()]
    assert len(programs) >= 5
    assert not [line for program in programs for line in program.splitlines() if "decode_core." in line]
