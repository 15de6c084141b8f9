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
from decode_ui.keys.keymap import Keymap

_BY_ID = {action.id: action for action in WORK}
_KEYS = ("mode.cycle", "pane.jump", "app.palette", "pane.tasks", "focus.prompt", "help.show")
"""Keys in their fixed order, cut from the right where the line is too short."""

PADDING = 1
"""Cells before the line."""
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
    still_running: int = 0
    """Commands that run although plan would refuse them now."""
    sandboxed: bool = False
    """Whether commands run in a sandbox, as far as that is known yet."""


@dataclass(frozen=True)
class FooterKey:
    """A key with its label, and the action that a click on it does."""

    does: str
    content: Content


@dataclass(frozen=True)
class FooterLine:
    """The whole line, and where its keys stand: first cell, cell behind the last one, action."""

    content: Content
    buttons: tuple[tuple[int, int, str], ...] = ()

    def at(self, x: int) -> str | None:
        """The action of the key at a cell."""
        return next((does for start, end, does in self.buttons if start <= x < end), None)


class ModeFooter(Static):
    """One line, its keys are buttons. A click on the mode asks for the list of modes; it never cycles."""

    class ChipClicked(Message):
        """The person clicked the mode."""

    class KeyClicked(Message):
        """The person clicked a key; `does` is its action."""

        def __init__(self, does: str) -> None:
            super().__init__()
            self.does = does

    def __init__(self, keymap: Keymap, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, markup=False)
        self._keymap = keymap
        self._state: FooterState | None = None
        self._chip_cells = 0
        self._line = FooterLine(Content())
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
        """A click on a key does what the key does; one on the mode, or its key, lists the modes."""
        does = self._line.at(event.x - PADDING)
        if event.x <= self._chip_cells or does == _BY_ID["mode.cycle"].does:
            # a double click must not loosen
            self.post_message(self.ChipClicked())
        elif does is not None:
            self.post_message(self.KeyClicked(does))

    def _draw(self) -> None:
        if self._state is None or not self.size.width:
            return
        chip = chip_of(self._state)
        self._chip_cells = chip.cell_length
        if self._said:
            room = max(self.size.width - 4 - chip.cell_length, 1)
            self._line = FooterLine(Content())
            self.update(Content.assemble(chip, "  ", Content(self._said).truncate(room, ellipsis=True)))
            return
        keys = keys_of(self._state, self.size.width, self._keymap)
        self._line = fit(chip, keys, right_of(self._state, self.size.width), self.size.width)
        self.update(self._line.content)


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


def keys_of(state: FooterState, width: int, keymap: Keymap) -> list[FooterKey]:
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
            shown.append(FooterKey(action.does, Content.assemble((sign, "$accent"), " ", (label, "$muted"))))
    return shown


def right_of(state: FooterState, width: int) -> Content:
    """Agent, model, sandbox, context, cost: what is unknown is left out, what is dear to know is kept longest."""
    parts = [neutralise_line(state.agent)]
    if state.still_running:
        parts.insert(0, "1 command runs" if state.still_running == 1 else f"{state.still_running} commands run")
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


def fit(chip: Content, keys: list[FooterKey], right: Content, width: int) -> FooterLine:
    """Lay chip and keys left and the rest right; keys give way from the right, the mode and the agent never."""
    room = width - 2
    left = chip
    buttons: list[tuple[int, int, str]] = []
    for key in keys:
        longer = Content.assemble(left, "  ", key.content)
        if longer.cell_length + 2 + right.cell_length > room:
            break
        buttons.append((left.cell_length + 2, longer.cell_length, key.does))
        left = longer
    gap = max(1, room - left.cell_length - right.cell_length)
    return FooterLine(Content.assemble(left, " " * gap, right), tuple(buttons))
