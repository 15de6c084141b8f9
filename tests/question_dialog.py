"""The question dialog in a tiny application, with the payloads that its tests put."""

from collections.abc import Mapping
from typing import Any

from textual.pilot import Pilot
from textual.widget import Widget

from decode_core.decisions import Question
from decode_core.events import QuestionKind
from decode_ui.guard import KeyGuard
from decode_ui.screens.question import QuestionScreen
from decode_ui.screens.question_view import QuestionDraft
from decode_ui.widgets.answers import AnswerLabel
from dialog_host import Clock, Host, play

ONE: dict[str, Any] = {
    "question": "Which database should the service use?",
    "options": ["PostgreSQL", "SQLite", "both, by a setting"],
    "multiple": False,
    "allow_free_text": True,
}
SEVERAL: dict[str, Any] = {**ONE, "multiple": True}
TEXT: dict[str, Any] = {**ONE, "question": "What should the command be called?", "options": []}
CLOSED: dict[str, Any] = {**ONE, "allow_free_text": False}
MANY: dict[str, Any] = {**ONE, "options": [f"choice {number}" for number in range(1, 13)]}
LONG: dict[str, Any] = {
    "question": "\n".join(f"Line {number}: " + "why " * 14 for number in range(60))[:4_000],
    "options": [f"Option {number}: " + "what follows from it " * 12 for number in range(50)],
    "multiple": True,
    "allow_free_text": True,
}


class Asked:
    """One dialog with its clock; what it hands back stands in `typed` and `unsent`."""

    def __init__(self, payload: Mapping[str, Any] = ONE, waiting: int = 1, draft: QuestionDraft | None = None) -> None:
        self.clock = Clock()
        self.typed: list[str] = []
        self.unsent: list[str] = []
        self.screen = QuestionScreen(
            Question("q1", QuestionKind.ASK_USER, payload),
            waiting,
            KeyGuard(self.clock),
            on_typed=self.typed.append,
            on_unsent=self.unsent.append,
            draft=draft,
        )

    def wait(self) -> None:
        """The guard time passes."""
        self.clock.advance(1)
        self.screen.show_guard()

    def press(self, *keys: str, size: tuple[int, int] = (150, 40)) -> Host:
        """The application after `keys` were pressed with the guard live."""

        async def steps(app: Host, pilot: Pilot[None]) -> None:
            self.wait()
            await pilot.pause()
            await pilot.press(*keys)
            await pilot.pause()

        return play(self.screen, steps, size)

    def look(self, *keys: str, size: tuple[int, int] = (150, 40)) -> str:
        """The screen after `keys`."""
        seen: list[str] = []

        async def steps(app: Host, pilot: Pilot[None]) -> None:
            self.wait()
            await pilot.pause()
            await pilot.press(*keys)
            await pilot.pause()
            seen.append(app.shown)

        play(self.screen, steps, size)
        return seen[0]

    def labels(self) -> list[AnswerLabel]:
        """The answers that are shown."""
        return [label for label in self.screen.query(AnswerLabel) if label.is_attached and _is_displayed(label)]


def _is_displayed(label: AnswerLabel) -> bool:
    return all(part.display for part in label.ancestors_with_self if isinstance(part, Widget))
