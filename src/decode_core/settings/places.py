"""Places in a JSON text: paths of keys, lines and columns."""

from typing import NamedTuple

JsonPath = tuple[str | int, ...]
"""Keys and indices from the root, like `("permissions", "deny", 0)`."""


class Position(NamedTuple):
    """A place in a text; line and column count from 1, the column in characters."""

    line: int
    column: int


def dotted(path: JsonPath) -> str:
    """A path as people write it: `limits.max_turns`, `permissions.deny[0]`."""
    text = ""
    for key in path:
        if isinstance(key, int):
            text += f"[{key}]"
        else:
            text += f".{key}" if text else key
    return text or "the file"
