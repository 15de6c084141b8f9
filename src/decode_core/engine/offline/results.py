"""What the tools' results say, as values. Their texts are written for models; this reads them by their form."""

import re
from dataclasses import dataclass

_NUMBERED = re.compile(r"^ *(\d+)\t(.*)$")
_MATCH = re.compile(r"^(?P<path>.+?):(?P<line>\d{1,9}):(?P<text>.*)$")
_NOTE = re.compile(r"^\(.*\.\)$")
_NOTHING = {"", "No file matches.", "No match."}


@dataclass(frozen=True)
class FileText:
    """The lines of a file that a `read` gave: `first` is the number of the first, counted from 1."""

    lines: tuple[str, ...]
    first: int = 1
    note: str = ""
    """What the tool says beside the lines, such as how to go on."""

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)


@dataclass(frozen=True)
class Match:
    """One line that a `grep` found."""

    path: str
    line: int
    text: str


def file_text(result: str) -> FileText:
    """Read the text of a `read`: numbered lines, and notes around them."""
    lines: list[str] = []
    notes: list[str] = []
    first = expected = 0
    for line in result.split("\n"):
        match = _NUMBERED.match(line)
        number = int(match[1]) if match and len(match[1]) < 10 else 0
        if match is None or (lines and number != expected):
            notes.append(line)
            continue
        first = first or number
        expected = number + 1
        lines.append(match[2])
    return FileText(tuple(lines), max(first, 1), "\n".join(notes).strip())


def paths(result: str) -> list[str]:
    """The paths of a `glob`, or of a `grep` for files only: one a line, notes left out."""
    return [line for line in result.split("\n") if line not in _NOTHING and not _NOTE.match(line)]


def matches(result: str) -> list[Match]:
    """The matches of a `grep`."""
    found = (_MATCH.match(line) for line in result.split("\n"))
    return [Match(match["path"], int(match["line"]), match["text"]) for match in found if match]


def notes(result: str) -> str:
    """What a listing or search says beside what it found, such as that there is more."""
    return " ".join(line[1:-1] for line in result.split("\n") if _NOTE.match(line))


def escape_regex(text: str) -> str:
    """`text` as a regular expression of ripgrep that fits exactly it."""
    return re.sub(r"[\\.+*?()|\[\]{}^$]", r"\\\g<0>", text)


def escape_glob(text: str) -> str:
    """`text` as a file pattern that fits exactly it."""
    return re.sub(
        r"[*?\[\]{}\\]", lambda sign: f"[{sign.group()}]" if sign.group() in "*?[" else f"\\{sign.group()}", text
    )


def any_case(text: str) -> str:
    """`text` as a file pattern that fits it in capitals and small letters."""
    return "".join(
        f"[{sign.lower()}{sign.upper()}]" if sign.isascii() and sign.isalpha() else escape_glob(sign) for sign in text
    )
