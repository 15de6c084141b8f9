"""Choosing a theme: it is put on while one moves, and Esc brings the old one back."""

from textual import on
from textual.widgets import OptionList

from decode_ui.screens.picker import Item, PickerScreen
from decode_ui.theme import SHORT_NAMES, THEMES

NOTES = {
    "dark": "calm, for most rooms",
    "light": "for bright rooms",
    "high-contrast": "texts at 7 to 1",
    "ansi": "the terminal's own sixteen colours",
}
"""What a theme is for."""


class ThemePicker(PickerScreen):
    """Closes with the short name of the theme that was taken, or None."""

    def __init__(self, current: str) -> None:
        items = [Item(short, short, NOTES[short]) for short in SHORT_NAMES]
        shown = next((short for short, name in SHORT_NAMES.items() if name == current), "")
        super().__init__("Theme", items, hint="enter takes · esc brings the old one back", current=shown)
        self._before = current

    @on(OptionList.OptionHighlighted)
    def _preview(self, event: OptionList.OptionHighlighted) -> None:
        name = SHORT_NAMES.get(event.option.id or "")
        if name in THEMES:
            self.app.theme = name

    def action_close(self) -> None:
        """Bring the old theme back."""
        self.app.theme = self._before
        super().action_close()
