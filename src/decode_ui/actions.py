"""The one table of actions: bindings, footer, subtitles, help and keymap are made from it (keys.md §1).

A key that is not in this table does not exist.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from textual.binding import Binding


@dataclass(frozen=True)
class Action:
    """One thing a person can do by key.

    `id` is `scope.verb` and names the action in keymaps; `keys` are Textual key names, comma-separated, the first one
    shown as `sign`; `does` is the Textual action of the scope's screen or widget; `help` is one line for F1.
    """

    id: str
    keys: str
    sign: str
    label: str
    does: str
    help: str
    priority: bool = False

    @property
    def scope(self) -> str:
        """The part of the id before the dot."""
        return self.id.partition(".")[0]


WORK: tuple[Action, ...] = (
    Action("mode.cycle", "shift+tab", "⇧⇥", "mode", "cycle_mode", "next mode: default, edit, plan, bypass", priority=True),
)

ASK: tuple[Action, ...] = ()

PLAN_REVIEW: tuple[Action, ...] = ()


def bindings(actions: Iterable[Action]) -> list[Binding]:
    """Textual bindings for a screen or widget; the footer is ours, so none is shown by Textual."""
    return [
        Binding(a.keys, a.does, a.label, show=False, priority=a.priority, id=a.id, key_display=a.sign) for a in actions
    ]
