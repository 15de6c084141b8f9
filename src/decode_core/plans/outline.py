"""What a plan in prose says of its steps: their checks, the files they touch, what they wait for, what they give.

A plan states these with a label, as people and models write them: ``Check: `pytest -q` ``, ``Files: src/net.py``,
`After: 2`, `Output: …`, on a line of its own, in a list below the step, or behind its sentence. Pure; any text has a
meaning.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePosixPath


@dataclass(frozen=True)
class OutlineStep:
    """A step as it stands in the plan."""

    number: int
    """As the plan counts it, from 1."""
    text: str
    """Its first paragraph, on one line."""
    body: tuple[str, ...] = ()
    """The lines below it."""


@dataclass(frozen=True)
class Outline:
    """A plan as far as it is to be handed over."""

    title: str
    steps: tuple[OutlineStep, ...]
    goal: str = ""
    """What it is for; empty where the plan does not say."""
    out_of_scope: tuple[str, ...] = ()
    invariants: tuple[str, ...] = ()
    """What must stay true all along."""
    checks: tuple[str, ...] = ()
    """How the plan as a whole is shown to be done, as it is stated beside the steps."""
    files: tuple[str, ...] = ()
    """What the plan as a whole touches."""


@dataclass(frozen=True)
class StatedCheck:
    """How a step is shown to be done."""

    statement: str
    """As the plan says it."""
    command: str | None
    """What runs; None for what only a person can see."""


@dataclass(frozen=True)
class StepFacts:
    """What a step says of itself."""

    title: str
    checks: tuple[StatedCheck, ...]
    surface: tuple[str, ...]
    is_surface_stated: bool
    """Whether the plan names the surface as such; otherwise it was gathered from the paths in its sentences."""
    after: tuple[int, ...] | None
    """The steps it waits for, by number; None where it does not say."""
    output: str
    """What it gives back, and no more; empty where it does not say."""


def whole_step(outline: Outline) -> OutlineStep | None:
    """The step in which the plan as a whole is checked, None where the plan states no check beside its steps."""
    if not outline.checks:
        return None
    number = max((step.number for step in outline.steps), default=0) + 1
    body = [f"Check: {check}" for check in outline.checks]
    body += (
        [f"Files: {', '.join(f'`{path}`' for path in read_paths(outline.files))}"] if read_paths(outline.files) else []
    )
    return OutlineStep(number, "Check the whole", tuple(body))


def read_paths(texts: Sequence[str]) -> list[str]:
    """The paths that a stated list names."""
    return [path for text in texts for path in _listed(text) if _is_path(path, is_stated=True)]


def read_step(step: OutlineStep) -> StepFacts:
    """Read a step's labels; what stands behind none is its title and description."""
    checks: list[StatedCheck] = []
    surface: list[str] = []
    after: list[int] | None = None
    output = ""
    for label, text in _labelled([step.text, *step.body]):
        match label:
            case _Label.CHECK:
                checks += _checks_of(text)
            case _Label.SURFACE:
                surface += [path for path in _listed(text) if _is_path(path, is_stated=True)]
            case _Label.AFTER:
                after = [*(after or ()), *map(int, re.findall(r"\d{1,6}", text))]
            case _Label.OUTPUT:
                output = _plain(text)
    is_stated = bool(surface)
    if not is_stated:
        prose = "\n".join(_unlabelled([step.text, *step.body]))
        surface = [path for path in _CODE.findall(prose) if _is_path(path, is_stated=False)]
    return StepFacts(
        title=_title_of(step.text),
        checks=tuple(dict.fromkeys(checks)),
        surface=tuple(dict.fromkeys(surface)),
        is_surface_stated=is_stated,
        after=None if after is None else tuple(dict.fromkeys(after)),
        output=output,
    )


class _Label(Enum):
    CHECK = r"checks?|verify|verification|verified by|gates?|tests?|done when|acceptance"
    SURFACE = r"files?|paths?|touches|touched files|surface|changes"
    AFTER = r"after|waits for|needs step|needs steps|depends on|prerequisites?"
    OUTPUT = r"outputs?|produces|result|returns"


_LABEL = re.compile(
    r"(?:(?<=^)|(?<=[\s(\[*_>]))(?:\*\*|__)?(?:"
    + "|".join(f"(?P<{label.name}>{label.value})" for label in _Label)
    + r")(?:\*\*|__)?:(?:\*\*|__)?(?:\s+|$)",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(
    r"[\w.-]+\.(?:c|cc|cfg|cpp|cs|css|csv|go|h|hpp|html|ini|java|js|json|jsx|kt|lock|lua|md|mk|php|png|proto|py|pyi|rb|rs|"
    r"rst|scss|sh|sql|svg|swift|tcss|toml|ts|tsx|txt|vue|xml|ya?ml)|Makefile|Dockerfile"
)
_CODE = re.compile(r"`([^`\n]+)`")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+")


def _labelled(lines: Sequence[str]) -> Iterator[tuple[_Label, str]]:
    """Every label with what follows it: up to the next label, or the list below it where its line ends with it."""
    open_label: _Label | None = None
    for number, line in enumerate(lines):
        found = list(_LABEL.finditer(line))
        if number == 0 and found and found[0].start() == 0 and "`" not in line:
            # "Tests: no retry, one retry" is what the step is about
            found = found[1:]
        if not found:
            if open_label is not None and _ITEM.match(line):
                yield open_label, _ITEM.sub("", line)
            elif line.strip():
                open_label = None
            continue
        for index, match in enumerate(found):
            end = found[index + 1].start() if index + 1 < len(found) else len(line)
            label, text = _Label[str(match.lastgroup)], line[match.end() : end].strip()
            open_label = None if text else label
            if text:
                yield label, text


def _unlabelled(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        found = _LABEL.search(line)
        yield line if found is None else line[: found.start()]


def _checks_of(text: str) -> Iterator[StatedCheck]:
    commands = [command.strip() for command in _CODE.findall(text) if command.strip()]
    if not commands:
        yield StatedCheck(_plain(text), None)
    for command in commands:
        said = _plain(text)
        is_bare = len(commands) > 1 or said == command
        yield StatedCheck(f"`{command}` passes" if is_bare else said, command)


def _listed(text: str) -> list[str]:
    return _CODE.findall(text) or [word.strip(" .;()") for word in re.split(r",|;|\s+and\s+|\s{2,}", text)]


def _is_path(text: str, *, is_stated: bool) -> bool:
    """Whether a word names something of the repository; prose is looked at more closely than a stated list."""
    pure = PurePosixPath(text)
    if not text or text.startswith(("-", "/", "~")) or ".." in pure.parts or len(text) > 200 or "\0" in text:
        return False
    if re.search(r"\s", text):
        return False
    return is_stated or "/" in text.strip("/") or text.endswith("/") or _FILE_NAME.fullmatch(text) is not None


def _title_of(text: str) -> str:
    found = _LABEL.search(text)
    before = "" if found is None else text[: found.start()].strip()
    return _plain(before or text).rstrip(" (.:;,–—-")


def _plain(text: str) -> str:
    """One line without the marks of Markdown."""
    return " ".join(re.sub(r"\*\*|__|`", "", _ITEM.sub("", text)).split()).strip(" ()").rstrip(".") or "(untitled)"
