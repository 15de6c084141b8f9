"""Places in a file: lines and columns as editors count them."""

import re
from bisect import bisect_right
from dataclasses import dataclass

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Place:
    """A place in a file. Line and column count from 1; a column is a character, whatever its width on a screen."""

    line: int = 1
    column: int = 1


@dataclass(frozen=True)
class Fault:
    """Something wrong at a place, about the key `field` of the front matter where it is about one."""

    place: Place
    problem: str
    hint: str = ""
    field: str = ""


class Lines:
    """The lines of a text that ends them with LF, CR LF or CR, all three as one line end each.

    YAML and `str.splitlines` know more line ends (U+0085, U+2028 and others); editors do not, and it is in an editor
    that somebody looks a place up.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(found.end() for found in _LINE_END.finditer(text))]

    def __len__(self) -> int:
        """The number of lines; the empty one after a last line end counts."""
        return len(self.starts)

    def __getitem__(self, index: int) -> str:
        """The line at `index`, counted from 0, without its line end."""
        end = self.starts[index + 1] if index + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[index] : end].rstrip("\r\n")

    def place(self, offset: int) -> Place:
        """The place of the character at `offset`."""
        line = bisect_right(self.starts, min(max(offset, 0), len(self.text)))
        return Place(line, offset - self.starts[line - 1] + 1)
