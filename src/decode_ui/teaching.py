"""Teaches a few keys where they matter: one dim line each, gone for good once the key was used (keys.md §12.3)."""

import json
import logging
import os
from enum import StrEnum
from pathlib import Path

from decode_core.config import ConfigError, make_private

STOP_AFTER_S = 5.0
"""A turn that runs this long is worth a word on how to stop it."""


class Lesson(StrEnum):
    """What is taught, named by the action."""

    MODE = "mode.cycle"
    STOP = "focus.prompt"
    JUMP = "pane.jump"


LINES = {
    Lesson.MODE: "tired of asking for edits? shift+tab",
    Lesson.STOP: "taking too long? esc stops",
    Lesson.JUMP: "news in a pane that is folded away · ^O goes there",
}
"""The line of each lesson; they stand in the order of what matters more."""


class Teacher:
    """Knows which lessons are on screen and which keys the person knows; `file` keeps the latter, None forgets them."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._known = _read(file)
        self._open: set[Lesson] = set()

    @property
    def line(self) -> str:
        """What to show now; empty where nothing is to be taught."""
        return next((text for lesson, text in LINES.items() if lesson in self._open), "")

    def teach(self, lesson: Lesson) -> None:
        """Show a lesson until its key is used, unless the person knows it."""
        if lesson not in self._known:
            self._open.add(lesson)

    def withdraw(self, lesson: Lesson) -> None:
        """Show a lesson no more: its moment has passed. It will come again."""
        self._open.discard(lesson)

    def used(self, lesson: Lesson) -> None:
        """The person pressed the key: never teach it again."""
        self._open.discard(lesson)
        if lesson not in self._known:
            self._known.add(lesson)
            self._write()

    def reset(self) -> None:
        """Teach everything anew."""
        self._known.clear()
        self._write()

    def _write(self) -> None:
        if self._file is None:
            return
        beside = self._file.with_suffix(f".{os.getpid()}")
        try:
            make_private(self._file.parent)
            beside.write_text(json.dumps(sorted(self._known)), encoding="utf-8")
            beside.replace(self._file)
        except (OSError, ConfigError) as error:
            # a lesson too many does no harm
            logging.getLogger(__name__).info("what was taught is not kept: %s", error)


def _read(file: Path | None) -> set[Lesson]:
    try:
        names = json.loads(file.read_text(encoding="utf-8")) if file is not None else []
    except (OSError, ValueError):
        return set()
    return {lesson for lesson in Lesson if isinstance(names, list) and lesson.value in names}
