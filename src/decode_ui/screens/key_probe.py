"""What the terminal sends for a key, and what decode would do with it (keys.md §1.9)."""

from collections import deque

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from decode_core.neutral import neutralise_line
from decode_ui.keys.keymap import SCOPES, Keymap, sign_of

SHOWN = 12
LINES = ("Press any key: its name for settings, its sign, and what it does where.", "Esc twice, or Ctrl+C, closes.")


class KeyProbeScreen(ModalScreen[None], inherit_bindings=False):
    """Shows the last keys; it acts on none but those that close it."""

    ESCAPE_TO_MINIMIZE = False
    DEFAULT_CSS = """
    KeyProbeScreen {
        align: center middle;
        background: $background 60%;
        & > #box {
            width: 96; max-width: 100%; height: auto; max-height: 80%;
            border: round $primary; border-title-style: bold; background: $surface; padding: 0 1;
        }
    }
    """

    def __init__(self, keymap: Keymap) -> None:
        super().__init__()
        self._keymap = keymap
        self._pressed: deque[str] = deque(maxlen=SHOWN)

    def compose(self) -> ComposeResult:
        """The lines of the keys."""
        with Vertical(id="box") as box:
            box.border_title = Content("Press a key")
            yield Static(Content.styled("\n".join(LINES), "$muted"), markup=False)

    def on_key(self, event: events.Key) -> None:
        """Show a key."""
        event.stop()
        event.prevent_default()
        twice = event.key == "escape" and bool(self._pressed) and self._pressed[-1] == "escape"
        if twice or event.key == "ctrl+c":
            self.dismiss(None)
            return
        self._pressed.append(event.key)
        rows = [self._row(key) for key in self._pressed]
        self.query_one(Static).update(Content("\n").join([Content.styled(line, "$muted") for line in LINES] + rows))

    def _row(self, key: str) -> Content:
        meanings = meanings_of(key, self._keymap)
        shown = neutralise_line(key)
        return Content.assemble((f"{shown:<16}", "bold"), f"{neutralise_line(sign_of(key)):<8}", (meanings, "$muted"))


def meanings_of(key: str, keymap: Keymap) -> str:
    """What a key does, by scope; where it does nothing, that it types or is free."""
    found = [
        f"{scope}: {action.label}"
        for scope, table in SCOPES.items()
        for action in table
        if key in keymap.of(action).split(",")
    ]
    return " · ".join(found) or "nothing of decode's own: a text field takes it as it is"
