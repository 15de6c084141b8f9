"""The footer: the mode as a chip, the keys of the work screen, and agent, model, context and cost on the right."""

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from decode_core.events import UsageUpdated
from decode_core.neutral import neutralise_line
from decode_core.permissions.modes import PermissionMode
from decode_ui.actions import WORK
from decode_ui.keymap import Keymap

_BY_ID = {action.id: action for action in WORK}
_KEYS = ("mode.cycle", "pane.jump", "app.palette", "pane.tasks", "focus.prompt", "help.show")
"""Keys in their fixed order, cut from the right where the line is too short."""

WIDE = 100
NARROW = 60


@dataclass(frozen=True)
class FooterState:
    """What the footer tells."""

    mode: PermissionMode
    agent: str
    model: str
    settling: PermissionMode | None = None
    """A looser mode that will hold when no further step follows."""
    running: bool = False
    usage: UsageUpdated | None = None
    ceiling: bool = True
    """False: an allow rule wins over plan mode."""
    sandboxed: bool = False
    """Whether commands run in a sandbox, as far as that is known yet."""


class ModeFooter(Static):
    """One line. A click on the chip asks for the list of modes; it never cycles."""

    class ChipClicked(Message):
        """The person clicked the mode."""

    def __init__(self, keymap: Keymap, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, markup=False)
        self._keymap = keymap
        self._state: FooterState | None = None
        self._chip_cells = 0
        self._said = ""

    def show(self, state: FooterState) -> None:
        """Show a new state; drawing nothing where nothing changed."""
        if state != self._state:
            self._state = state
            self._draw()

    def flash(self, text: str) -> None:
        """Say something in passing in the place of the keys; an empty text brings them back."""
        self._said = text
        self._draw()

    def on_resize(self) -> None:
        """Fit the line to the width."""
        self._draw()

    def on_click(self, event: events.Click) -> None:
        """Only the chip is a button here."""
        if event.x <= self._chip_cells:
            self.post_message(self.ChipClicked())

    def _draw(self) -> None:
        if self._state is None or not self.size.width:
            return
        chip = chip_of(self._state)
        self._chip_cells = chip.cell_length
        if self._said:
            room = max(self.size.width - 4 - chip.cell_length, 1)
            self.update(Content.assemble(chip, "  ", Content(self._said).truncate(room, ellipsis=True)))
            return
        self.update(
            fit(
                chip,
                keys_of(self._state, self.size.width, self._keymap),
                right_of(self._state, self.size.width),
                self.size.width,
            )
        )


def chip_of(state: FooterState) -> Content:
    """The mode: a word on its colour; bypass is reversed and says so twice."""
    mode = state.settling or state.mode
    word = mode.value.upper().replace("_", " ")
    if state.settling is not None:
        word += "…"
    if mode is PermissionMode.BYPASS:
        return Content.styled(f" {word} ! ", f"bold reverse $mode-{mode}")
    if mode is PermissionMode.PLAN and not state.ceiling:
        word += " (rules win)"
    return Content.styled(f" {word} ", f"bold $background on $mode-{mode.value.replace('_', '-')}")


def keys_of(state: FooterState, width: int, keymap: Keymap) -> list[Content]:
    """The keys with their labels; Esc says what it would do now."""
    shown = []
    for name in _KEYS:
        action = _BY_ID[name]
        sign, label = keymap.sign(action), action.label
        if name == "focus.prompt":
            label = "stop" if state.running else ""
        if name == "help.show" and not keymap.changed(action):
            sign = "F1 ?" if width >= WIDE else "?"
        if width < WIDE and name == "pane.tasks":
            label = ""
        if width < NARROW + 5 and name in ("mode.cycle", "app.palette"):
            label = ""
        if label:
            shown.append(Content.assemble((sign, "$accent"), " ", (label, "$muted")))
    return shown


def right_of(state: FooterState, width: int) -> Content:
    """Agent, model, sandbox, context, cost: what is unknown is left out, what is dear to know is kept longest."""
    parts = [neutralise_line(state.agent)]
    if width >= WIDE:
        parts.append(neutralise_line(state.model))
        if state.sandboxed:
            parts.append("sandbox")
    usage = state.usage
    if usage is not None and usage.context_window and usage.context_tokens:
        parts.append(f"{100 * usage.context_tokens // usage.context_window} %")
    if usage is not None and usage.cost is not None and width >= WIDE:
        parts.append(f"${usage.cost:.2f}")
    return Content.styled(" · ".join(parts), "$muted")


def fit(chip: Content, keys: list[Content], right: Content, width: int) -> Content:
    """Lay chip and keys left and the rest right; keys give way from the right, the mode and the agent never."""
    room = width - 2
    left = chip
    for key in keys:
        longer = Content.assemble(left, "  ", key)
        if longer.cell_length + 2 + right.cell_length > room:
            break
        left = longer
    gap = max(1, room - left.cell_length - right.cell_length)
    return Content.assemble(left, " " * gap, right)
