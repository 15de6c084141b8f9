"""What is wrong with a settings file, in words for the person (permissions.md §3.3)."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from decode_core.neutral import neutralise_line
from decode_core.settings.places import JsonPath, Position

MAX_PROBLEMS = 50
"""Problems kept per file: a hostile file shall not flood the screen."""

_MAX_SENTENCE = 300


class ProblemKind(StrEnum):
    """What sort of fault it is."""

    UNREADABLE = "unreadable"
    """The file cannot be read, or is not strict JSON."""
    WRONG_VALUE = "wrong_value"
    BAD_RULE = "bad_rule"
    TOO_MANY_RULES = "too_many_rules"
    NO_EFFECT = "no_effect"
    """A rule that can never do anything."""
    UNKNOWN_TOOL = "unknown_tool"
    UNKNOWN_KEY = "unknown_key"
    NOT_FOR_PROJECTS = "not_for_projects"
    """A key that no project file may set."""
    NOT_TRUSTED = "not_trusted"
    """A key or rule that counts only once the folder is trusted, or once the application itself stored it."""
    MORE = "more"
    """Stands for further problems that are not listed."""


@dataclass(frozen=True)
class SettingsProblem:
    """One fault. `sentence` is one line with a way out, inert for any screen, without the place."""

    file: Path
    kind: ProblemKind
    sentence: str
    path: JsonPath = ()
    position: Position | None = None

    def __post_init__(self) -> None:
        sentence = neutralise_line(self.sentence)
        if len(sentence) > _MAX_SENTENCE:
            sentence = sentence[: _MAX_SENTENCE - 1] + "…"
        object.__setattr__(self, "sentence", sentence)

    @property
    def line(self) -> int | None:
        """Line in the file, counted from 1, where known."""
        return None if self.position is None else self.position.line

    def __str__(self) -> str:
        place = neutralise_line(str(self.file))
        if self.position is not None:
            place += f":{self.position.line}"
        return f"{place}: {self.sentence}"


class ProblemList:
    """Collects the problems of one file; those beyond `MAX_PROBLEMS` are counted only."""

    def __init__(self, file: Path, position_of: Callable[[JsonPath], Position | None]) -> None:
        self._file = file
        self._position_of = position_of
        self._problems: list[SettingsProblem] = []
        self._further = 0

    @property
    def is_full(self) -> bool:
        """Whether nobody will read a further sentence."""
        return len(self._problems) >= MAX_PROBLEMS

    def add(self, kind: ProblemKind, sentence: str, path: JsonPath) -> None:
        """Note a problem with the value at `path`."""
        if self.is_full:
            self._further += 1
        else:
            self._problems.append(SettingsProblem(self._file, kind, sentence, path, self._position_of(path)))

    def in_order(self) -> tuple[SettingsProblem, ...]:
        """The problems by place, and one that counts those beyond the limit."""
        ordered = sorted(self._problems, key=lambda problem: problem.position or Position(0, 0))
        if self._further:
            sentence = f"{self._further:,} more problems in this file are not listed"
            ordered.append(SettingsProblem(self._file, ProblemKind.MORE, sentence))
        return tuple(ordered)
