"""Keys of Cyrillic and Greek layouts as the Latin key at the same place (keys.md §1.1).

With the kitty protocol a terminal sends `ctrl+щ` where a Latin layout sends `ctrl+o`; every terminal sends `т` for `n`.
Bindings see the Latin key; what a text field writes stays the letter that was typed.
"""

from textual.events import Key

_LATIN = "qwertyuiopasdfghjklzxcvbnm"
_CYRILLIC = "йцукенгшщзфывапролдячсмить"
_GREEK = ";ςερτυθιοπασδφγηξκλζχψωβνμ"
"""Letters in the order of the keyboard, row by row."""

ALIASES: dict[str, str] = {
    **dict(zip(_CYRILLIC, _LATIN, strict=True)),
    **{theirs: ours for theirs, ours in zip(_GREEK, _LATIN, strict=True) if theirs.isalpha()},
    "і": "s",
    "ў": "o",
}
"""A letter of another layout and the Latin one on the same key; Ukrainian and Belarusian letters stand beside them."""


def latin(event: Key) -> Key:
    """The event with the Latin key of the same place and its own character, or the event itself."""
    *modifiers, name = event.key.split("+")
    ours = ALIASES.get(name.lower())
    if ours is None:
        return event
    letter = ours.upper() if name.isupper() else ours
    return Key("+".join([*modifiers, letter]), event.character)
