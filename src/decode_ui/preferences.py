"""What a person's settings say about the interface. Pure."""

from dataclasses import dataclass, field

from decode_core.settings.schema import Notifications, SettingsValues
from decode_ui.keys.keymap import Keymap, read_keymap
from decode_ui.theme import DARK, SHORT_NAMES, theme_name


@dataclass(frozen=True)
class Preferences:
    """Theme, keys, motion, signs, guard, notifications; `problems` are wishes not met, a sentence each."""

    theme: str = DARK.name
    keymap: Keymap = field(default_factory=Keymap)
    reduced_motion: bool = False
    ascii_signs: bool = False
    screen_reader: bool = False
    """One column without frames, nothing that moves or goes away by itself."""
    guard_scale: float = 1.0
    notifications: Notifications = Notifications.OSC
    problems: tuple[str, ...] = ()


def read_preferences(
    values: SettingsValues, environ_motion: str | None = None, *, ascii_terminal: bool = False
) -> Preferences:
    """Read the settings; `environ_motion` is `DECODE_REDUCED_MOTION`, which wins where it is set.

    `ascii_terminal`: the terminal shows no signs beyond ASCII.
    """
    keymap = read_keymap(values.keys)
    theme = theme_name(values.theme) if values.theme else DARK.name
    problems = list(keymap.problems)
    if theme is None:
        problems.append(f"theme: there is no theme {values.theme!r}; there are {', '.join(SHORT_NAMES)}")
    reduced = values.reduced_motion if environ_motion is None else environ_motion not in ("", "0")
    return Preferences(
        theme=theme or DARK.name,
        keymap=keymap,
        reduced_motion=reduced or values.screen_reader,
        screen_reader=values.screen_reader,
        ascii_signs=values.ascii_signs or ascii_terminal,
        guard_scale=values.guard_scale,
        notifications=values.notifications,
        problems=tuple(problems),
    )
