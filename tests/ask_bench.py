"""One ASK dialog on an empty application, with its own clock, and questions to put to it."""

from collections.abc import Mapping
from typing import Any

from textual.pilot import Pilot

from decode_core.decisions import Question
from decode_core.events import QuestionKind
from decode_core.rehearsal import Rehearsal
from decode_ui.guard import KeyGuard
from decode_ui.screens.ask import AskScreen
from dialog_host import Clock, Host, play

SIZES = [(150, 40), (120, 36), (80, 24), (60, 20), (40, 12)]

EDIT: dict[str, Any] = {
    "tool": "edit",
    "kind": "file_edit",
    "subject": "docs/a.md",
    "subject_kind": "path",
    "reason": "Mode default asks before file edits.",
    "by": "mode",
    "mode": "default",
    "agent_path": ["build"],
    "cwd": "/home/me/payments",
    "args": {"path": "docs/a.md", "old": "two", "new": "2"},
    "steps": [],
    "preview": {"path": "docs/a.md", "before": "one\ntwo\nthree\n", "after": "one\n2\nthree\n"},
    "stores": {
        "always": {
            "rule": "edit(docs/a.md)",
            "list": "allow",
            "file": ".decode/settings.json",
            "layer": "project",
            "note": "any change of this file",
        },
    },
    "offers": ["once", "always", "deny", "tell", "stop"],
}

COMMAND: dict[str, Any] = {
    **EDIT,
    "tool": "bash",
    "kind": "other",
    "subject": "make test",
    "subject_kind": "command",
    "reason": "Mode default asks before commands.",
    "args": {"command": "make test"},
    "preview": None,
    "stores": {},
    "offers": ["once", "deny", "tell", "stop"],
}

LONG = {**COMMAND, "subject": "\n".join(f"step{number} --all" for number in range(200))}

FULL: dict[str, Any] = {
    **EDIT,
    "stores": {
        **EDIT["stores"],
        "session": {"rule": "edit(docs/a.md)", "list": "allow", "place": "this session"},
        "never": {**EDIT["stores"]["always"], "list": "deny"},
        "pattern": {
            "rules": ["edit(docs/**)", "edit(docs/*.md)", "edit(docs/a.md)"],
            "list": "allow",
            "places": {"project": ".decode/settings.json", "user": "~/.config/decode/settings.json"},
        },
    },
    "offers": ["once", "session", "always", "pattern", "mode", "edit", "deny", "tell", "never", "stop"],
}
"""An edit with every answer on offer."""

OUTSIDE_READ: dict[str, Any] = {
    **EDIT,
    "tool": "read",
    "kind": "read_only",
    "subject": "/opt/lib/a.h",
    "reason": "/opt/lib/a.h lies outside the workspace.",
    "by": "protected",
    "args": {"path": "/opt/lib/a.h"},
    "preview": None,
    "stores": {
        "session": {"path": "/opt/lib/a.h", "place": "this session"},
        "folder": {"folder": "/opt/lib", "place": "this session"},
        "never": {
            "rule": "read(/opt/lib/a.h)",
            "list": "deny",
            "file": ".decode/settings.json",
            "note": "exactly this",
        },
    },
    "offers": ["once", "session", "folder", "edit", "deny", "tell", "never", "stop"],
}

HOSTILE = "[@click=app.quit]x[/] \x1b[31mred \u202egnp.exe"
SAFE = "[@click=app.quit]x[/] ␛[31mred <U+202E>gnp.exe"


class Ask:
    """One dialog with its clock; `live` is set when the guard time has passed."""

    def __init__(
        self, payload: Mapping[str, Any] = EDIT, waiting: int = 1, note: str = "", rehearsal: Rehearsal | None = None
    ) -> None:
        self.clock = Clock()
        self.typed: list[str] = []
        question = Question("q1", QuestionKind.PERMISSION, payload)
        guard = KeyGuard(self.clock)
        self.screen = AskScreen(question, waiting, guard, on_typed=self.typed.append, note=note, rehearsal=rehearsal)

    def press(self, *keys: str, size: tuple[int, int] = (150, 40)) -> Host:
        """The application after `keys` were pressed with the guard live."""

        async def steps(app: Host, pilot: Pilot[None]) -> None:
            self.clock.advance(1)
            await pilot.press(*keys)
            await pilot.pause()

        return play(self.screen, steps, size)

    def look(self, size: tuple[int, int] = (150, 40)) -> str:
        """The screen as it is shown once the guard is live."""
        seen: list[str] = []

        async def steps(app: Host, pilot: Pilot[None]) -> None:
            self.clock.advance(1)
            await pilot.pause()
            seen.append(app.shown)

        play(self.screen, steps, size)
        return seen[0]
